"""Published models, converted as one program with `convert --whole` and no line by hand, give in MindSpore on CPU the
outputs and the gradients that they give in PyTorch with the same weights."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from corpus import TORCHVISION, VIT_PYTORCH, CorpusError, corpus
from mindport.cli.main import main

sys.path.insert(0, str(Path(__file__).parent / "golden"))

from comparison import ModelTable, Outcome, compare
from models import MODELS


@pytest.fixture(scope="module")
def outcomes(python: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """How far each model came."""
    sources, results = tmp_path_factory.mktemp("torch"), tmp_path_factory.mktemp("results")
    converted = tmp_path_factory.mktemp("mindspore") / "converted"
    try:
        for wheel, name in ((TORCHVISION, "torchvision"), (VIT_PYTORCH, "vit_pytorch")):
            shutil.copytree(corpus(*wheel) / name, sources / name)
    except CorpusError as error:
        pytest.skip(str(error))
    options = ("--whole", "--device", "cpu", "--style", "classic")
    assert main(["convert", str(sources), "-o", str(converted), *options]) == 0
    return compare(python, ModelTable("models", sources, converted), list(MODELS), results)


SHORT_OF_IT = {"resnext50": "the gradient of the input differs by 1.0e-4 of its scale, as much as is allowed"}


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.xfail(reason=SHORT_OF_IT[name])] if name in SHORT_OF_IT else [])
        for name in MODELS
    ],
)
def test_a_published_model_computes_the_same(name: str, outcomes: dict[str, Outcome]) -> None:
    assert outcomes[name].problem == ""
