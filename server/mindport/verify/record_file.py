"""Writing evidence into a checkout's `mapping_data/evidence/calls`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from mindport.catalog.jsonl import Record, read_json, read_lines
from mindport.catalog.ran import Pairs, pairs_of_run, run_file, sum_of, unverified_file, versions_file
from mindport.source.replace_file import replace_file


def evidence_file(source_dir: Path, version: str, device: str) -> Path:
    """Where the evidence for a MindSpore version and a device is."""
    return source_dir / "evidence" / "calls" / f"mindspore-{version}-{device}.jsonl"


def update(
    path: Path, records: Iterable[Record], torch_names: Iterable[str] | None, versions: Mapping[str, str]
) -> int:
    """Put the records of these torch APIs in place of the ones that the file has for them (None: of all); the
    file and the versions beside it are written in one step each. Returns how many records the file has."""
    again = set(torch_names or ())
    known = read_lines(path) if path.exists() and torch_names is not None else []
    kept = [record for record in known if record["torch"] not in again]
    merged = sorted([*kept, *records], key=lambda r: f"{r['torch']} {r['target']}")
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in merged))
    _write(versions_file(path), json.dumps(dict(versions), indent=2) + "\n")
    return len(merged)


def update_unverified(path: Path, unverified: Mapping[str, str], torch_names: Iterable[str] | None) -> None:
    """Put the reasons why these torch APIs have no evidence (None: all) into the file beside the evidence."""
    file = unverified_file(path)
    known = read_json(file) if file.exists() and torch_names is not None else {}
    again = set(torch_names or ())
    merged = {**{name: why for name, why in known.items() if name not in again}, **unverified}
    _write(file, json.dumps(dict(sorted(merged.items())), indent=1) + "\n")


def update_run(path: Path, pairs: Pairs, torch_names: Iterable[str] | None) -> None:
    """Say beside an evidence file what the candidates of these torch APIs (None: of all) were when it was
    made, and what it and the reasons say, now that they are written."""
    again = set(torch_names or ())
    known = pairs_of_run(path) if torch_names is not None else {}
    merged = {**{name: then for name, then in known.items() if name not in again}, **pairs}
    run = {
        "evidence": sum_of(path),
        "unverified": sum_of(unverified_file(path)),
        "candidates": {name: dict(sorted(merged[name].items())) for name in sorted(merged)},
    }
    _write(run_file(path), json.dumps(run, ensure_ascii=False, indent=1) + "\n")


def _write(path: Path, text: str) -> None:
    replace_file(path, [text.encode()])
