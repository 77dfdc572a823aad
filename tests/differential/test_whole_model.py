"""A whole model, converted by the command line, gives in MindSpore what it gives in PyTorch: its output, its losses
while it is trained, and its output afterwards. The weights are the same; no line is changed by hand."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from mindport.cli.main import main
from mindport.verify.trial import names_torch

MODELS = Path(__file__).parent / "models"
COMPARE = """
import sys, numpy
ours, theirs = numpy.load(sys.argv[1]), numpy.load(sys.argv[2])
assert set(theirs.files) == {"output", "losses", "trained"}
assert ours["losses"][-1] < 0.7 * ours["losses"][0], "it learns nothing"
for name in theirs.files:
    numpy.testing.assert_allclose(theirs[name], ours[name], rtol=1e-4, atol=1e-5, err_msg=name)
"""


def run(python: str, *arguments: object) -> None:
    made = subprocess.run([python, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr[-3000:]


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("converted")
    options = ["--unsafe", "--device", "cpu"]
    assert main(["convert", str(MODELS / "residual.py"), "-o", str(folder), *options]) == 0
    return folder


def test_nothing_of_torch_is_left(converted: Path) -> None:
    assert not names_torch((converted / "residual.py").read_text(encoding="utf-8"))


def test_the_model_computes_and_learns_the_same(converted: Path, python: str, tmp_path: Path) -> None:
    run(python, MODELS / "run_torch.py", MODELS, tmp_path / "torch.npz")
    run(python, MODELS / "run_mindspore.py", converted, tmp_path / "torch.npz", tmp_path / "mindspore.npz")
    run(python, "-c", COMPARE, tmp_path / "torch.npz", tmp_path / "mindspore.npz")
