"""What a scan claims about three open packages, against what really ran in them.

Needs `../shared/truth` beside the repository, and the packages' wheels (network once).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from corpus import TORCHVISION, CorpusError, corpus

ROOT = Path(__file__).resolve().parents[1]
TRUTH = ROOT.parent / "shared" / "truth"
PACKAGES = {
    "torchvision": TORCHVISION,
    "vit_pytorch": ("vit-pytorch", "1.26.11"),
    "torchmetrics": ("torchmetrics", "1.9.0"),
}


@pytest.fixture(scope="module")
def score(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The score of a scan of all packages by the command line."""
    if not TRUTH.is_dir():
        pytest.skip("needs ../shared/truth, which is not part of the repository")
    folder = tmp_path_factory.mktemp("packages")
    for package, wheel in PACKAGES.items():
        try:
            (folder / package).symlink_to(corpus(*wheel) / package)
        except CorpusError as error:
            pytest.skip(str(error))
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
    command = [sys.executable, "-m", "mindport", "scan", *PACKAGES, "--format", "json", "-o", "scan.json"]
    subprocess.run(command, cwd=folder, env=environment, check=True, timeout=300)
    done = subprocess.run(
        [sys.executable, str(TRUTH / "score.py"), "--json", "--source", ".", "--scan", "scan.json"],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=300,
    )
    made: dict[str, Any] = json.loads(done.stdout)
    return made


def test_named_apis_are_found(score: dict[str, Any]) -> None:
    assert score["named"]["total"] > 2000
    assert score["named"]["claimed"] >= 0.99


def test_what_is_claimed_is_true(score: dict[str, Any]) -> None:
    assert score["negatives"]["total"] > 5000
    assert score["precision_claimed"] >= 0.995
