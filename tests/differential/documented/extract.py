"""Writes the examples of PyTorch's docstrings as scripts: extract.py FOLDER, run by a Python that has PyTorch.

One script for each docstring; `index.json` beside them names what it documents. What an example draws at random
is drawn by NumPy instead, so that both frameworks get the same; a bare expression becomes `result1` and so on.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import json
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MODULES = (
    "torch",
    "torch.autograd",
    "torch.autograd.functional",
    "torch.fft",
    "torch.func",
    "torch.linalg",
    "torch.nn",
    "torch.nn.functional",
    "torch.nn.init",
    "torch.nn.utils",
    "torch.nn.utils.parametrizations",
    "torch.nn.utils.parametrize",
    "torch.nn.utils.prune",
    "torch.nn.utils.rnn",
    "torch.optim",
    "torch.optim.lr_scheduler",
    "torch.signal.windows",
    "torch.sparse",
    "torch.special",
    "torch.utils.checkpoint",
    "torch.utils.data",
)
DRAWN = ("empty", "rand", "rand_like", "randint", "randn", "randn_like", "randperm")
COMPLEX = ("cdouble", "cfloat", "complex64", "complex128")
_PROMPT = re.compile(r"\s*(?:>>>|\.\.\.) ?(.*)")

PRELUDE = """import math
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch import linalg
drawn = np.random.RandomState(0)
def sizes_of(size):
    return tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else size
def draw_randn(*size, dtype=torch.float32, requires_grad=False, device=None, generator=None):
    return torch.tensor(drawn.standard_normal(sizes_of(size)), dtype=dtype, requires_grad=requires_grad)
def draw_rand(*size, dtype=torch.float32, requires_grad=False, device=None, generator=None):
    return torch.tensor(drawn.random_sample(sizes_of(size)), dtype=dtype, requires_grad=requires_grad)
def draw_empty(*size, dtype=torch.float32, requires_grad=False, device=None):
    return torch.tensor(drawn.random_sample(sizes_of(size)), dtype=dtype, requires_grad=requires_grad)
def draw_randint(*bounds, dtype=torch.int64, device=None, size=None, low=None, high=None, generator=None):
    bounds = list(bounds)
    size = bounds.pop() if size is None else size
    high = bounds.pop() if high is None else high
    low = (bounds.pop() if bounds else 0) if low is None else low
    return torch.tensor(drawn.randint(low, high, tuple(size)), dtype=dtype)
def draw_randperm(n, generator=None, device=None):
    return torch.tensor(drawn.permutation(n))
def draw_randn_like(x, dtype=None):
    return draw_randn(*x.shape, dtype=dtype or x.dtype)
def draw_rand_like(x, dtype=None):
    return draw_rand(*x.shape, dtype=dtype or x.dtype)
"""
OPTIMIZED = """model = nn.Linear(3, 2)
input = draw_randn(4, 3)
target = draw_randn(4, 2)
loss_fn = nn.MSELoss()
"""
SCHEDULED = """model = nn.Linear(3, 2)
optimizer = optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
rates = []
def train(*arguments):
    optimizer.zero_grad()
    model(draw_randn(4, 3)).sum().backward()
    optimizer.step()
    return 1.0
def validate(*arguments):
    return 1.0
train_batch = train
data_loader = dataloader = range(10)
"""
"""What examples of optimizers and schedules leave to their readers."""


def documented() -> Iterator[tuple[str, str]]:
    """The names of PyTorch that have an example, each with its docstring, which no other has."""
    seen = set()
    for module, owner in [("torch.Tensor", importlib.import_module("torch").Tensor), *imported()]:
        for name, value in members(module, owner):
            text = inspect.getdoc(value)
            if text and ">>>" in text and text not in seen:
                seen.add(text)
                yield name, text


def imported() -> Iterator[tuple[str, Any]]:
    for name in MODULES:
        yield name, importlib.import_module(name)


def members(module: str, owner: Any) -> Iterator[tuple[str, Any]]:
    """What a module or class has, and what its classes have."""
    for name in sorted(dir(owner)):
        if name.startswith("_") or (module == "torch" and re.fullmatch(r"\w*(Tensor|Storage)", name)):
            continue
        value = getattr(owner, name, None)
        if value is None or inspect.ismodule(value):
            continue
        yield f"{module}.{name}", value
        if inspect.isclass(value) and str(value.__module__).startswith("torch"):
            for inner in sorted(vars(value)):
                if not inner.startswith("_"):
                    yield f"{module}.{name}.{inner}", getattr(value, inner, None)


def example(text: str) -> str:
    """The code of a docstring, without lines that do not parse."""
    text = textwrap.dedent(text)
    try:
        code = "".join(part.source for part in doctest.DocTestParser().get_examples(text))
        ast.parse(code)
    except (SyntaxError, ValueError):
        code = ""
        for line in filter(None, map(_PROMPT.fullmatch, text.splitlines())):
            longer = f"{code}{line[1]}\n"
            try:
                ast.parse(longer)
            except SyntaxError:
                continue
            code = longer
    return code


class _Adapt(ast.NodeTransformer):
    """Draws by NumPy, stays on the CPU, and keeps the rates of schedules."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        text = ast.unparse(node)
        if ast.unparse(node.func).startswith("torch.") and not any(each in text for each in COMPLEX):
            name = ast.unparse(node.func).removeprefix("torch.")
            if name in DRAWN:
                node.func = ast.Name(f"draw_{name}", ast.Load())
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        is_device = isinstance(node.value, str) and node.value.startswith("cuda")
        return ast.Constant("cpu") if is_device else node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if ast.unparse(node).startswith("scheduler.step("):
            return [node, *ast.parse("rates.append(optimizer.param_groups[0]['lr'])").body]
        return node


def script(name: str, code: str) -> str:
    """The example as a script whose results have names."""
    statements: list[ast.stmt] = []
    for statement in ast.parse(code).body:
        adapted = _Adapt().visit(statement)
        statements += adapted if isinstance(adapted, list) else [adapted]
    number = 0
    for place, statement in enumerate(statements):
        if isinstance(statement, ast.Expr) and not isinstance(statement.value, ast.Constant):
            number += 1
            value = statement.value
            if isinstance(value, ast.Call) and ast.unparse(value.func) == "print" and len(value.args) == 1:
                value = value.args[0]
            statements[place] = ast.Assign([ast.Name(f"result{number}", ast.Store())], value)
    given = SCHEDULED if ".lr_scheduler." in name else OPTIMIZED if name.startswith("torch.optim") else ""
    body = ast.unparse(ast.fix_missing_locations(ast.Module(statements, [])))
    return f"{PRELUDE}{given}{body}\n"


def main() -> None:
    """Write all scripts."""
    folder = Path(sys.argv[1])
    names = {}
    for number, (name, text) in enumerate(documented()):
        file = f"example_{number:04}"
        names[file] = name
        (folder / f"{file}.py").write_text(script(name, example(text)), encoding="utf-8")
    (folder / "index.json").write_text(json.dumps(names), encoding="utf-8")


if __name__ == "__main__":
    main()
