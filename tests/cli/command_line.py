"""Running the command line: inside the test's process, or as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from mindport.cli.main import main

ROOT = Path(__file__).resolve().parents[2]


class Result(NamedTuple):
    code: int
    out: str
    err: str


class CommandLine:
    """Runs commands in a folder, in English unless they say otherwise."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capture = capture

    def __call__(self, *arguments: str) -> Result:
        """Run inside this process."""
        self._capture.readouterr()
        code = main(arguments)
        return Result(code, *self._capture.readouterr())

    def write(self, name: str, content: str | bytes) -> Path:
        """Put a file into the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path


def environment(**variables: str) -> dict[str, str]:
    """The environment for a process: this one's, with nothing that decides on language or colour."""
    unwanted = ("LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "FORCE_COLOR", "COLORTERM")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    return {**kept, "PYTHONPATH": str(ROOT / "server"), "PYTHONIOENCODING": "utf-8", **variables}


def process(*arguments: str, folder: Path, **variables: str) -> Result:
    """Run as a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "mindport", *arguments],
        cwd=folder,
        env=environment(**variables),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return Result(done.returncode, done.stdout, done.stderr)
