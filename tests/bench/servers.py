"""The servers that are compared, and how they are started."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PACKAGE = os.environ.get("MINDPORT_SERVER", str(ROOT / "server"))
"""The folder that mindport is taken from: `make bench` names the compiled one."""
BEFORE = os.environ.get("MINDPORT_BEFORE")
"""The same of another version of mindport, which takes turns with this one."""
_BEFORE = "mindport before"
sys.path.append(str(HERE.parent))

from lsp_client import LspClient  # noqa: E402

COMMANDS = {
    "mindport": [sys.executable, "-m", "mindport", "serve", "--stdio"],
    "ruff server": [sys.executable, "-m", "ruff", "server"],
    "pygls doing nothing": [sys.executable, str(HERE / "noop_server.py")],
}
if BEFORE:
    COMMANDS[_BEFORE] = COMMANDS["mindport"]
CAPABILITIES: dict[str, Any] = {
    "textDocument": {
        "publishDiagnostics": {"versionSupport": True, "codeDescriptionSupport": True, "dataSupport": True}
    },
    "general": {"positionEncodings": ["utf-16"]},
}


def as_installed(environment: dict[str, str]) -> dict[str, str]:
    """The environment for a program as it is when it is installed: with compiled bytecode, whatever this
    machine has set."""
    return {name: value for name, value in environment.items() if name != "PYTHONDONTWRITEBYTECODE"}


def launch(name: str, root: Path) -> LspClient:
    """A server by its name, not initialized yet."""
    package = BEFORE if BEFORE and name == _BEFORE else PACKAGE
    environment = as_installed({**os.environ, "PYTHONPATH": package})
    return LspClient.launch(COMMANDS[name], root, environment)
