"""All cases: those of the files beside this one."""

from __future__ import annotations

import importlib
from pathlib import Path

_ALL = [
    case
    for file in sorted(Path(__file__).parent.glob("cases_*.py"))
    for case in importlib.import_module(file.stem).CASES
]
CASES = list({case.name: case for case in _ALL}.values())
