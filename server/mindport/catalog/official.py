"""Agreement of the mapping data with the official tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mindport.catalog.index import Table
from mindport.catalog.jsonl import read_json, read_lines
from mindport.catalog.names import ApiNames
from mindport.catalog.sources import misspellings

PAIRS = "official/pairs.jsonl"
EXCEPTIONS = "curated/official_exceptions.json"
_WORDS = ("agree", "agree_respelled", "explained", "unexplained")


@dataclass(frozen=True, slots=True)
class OfficialPair:
    """A row of the official tables, with the branches it stands in. `agrees`: the mapping data offers the
    target for the torch API. `respelled`: it does so for the names that the row misspells. `explained`: a
    reason is written down why the row is not followed as it stands."""

    torch: str
    mindspore: str
    branches: tuple[str, ...]
    agrees: bool
    respelled: bool
    explained: bool


def official_pairs(
    source_dir: Path, table: Table, torch: ApiNames, mindspore: ApiNames
) -> Iterator[OfficialPair]:
    """All pairs of the branches that are compared, each judged by the merged correspondences in `table`."""
    path = source_dir / PAIRS
    reasons, spelling = exceptions(source_dir), misspellings(source_dir)
    for row in read_lines(path) if path.exists() else ():
        ours, target = str(row["torch"]), str(row["mindspore"])
        right, right_target = spelling.get(ours, ours), spelling.get(target, target)
        agrees = _offers(table.get(torch.canonical(ours) or ours), target, mindspore)
        respelled = not agrees and _offers(
            table.get(torch.canonical(right) or right), right_target, mindspore
        )
        explained = target in reasons.get(ours, {})
        yield OfficialPair(ours, target, tuple(row["branches"]), agrees, respelled, explained)


def exceptions(source_dir: Path) -> Mapping[str, Collection[str]]:
    """By torch name and target: the reasons why rows of the tables are not followed."""
    path = source_dir / EXCEPTIONS
    found: Mapping[str, Collection[str]] = read_json(path) if path.exists() else {}
    return found


def _offers(record: Mapping[str, Any] | None, target: str, mindspore: ApiNames) -> bool:
    if record is None or record.get("status") == "missing":
        return False
    wanted = mindspore.canonical(target) or target
    offered = {n for c in record["candidates"] for n in (c["target"], *c.get("apis", ()))}
    return wanted in offered or wanted in {mindspore.canonical(name) for name in offered}


def agreement(pairs: Iterator[OfficialPair]) -> dict[str, dict[str, int]]:
    """Per branch: how many pairs there are, how many agree, how many do when spelled rightly, and how many of
    the others have a reason."""
    counts: dict[str, dict[str, int]] = {}
    for pair in pairs:
        for branch in pair.branches:
            of_branch = counts.setdefault(branch, dict.fromkeys(("pairs", *_WORDS), 0))
            of_branch["pairs"] += 1
            flags = (pair.agrees, pair.respelled and pair.explained, pair.explained, True)
            of_branch[_WORDS[flags.index(True)]] += 1
    return counts
