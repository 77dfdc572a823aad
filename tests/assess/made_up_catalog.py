"""Shared by the tests of findings: a catalog of one torch API, and a finding in few characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

from mindport.assess.assess import Assessor
from mindport.assess.file_answers import has_torch_classes
from mindport.assess.finding import Finding
from mindport.catalog.answer import Answer, Candidate
from mindport.catalog.api import Api, Signature
from mindport.catalog.differences import Difference
from mindport.catalog.target import Device, Style, Target
from mindport.infer.values import Certainty
from plan_text import difference, signature, use_of

F = "torch.some_function"


def candidate(target: str = "mindspore.mint.f", *differences: Difference | str, **others: Any) -> Candidate:
    """A candidate that is for all calls, in no style of its own."""
    made = tuple(difference(one) if isinstance(one, str) else one for one in differences)
    plain = Candidate(target, "any", "2.0", None, "curated", None, True, made, (), None, None)
    return replace(plain, **others)


@dataclass
class Tried:
    """What came of running calls: by the text of a candidate."""

    verdicts: dict[str, str]
    of_any: dict[str, str]

    def without_influence(
        self, api: Api | None, bound: Sequence[object]
    ) -> tuple[frozenset[str], frozenset[str]]:
        return frozenset(), frozenset()

    def tried(self, api: str, candidate: Candidate, device: str) -> SimpleNamespace:
        assert device == "cpu"
        one, any_one = (
            self.verdicts.get(candidate.text, "not_run"),
            self.of_any.get(candidate.text, "not_run"),
        )
        return SimpleNamespace(verdict=lambda shape: one, verdict_of_any=lambda: any_one)


@dataclass
class Made:
    """A catalog of one torch API; the members are those that an `Assessor` asks for."""

    candidates: tuple[Candidate, ...] = ()
    torch: str | None = "input, dim=0"
    mindspore: str = "input, dim=0"
    status: str = "equivalent"
    api_kind: str = "function"
    mindspore_kind: str = "function"
    verdicts: dict[str, str] = field(default_factory=dict)
    of_any: dict[str, str] = field(default_factory=dict)
    returned: str | None = None
    answered: dict[str, Any] = field(default_factory=dict)
    parents: dict[str, Candidate] = field(default_factory=dict)
    in_place: tuple[str, ...] = ()

    @property
    def correspondences(self) -> Tried:
        return Tried(self.verdicts, self.of_any)

    @property
    def tensors(self) -> SimpleNamespace:
        return SimpleNamespace(is_in_place=lambda operator, target: operator in self.in_place)

    def canonical(self, name: str) -> str:
        return name

    def kind(self, name: str) -> str:
        return self.api_kind

    def returns(self, name: str) -> str | None:
        return self.returned

    def lineage(self, name: str) -> list[str]:
        return [name, *self.parents]

    def api(self, name: str) -> Api | None:
        kind: Any = self.api_kind
        signatures = (signature(self.torch),) if self.torch is not None else ()
        return Api(name, kind, signatures, None, (), False, (), None)

    def mindspore_api(self, name: str, version: str) -> Api:
        signatures: tuple[Signature, ...] = (signature(self.mindspore),)
        kind: Any = "method" if name.startswith("mindspore.Tensor.") else self.mindspore_kind
        return Api(name, kind, signatures, None, (), False, (), None)

    def answer(self, name: str, target: Target) -> Answer:
        status: Any = self.status
        if name in self.parents:
            return Answer(name, target, status, (self.parents[name],))
        return Answer(name, target, status, self.candidates, **self.answered)


def found(
    made: Made,
    code: str = F + "(x)",
    device: Device = "cpu",
    style: Style = "auto",
    certainty: Certainty = Certainty.CERTAIN,
    severity: dict[str, str] | None = None,
    waits: bool = False,
) -> Finding:
    """The finding for the last use in a text."""
    use = use_of(code)
    use.certainty = certainty
    assessor = Assessor(made, Target(device=device, style=style), severity)  # type: ignore[arg-type]
    return assessor.assess(use, WaitingFile() if waits else None)  # type: ignore[arg-type]


class WaitingFile:
    """The answers of a file whose classes stay PyTorch's for now."""

    def ask(self, question: object) -> bool:
        return question is has_torch_classes


def as_text(one: Finding) -> str:
    """Code, severity, fix and proof; what the use becomes; what differs."""
    said = [one.code or "-", one.severity.value, one.status, one.fix, one.proof, one.candidate_text or "-"]
    said += [" ".join(each.code for each in one.differences) or "-"]
    said += [
        word
        for word, is_so in (("waits", one.waits), ("blocked", one.blocker), ("reason", one.reason))
        if is_so
    ]
    return ", ".join(said)
