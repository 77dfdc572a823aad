"""Models in PyTorch against what became of them in MindSpore: the weights of some at a time go through a folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent


class Outcome(NamedTuple):
    """How far a converted model came: `stage` is torch (PyTorch itself failed), import, build, run, compare or equal;
    `error` the largest difference, as a part of the scale; `problem` what went wrong, empty if nothing."""

    stage: str
    error: float | None
    problem: str


class ModelTable(NamedTuple):
    """Models to compare: the module of this folder that lists them, their packages in PyTorch and converted, a folder
    of packages that the former import, and one with what is substituted for functions without a kernel on CPU."""

    name: str
    sources: Path
    converted: Path
    beside: Path | None = None
    substitutes: Path | None = None
    at_once: int = 8
    """Models whose arrays are on disk at the same time: a model of timm has up to 700 MB of them."""


def compare(python: str, table: ModelTable, names: Sequence[str], results: Path) -> dict[str, Outcome]:
    """What became of each model, by name; `python` has both frameworks, `results` is an empty folder. What differs is
    looked at with other weights and another input, since a value that is nearly 0 can be on either side of the kink
    of a ReLU: what is wrong differs again."""
    found = _compared(python, table, names, results, 0)
    differing = [name for name, outcome in found.items() if outcome.stage == "compare"]
    return found | _compared(python, table, differing, results, 1)


def _compared(
    python: str, table: ModelTable, names: Sequence[str], results: Path, seed: int
) -> dict[str, Outcome]:
    found: dict[str, Outcome] = {}
    beside = ["--beside", str(table.beside)] if table.beside is not None else []
    options = [*beside, "--seed", str(seed), "--table", table.name]
    substitutes = ["--substitutes", str(table.substitutes)] if table.substitutes is not None else []
    of_mindspore = [*substitutes, "--table", table.name]
    for first in range(0, len(names), table.at_once):
        some = names[first : first + table.at_once]
        said = _run(python, "torch_side.py", table.sources, results, [*options, *some])
        while list(results.glob("*.npz")):
            before = set(results.glob("*.npz"))
            _run(python, "mindspore_side.py", table.converted, results, [*of_mindspore, *some])
            if before == set(results.glob("*.npz")):
                raise RuntimeError("the process that runs MindSpore ended before it read a model")
        found |= _outcomes(results, some, said)
    return found


def _outcomes(results: Path, names: Sequence[str], said: str) -> dict[str, Outcome]:
    file = results / "outcomes.json"
    written: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    missing = {"stage": "torch", "error": None, "problem": said[-1500:]}
    return {name: Outcome(**written.get(name, missing)) for name in names}


def _run(python: str, script: str, packages: Path, results: Path, options: Sequence[str]) -> str:
    """What a script says on stderr."""
    command = [python, str(HERE / script), str(packages), str(results), *options]
    environment = {**os.environ, "GLOG_v": "4", "PYTHONDONTWRITEBYTECODE": "1"}
    made = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, env=environment)
    if made.returncode != 0:
        print(made.stderr[-3000:], file=sys.stderr)
    return made.stderr
