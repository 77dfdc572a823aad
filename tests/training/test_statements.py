"""Statements of converted training programs do something: calls are functions of the program's own, or known to have
an effect; nothing is assigned to itself, no branch is empty."""

from __future__ import annotations

import ast
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mindport.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
TRAINING = ROOT / "tests" / "differential" / "training"
sys.path.insert(0, str(TRAINING))

from programs import PROGRAMS  # noqa: E402

SOURCES = sorted({str((TRAINING / "programs" / program.path).resolve()) for program in PROGRAMS.values()})
"""What the programs of the training set are: folders, and files without their suffix."""
HELPERS = "mindport_helpers"
KNOWN = json.loads(Path(__file__).with_name("statements_with_effect.json").read_text(encoding="utf-8"))
SEEDS = """import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.LSTM(2, 2)

    def forward(self, x):
        self.layer.flatten_parameters()
        return self.layer(x)[0].mean()


def main(seed, gpu, steps):
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    torch.set_num_threads(1)
    net = Net()
    device = torch.device("cuda:0")
    if gpu:
        torch.cuda.set_device(gpu)
        net.cuda()
    net.to(device)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    for _ in range(steps):
        net.train()
        optimizer.zero_grad()
        net(torch.randn(3, 1, 2)).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        torch.cuda.empty_cache()
    net.cpu()
    torch.save(net.state_dict(), "net.pt")
"""


def converted(source: Path, folder: Path) -> dict[str, ast.Module]:
    """The files that the command makes of a program, but the helpers."""
    assert main(["convert", str(source), "-o", str(folder), "--whole", "--device", "cpu"]) == 0
    paths = (path for path in folder.rglob("*.py") if path.stem != HELPERS)
    return {path.name: ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def without_effect(trees: dict[str, ast.Module]) -> Iterator[str]:
    """The statements that are calls of nothing that is known to have an effect."""
    own = {
        node.name
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    }
    for name, tree in trees.items():
        statements = (node for node in ast.walk(tree) if isinstance(node, ast.Expr))
        for node in statements:
            if isinstance(node.value, ast.Call) and not has_effect(node.value.func, own):
                yield f"{name}:{node.lineno}: {ast.unparse(node)}"
        yield from (f"{name}:{node.lineno}: {ast.unparse(node)}" for node in ast.walk(tree) if is_idle(node))


def is_idle(node: ast.AST) -> bool:
    """Whether a statement that is no call does nothing."""
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, (ast.Call, ast.Constant, ast.Yield, ast.YieldFrom))
    if isinstance(node, ast.Assign):
        return [ast.unparse(target) for target in node.targets] == [ast.unparse(node.value)]
    if isinstance(node, (ast.If, ast.For, ast.While, ast.With)):
        return all(isinstance(each, ast.Pass) for each in [*node.body, *getattr(node, "orelse", [])])
    return False


def has_effect(function: ast.expr, own: set[str]) -> bool:
    """Whether calling a function is known to do something."""
    if isinstance(function, ast.Name):
        is_object = function.id.partition("_")[0] in KNOWN["objects"]
        return is_object or function.id in own | {"print", "setattr"}
    if not isinstance(function, ast.Attribute):
        return False
    if function.attr in KNOWN["objects"]:
        return True
    if isinstance(function.value, ast.Name) and function.value.id.strip("_").endswith("helpers"):
        changes_in_place = function.attr.endswith("_") and not function.attr.endswith("__")
        return changes_in_place or function.attr in KNOWN["helpers"]
    return function.attr in own or function.attr in KNOWN["methods"]


def test_statements_of_the_demo_do_something(tmp_path: Path) -> None:
    assert [*without_effect(converted(ROOT / "docs" / "examples" / "flowers", tmp_path / "out"))] == []


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.removesuffix("/pytorch").rpartition("/")[2])
def test_statements_of_training_programs_do_something(source: str, tmp_path: Path) -> None:
    program = tmp_path / "program"
    if Path(source).is_dir():
        shutil.copytree(source, program)
    else:
        program.mkdir()
        shutil.copy(f"{source}.py", program)
    assert [*without_effect(converted(program, tmp_path / "out"))] == []


@pytest.mark.parametrize("code", ["x", "x, y = (x, y)", "if a:\n    pass\nelse:\n    pass", "a.b == c"])
def test_what_does_nothing_is_noticed(code: str) -> None:
    assert any(is_idle(node) for node in ast.walk(ast.parse(code)))


def test_statements_that_mindspore_does_not_need_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "run.py").write_text(SEEDS, encoding="utf-8")
    trees = converted(tmp_path / "program", tmp_path / "out")
    assert [*without_effect(trees)] == []
    text = ast.unparse(trees["run.py"])
    kept = ("manual_seed(seed)", "net.train()", "zero_grad()", "backward()", "clip_grad_norm_", "step()")
    assert all(call in text for call in kept)
