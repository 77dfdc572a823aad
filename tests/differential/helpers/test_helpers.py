"""Each helper gives what PyTorch's API gives: outputs, gradients, buffers, what is changed in place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from corpus import TORCHVISION, CorpusError, corpus
from mindport.catalog.helpers import helper_names, read_helpers

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))

from cases import CASES  # noqa: E402

ROOT = FOLDER.parents[2]
DATA = ROOT / "mapping_data"


def test_every_api_with_a_helper_has_a_case() -> None:
    assert {api for case in CASES for api in case.apis} == set(helper_names(DATA))


def torchvision_sources() -> str:
    """The folder with torchvision's Python files; empty where they cannot be had."""
    try:
        return str(corpus(*TORCHVISION))
    except CorpusError:
        return ""


@pytest.fixture(scope="module")
def outcomes(python: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What went wrong, per case; all run in one process."""
    folder = tmp_path_factory.mktemp("helpers")
    helpers = read_helpers(DATA)
    module, names, result = folder / "helpers.py", folder / "names.json", folder / "result.json"
    module.write_text(helpers.source(helpers.names), encoding="utf-8")
    names.write_text(json.dumps(helper_names(DATA)), encoding="utf-8")
    command = [python, FOLDER / "compare.py", module, names, result]
    run = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "GLOG_v": "4", "TORCHVISION_SOURCES": torchvision_sources()},
    )
    assert run.returncode == 0, run.stderr[-3000:]
    found: dict[str, str] = json.loads(result.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", [case.name for case in CASES])
def test_the_helper_gives_what_torch_gives(name: str, outcomes: dict[str, str]) -> None:
    if name not in outcomes:
        pytest.skip("torchvision's Python files cannot be had")
    assert outcomes[name] == ""
