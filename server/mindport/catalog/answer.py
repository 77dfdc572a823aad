"""The answer for one torch API and one target: a status, and the candidates in order of preference."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from mindport.catalog.differences import BY_ASPECT, Difference, from_record
from mindport.catalog.target import VERSIONS, Target
from mindport.language import Text

__all__ = ["Answer", "Candidate", "Difference", "Evidence", "Status", "WayOut", "When", "candidate_from"]

Status = Literal["equivalent", "differs", "missing", "not_needed", "unmapped"]
Result = Literal["equal", "partly", "differs", "dtype_differs", "runs", "unsupported", "fails"]
Strategy = Literal["equivalent", "package", "custom_operator", "community"]

_FAILS = ("unsupported", "fails")


@dataclass(frozen=True)
class Evidence:
    """What happened when a MindSpore API or a template was run: on which `version` and `device`, in how many
    `calls`; of equal results the largest absolute difference, where it is known.

    `of_api`: only the MindSpore API was tried, by itself. `of_calls`: torch calls were converted and run in
    both frameworks (else a person has run a candidate). Then `gradient` says whether gradients were compared
    too; `aspects` are what differs, `inputs` of which particular kinds of inputs alone that is true,
    `refused` the kinds of inputs that end in an error.
    """

    version: str
    device: str
    result: Result
    calls: int
    largest_difference: float | None = None
    of_calls: bool = False
    of_api: bool = False
    gradient: bool = False
    aspects: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()

    @classmethod
    def of_run(cls, record: Mapping[str, Any]) -> Evidence:
        """From a record of `ran` (see `mindport.catalog.ran`)."""
        return cls(
            record.get("exact", record["version"]),
            record["device"],
            record["result"],
            record["calls"],
            record.get("largest_difference"),
            "exact" in record,
            False,
            record.get("gradient", False),
            tuple(record.get("aspects", ())),
            tuple(record.get("inputs", ())),
            tuple(record.get("refused", ())),
        )


@dataclass(frozen=True)
class When:
    """The calls that a candidate is for: those that give the parameters `given` and leave out `omitted`."""

    given: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()

    def fits(self, given: Collection[str], harmless: Collection[str] = ()) -> bool:
        """Whether a call that gives these parameters (names of torch's) is one of them; those that are
        `harmless` may just as well be omitted."""
        if any(name in given and name not in harmless for name in self.omitted):
            return False
        return all(name in given for name in self.given)


@dataclass(frozen=True)
class WayOut:
    """What to do about a missing API. `code` is Python that is known to work, where there is some."""

    strategy: Strategy
    text: Text
    code: str | None = None


@dataclass(frozen=True)
class Candidate:
    """A MindSpore API, or an expression over such APIs, that a torch API may become.

    Of an expression, `template` is its text (its free names stand for the arguments of the torch API, `self`
    for the receiver), `target` the main MindSpore name in it, `apis` all of them, and `when`, if given, the
    calls that it is for. `style` is `any` for what both styles of code use. `source` says where the pair
    comes from, `category` is the word of the official table. `compared` is False where one signature is
    unknown, so that `differences` says nothing about parameters. `runs` is whether it runs on the target's
    device, None when nothing is known.
    """

    target: str
    style: Literal["mint", "classic", "any"]
    since: str
    until: str | None
    source: Literal["official", "signature", "curated"]
    category: str | None
    compared: bool
    differences: tuple[Difference, ...]
    platforms: tuple[str, ...]
    evidence: Evidence | None
    runs: bool | None
    elsewhere: Evidence | None = None
    """Evidence for another device, where there is none for the target's."""
    template: str | None = None
    apis: tuple[str, ...] = ()
    when: When | None = None
    explained_on: tuple[str, ...] = ()
    """The devices for which a person wrote how it behaves differently there."""

    @property
    def kind(self) -> Literal["api", "template"]:
        """Whether it is one API or an expression."""
        return "api" if self.template is None else "template"

    @property
    def text(self) -> str:
        """As people write it, and as evidence names it: a template's text, or an API."""
        return self.template or self.target

    @property
    def same(self) -> bool:
        """Whether nothing differs that can matter."""
        return not any(d.grave for d in self.differences)


@dataclass(frozen=True)
class Answer:
    """What a torch API means for a target.

    `candidates` is empty unless there is a counterpart; they stand in order of preference. `note` is a
    hand-written word of advice. Where there is no counterpart, `reason` says why and `way_out` what to do.
    Of what is not needed, `removable` says whether leaving out a statement, decorator or guard that is but
    this keeps what the code does (True) or must not be done at all (False); None: a person has to look.
    """

    api: str
    target: Target
    status: Status
    candidates: tuple[Candidate, ...] = ()
    note: Text | None = None
    reason: Text | None = None
    way_out: WayOut | None = None
    removable: bool | None = None
    overrides: tuple[tuple[str, str], ...] = ()
    """Of a class that others are derived from: the methods that these define, and what they are called in
    classes derived from its counterpart. Empty where such classes are not rewritten."""

    @property
    def chosen(self) -> Candidate | None:
        """The preferred candidate for calls of which nothing is known: one that is for all calls, if any."""
        general = (c for c in self.candidates if c.when is None)
        return next(general, self.candidates[0] if self.candidates else None)

    def chosen_for(self, given: Collection[str], harmless: Collection[str] = ()) -> Candidate | None:
        """The preferred candidate for a call that gives these parameters of torch's, some of which are
        `harmless`; None if none fits."""
        return next((c for c in self.candidates if c.when is None or c.when.fits(given, harmless)), None)


def candidate_from(
    record: Mapping[str, Any],
    target: Target,
    platforms: tuple[str, ...],
    evidence: Evidence | None,
    elsewhere: Evidence | None,
    general: Mapping[str, list[str]],
    is_called: bool,
) -> Candidate:
    """A candidate from a record of the mapping data, with what is known about the target's device.

    `evidence` is for the target's device, `elsewhere` for another one. `is_called` says whether the torch API
    is something to call.
    """
    runs = _runs(platforms, evidence, target)
    differences = [from_record(r, general) for r in _parameters(record, target)]
    curated = [r for r in record.get("differences", ()) if r.get("device") in (None, target.device)]
    differences += [from_record(r, general) for r in curated]
    if record.get("category") == "function_differs" and not curated and not record.get("verified"):
        differences.append(Difference("documented"))
    template = record.get("template")
    if is_called and template is None and record["source"] == "signature" and "parameters" not in record:
        differences.append(Difference("uncompared"))
    differences += _measured(evidence or elsewhere, target, differences, record.get("differences", ()))
    if runs is False:
        differences.append(Difference("not_on_device", device=target.device))
    return Candidate(
        record["target"],
        record["style"],
        record.get("since", "2.0"),
        record.get("until"),
        record["source"],
        record.get("category"),
        "parameters" in record or template is not None,
        tuple(differences),
        platforms,
        evidence,
        runs,
        elsewhere,
        template,
        tuple(record.get("apis", ())),
        _when(record.get("when")),
        tuple(
            d["device"] for d in record.get("differences", ()) if d["code"] == "behaviour" and "device" in d
        ),
    )


def _measured(
    ran: Evidence | None,
    target: Target,
    known: Sequence[Difference],
    by_hand: Sequence[Mapping[str, Any]],
) -> list[Difference]:
    """What a run says that no other difference explains. A MindSpore API that was tried by itself says it
    only where nothing else differs; a converted call, unless a person has said what differs on the device it
    was run on. What another device does with particular inputs is not said of this one."""
    if ran is None or ran.result not in ("differs", "dtype_differs"):
        return []
    if ran.inputs and ran.device != target.device:
        return []
    said = any(d.code == "documented" for d in known)
    said = said or any(
        r["code"] == "behaviour" and r.get("device") in (None, ran.device) and not r.get("only_given")
        for r in by_hand
    )
    if said or (not ran.of_calls and any(d.grave for d in known)):
        return []
    if not ran.aspects:
        code = BY_ASPECT["value" if ran.result == "differs" else "dtype"]
        return [Difference(code, device=ran.device)]
    codes = dict.fromkeys(BY_ASPECT[aspect] for aspect in ran.aspects)
    return [Difference(code, device=ran.device, inputs=ran.inputs) for code in codes]


def _parameters(record: Mapping[str, Any], target: Target) -> Sequence[Mapping[str, Any]]:
    """The parameter facts for a version: those of the oldest `earlier` part that reaches to it, if any."""
    for earlier in record.get("earlier", ()):
        if target.supports(VERSIONS[0], earlier["until"]):
            return cast("Sequence[Mapping[str, Any]]", earlier["parameters"])
    return cast("Sequence[Mapping[str, Any]]", record.get("parameters", ()))


def _when(record: Mapping[str, list[str]] | None) -> When | None:
    return When(tuple(record.get("given", ())), tuple(record.get("omitted", ()))) if record else None


def _runs(platforms: tuple[str, ...], evidence: Evidence | None, target: Target) -> bool | None:
    if evidence is not None and evidence.device == target.device:
        return evidence.result not in _FAILS
    return target.device in platforms if platforms else None
