"""Counts over the mapping data: how many public torch APIs have which status."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from mindport.catalog.catalog import Catalog
from mindport.catalog.target import VERSIONS, Target

SCOPE = (
    "torch",
    "torch.Tensor",
    "torch.amp",
    "torch.ao.quantization",
    "torch.autograd",
    "torch.backends",
    "torch.cuda",
    "torch.cuda.amp",
    "torch.compiler",
    "torch.distributed",
    "torch.distributions",
    "torch.fft",
    "torch.func",
    "torch.hub",
    "torch.jit",
    "torch.linalg",
    "torch.nn",
    "torch.nn.functional",
    "torch.nn.init",
    "torch.nn.utils",
    "torch.onnx",
    "torch.optim",
    "torch.optim.lr_scheduler",
    "torch.profiler",
    "torch.random",
    "torch.serialization",
    "torch.signal",
    "torch.sparse",
    "torch.special",
    "torch.utils.checkpoint",
    "torch.utils.data",
    "torch.utils.tensorboard",
)
"""The modules whose APIs are all to have an answer, with the modules below them (`torch`: without)."""
_COUNTERPART = ("equivalent", "differs")


def stats(catalog: Catalog, target: Target) -> dict[str, Any]:
    """For a target: the public torch APIs of the modules in `SCOPE` by status and by module; how many have a
    counterpart, by style, for this and for every version; how the official tables agree, in a checkout.

    Public is what `docs/mapping.md` says. APIs of other modules are counted under `outside`.
    """
    by_module: dict[str, Counter[str]] = {}
    by_status: Counter[str] = Counter()
    by_style: Counter[str] = Counter()
    outside: Counter[str] = Counter()
    versions: Counter[str] = Counter()
    unexplained = 0
    for name in filter(catalog.is_documented, catalog.torch_names):
        answer = catalog.answer(name, target)
        module = module_of(catalog, name)
        if module is None:
            outside[answer.status] += 1
            continue
        by_status[answer.status] += 1
        by_module.setdefault(module, Counter())[answer.status] += 1
        unexplained += answer.status == "missing" and answer.reason is None
        if answer.status in _COUNTERPART and answer.chosen is not None:
            by_style[f"{answer.chosen.style} {answer.chosen.kind}"] += 1
        for version in VERSIONS:
            other = catalog.answer(name, Target(version, target.device, target.style))
            versions[version] += other.status in _COUNTERPART
    return {
        "target": {"version": target.version, "device": target.device, "style": target.style},
        "apis": sum(by_status.values()),
        "with_counterpart": sum(by_status[status] for status in _COUNTERPART),
        "missing_without_reason": unexplained,
        "by_status": _sorted(by_status),
        "by_style": _sorted(by_style),
        "with_counterpart_by_version": {version: versions[version] for version in VERSIONS},
        "by_module": {module: _sorted(by_module[module]) for module in sorted(by_module)},
        "outside": _sorted(outside),
        "official": _official(catalog),
    }


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def module_of(catalog: Catalog, name: str) -> str | None:
    """The longest module of `SCOPE` that an API is in. A class of `torch` other than Tensor is of `torch`."""
    owner = name.rpartition(".")[0]
    if owner == "torch":
        return owner
    if owner != "torch.Tensor" and catalog.kind(owner) == "class" and owner.count(".") == 1:
        return "torch"
    inside = [module for module in SCOPE if module != "torch" and f"{owner}.".startswith(f"{module}.")]
    return max(inside, key=len, default=None)


def _official(catalog: Catalog) -> dict[str, dict[str, int]]:
    from mindport.catalog.official import agreement

    source = Path(__file__).resolve().parents[3] / "mapping_data"
    return agreement(catalog.official_pairs(source)) if source.is_dir() else {}
