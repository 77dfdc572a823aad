"""The pages in `docs/rules` are those that the rules give."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_pages_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, "scripts/rule_pages.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
