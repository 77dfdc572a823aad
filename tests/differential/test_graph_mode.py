"""What is recorded of graph mode is what MindSpore does: every snippet is compiled, as it is written and as it
should be written."""

from __future__ import annotations

import subprocess
from pathlib import Path


def test_snippets(python: str) -> None:
    script = Path(__file__).parents[2] / "scripts" / "graph_snippets.py"
    done = subprocess.run([python, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
