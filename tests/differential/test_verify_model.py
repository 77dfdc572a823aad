"""`mindport verify model`: a model that agrees, one that differs in a layer, those that do not run."""

from __future__ import annotations

from pathlib import Path

import pytest
from mindport.cli.main import main
from mindport.verify.frameworks import VARIABLE
from mindport.verify.testing import check_model

NET = """\
import torch
import torch.nn.functional as F
from torch import nn

from .block import Block, is_torch


class Net(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(inplace=True))
        self.block = Block(8)
        self.head = nn.Linear(8, classes)

    def forward(self, x, mask=None):
        x = self.block(self.stem(x))
        if mask is not None:
            x = x.masked_fill(mask, 0)
        x = F.adaptive_avg_pool2d(x, 1).flatten(1)
        return {"logits": self.head(x), "features": x}


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(20, 8)
        self.layers = nn.LSTM(8, 6, batch_first=True)

    def forward(self, x):
        return self.layers(self.table(x))


class Raises(nn.Module):
    def forward(self, x):
        if not is_torch(x):
            raise ValueError("not here")
        return x


class Recomputed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run, x, *weights):
        ctx.run, ctx.x, ctx.weights = run, x, weights
        with torch.no_grad():
            return run(x)

    @staticmethod
    def backward(ctx, gradient):
        x = ctx.x.detach().requires_grad_(True)
        with torch.enable_grad():
            result = ctx.run(x.view_as(x))
        found = torch.autograd.grad(result, (x, *ctx.weights), gradient)
        return (None, *found)


class Sparing(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        return Recomputed.apply(self.head, x * 2, *self.head.parameters())


class Steeper(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))

    def forward(self, x):
        y = x * self.scale
        return y if is_torch(x) else y * 1.5 - (y * 0.5).detach()


def distance(a, b):
    return ((a - b) ** 2).mean()
"""
BLOCK = """\
from torch import nn


def is_torch(x):
    return type(x).__module__.startswith("torch")


class Scaled(nn.Module):
    def __init__(self, other):
        super().__init__()
        self.other = other

    def forward(self, x):
        return x if is_torch(x) else x * self.other


class Block(nn.Module):
    def __init__(self, channels, other=1):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1, groups=channels)
        self.scale = Scaled(other)
        self.norm = nn.GroupNorm(2, channels)

    def forward(self, x):
        return x + self.norm(self.scale(self.conv(x)))
"""


@pytest.fixture
def verify(python: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Verifies a model of the package; `%` stands for an argument with blanks."""
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "net.py").write_text(NET, encoding="utf-8")
    (package / "block.py").write_text(BLOCK, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def run(spec: str, *inputs: str, options: tuple[str, ...] = ()) -> int:
        given = [word for each in inputs for word in ("--input", each)]
        all_given = [*given, *options, "--python", python, "--language", "en"]
        return main(["verify", "model", f"pkg/{spec}", *all_given])

    return run


@pytest.mark.parametrize(
    ("spec", "inputs", "said"),
    [
        ("net.py:Net(classes=5)", ["float32[2,3,16,16]"], "2 of 2 outputs equal"),
        ("net.py:Net()", ["float32[2,3,16,16]", "mask=bool[2,1,16,16]"], "11 of 11 gradients equal"),
        ("net.py:Words()", ["int64[2,5]<20"], "5 of 5 gradients equal"),
        ("net.py:distance", ["float32[2,5]", "float32[2,5]"], "2 of 2 gradients equal"),
        ("net.py:Sparing()", ["float32[2,4]"], "3 of 3 gradients equal"),
    ],
)
def test_models_that_agree(verify, capsys, spec, inputs, said):
    assert verify(spec, *inputs) == 0, capsys.readouterr()
    assert said in capsys.readouterr().out


def test_kernels_that_a_cpu_lacks_are_substituted_and_told(verify, capsys):
    options = ("--device", "ascend", "--style", "mint")
    assert verify("net.py:Net()", "float32[2,3,8,8]", options=options) == 0
    told = capsys.readouterr().out
    assert "Substituted" in told
    assert "mindspore.mint.nn.functional.adaptive_avg_pool2d" in told
    assert verify("net.py:Net()", "float32[2,3,8,8]") == 0
    assert "Substituted" not in capsys.readouterr().out


def test_the_first_layer_that_differs_is_named(verify, capsys):
    assert verify("block.py:Block(8, other=-1)", "float32[2,8,4,4]") == 1
    told = capsys.readouterr().out
    assert "  output 0: " in told
    assert "First layer that differs: scale (2.0e+00)" in told


def test_gradients_that_differ_with_all_weights_and_inputs_are_told(verify, capsys):
    assert verify("net.py:Steeper()", "float32[4,3]") == 1
    told = capsys.readouterr().out
    assert "1 of 1 outputs equal" in told
    assert "0 of 2 gradients equal, largest difference 5.0e-01" in told
    assert "  gradient of scale: 5.0e-01" in told


def test_what_is_raised_in_mindspore_is_told(verify, capsys):
    assert verify("net.py:Raises()", "float32[2]") == 1
    told = capsys.readouterr().err
    assert "Cannot be called in MindSpore:" in told
    assert "ValueError: not here" in told


def test_what_does_not_run_in_pytorch_is_no_finding(verify, capsys):
    assert verify("net.py:Net()", "float32[2]") == 2
    assert "does not run in PyTorch" in capsys.readouterr().err


def test_a_folder_from_which_nothing_is_imported_is_told(verify, capsys):
    Path("pkg/__init__.py").unlink()
    assert verify("net.py:Net()", "float32[2,3,8,8]") == 2
    told = capsys.readouterr().err
    assert f"The model's module is imported from {Path('pkg').resolve()}." in told
    assert "name that folder with --folder" in told
    assert verify("net.py:Net()", "float32[2,3,8,8]", options=("--folder", ".")) == 0


def test_a_test_of_a_project_compares(verify, python, monkeypatch):
    monkeypatch.setenv(VARIABLE, python)
    block = Path("pkg/block.py").resolve()
    check_model(block, "Block(8)", "float32[2,8,4,4]")
    with pytest.raises(AssertionError, match="layer that differs: scale"):
        check_model(block, "Block(8, other=-1)", "float32[2,8,4,4]")


def test_a_test_of_a_project_is_skipped_without_the_frameworks(verify, monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none"))
    with pytest.raises(pytest.skip.Exception, match=r"Cannot run .*none:"):
        check_model(Path("pkg/block.py").resolve(), "Block(8)", "float32[2,8,4,4]")


GRAPHS = """\
from torch import nn


class Compiles(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        return self.head(x).relu()


class Tries(Compiles):
    def forward(self, x):
        y = self.head(x)
        try:
            return y * 2
        except ValueError:
            return y
"""


def test_a_model_in_graph_mode(python: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "net.py"
    file.write_text(GRAPHS)
    words = ["verify", "model", "--input", "float32[2,4]", "--graph", "--python", python, "--language", "en"]
    assert main([*words, f"{file}:Compiles()"]) == 0
    assert "1 of 1 outputs in graph mode equal" in capsys.readouterr().out
    assert main([*words, f"{file}:Tries()"]) == 1
    assert "Cannot be compiled in graph mode:\n  net.py:16: try:\n" in capsys.readouterr().err
