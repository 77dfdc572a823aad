"""A program that uses optimizers in the usual ways, converted as a whole and changed nowhere by hand, has in
MindSpore the losses, learning rates and outputs that it has in PyTorch."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import pytest
from mindport.cli.main import main
from mindport.verify.trial import names_torch

PROGRAM = Path(__file__).parent / "training" / "optimizers.py"
NAMES = [
    *("sgd", "adam", "adamw", "rmsprop", "adagrad", "lion"),
    *("sgd, step", "sgd, one cycle", "sgd, warm-up", "sgd, lambda", "sgd, cosine"),
    *("everything", "closure", "frozen"),
]

LOOSE = {"closure": 1e-4}
"""A line search magnifies the last digits of the losses."""


@pytest.fixture(scope="module")
def results(python: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the program gives with PyTorch, and converted."""
    folder = tmp_path_factory.mktemp("optimizers")
    options = ["--whole", "--device", "cpu", "--style", "classic"]
    assert main(["convert", str(PROGRAM), "-o", str(folder / "converted"), *options]) == 0
    converted = folder / "converted" / PROGRAM.name
    assert not names_torch(converted.read_text(encoding="utf-8"))
    found = []
    for program, name in ((PROGRAM, "torch.json"), (converted, "mindspore.json")):
        command = [python, str(program), str(folder / name)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr[-3000:]
        found.append(json.loads((folder / name).read_text(encoding="utf-8")))
    return found[0], found[1]


def numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        value = list(value.values())
    return [one for item in value for one in numbers(item)] if isinstance(value, list) else [value]


@pytest.mark.parametrize("name", NAMES)
def test_it_trains_as_in_torch(name: str, results: tuple[dict[str, Any], dict[str, Any]]) -> None:
    ours, theirs = (numbers(found[name]) for found in results)
    assert all(set(found) == set(NAMES) for found in results)
    assert len(theirs) == len(ours) > 10
    tolerance = LOOSE.get(name, 1e-5)
    pairs = zip(ours, theirs, strict=True)
    off = [(a, b) for a, b in pairs if not math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)]
    assert off == []


@pytest.mark.parametrize("name", NAMES)
def test_what_is_compared_changes(name: str, results: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """Losses that stay would be equal even if nothing were trained."""
    found = results[0][name]
    losses = numbers((found[0] if isinstance(found, list) else found)["losses"])
    assert max(losses) - min(losses) > 1e-2
