"""Where the mapping data is, and records for small copies of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def write_lines(path: Path, records: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")


def api(name: str, kind: str = "function", *parameters: str, **more: Any) -> dict[str, Any]:
    """A catalog record with one signature."""
    signature = {"parameters": [{"name": p} for p in parameters]}
    return {"name": name, "kind": kind, "signatures": [signature], **more}


def candidate(target: str, style: str, **more: Any) -> dict[str, Any]:
    return {"target": target, "style": style, "source": "official", "since": "2.0", "parameters": [], **more}
