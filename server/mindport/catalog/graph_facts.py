"""What graph mode does otherwise: `mapping_data/graph_mode`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mindport.catalog.jsonl import read_json
from mindport.language import Text

if TYPE_CHECKING:
    from mindport.catalog.index import Index

_FILES: Final = ("constructs",)


class Advice(NamedTuple):
    """What something is called in a sentence, and what to write in its place."""

    name: Text
    instead: Text


def read_graph_facts(source_dir: Path) -> str:
    """The facts in a folder of mapping data, as the index keeps them."""
    paths = {name: source_dir / "graph_mode" / f"{name}.json" for name in _FILES}
    kept = {name: read_json(path) if path.exists() else {} for name, path in paths.items()}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


class GraphFacts:
    """Reads `mapping_data/graph_mode`.

    `syntax` are, by the type of a syntax node (behind that of the node it is in and a slash, where that
    matters), what the graph compiler rejects; `calls`, by dotted name, too. So are `decorators`, which it
    rejects or leaves out; those of a project stand under `project`.
    `methods` of builtin containers, by type and name, do something else than in Python. What is in modules
    of `runs_once` is carried out while the graph is compiled, and not again. `changing` are the methods that
    change a container, `branches` those on the value of a
    Tensor. Modules with one of the names `data_modules` process data, outside the network.
    """

    def __init__(self, index: Index) -> None:
        data = json.loads(index.text("graph_mode"))
        constructs = data["constructs"]
        self.syntax = {node: _advice(one) for one in constructs["syntax"] for node in one["nodes"]}
        self.exceptions = _advice(constructs["exceptions"])
        self.decorators = {name: _advice(one) for one in constructs["decorators"] for name in one["names"]}
        self.calls = {name: _advice(one) for one in constructs["calls"] for name in one["names"]}
        self.methods = {
            (one["type"], name): _advice(one) for one in constructs["methods"] for name in one["names"]
        }
        self.changing = frozenset(constructs["state"]["methods"])
        self.state = _advice(constructs["state"])
        self.branches = _advice(constructs["branches"])
        self.data_modules = frozenset(constructs["data_processing"]["modules"])
        self._runs_once = {name: _advice(one) for one in constructs["runs_once"] for name in one["modules"]}

    def runs_once(self, dotted: str) -> Advice | None:
        """What to do about a function of a library that is carried out while the graph is compiled, and not
        again; None for others."""
        while dotted:
            if dotted in self._runs_once:
                return self._runs_once[dotted]
            dotted = dotted.rpartition(".")[0]
        return None


def _advice(entry: Mapping[str, Any]) -> Advice:
    name = entry.get("name", {"en": "", "zh-cn": ""})
    return Advice(Text(name["en"], name["zh-cn"]), Text(entry["instead"]["en"], entry["instead"]["zh-cn"]))
