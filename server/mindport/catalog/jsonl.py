"""Reading files of the mapping data. Uses the standard library only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Record = dict[str, Any]


def read_lines(path: Path) -> list[Record]:
    """The records of a `.jsonl` file. Raises ValueError naming the line that is not valid."""
    records = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                records.append(json.loads(line))
            except ValueError as error:
                raise ValueError(f"{path.name}, line {number}: not valid JSON ({error})") from error
    return records


def read_json(path: Path) -> Any:
    """The content of a `.json` file. Raises ValueError naming the file when it is not valid."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path.name}: not valid JSON ({error})") from error
