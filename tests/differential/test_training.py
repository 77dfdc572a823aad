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
from mindport.verify.model import OF, ModelOutcome, after_turns

TRAINING = Path(__file__).parent / "training"
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TRAINING))

from programs import NOT_COMPARED, PROGRAMS, TOLERANCE, Program  # noqa: E402

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


def converted(source: Path, folder: Path) -> Path:
    """A program, converted into a folder."""
    options = ("--whole", "--target", "2.10", "--device", "cpu", "--style", "classic")
    assert main(["convert", str(source), "-o", str(folder), *options]) == 0
    return folder


def outcome(program: Program, python: str, tmp_path: Path) -> tuple[ModelOutcome, list[str]]:
    """What a converted program does otherwise than the program itself, weights being what comes of gradients, and
    what else is to be said. It is run again with other weights where nothing but those differ, if its first
    weights are given to it."""
    source = copied(program, tmp_path / "torch")
    becomes = converted(source, tmp_path / "converted")
    arguments = json.dumps(program.arguments.split())
    table = ROOT / "mapping_data" / "helpers" / "helpers.json"
    draws = ["--draws"] if program.draws else []
    said: list[str] = []

    def turn(number: int) -> ModelOutcome:
        results = tmp_path / f"results{number}"
        results.mkdir()
        of_torch = (TRAINING / "torch_side.py", source, program.main, arguments, results, number)
        run(python, *of_torch, *draws, packages=packages(program))
        of_mindspore = (TRAINING / "mindspore_side.py", becomes, program.main, arguments, results, table)
        run(python, *of_mindspore, *draws)
        found: dict[str, Any] = json.loads((results / "differences.json").read_text(encoding="utf-8"))
        said.extend(found["said"])
        weights = {f"{OF}{name}": gap for name, gap in found["weights"].items()}
        return ModelOutcome("compared", None, {**found["losses"], **weights})

    return (turn(0) if program.draws else after_turns(turn, TOLERANCE)), said


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
    compared, said = outcome(PROGRAMS[name], python, tmp_path)
    assert compared.apart(TOLERANCE) == {}
    if said and all(each.endswith(NOT_COMPARED) for each in said):
        pytest.xfail(f"PyTorch does not reproduce its own weights: {said[0]}")  # losses are equal
    assert said == []
