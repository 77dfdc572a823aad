"""The pages in `docs/rules` are those that the rules give, those of evidence are those that it gives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("script", ["rule_pages", "function_pages"])
def test_pages_are_up_to_date(script: str) -> None:
    done = subprocess.run(
        [sys.executable, f"scripts/{script}.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
