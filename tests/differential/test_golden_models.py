"""Published models, converted as one program with `convert --whole` and no line by hand, give in MindSpore on CPU the
outputs and the gradients that they give in PyTorch with the same weights."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from corpus import TORCHVISION, VIT_PYTORCH, CorpusError, corpus
from mindport.cli.main import main
from mindport.project.setting_table import Settings
from mindport.verify.substitutes import write_substitutes

sys.path.insert(0, str(Path(__file__).parent / "golden"))

from comparison import ModelTable, Outcome, compare
from models import MODELS


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages of the models."""
    folder = tmp_path_factory.mktemp("torch")
    try:
        for wheel, name in ((TORCHVISION, "torchvision"), (VIT_PYTORCH, "vit_pytorch")):
            shutil.copytree(corpus(*wheel) / name, folder / name)
    except CorpusError as error:
        pytest.skip(str(error))
    return folder


def converted(sources: Path, folder: Path, device: str, style: str) -> Path:
    """The packages, converted."""
    options = ("--whole", "--device", device, "--style", style)
    assert main(["convert", str(sources), "-o", str(folder / "converted"), *options]) == 0
    return folder / "converted"


@pytest.fixture(scope="module")
def outcomes(python: str, sources: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """How far each model came."""
    packages = converted(sources, tmp_path_factory.mktemp("cpu"), "cpu", "classic")
    return compare(
        python, ModelTable("models", sources, packages), list(MODELS), tmp_path_factory.mktemp("results")
    )


@pytest.fixture(scope="module")
def outcomes_of_mint(
    python: str, sources: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Outcome]:
    """How far each model came that was converted for Ascend, with substitutes for what has no kernel on CPU."""
    packages = converted(sources, tmp_path_factory.mktemp("ascend"), "ascend", "mint")
    substitutes = tmp_path_factory.mktemp("substitutes") / "made"
    write_substitutes(substitutes, Settings(), "en")
    table = ModelTable("models", sources, packages, substitutes=substitutes)
    return compare(python, table, list(MODELS), tmp_path_factory.mktemp("results_of_mint"))


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", MODELS)
def test_a_published_model_computes_the_same(name: str, outcomes: dict[str, Outcome]) -> None:
    assert outcomes[name].problem == ""


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", MODELS)
def test_a_published_model_in_style_mint_computes_the_same(
    name: str, outcomes_of_mint: dict[str, Outcome]
) -> None:
    """Converted for Ascend, where it cannot be run here: names bind, and what has kernels is MindSpore's own."""
    assert outcomes_of_mint[name].problem == ""
