"""Evidence about rewritten calls: what came of running a torch API and what it becomes side by side.

`mapping_data/evidence/calls/mindspore-VERSION-DEVICE.jsonl` is made by `mindport verify all` and described in
`docs/verification.md`. Here it is put beside the candidates it is about. Evidence of what a candidate was
before somebody changed it does not count. Uses the standard library only.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from mindport.catalog.jsonl import Record, read_json, read_lines
from mindport.catalog.tried_calls import packed

_KEPT = ("result", "calls", "largest_difference", "gradient", "aspects", "inputs", "refused")
_AGAINST = ("differs", "raises")
"""The outcomes of calls that count still when the candidate is another one by now: they speak against it."""
Pairs = Mapping[str, Mapping[str, str]]
"""Per torch API its candidates (as `written_as` names them), each with its facts (`facts_of`)."""


class ByName(Protocol):
    """Correspondences by their torch APIs: those just read, or those of an index."""

    def get(self, name: str, /) -> Mapping[str, Any] | None:
        """The correspondence of a torch API."""
        ...


def call_evidence_files(source_dir: Path) -> list[Path]:
    """What ran: `mindspore-VERSION-DEVICE.jsonl`, each with a `.versions.json` beside it."""
    return sorted((source_dir / "evidence" / "calls").glob("mindspore-*-*.jsonl"))


def versions_file(path: Path) -> Path:
    """Where the versions are that an evidence file was made with."""
    return path.with_suffix(".versions.json")


def unverified_file(path: Path) -> Path:
    """Where it is said of torch APIs why an evidence file has nothing about them."""
    return path.with_suffix(".unverified.json")


def run_file(path: Path) -> Path:
    """Where it is said what the candidates were when an evidence file was made, and what was written."""
    return path.with_suffix(".run.json")


def tried_calls(path: Path, correspondences: ByName) -> dict[str, dict[str, Any]]:
    """Per torch API and candidate (as `written_as` names it) the calls that an evidence file tells of, as the
    index keeps them. Of a candidate that was changed since, what speaks against it."""
    then = pairs_of_run(path)
    found: dict[str, dict[str, Any]] = {}
    for record in read_lines(path):
        tried = record.get("tried", {})
        if not _is_current(record, then, correspondences):
            tried = {outcome: shapes for outcome, shapes in tried.items() if outcome in _AGAINST}
        if tried:
            found.setdefault(record["torch"], {})[record["target"]] = packed(tried)
    return found


def written_as(candidate: Mapping[str, Any]) -> str:
    """A candidate as evidence names it: a template's text, or an API."""
    text: str = candidate.get("template") or candidate["target"]
    return text


def facts_of(candidate: Mapping[str, Any]) -> str:
    """A short text for what conversion takes from a candidate beside its name: another one when a parameter
    fact or a difference changes, but not for other words about it. Empty where there is none."""
    told = [*candidate.get("parameters", ()), *candidate.get("differences", ())]
    facts = [{k: v for k, v in fact.items() if k != "note"} for fact in told if fact["code"] != "behaviour"]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:12] if facts else ""


def pairs_of(record: Mapping[str, Any]) -> dict[str, str]:
    """The candidates of a correspondence with their facts."""
    found: dict[str, str] = {}
    for candidate in record["candidates"]:
        text = written_as(candidate)
        found[text] = found.get(text, "") + facts_of(candidate)  # one template may be for several calls
    return found


def pairs_of_run(path: Path) -> Pairs:
    """What the candidates were when an evidence file was made."""
    file = run_file(path)
    pairs: Pairs = read_json(file)["candidates"] if file.exists() else {}
    return pairs


def current_records(path: Path, correspondences: ByName) -> Iterator[Record]:
    """The records of an evidence file that are about candidates as they are now."""
    then = pairs_of_run(path)
    return (record for record in read_lines(path) if _is_current(record, then, correspondences))


def _is_current(record: Record, then: Pairs, correspondences: ByName) -> bool:
    torch, target = record["torch"], record["target"]
    now = pairs_of(correspondences.get(torch) or {"candidates": ()})
    return target in now and then.get(torch, {}).get(target) == now[target]


def sum_of(path: Path) -> str:
    """A short text for what a file says: another one when it was written by something else."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def add_runs(correspondences: dict[str, Record], path: Path) -> None:
    """Put the current records of an evidence file beside their candidates, as `ran`. Of a candidate that is
    new, or was changed, since the file was made, what a person says to have run on that device does not count
    either: it may have been said of the old one."""
    _, version, device = path.stem.split("-")
    exact = read_json(versions_file(path))["mindspore"]
    records = {(r["torch"], r["target"]): r for r in current_records(path, correspondences)}
    then = pairs_of_run(path)
    for torch, correspondence in correspondences.items():
        known, now = then.get(torch, {}), pairs_of(correspondence)
        for candidate in correspondence["candidates"]:
            text = written_as(candidate)
            record = records.get((torch, text))
            told = candidate.get("ran", ())
            if record is not None:
                run = {"device": device, "version": version, "exact": exact}
                run.update((key, record[key]) for key in _KEPT if key in record)
                candidate["ran"] = [run, *(r for r in told if r["device"] != device)]
            elif told and known.get(text) != now[text]:
                candidate["ran"] = [r for r in told if r["device"] != device]
