"""Gradients of gradients: what takes them, and which APIs MindSpore does not differentiate twice
(`mapping_data/second_order`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from mindport.catalog.jsonl import read_json, read_lines
from mindport.language import Text

if TYPE_CHECKING:
    from mindport.catalog.index import Index

_MEMBER = "torch.Tensor."
Fault = Literal["differs", "raises"]


class SecondGradientTaking(NamedTuple):
    """An API that takes gradients of gradients: of its argument `parameter` (by position: `place`), of the
    receiver where that is "", for `inputs`, where there are such; if what is given for `when` may be true,
    where there is one; if the argument is what such an API gave itself (`of_itself`)."""

    parameter: str
    place: int
    inputs: str
    inputs_place: int
    when: str
    when_place: int
    of_itself: bool


def read_second_order(source_dir: Path) -> str:
    """The facts in a folder of mapping data, as the index keeps them."""
    folder = source_dir / "second_order"
    calls, operators = folder / "calls.json", folder / "operators.jsonl"
    kept = {
        "calls": read_json(calls) if calls.exists() else {},
        "faults": _faults(read_lines(operators)) if operators.exists() else {},
    }
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def _faults(records: list[dict[str, Any]]) -> dict[str, tuple[Fault, bool]]:
    """The APIs of which no candidate can be differentiated twice, with how that shows, and whether one can in
    graph mode."""
    by_api: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        by_api.setdefault(record["torch"], []).append(record)
    found: dict[str, tuple[Fault, bool]] = {}
    for name, candidates in by_api.items():
        results = {one["result"] for one in candidates}
        if "equal" not in results:
            in_graph = any(one.get("graph") == "equal" for one in candidates)
            found[name] = ("differs" if "differs" in results else "raises", in_graph)
    return found


class SecondOrderFacts:
    """Reads `mapping_data/second_order`. `takers` are the APIs that take gradients of gradients (with
    `last_names`), `conditions` the parameters that make some take them, `when_named` that parameter by the
    last name of an API (empty where none is needed), `leaving` those whose results carry no gradient on
    (`leaving_members`: the members of Tensors among them), `operators` the APIs that operators
    stand for."""

    def __init__(self, index: Index) -> None:
        data = json.loads(index.text("second_order"))
        calls = data["calls"]
        self.takers: Mapping[str, SecondGradientTaking] = {
            name: _taking(one) for one in calls["calls"] for name in one["names"]
        }
        self.when_named: Mapping[str, str] = {
            name.rpartition(".")[2]: taking.when
            for name, taking in self.takers.items()
            if not taking.of_itself
        }
        self.last_names = frozenset(name.rpartition(".")[2] for name in self.takers)
        self.conditions = frozenset(taking.when for taking in self.takers.values() if taking.when)
        self.leaving = frozenset(calls["leaving"])
        members = [name.removeprefix(_MEMBER) for name in self.leaving if name.startswith(_MEMBER)]
        self.leaving_members = frozenset(members)
        self.operators: Mapping[str, str] = calls["operators"]
        self.instead = _text(calls["takes"]["instead"])
        self._faults: Mapping[str, tuple[Fault, bool]] = data["faults"]
        self._in_graph = {kind: _text(text) for kind, text in calls["in_graph"].items()}
        self._nowhere = {kind: _text(text) for kind, text in calls["nowhere"].items()}

    def fault(self, api: str) -> Text | None:
        """What is wrong with the second gradient of an API, and what to do; None where nothing is, or nothing
        is known of it."""
        if api not in self._faults:
            return None
        kind, in_graph = self._faults[api]
        return (self._in_graph if in_graph else self._nowhere)[kind]


def _taking(entry: Mapping[str, Any]) -> SecondGradientTaking:
    return SecondGradientTaking(
        entry.get("parameter", ""),
        entry.get("place", -1),
        entry.get("inputs", ""),
        entry.get("inputs_place", -1),
        entry.get("when", ""),
        entry.get("when_place", -1),
        entry.get("of_itself", False),
    )


def _text(entry: Mapping[str, str]) -> Text:
    return Text(entry["en"], entry["zh-cn"])
