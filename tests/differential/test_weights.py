"""What `mindport weights` writes, the frameworks load; what they save, it reads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_weights_go_both_ways(python: str, tmp_path: Path) -> None:
    script = Path(__file__).parent / "weights_in_frameworks.py"
    done = subprocess.run(
        [python, str(script), sys.executable, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
