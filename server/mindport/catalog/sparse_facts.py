"""What to do about sparse Tensors: `mapping_data/sparse`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mindport.catalog.graph_facts import Advice, advice_in
from mindport.catalog.jsonl import read_json

if TYPE_CHECKING:
    from mindport.catalog.index import Index


class SparseCall(NamedTuple):
    """A call that makes sparse Tensors, or computes with them: always, or where its parameter `when` (by
    position: `place`) is true."""

    when: str
    place: int
    advice: Advice


def read_sparse_facts(source_dir: Path) -> str:
    """The facts in a folder of mapping data, as the index keeps them."""
    path = source_dir / "sparse" / "calls.json"
    kept = read_json(path) if path.exists() else {"calls": []}
    for entry in kept["calls"]:
        entry.pop("operators", None)
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


class SparseFacts:
    """Reads `mapping_data/sparse`: `calls` by dotted name; `elsewhere` are the last names of those that are
    of other packages than torch, built on it."""

    def __init__(self, index: Index) -> None:
        data = json.loads(index.text("sparse"))
        self.calls: Mapping[str, SparseCall] = {
            name: SparseCall(one.get("when", ""), one.get("places", {}).get(name, -1), advice_in(one))
            for one in data["calls"]
            for name in one["names"]
        }
        self.elsewhere = frozenset(
            name.rpartition(".")[2] for name in self.calls if not name.startswith("torch.")
        )
