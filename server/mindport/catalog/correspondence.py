"""Correspondences between torch and MindSpore, answered for a target."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any

from mindport.catalog.answer import Answer, Candidate, Evidence, Status, WayOut, candidate_from
from mindport.catalog.api import Api
from mindport.catalog.binding import BoundCall, WrittenType
from mindport.catalog.differences import is_one_of, text_of
from mindport.catalog.index import Index, Table
from mindport.catalog.names import ApiNames
from mindport.catalog.preference import in_order
from mindport.catalog.target import DEVICES, LATEST, VERSIONS, Device, Target, version_number
from mindport.catalog.tried_calls import CallShape, TriedCalls, TypedType, shape_of
from mindport.language import Text

_SINCE = Text("`{name}` is available from MindSpore {version}.", "`{name}` 自 MindSpore {version} 起提供。")
_UNTIL = Text(
    "`{name}` is available only up to MindSpore {version}.", "`{name}` 仅提供到 MindSpore {version} 为止。"
)


_NONE: frozenset[str] = frozenset()


class Correspondences:
    """The correspondence table. Answers are kept per API and target."""

    def __init__(self, index: Index, torch: ApiNames, mindspore: ApiNames) -> None:
        self.table = index.table("correspondences")
        self._modules = frozenset(index.text("modules").split("\n"))
        self._general: dict[str, list[str]] = json.loads(index.text("general") or "{}")
        self._index = index
        self._evidence: dict[str, dict[str, Any]] = {}
        self._torch = torch
        self._kind_of = torch.kind
        self._mindspore = mindspore
        self._answers: dict[tuple[str, Target], Answer] = {}
        self._tried_tables: dict[str, Table] = {}
        self._tried: dict[tuple[str, str, Device], TriedCalls] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self.table)

    def answer(self, name: str, target: Target) -> Answer:
        """The answer for a torch API by its public name."""
        key = (name, target)
        found = self._answers.get(key)
        if found is None:
            found = self._answer(name, target)
            self._answers[key] = found
        return found

    def is_harmless(self, parameter: str, source: str) -> bool:
        """Whether an argument with this text, for a torch parameter that many APIs have, has nothing to do
        with the result."""
        return is_one_of(source, self._general.get(parameter, ()))

    def without_influence(
        self, api: Api | None, bound: Sequence[BoundCall[WrittenType]]
    ) -> tuple[frozenset[str], frozenset[str]]:
        """The parameters of a call whose arguments have nothing to do with the result: those that may be
        dropped, and the first parameter of a function, which is what the call is about
        (`torch.cuda.synchronize(device)`), if it is one of them."""
        names = [
            item.parameter.name
            for item in bound
            if self.is_harmless(item.parameter.name, item.argument.source)
        ]
        if not names:
            return _NONE, _NONE
        signatures = api.signatures if api is not None and api.kind != "class" else ()
        first = {parameter.name for one in signatures for parameter in one.parameters[:1]}
        found = frozenset(names)
        return found - first, found & first

    def shape(self, api: Api | None, bound: Sequence[BoundCall[TypedType]]) -> CallShape:
        """The shape of a call (see `tried_calls`)."""
        harmless, neutral = self.without_influence(api, bound)
        return shape_of(bound, harmless, neutral)

    def targets(self, name: str) -> list[str]:
        """All MindSpore names that a torch API has as candidates, for whatever version."""
        return [c["target"] for c in (self.table.get(name) or {"candidates": ()})["candidates"]]

    def is_needed(self, name: str) -> bool:
        """Whether MindSpore needs anything for a torch API."""
        record = self.table.get(name)
        return record is None or record.get("status") != "not_needed"

    def is_tried_on(self, target: Target) -> bool:
        """Whether calls were run on the target's device at all."""
        return bool(self._tried_table(target.device).names)

    def tried(self, name: str, candidate: Candidate, device: Device) -> TriedCalls:
        """The calls of a torch API that were run with a candidate on a device; those with the latest version
        stand for all versions."""
        key = (name, candidate.text, device)
        found = self._tried.get(key)
        if found is None:
            record = self._tried_table(device).get(name) or {}
            found = self._tried[key] = TriedCalls(record.get(candidate.text, {}))
        return found

    def _tried_table(self, device: Device) -> Table:
        if device not in self._tried_tables:
            self._tried_tables[device] = self._index.table(f"tried/{LATEST}/{device}")
        return self._tried_tables[device]

    def _answer(self, name: str, target: Target) -> Answer:
        record, own = self._record(name)
        if not own:
            passed_on = self._passed_on(name, target)
            if passed_on:
                return Answer(name, target, "equivalent", passed_on)
        stated: Status | None = record.get("status")
        note, reason = text_of(record.get("note")), text_of(record.get("reason"))
        way_out = _way_out(record.get("way_out"))
        if not own or stated in ("missing", "not_needed"):
            status = stated or "missing"
            kept = status == "not_needed" and own
            candidates = self._candidates(name, record, target) if kept else ()
            removable = record.get("removable")
            return Answer(name, target, status, candidates, note, reason, way_out, removable)
        candidates = self._candidates(name, record, target)
        if not candidates:
            status = without_counterpart(name, self._kind_of, self._modules, self.table)
            return Answer(name, target, status, (), note, reason or _other_versions(record, target), way_out)
        if stated is None:
            chosen = Answer(name, target, "differs", candidates).chosen
            stated = "equivalent" if chosen is not None and chosen.same else "differs"
        overrides = tuple(record.get("overrides", {}).items())
        return Answer(name, target, stated, candidates, note, reason, way_out, None, overrides)

    def _record(self, name: str) -> tuple[Mapping[str, Any], bool]:
        """The record for an API, and whether it is its own. An API without one has that of the nearest
        wildcard above it, or of the class that it is a member of where the class has no counterpart."""
        record = self.table.get(name)
        if record is not None:
            return record, True
        owner = name.rpartition(".")[0]
        while owner:
            above = self.table.get(f"{owner}.*")
            if above is not None:
                return above, False
            of_class = self.table.get(owner) if self._kind_of(owner) == "class" else None
            if of_class is not None and of_class.get("status") in ("missing", "not_needed"):
                return of_class, False
            owner = owner.rpartition(".")[0]
        return {"candidates": ()}, True

    def _passed_on(self, name: str, target: Target) -> tuple[Candidate, ...]:
        """Candidates for what a module of torch's has from Python (`torch.multiprocessing.Queue`), where its
        counterpart in MindSpore has the same."""
        owner, _, last = name.rpartition(".")
        record = self.table.get(owner)
        if record is None or self._kind_of(name) is not None or last not in self._exports(self._torch, owner):
            return ()
        modules = [c for c in record["candidates"] if last in self._exports(self._mindspore, c["target"])]
        same = [{**c, "target": f"{c['target']}.{last}", "parameters": []} for c in modules]
        return self._candidates(name, {"candidates": same}, target)

    @staticmethod
    def _exports(names: ApiNames, module: str) -> Sequence[str]:
        return names.exports(module) if names.kind(module) == "module" else ()

    def _candidates(self, name: str, record: Mapping[str, Any], target: Target) -> tuple[Candidate, ...]:
        is_called = self._kind_of(name) in ("function", "method", "class")
        valid = [c for c in record["candidates"] if _valid(c, target)]
        return tuple(in_order([self._candidate(c, target, is_called) for c in valid], target))

    def _candidate(self, record: Any, target: Target, is_called: bool) -> Candidate:
        names = record.get("apis") or [record["target"]]
        known = [api for n in names if (api := self._mindspore.api(n)) is not None and api.platforms]
        platforms = (
            tuple(p for p in known[0].platforms if all(p in a.platforms for a in known)) if known else ()
        )
        runs = [Evidence.of_run(r) for r in record.get("ran", ()) if _is_of(r, target)]
        ran = next((e for e in runs if e.device == target.device), None)
        if ran is None:
            ran = self._apis_ran(record, names, target)
        elsewhere = None
        if ran is None:
            elsewhere = next(iter(runs), None) or self._ran_elsewhere(record, target)
        return candidate_from(record, target, platforms, ran, elsewhere, self._general, is_called)

    def _apis_ran(self, record: Any, names: list[str], target: Target) -> Evidence | None:
        """What is known of the APIs by themselves on the target's device: of a template, one that fails."""
        if "template" not in record:
            return self._ran(names[0], target.version, target.device)
        found = (self._ran(name, target.version, target.device) for name in record["apis"])
        return next((e for e in found if e is not None and e.result in ("unsupported", "fails")), None)

    def _ran_elsewhere(self, record: Any, target: Target) -> Evidence | None:
        if "template" in record:
            return None
        others = (d for d in DEVICES if d != target.device)
        found = (self._ran(record["target"], target.version, d) for d in others)
        return next((e for e in found if e is not None), None)

    def _ran(self, name: str, target_version: str, device: Device) -> Evidence | None:
        """The evidence for a device; that for the latest version stands for versions without any."""
        for version in dict.fromkeys((target_version, LATEST)):
            found = self._results(version, device).get(name)
            if found is not None:
                return Evidence(version, device, found[0], found[1], of_api=True)
        return None

    def _results(self, version: str, device: str) -> dict[str, Any]:
        key = f"evidence/{version}/{device}"
        if key not in self._evidence:
            self._evidence[key] = json.loads(self._index.text(key) or "{}")
        return self._evidence[key]


def _is_of(run: Mapping[str, Any], target: Target) -> bool:
    """Whether a run counts for a target's version: that of the latest version does for all."""
    return run["version"] in (target.version, LATEST)


def _valid(record: Any, target: Target) -> bool:
    return target.supports(record.get("since", VERSIONS[0]), record.get("until"))


def _way_out(record: Mapping[str, Any] | None) -> WayOut | None:
    if record is None:
        return None
    text = text_of(record["text"])
    assert text is not None
    return WayOut(record["strategy"], text, record.get("code"))


def _other_versions(record: Mapping[str, Any], target: Target) -> Text | None:
    """Why an API that has candidates in other versions has none in this one."""
    number = version_number(target.version)
    later = [c for c in record["candidates"] if version_number(c.get("since", VERSIONS[0])) > number]
    earlier = [c for c in record["candidates"] if c.get("until") and version_number(c["until"]) < number]
    if later:
        first = min(later, key=lambda c: version_number(c["since"]))
        return _fill(_SINCE, name=first["target"], version=first["since"])
    if earlier:
        last = max(earlier, key=lambda c: version_number(c["until"]))
        return _fill(_UNTIL, name=last["target"], version=last["until"])
    return None


def _fill(text: Text, **values: str) -> Text:
    return Text(text.render("en", **values), text.render("zh-cn", **values))


def without_counterpart(
    name: str, kind_of: Callable[[str], str | None], covered: Container[str], known: Container[str]
) -> Status:
    """What is said of an API that has no candidates; `covered` are modules, `known` APIs that have a record.

    `missing`: it is a public one of a module that the mapping data covers (there is at least one
    correspondence for a member of it), so that no counterpart was found although one was looked for. Members
    of classes are covered when the class's module is, or when the class itself has a record. `unmapped`:
    everything else; nobody has looked for a counterpart yet.
    """
    if any(part.startswith("_") and not part.startswith("__") for part in name.split(".")):
        return "unmapped"
    owner = name.rpartition(".")[0]
    while owner and kind_of(owner) not in (None, "module"):
        if owner in known or owner in covered:
            return "missing"
        owner = owner.rpartition(".")[0]
    is_module = kind_of(name) == "module"
    return "missing" if owner in covered and not is_module else "unmapped"
