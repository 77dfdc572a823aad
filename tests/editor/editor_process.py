"""Running an editor without a screen on a small project, and reading what it saw."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
SERVER = HERE.parents[1] / "server"
COMMAND = (sys.executable, "-m", "mindport", "serve", "--stdio")
TEXT = '"""模型 😀"""\nimport torch\n\n\ndef f():\n    s = "😀"; x = torch.randn(3, 4)\n    return torch.nn.Conv2d(3, 4, 5)(x)\n'
ONE_FIXED = TEXT.replace("import torch\n", "import torch\nfrom mindspore import mint\n").replace(
    "torch.randn", "mint.randn"
)
ALL_FIXED = TEXT.replace("import torch", "from mindspore import mint").replace("torch.", "mint.")


class Seen(NamedTuple):
    """How the editor ended, what it complained of, and what it saw, if it got that far."""

    code: int
    errors: str
    told: dict[str, Any] | None


class Project:
    """A folder with one Python file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "model.py"
        self.file.write_bytes(TEXT.encode())

    def run(self, editor: Sequence[str], command: str, seconds: int = 60) -> Seen:
        """Run an editor on the file. `command` starts the server, in the form that the editor's script wants;
        `seconds` is how long the script waits for each thing."""
        result = self.folder / "seen.json"
        environment = {
            **os.environ,
            "HOME": str(self.folder),
            "PYTHONPATH": str(SERVER),
            "MINDPORT_COMMAND": command,
            "MINDPORT_ROOT": str(self.folder),
            "MINDPORT_RESULT": str(result),
            "MINDPORT_SECONDS": str(seconds),
        }
        done = subprocess.run(
            editor, cwd=self.folder, env=environment, capture_output=True, timeout=600, check=False
        )
        told = json.loads(result.read_text("utf-8")) if result.exists() else None
        return Seen(done.returncode, done.stderr.decode(errors="replace"), told)
