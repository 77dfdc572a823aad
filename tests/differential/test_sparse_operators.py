"""What is recorded of operators on sparse Tensors is what MindSpore does: every one is run, in graph mode and for
its gradient, too."""

from __future__ import annotations

import subprocess
from pathlib import Path


def test_operators(python: str) -> None:
    script = Path(__file__).parents[2] / "scripts" / "sparse_operators.py"
    done = subprocess.run([python, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
