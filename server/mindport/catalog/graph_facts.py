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

_FILES: Final = ("constructs", "shapes")


class Advice(NamedTuple):
    """What something is called in a sentence, and what to write in its place."""

    name: Text
    instead: Text


class Varying(NamedTuple):
    """An API whose result has another shape with other values: always (`when` is ""), with `one argument`, or
    where the `parameter` (by position: `place`) is `a Tensor`; not where one of `unless` is given."""

    when: str
    parameter: str
    place: int
    unless: frozenset[str]
    advice: Advice


class SizePlaces(NamedTuple):
    """The positions of arguments that are sizes, from `first` to `last`, and the name of the parameter."""

    first: int
    last: int
    keyword: str


class ShapeFacts:
    """What gives Tensors of a shape that is not known while a graph is compiled: `results` by API, the APIs
    with `sizes`. `readers` read a number from a Tensor, what is called `through` keeps it one. `loaders` give
    batches (with the positions of the parameters that decide of which size), `padding`, in
    functions and classes with one of `makers` in their names, makes Tensors as
    long as the longest."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.results = {name: _varying(one, name) for one in data["results"] for name in one["names"]}
        self.indexing = advice_in(data["indexing"])
        sizes, inputs = data["sizes"], data["inputs"]
        self.sizes = {name: SizePlaces(*places) for name, places in sizes["names"].items()}
        self.sized = advice_in(sizes)
        self.readers = frozenset(sizes["readers"])
        self.through = frozenset(sizes["through"])
        self.loaders: Mapping[str, Mapping[str, int]] = inputs["loaders"]
        self.makers: list[str] = inputs["makers"]
        self.padding = frozenset(inputs["padding"])
        self.inputs = self.padding | self.loaders.keys()
        self.loader = advice_in({"instead": inputs["loader"]})
        self.padded = advice_in({"instead": inputs["padded"]})


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
    change a container, `branches` those on the value of a Tensor
    (`choosing` is the API that takes the place of one), `shapes` what has no fixed shape. Functions of
    `untrue` are never true in MindSpore. Modules with one of the words `data_modules` in their names process
    data, outside the network; classes that have all of `host_members` are called there, too, though torch's
    modules are among their bases.
    """

    def __init__(self, index: Index) -> None:
        data = json.loads(index.text("graph_mode"))
        constructs = data["constructs"]
        self.syntax = {node: advice_in(one) for one in constructs["syntax"] for node in one["nodes"]}
        self.exceptions = advice_in(constructs["exceptions"])
        self.decorators = {name: advice_in(one) for one in constructs["decorators"] for name in one["names"]}
        self.calls = {name: advice_in(one) for one in constructs["calls"] for name in one["names"]}
        self.methods = {
            (one["type"], name): advice_in(one) for one in constructs["methods"] for name in one["names"]
        }
        self.changing = frozenset(constructs["state"]["methods"])
        self.state = advice_in(constructs["state"])
        self.branches = advice_in(constructs["branches"])
        self.host_members = tuple(constructs["data_processing"]["members"])
        self.untrue = frozenset(constructs["untrue"]["names"])
        self.data_modules = frozenset(constructs["data_processing"]["modules"])
        self.choosing: str = constructs["branches"]["choosing"]
        self.shapes = ShapeFacts(data["shapes"])
        self._runs_once = {name: advice_in(one) for one in constructs["runs_once"] for name in one["modules"]}

    def runs_once(self, dotted: str) -> Advice | None:
        """What to do about a function of a library that is carried out while the graph is compiled, and not
        again; None for others."""
        while dotted:
            if dotted in self._runs_once:
                return self._runs_once[dotted]
            dotted = dotted.rpartition(".")[0]
        return None


def _varying(entry: Mapping[str, Any], name: str) -> Varying:
    place = entry.get("places", {}).get(name, -1)
    unless = frozenset(entry.get("unless", ()))
    return Varying(entry.get("when", ""), entry.get("parameter", ""), place, unless, advice_in(entry))


def advice_in(entry: Mapping[str, Any]) -> Advice:
    """The advice of an entry of the mapping data."""
    name = entry.get("name", {"en": "", "zh-cn": ""})
    return Advice(Text(name["en"], name["zh-cn"]), Text(entry["instead"]["en"], entry["instead"]["zh-cn"]))
