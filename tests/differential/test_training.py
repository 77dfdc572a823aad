"""Training programs, converted with `convert --whole` and no line by hand, take in MindSpore on CPU the steps that they take
in PyTorch: the same losses, and the same weights at the end."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from corpus import TORCHVISION, CorpusError, corpus
from mindport.cli.main import main

TRAINING = Path(__file__).parent / "training"
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TRAINING))

from programs import PROGRAMS, Program  # noqa: E402

SECONDS = 240
_AT_MINIMUM = (
    "at the minimum of the loss its rounding decides the last digits of the bias (8e-4 and 1.1e-4 of scale)"
)
NOT_YET: dict[str, str] = {
    "lbfgs_fit": _AT_MINIMUM,
    "lbfgs_plain": _AT_MINIMUM,
}
"""Programs that do not train equally, and why."""


def copied(program: Program, folder: Path) -> Path:
    """The folder of a program, a copy of its own."""
    source = TRAINING / "programs" / program.path
    if source.is_dir():
        shutil.copytree(source, folder)
    else:
        folder.mkdir()
        shutil.copy(source.with_suffix(".py"), folder)
    return folder


def packages(program: Program) -> str:
    """The folder with what a program needs beside PyTorch; nothing where it needs nothing."""
    if not program.torchvision:
        return ""
    try:
        return str(corpus(*TORCHVISION))
    except CorpusError as error:
        pytest.skip(str(error))


def run(*command: Any, packages: str = "") -> None:
    """Run a side in a process of its own."""
    made = subprocess.run(
        [*map(str, command)],
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
        env={**os.environ, "GLOG_v": "4", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": packages},
    )
    assert made.returncode == 0, made.stderr[-3000:]


def differences(program: Program, python: str, tmp_path: Path) -> list[str]:
    """What a converted program does otherwise than the program itself."""
    source, results = copied(program, tmp_path / "torch"), tmp_path / "results"
    results.mkdir()
    converted = tmp_path / "converted"
    options = ("--whole", "--target", "2.10", "--device", "cpu", "--style", "classic")
    assert main(["convert", str(source), "-o", str(converted), *options]) == 0
    arguments = json.dumps(program.arguments.split())
    table = ROOT / "mapping_data" / "helpers" / "helpers.json"
    command = (TRAINING / "torch_side.py", source, program.main, arguments, results)
    draws = ["--draws"] if program.draws else []
    run(python, *command, *draws, packages=packages(program))
    run(python, TRAINING / "mindspore_side.py", converted, program.main, arguments, results, table, *draws)
    found: list[str] = json.loads((results / "differences.json").read_text(encoding="utf-8"))
    return found


# near the tolerance, rounding that depends on how many threads ran decides: once more then, and what is not yet
# equal may be so at times
@pytest.mark.flaky(reruns=1)
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name, marks=[pytest.mark.xfail(reason=NOT_YET[name], strict=False)] if name in NOT_YET else []
        )
        for name in PROGRAMS
    ],
)
def test_a_program_trains_the_same(name: str, python: str, tmp_path: Path) -> None:
    found = differences(PROGRAMS[name], python, tmp_path)
    if found and all(each.endswith(" weights cannot be compared") for each in found):
        pytest.xfail(f"PyTorch does not reproduce its own weights: {found[0]}")  # losses are equal
    assert found == []
