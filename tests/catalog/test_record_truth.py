"""What the script that records what really ran writes, in a Python that has torch: the one that
MINDPORT_TORCH_PYTHON names."""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "record_truth.py"

PACKAGE = """\
import functools
import math
import warnings
import torch
from torch import nn

class Éclair(nn.Module):
    def __init__(self, act=nn.ReLU):
        super().__init__()
        self.act = act()
        self.half = functools.partial(torch.mul, other=0.5)

    def size(self):
        return 3

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        ç = self.half(x); y = ç.abs()
        return self.act(y.view(-1)), y.shape, torch.float32, f"{y.sum()}"

    def untried(self, x):
        return x.cos()

def run():
    model = Éclair()
    for value in (torch.ones(2), model):
        value.size()
    warnings.simplefilter("ignore")
    model.register_buffer("b", torch.tensor(math.pi))
    model.eval()
    nn.utils.spectral_norm(nn.Linear(1, 1))
    nn.Module.train(model, mode=False)
    optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=torch.inf)
    optimizer.zero_grad()
    return model(torch.ones(2))
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, dict[str, dict[str, Any]]]:
    """The rows by the text of the call or attribute; those of torch and the others."""
    python = os.environ.get("MINDPORT_TORCH_PYTHON")
    if python is None:
        if importlib.util.find_spec("torch") is None:
            pytest.skip("PyTorch is not installed; MINDPORT_TORCH_PYTHON may name a Python that has it")
        python = sys.executable
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "small").mkdir()
    (folder / "small" / "__init__.py").write_text(PACKAGE, encoding="utf-8")
    (folder / "drive.py").write_text("import small\nsmall.run()\n", encoding="utf-8")
    command = [python, str(SCRIPT), "small", "--release", "small-1", "--output", "truth", "--source", "."]
    subprocess.run([*command, "--", "drive.py"], cwd=folder, check=True, timeout=300)
    lines = PACKAGE.encode().split(b"\n")
    found: dict[bool, dict[str, dict[str, Any]]] = {}
    for is_torch, name in ((True, "small-1.jsonl.gz"), (False, "small-1.nontorch.jsonl.gz")):
        written = gzip.decompress((folder / "truth" / name).read_bytes()).decode("utf-8")
        rows = [json.loads(row) for row in written.splitlines()]
        found[is_torch] = {lines[row["line"] - 1][row["col"] : row["end_col"]].decode(): row for row in rows}
    return found


@pytest.mark.parametrize(
    ("text", "api"),
    [
        ("nn.Module", "torch.nn.Module"),
        ("nn.ReLU", "torch.nn.ReLU"),
        ("super().__init__()", "torch.nn.Module.__init__"),
        ("act()", "torch.nn.ReLU"),
        ("self.half(x)", "torch.mul"),
        ("ç.abs()", "torch.Tensor.abs"),
        ("y.view(-1)", "torch.Tensor.view"),
        ("y.shape", "torch.Tensor.shape"),
        ("torch.float32", "torch.float32"),
        ("value.size()", "torch.Tensor.size"),
        ("model.eval()", "torch.nn.Module.eval"),
        ("nn.Module.train(model, mode=False)", "torch.nn.Module.train"),
        ("torch.inf", "torch.inf"),
        ("optimizer.zero_grad()", "torch.optim.Optimizer.zero_grad"),
        ("nn.utils.spectral_norm(nn.Linear(1, 1))", "torch.nn.utils.spectral_norm"),
    ],
)
def test_what_is_of_torch(recorded: dict[bool, dict[str, dict[str, Any]]], text: str, api: str) -> None:
    assert recorded[True][text]["api"] == [api]


@pytest.mark.parametrize("text", ["Éclair()", "self.act(y.view(-1))", 'warnings.simplefilter("ignore")'])
def test_what_is_not_of_torch(recorded: dict[bool, dict[str, dict[str, Any]]], text: str) -> None:
    assert recorded[False][text]["api"] == []
    assert text not in recorded[True]


@pytest.mark.parametrize("text", ["x.cos()", "torch.Tensor", "y.sum()", "math.pi"])
def test_what_did_not_run_or_is_left_out(recorded: dict[bool, dict[str, dict[str, Any]]], text: str) -> None:
    assert not any(text in rows for rows in recorded.values())


def test_rows_say_how_it_was_reached(recorded: dict[bool, dict[str, dict[str, Any]]]) -> None:
    row = recorded[True]["self.half(x)"]
    assert (row["kind"], row["recv"], row["via"]) == ("call", "self", ["partial"])
    assert row["sha256"] == hashlib.sha256(PACKAGE.encode()).hexdigest()
    assert recorded[True]["act()"]["bind"] == "param"
    assert recorded[True]["y.shape"]["kind"] == "attr"


def test_a_method_is_as_right_by_what_it_overrides(
    recorded: dict[bool, dict[str, dict[str, Any]]],
) -> None:
    assert "torch.nn.modules.module.Module.eval" in recorded[True]["model.eval()"]["aliases"]
