"""What is recorded of statements is what both frameworks do."""

from __future__ import annotations

import subprocess
from pathlib import Path


def test_statements(python: str) -> None:
    script = Path(__file__).parents[2] / "scripts" / "silent_statements.py"
    done = subprocess.run([python, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
