"""What search needs, prepared when the index is built: names by importance, and the bigrams of their last
parts. Uses the standard library only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

_SEARCHED = ("function", "class", "method", "property", "dtype")


def counterparts_of(correspondences: Mapping[str, Any]) -> dict[str, list[str]]:
    """Per MindSpore API, the torch APIs that become it, alone or in a template."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for torch, record in correspondences.items():
        if record.get("status") != "missing":
            for candidate in record["candidates"]:
                for target in candidate.get("apis") or [candidate["target"]]:
                    found[target][torch] = None
    return {target: list(found[target]) for target in sorted(found)}


def search_sections(
    torch: Iterable[Mapping[str, Any]],
    correspondences: Mapping[str, Any],
    reverse: Mapping[str, Any],
    asked_for: Iterable[str] = (),
) -> dict[str, str]:
    """The sections by name. Names stand by falling weight, so that the first hits are the likeliest ones;
    `asked_for` are names that are found though they have no counterpart."""
    weights = dict.fromkeys(asked_for, 0) | dict.fromkeys(reverse, 3)
    for record in torch:
        name = record["name"]
        known = correspondences.get(name)
        if known is None and (record["kind"] not in _SEARCHED or not record.get("documented")):
            continue
        weights[name] = bool(record.get("documented")) + 2 * bool(known and known["candidates"])
    names = sorted(weights, key=lambda n: (-weights[n], n in reverse, n.count("."), len(n), n))
    bigrams: dict[str, list[int]] = defaultdict(list)
    for row, name in enumerate(names):
        for bigram in bigrams_of(name.rsplit(".", 1)[-1].lower()):
            bigrams[bigram].append(row)
    return {
        "search/names": "\n".join(names),
        "search/weights": "".join(str(weights[name]) for name in names),
        "search/bigrams": "\n".join(f"{b}{_steps(rows)}" for b, rows in sorted(bigrams.items())),
    }


def bigrams_of(text: str) -> set[str]:
    """The pairs of neighbouring characters, with a blank before and after the text."""
    return pairs_of(f" {text} ")


def pairs_of(text: str) -> set[str]:
    """The pairs of neighbouring characters."""
    return {text[at : at + 2] for at in range(len(text) - 1)}


def _steps(rows: list[int]) -> str:
    """Rising numbers as the steps between them."""
    return " ".join(str(row - before) for before, row in zip([0, *rows], rows, strict=False))
