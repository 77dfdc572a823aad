"""What is given to a function that takes nothing but a Tensor is one."""

from __future__ import annotations

import pytest
from looking import uses

HEAD = """
import torch
import torch.nn.functional as F
from torch import Tensor, relu
def take(x: Tensor, other=None): pass
def keep(other, *, x: Tensor): pass
def any_of_them(x: Tensor | None): pass
def through(a): return torch.abs(a)
def loop(a):
    loop(a)
    return a.size
"""

FOUND = {
    "a function of torch": "torch.abs(x)",
    "of a module": "F.relu(x)",
    "by its own name": "relu(x)",
    "by keyword": "torch.reshape(shape=(1,), input=x)",
    "one of two": "torch.cat([x])\n    torch.abs(x)",
    "before it is asked": "for _ in range(3): torch.abs(x)",
    "a function of the project": "take(x)",
    "by keyword there": "keep(1, x=x)",
    "what is given on": "through(x)",
    "with a sign": "torch.abs(-x)",
    "with a number": "torch.abs(1 - x ** 2)",
    "with what is made of it": "F.softmax(x - x.max(), 0)",
    "some of it": "torch.abs(x[:, 0])",
    "a slice": "torch.abs(x[1:])",
    "what one path leaves as it is": "y = x\n    if unseen: x = unseen(y)\n    torch.abs(x)",
}
NOT_FOUND = {
    "a function that takes anything": "torch.as_tensor(x)",
    "a number as well": "torch.add(torch.ones(1), x)",
    "several": "torch.cat(x)",
    "unpacked": "torch.abs(*x)",
    "nothing that Python would take": "torch.abs(1, 2, x)",
    "None as well": "any_of_them(x)",
    "another parameter": "take(torch.ones(1), x)",
    "something unknown": "unseen(x)",
    "a function that only calls itself": "loop(x)",
    "what the function binds": "f = torch.abs\n    f(x)",
    "with something else": "torch.abs(x + unseen)",
    "an item": "torch.abs(x[0])",
    "a truth": "torch.abs(not x)",
    "what is made of it alone": "torch.abs(unseen(x))",
}


def found(statement: str, reading: str = "x.device", head: str = HEAD) -> list[str]:
    """The uses of `x` in a function that does not say what it is."""
    lines = uses(f"{head}def run(x):\n    {statement}\n    return {reading}\n")
    return [line for line in lines if line.partition("<- ")[2].startswith(reading)]


@pytest.mark.parametrize("name", FOUND)
def test_a_tensor(name: str) -> None:
    assert found(FOUND[name]) == ["attribute torch.Tensor.device <- x.device (likely)"]


@pytest.mark.parametrize("name", NOT_FOUND)
def test_anything(name: str) -> None:
    assert found(NOT_FOUND[name]) == ["attribute torch.Tensor.device <- x.device (possible)"]


def test_what_is_made_of_it() -> None:
    lines = uses(HEAD + "def run(x):\n    y = x * 2\n    torch.abs(x)\n    return y.sum()\n")
    assert "call torch.Tensor.sum <- y.sum (likely)" in lines


def test_methods_of_the_receiver() -> None:
    lines = uses(
        HEAD
        + "class A:\n    def take(self, x: Tensor): pass\n"
        + "    def run(self, x):\n        self.take(x)\n        return x.device\n"
    )
    assert "attribute torch.Tensor.device <- x.device (likely)" in lines


def test_objects_that_say_what_torch_makes_of_them() -> None:
    own = "class Own:\n    def __torch_function__(self): pass\n"
    assert found("torch.abs(x)", head=HEAD + own) == ["attribute torch.Tensor.device <- x.device (possible)"]


def test_what_is_known_counts_more() -> None:
    for known in ("Own", "int | Own", "numpy.ndarray"):
        source = (
            f"import numpy\nclass Own: pass\ndef run(x: {known}):\n    torch.abs(x)\n    return x.device\n"
        )
        assert not [line for line in uses(HEAD + source) if "device" in line], known


def test_a_number_that_is_read_as_a_tensor() -> None:
    lines = uses(HEAD + "def run(x: int):\n    torch.abs(x)\n    return x.device\n")
    assert "attribute torch.Tensor.device <- x.device (likely)" in lines


def test_other_objects_of_torch() -> None:
    head = HEAD + "def freeze(model): list(model.named_modules())\ndef other(x: int): pass\n"
    source = head + "def run(model):\n    freeze(model)\n    model.train()\n    other(model)\n"
    assert "call torch.nn.Module.train <- model.train (likely)" in uses(source)
    assert "call torch.nn.Module.train <- model.train (likely)" not in uses(
        source.replace("    freeze", "    len")
    )
