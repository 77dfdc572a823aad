"""The answer for one torch API and one target: a status, and the candidates in order of preference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from mindport.catalog.differences import Difference, from_record
from mindport.catalog.target import Target
from mindport.language import Text

__all__ = ["Answer", "Candidate", "Difference", "Evidence", "Status", "candidate_from", "in_order"]

Status = Literal["equivalent", "differs", "missing", "not_needed", "unmapped"]
Result = Literal["equal", "partly", "differs", "dtype_differs", "runs", "unsupported", "fails"]

_FAILS = ("unsupported", "fails")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What happened when a MindSpore API was run: on which `version` and `device`, in how many `calls`."""

    version: str
    device: str
    result: Result
    calls: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A MindSpore API that a torch API may become.

    `style` is `any` for what both styles of code use. `source` says where the pair comes from, `category`
    is the word of the official table. `compared` is False where one signature is unknown, so that
    `differences` says nothing about parameters. `runs` is whether it runs on the target's device, None when
    nothing is known.
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

    @property
    def same(self) -> bool:
        """Whether nothing differs that can matter."""
        return not any(d.grave for d in self.differences)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a torch API means for a target. `candidates` is empty unless there is a counterpart; the first
    one is the choice. `note` is a hand-written word of advice."""

    api: str
    target: Target
    status: Status
    candidates: tuple[Candidate, ...] = ()
    note: Text | None = None

    @property
    def chosen(self) -> Candidate | None:
        """The preferred candidate."""
        return self.candidates[0] if self.candidates else None


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
    differences = [from_record(r, general) for r in record.get("parameters", ())]
    curated = [r for r in record.get("differences", ()) if r.get("device") in (None, target.device)]
    differences += [from_record(r, general) for r in curated]
    if record.get("category") == "function_differs" and not curated and not record.get("verified"):
        differences.append(Difference("documented"))
    if is_called and record["source"] == "signature" and "parameters" not in record:
        differences.append(Difference("uncompared"))
    ran = evidence or elsewhere
    if ran is not None and not any(d.grave for d in differences):
        code = {"differs": "measured", "dtype_differs": "dtype_measured"}.get(ran.result)
        if code:
            differences.append(Difference(code, device=ran.device))
    if runs is False:
        differences.append(Difference("not_on_device", device=target.device))
    return Candidate(
        record["target"],
        record["style"],
        record.get("since", "2.0"),
        record.get("until"),
        record["source"],
        record.get("category"),
        "parameters" in record,
        tuple(differences),
        platforms,
        evidence,
        runs,
    )


def _runs(platforms: tuple[str, ...], evidence: Evidence | None, target: Target) -> bool | None:
    if evidence is not None and evidence.device == target.device:
        return evidence.result not in _FAILS
    return target.device in platforms if platforms else None


def in_order(candidates: list[Candidate], target: Target) -> list[Candidate]:
    """The candidates, the preferred one first: by style as the target says; for `auto`, `mint` first on
    Ascend, elsewhere what runs. The order of the mapping data decides between equals."""
    if target.style == "classic":
        rank = {"classic": 0, "any": 0, "mint": 1}
    else:
        rank = {"mint": 0, "any": 0, "classic": 1}
    if target.style != "auto" or target.device == "ascend":
        return sorted(candidates, key=lambda c: (_is_operator(c), rank[c.style]))
    return sorted(candidates, key=lambda c: (_is_operator(c), _doubt(c), rank[c.style]))


def _is_operator(candidate: Candidate) -> bool:
    return any(d.code == "operator_class" for d in candidate.differences)


def _doubt(candidate: Candidate) -> int:
    if candidate.runs is False:
        return 4
    if candidate.evidence is not None:
        return 0 if candidate.evidence.result in ("equal", "runs") else 1
    return 2 if candidate.runs else 3
