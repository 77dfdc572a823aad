"""Counts over the mapping data: how many torch APIs have which status."""

from __future__ import annotations

from collections import Counter
from typing import Any

from mindport.catalog.catalog import Catalog
from mindport.catalog.target import Target

_COUNTED = ("function", "class", "method", "property", "attribute", "dtype")


def stats(catalog: Catalog, target: Target) -> dict[str, Any]:
    """For a target: the public torch APIs by status and by module, and how many have a counterpart.

    Counted are functions, classes, dtypes and members of classes; not private names, modules, constants
    and double-underscore methods.
    """
    by_status: Counter[str] = Counter()
    by_module: dict[str, Counter[str]] = {}
    by_style: Counter[str] = Counter()
    for name in catalog.torch_names:
        if not _counts(catalog, name):
            continue
        answer = catalog.answer(name, target)
        by_status[answer.status] += 1
        by_module.setdefault(_module(catalog, name), Counter())[answer.status] += 1
        if answer.chosen is not None:
            by_style[answer.chosen.style] += 1
    return {
        "target": {"version": target.version, "device": target.device, "style": target.style},
        "apis": sum(by_status.values()),
        "with_counterpart": by_status["equivalent"] + by_status["differs"],
        "by_status": dict(sorted(by_status.items())),
        "by_style": dict(sorted(by_style.items())),
        "by_module": {m: dict(sorted(c.items())) for m, c in sorted(by_module.items())},
    }


def _counts(catalog: Catalog, name: str) -> bool:
    return catalog.kind(name) in _COUNTED and not any(part.startswith("_") for part in name.split("."))


def _module(catalog: Catalog, name: str) -> str:
    owner = name.rpartition(".")[0]
    while owner and not catalog.is_module(owner) and owner != "torch.Tensor":
        owner = owner.rpartition(".")[0]
    return owner
