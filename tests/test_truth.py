"""What a scan claims about open packages, against what really ran in them.

Needs `../shared/truth` beside the repository, and the packages' wheels (network once).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from corpus import TIMM, TORCHVISION, CorpusError, corpus, pinned

ROOT = Path(__file__).resolve().parents[1]
TRUTH = ROOT.parent / "shared" / "truth"


class Expected(NamedTuple):
    """What is expected of a set: of each group the share that is found, and of what is claimed the share that
    is true. Packages by the names of their folders, with those of their wheels."""

    packages: dict[str, tuple[str, str]]
    named: float
    tensor: float
    method: float
    attribute: float
    precision: float


SETS: Final = {
    "first": Expected(
        {
            "torchvision": TORCHVISION,
            "vit_pytorch": pinned("vit-pytorch"),
            "torchmetrics": pinned("torchmetrics"),
        },
        named=0.999,
        tensor=0.995,
        method=1.0,
        attribute=0.985,
        precision=0.999,
    ),
    # without transformers, which takes minutes
    "second": Expected(
        {
            "timm": TIMM,
            "torch_optimizer": pinned("torch-optimizer"),
            "vector_quantize_pytorch": pinned("vector-quantize-pytorch"),
            "segmentation_models_pytorch": pinned("segmentation-models-pytorch"),
            "pytorch_metric_learning": pinned("pytorch-metric-learning"),
            "linear_operator": pinned("linear-operator"),
        },
        named=0.99,
        tensor=0.96,
        method=0.99,
        attribute=0.975,
        precision=0.995,
    ),
}


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.xdist_group(f"truth {name}")) for name in SETS],
)
def scored(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Expected]:
    """The score of a scan of all packages of a set by the command line, and what is expected of it."""
    if not TRUTH.is_dir():
        pytest.skip("needs ../shared/truth, which is not part of the repository")
    expected = SETS[request.param]
    folder = tmp_path_factory.mktemp("packages")
    for package, wheel in expected.packages.items():
        try:
            (folder / package).symlink_to(corpus(*wheel) / package)
        except CorpusError as error:
            pytest.skip(str(error))
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
    command = [
        *(sys.executable, "-m", "mindport", "scan", *expected.packages),
        *("--format", "json", "-o", "scan.json"),
    ]
    subprocess.run(command, cwd=folder, env=environment, check=True, timeout=600)
    done = subprocess.run(
        [sys.executable, str(TRUTH / "score.py"), "--json", "--source", ".", "--scan", "scan.json"],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=600,
    )
    return json.loads(done.stdout), expected


@pytest.mark.parametrize("group", ["named", "tensor", "method", "attribute"])
def test_uses_are_found(scored: tuple[Any, Expected], group: str) -> None:
    score, expected = scored
    assert score[group]["claimed"] >= getattr(expected, group)


def test_what_is_claimed_is_true(scored: tuple[Any, Expected]) -> None:
    score, expected = scored
    assert score["negatives"]["total"] > 5000
    assert score["precision_claimed"] >= expected.precision
