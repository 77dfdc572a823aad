"""Scripts that PyTorch itself brings, converted as programs, run in both frameworks and compared name by name."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from mindport.cli.main import main

FOLDER = Path(__file__).parent / "documented"
COUNTED = ("result", "gradients")
"""How the names begin that count in PyTorch's samples of operators."""


@dataclass(frozen=True)
class Outcome:
    """By the title of each script: the names that are compared, and by name what is different."""

    compared: dict[str, list[str]]
    different: dict[str, dict[str, str]]


def outcome(python: str, extract: str, folder: Path, kind: str = "") -> Outcome:
    """What comes of the scripts that `extract`, a file beside `run.py`, writes, of a kind if it has several;
    `python` has both frameworks."""
    source, converted = folder / "source", folder / "converted"
    source.mkdir()
    _python(python, extract, source, *([kind] if kind else []))
    _python(python, "run.py", "torch", source, folder / "first", "--write")
    _python(python, "run.py", "torch", source, folder / "ours")
    _python(python, "run.py", "torch", source, folder / "again", "--seed", "1")
    options = ["--whole", "--device", "cpu", "--style", "classic"]
    assert main(["convert", str(source), "-o", str(converted), *options]) == 0
    _python(python, "run.py", "mindspore", converted, folder / "theirs")
    results = [folder / name for name in ("ours", "again", "theirs")]
    return Outcome(**json.loads(_python(python, "compared.py", source / "index.json", *results)))


def _python(python: str, script: str, *arguments: str | Path) -> str:
    return ran(python, FOLDER / script, *arguments)


def ran(python: str, script: Path, *arguments: str | Path) -> str:
    """What a script writes, run by a Python that has both frameworks."""
    run = subprocess.run(
        [python, str(script), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "GLOG_v": "4", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert run.returncode == 0, run.stderr[-3000:]
    return run.stdout
