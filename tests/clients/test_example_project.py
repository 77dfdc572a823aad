"""The example project: what the demonstration relies on, and that it really runs."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from client_places import EXAMPLES

FLOWERS = EXAMPLES / "flowers"
FILES = sorted(FLOWERS.glob("*.py"))


def test_it_has_a_model_a_training_script_and_a_data_file() -> None:
    assert {"model.py", "train.py", "data.py"} <= {path.name for path in FILES}
    assert sum(len(path.read_text("utf-8").splitlines()) for path in FILES) >= 300


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_it_is_python_3_10(path: Path) -> None:
    ast.parse(path.read_text("utf-8"), feature_version=(3, 10))


@pytest.mark.parametrize(
    "import_style",
    [
        r"^import torch$",
        r"^import torch\.nn as nn$",
        r"^import torch\.nn\.functional as F$",
        r"^from torch import Tensor$",
        r"^from torch import nn, optim$",
        r"^from torch\.utils\.data import DataLoader",
        r"^from \.data import",
        r"^import torch\.backends\.cudnn as cudnn$",
    ],
)
def test_it_imports_in_many_styles(import_style: str) -> None:
    assert any(re.search(import_style, path.read_text("utf-8"), re.M) for path in FILES)


def test_it_has_chinese_comments_and_an_emoji_beside_code() -> None:
    code = "\n".join(path.read_text("utf-8") for path in FILES)
    assert re.search(r"#.*[\u4e00-\u9fff]", code)
    assert re.search(r"^\s*\w.*#.*[\U0001f300-\U0001faff]", code, re.M)


def test_it_trains_on_a_cpu(tmp_path: Path) -> None:
    python = os.environ.get("MINDPORT_TORCH_PYTHON")
    if python is None:
        if importlib.util.find_spec("torch") is None:
            pytest.skip("PyTorch is not installed; MINDPORT_TORCH_PYTHON may name a Python that has it")
        python = sys.executable
    command = [python, "-m", "flowers.train", "--batch-size", "8", "--length", "32", "--steps", "2", "--amp"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    first = ["--epochs", "1", "--output", str(tmp_path)]
    again = ["--epochs", "2", "--output", str(tmp_path), "--resume", str(tmp_path / "last.pth")]
    for arguments, epoch in ((first, "epoch 0: loss"), (again, "epoch 1: loss")):
        result = subprocess.run(
            [*command, *arguments],
            cwd=EXAMPLES,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )
        assert result.returncode == 0, result.stderr
        assert epoch in result.stdout
