"""All cases: those of the files beside this one."""

from __future__ import annotations

import importlib
from pathlib import Path

CASES = [
    case
    for file in sorted(Path(__file__).parent.glob("cases_*.py"))
    for case in importlib.import_module(file.stem).CASES
]
