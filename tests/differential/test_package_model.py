"""Models of an open package as they were published, converted by the command line, give in MindSpore what they give in
PyTorch with the same weights. No line of them is changed by hand; of the package around them, what they import for
weights and logging is stood in for."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from corpus import TORCHVISION, CorpusError, corpus
from mindport.cli.main import main

MODELS = Path(__file__).parent / "models"
NETWORKS = {"squeezenet": 'SqueezeNet("1_0", 10)', "alexnet": "AlexNet(10)"}
"""Files of `torchvision.models`, and what makes a network there."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the package, in a folder of its own."""
    try:
        original = corpus(*TORCHVISION) / "torchvision" / "models"
    except CorpusError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("torch") / "package"
    shutil.copytree(MODELS / "around", folder)
    for name in NETWORKS:
        shutil.copy(original / f"{name}.py", folder / "models")
    return folder


@pytest.fixture(scope="module")
def converted(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mindspore") / "package"
    assert main(["convert", str(package), "-o", str(folder), "--unsafe", "--device", "cpu"]) == 0
    return folder


@pytest.mark.parametrize(("name", "expression"), NETWORKS.items(), ids=NETWORKS)
def test_a_published_model_computes_the_same(
    name: str, expression: str, package: Path, converted: Path, python: str, tmp_path: Path
) -> None:
    assert (converted / "models" / f"{name}.py").read_bytes() != (
        package / "models" / f"{name}.py"
    ).read_bytes()
    for script, folder in (("package_torch.py", package), ("package_mindspore.py", converted)):
        command = [python, MODELS / script, folder.parent, f"package.models.{name}", expression]
        made = subprocess.run(
            [*map(str, command), str(tmp_path / "given.npz")], capture_output=True, text=True, check=False
        )
        assert made.returncode == 0, made.stderr[-3000:]
