"""Evidence about rewritten calls: what came of running a torch API and what it becomes side by side.

`mapping_data/evidence/calls/mindspore-VERSION-DEVICE.jsonl` is made by `mindport verify all` and described in
`docs/verification.md`. Here it is put beside the candidates it is about. Uses the standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mindport.catalog.jsonl import Record, read_json, read_lines
from mindport.catalog.tried_calls import packed

_KEPT = ("result", "calls", "largest_difference", "gradient", "aspects", "inputs", "refused")


def call_evidence_files(source_dir: Path) -> list[Path]:
    """What ran: `mindspore-VERSION-DEVICE.jsonl`, each with a `.versions.json` beside it."""
    return sorted((source_dir / "evidence" / "calls").glob("mindspore-*-*.jsonl"))


def versions_file(path: Path) -> Path:
    """Where the versions are that an evidence file was made with."""
    return path.with_suffix(".versions.json")


def unverified_file(path: Path) -> Path:
    """Where it is said of torch APIs why an evidence file has nothing about them."""
    return path.with_suffix(".unverified.json")


def tried_calls(path: Path) -> dict[str, dict[str, Any]]:
    """Per torch API and candidate (as `written_as` names it) the calls that an evidence file tells of, as the
    index keeps them."""
    found: dict[str, dict[str, Any]] = {}
    for record in read_lines(path):
        if record.get("tried"):
            found.setdefault(record["torch"], {})[record["target"]] = packed(record["tried"])
    return found


def written_as(candidate: Mapping[str, Any]) -> str:
    """A candidate as evidence names it: a template's text, or an API."""
    text: str = candidate.get("template") or candidate["target"]
    return text


def add_runs(correspondences: dict[str, Record], path: Path) -> None:
    """Put the records of an evidence file beside their candidates, as `ran`. Those that are about no
    candidate are left out; `mapping check` tells them."""
    _, version, device = path.stem.split("-")
    exact = read_json(versions_file(path))["mindspore"]
    records = {(r["torch"], r["target"]): r for r in read_lines(path)}
    for torch in dict.fromkeys(torch for torch, _ in records):
        for candidate in correspondences.get(torch, {"candidates": ()})["candidates"]:
            record = records.get((torch, written_as(candidate)))
            if record is not None:
                run = {"device": device, "version": version, "exact": exact}
                run.update((key, record[key]) for key in _KEPT if key in record)
                others = (r for r in candidate.get("ran", ()) if r["device"] != device)
                candidate["ran"] = [run, *others]
