"""What methods do with their object in a loop is known as outside of one; and modules that a container has under
names, or that are set by what cannot be seen."""

from __future__ import annotations

import pytest
from looking import uses

HEAD = """
import torch
from collections import OrderedDict
from torch import nn
class A(nn.Module):
    def __init__(self, n):
        super().__init__()
"""
MADE = {
    "appended": (
        "self.m = []\n        for i in range(n): self.m.append(nn.Conv2d(1, 1, 1))",
        "self.m[0].stride",
    ),
    "to a list of modules": (
        "self.m = nn.ModuleList()\n        for i in n:\n            for j in i: self.m.append(nn.Conv2d(1, 1, 1))",
        "self.m[0].stride",
    ),
    "assigned": ("for i in range(n): self.m = nn.Conv2d(1, 1, 1)", "self.m.stride"),
    "added under a name": (
        "for i in range(n): self.add_module(f'm{i}', nn.Conv2d(1, 1, 1))",
        "self.m0.stride",
    ),
    "set under a name": (
        "while n: setattr(self, f'm{n}', nn.Conv2d(1, 1, 1))",
        "self.m0.stride",
    ),
    "in a container, by its name": (
        "self.m = nn.Sequential(OrderedDict([('c', nn.Conv2d(1, 1, 1))]))",
        "self.m.c.stride",
    ),
    "in a dictionary": (
        "d = {'c': nn.Conv2d(1, 1, 1)}\n        self.m = nn.Sequential(d)",
        "self.m.c.stride",
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_the_modules_of_an_object(name: str) -> None:
    made, reading = MADE[name]
    lines = uses(f"{HEAD}        {made}\n    def f(self):\n        {reading}\n")
    assert [line.split(" (")[0] for line in lines if reading in line] == [
        f"attribute torch.nn.Conv2d.stride <- {reading}"
    ]


def test_one_of_a_container_is_a_module_at_least() -> None:
    code = f"{HEAD}        self.m = nn.Sequential(*n)\n    def f(self):\n        self.m.conv.state_dict()\n"
    assert "call torch.nn.Module.state_dict <- self.m.conv.state_dict (likely)" in uses(code)


def test_a_module_may_be_given_attributes_by_what_cannot_be_seen() -> None:
    code = f"{HEAD}        fill(self, locals())\n    def forward(self, x):\n        return self.net(x).flatten(1)\n"
    assert "call torch.Tensor.flatten <- self.net(x).flatten (likely)" in uses(code)


def test_a_loop_that_binds_the_receiver_anew_is_another() -> None:
    code = f"{HEAD}        for x in n:\n            self.m = nn.Conv2d(1, 1, 1)\n            self = x\n"
    assert "call torch.nn.Conv2d <- nn.Conv2d" in uses(code)


def test_what_a_generator_yields_by_its_annotation() -> None:
    code = (
        "import torch\nfrom typing import Iterator\n"
        "def f(xs) -> Iterator[torch.Tensor]:\n    for x in xs: yield x\n"
        "def g(xs):\n    for x in f(xs): x.to(1)\n"
    )
    assert "call torch.Tensor.to <- x.to (likely)" in uses(code)


def test_what_a_generator_yields_counts_more() -> None:
    code = (
        "import torch\nfrom typing import Iterator\n"
        "def f() -> Iterator[torch.Tensor]:\n    yield torch.nn.Linear(1, 1)\n"
        "def g():\n    for x in f(): x.to(1)\n"
    )
    assert "call torch.nn.Module.to <- x.to" in uses(code)


@pytest.mark.parametrize("of", ["Normal", "StudentT"])
def test_the_parameters_of_a_distribution(of: str) -> None:
    code = f"import torch\ndef f(d: torch.distributions.{of}):\n    d.loc.to(1)\n"
    assert "call torch.Tensor.to <- d.loc.to (likely)" in uses(code)


TELLING = {
    "x.clone()": True,
    "x.clone(memory_format=m)": True,
    "x.clone(prefix='a')": False,
    "x.clone(**m)": False,
}
TELLING |= {"x.view((n, -1))": True, "x.view([n, -1])": True, "x.view((n, 'f4'))": False, "x.view(n)": False}


@pytest.mark.parametrize(("call", "tells"), TELLING.items())
def test_how_it_is_called_tells_of_a_tensor(call: str, tells: bool) -> None:
    lines = uses(f"import torch\ndef f(x, m, n):\n    y = x\n    {call}\n")
    assert any("(likely)" in line for line in lines) is tells
