"""The code that is told for a feature of PyTorch does what it should in MindSpore."""

from __future__ import annotations

import subprocess
from pathlib import Path


def test_code(python: str) -> None:
    script = Path(__file__).parents[2] / "scripts" / "feature_code.py"
    done = subprocess.run([python, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert done.stdout.count("as it should") >= 10
