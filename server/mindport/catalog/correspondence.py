"""Correspondences between torch and MindSpore, answered for a target."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from mindport.catalog.answer import Answer, Candidate, Evidence, Status, candidate_from, in_order
from mindport.catalog.differences import text_of
from mindport.catalog.index import Index
from mindport.catalog.names import ApiNames
from mindport.catalog.status import without_counterpart
from mindport.catalog.target import DEVICES, LATEST, VERSIONS, Device, Target


class Correspondences:
    """The correspondence table. Answers are kept per API and target."""

    def __init__(self, index: Index, kind_of: Callable[[str], str | None], mindspore: ApiNames) -> None:
        self._table = index.table("correspondences")
        self._modules = frozenset(index.text("modules").split("\n"))
        self._general: dict[str, list[str]] = json.loads(index.text("general") or "{}")
        self._index = index
        self._evidence: dict[str, dict[str, Any]] = {}
        self._kind_of = kind_of
        self._mindspore = mindspore
        self._answers: dict[tuple[str, Target], Answer] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def answer(self, name: str, target: Target) -> Answer:
        """The answer for a torch API by its public name."""
        key = (name, target)
        found = self._answers.get(key)
        if found is None:
            found = self._answer(name, target)
            self._answers[key] = found
        return found

    def targets(self, name: str) -> list[str]:
        """All MindSpore names that a torch API has as candidates, for whatever version."""
        return [c["target"] for c in (self._table.get(name) or {"candidates": ()})["candidates"]]

    def _answer(self, name: str, target: Target) -> Answer:
        record = self._table.get(name) or {"candidates": ()}
        is_called = self._kind_of(name) in ("function", "method", "class")
        valid = [c for c in record["candidates"] if self._valid(c, target)]
        candidates = [self._candidate(c, target, is_called) for c in valid]
        ordered = tuple(in_order(candidates, target))
        stated: Status | None = record.get("status")
        note = text_of(record.get("note"))
        return Answer(name, target, stated or self._status(name, ordered), ordered, note)

    def _status(self, name: str, candidates: tuple[Candidate, ...]) -> Status:
        if candidates:
            return "equivalent" if candidates[0].same else "differs"
        return without_counterpart(name, self._kind_of, self._modules, self._table)

    def _valid(self, record: Any, target: Target) -> bool:
        return target.supports(record.get("since", VERSIONS[0]), record.get("until"))

    def _candidate(self, record: Any, target: Target, is_called: bool) -> Candidate:
        api = self._mindspore.api(record["target"])
        platforms = api.platforms if api is not None else ()
        ran = self._ran(record["target"], target.version, target.device)
        elsewhere = None
        for device in DEVICES:
            if ran is None and elsewhere is None and device != target.device:
                elsewhere = self._ran(record["target"], target.version, device)
        return candidate_from(record, target, platforms, ran, elsewhere, self._general, is_called)

    def _ran(self, name: str, target_version: str, device: Device) -> Evidence | None:
        """The evidence for a device; that for the latest version stands for versions without any."""
        for version in dict.fromkeys((target_version, LATEST)):
            found = self._results(version, device).get(name)
            if found is not None:
                return Evidence(version, device, found[0], found[1])
        return None

    def _results(self, version: str, device: str) -> dict[str, Any]:
        key = f"evidence/{version}/{device}"
        if key not in self._evidence:
            self._evidence[key] = json.loads(self._index.text(key) or "{}")
        return self._evidence[key]
