"""Which correspondences were not run yet: those that are new, or changed, since the evidence was made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from mindport.catalog.catalog import Catalog
from mindport.catalog.ran import call_evidence_files, pairs_of, pairs_of_run
from mindport.catalog.target import Target, parse_device

_COUNTERPART = ("equivalent", "differs")


class Pair(NamedTuple):
    """A public torch API and one of its candidates, as evidence names it."""

    torch: str
    target: str


def all_pairs(catalog: Catalog, beginnings: Sequence[str] = ()) -> dict[str, dict[str, str]]:
    """The candidates of every torch API with their facts; of those whose names begin so, if any beginnings
    are given."""
    table = catalog.correspondences.table
    named = (name for name in table.names if name.startswith(tuple(beginnings) or "torch"))
    found = {name: pairs_of(record) for name in named if (record := table.get(name)) is not None}
    return {name: pairs for name, pairs in found.items() if pairs}


def not_run(catalog: Catalog, path: Path) -> Iterator[Pair]:
    """The pairs of public APIs that have a counterpart that an evidence file says nothing of, as they are
    now."""
    then, target = pairs_of_run(path), target_of(path)
    for torch, pairs in all_pairs(catalog).items():
        if catalog.is_documented(torch) and catalog.answer(torch, target).status in _COUNTERPART:
            known = then.get(torch, {})
            yield from (Pair(torch, text) for text, facts in pairs.items() if known.get(text) != facts)


def all_not_run(catalog: Catalog, source_dir: Path) -> list[Pair]:
    """The pairs that some evidence file of a folder of mapping data says nothing of."""
    files = call_evidence_files(source_dir)
    return sorted({pair for path in files for pair in not_run(catalog, path)})


def target_of(path: Path) -> Target:
    """What an evidence file is for."""
    _, version, device = path.stem.split("-")
    return Target(version, parse_device(device))
