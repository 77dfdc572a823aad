"""What nobody knows of, called with a Tensor, mostly gives a Tensor. See `value_text.py` for how it is written."""

from __future__ import annotations

import pytest
from value_text import value_of

HEAD = "x = torch.ones(1)\n"

CALLED = {
    "r = unseen(x)": "? | Tensor (likely)",
    "r = unseen.thing(x, 1)": "? | Tensor (likely)",
    "r = unseen(x.real)": "? | Tensor (likely)",
    "r = unseen(input=x)": "? | Tensor (likely)",
    "r = unseen(x).shape[0]": "? | int (likely)",
    "r = unseen()": "?",
    "r = unseen(1, x)": "?",
    "r = unseen(*x)": "?",
    "r = unseen([x])": "?",
    "r = unseen(x if q else 1)": "?",
    "r = other.thing(x)": "?",
    "def f(y): return unseen\nr = f(x)": "? | Tensor (likely)",
    "def f(y): return 1\nr = f(x)": "int",
    "class A(nn.Module):\n    def forward(self, y): return unseen\nr = A()(x)": "? | Tensor (likely)",
    "class A(nn.Module):\n    def __init__(self, f): self.f = f\n    def g(self, y: Tensor): return self.f(y)\n"
    "r = A(unseen).g(1)": "? | Tensor (likely)",
    "r = nn.Sequential(nn.Linear(1, 1), unseen())(x)": "? | Tensor (likely)",
    "def f(): return [y.mean() for y in r]\nr = unseen(x)": "? | Tensor (likely)",
}

READ = {
    "r.size(0)": "? | Tensor (likely)",
    "r.shape, r._made_by": "? | Tensor (likely)",
    "r.items()": "?",
    "r.logits": "?",
    "r.mean": "?",
    "r.mean()": "? | Tensor (likely)",
    "r.mean, r.mean()": "? | Tensor (likely)",
}
"""What is read of the result: a Tensor has it, and its methods are called."""


@pytest.mark.parametrize(("source", "expected"), CALLED.items())
def test_what_a_call_with_a_tensor_gives(source: str, expected: str) -> None:
    assert value_of(HEAD + source) == expected


@pytest.mark.parametrize(("read", "expected"), READ.items())
def test_members_that_are_read_of_it_may_speak_against(read: str, expected: str) -> None:
    source = f"def f(g):\n    r = g(torch.ones(1))\n    {read}\n    return r\nr = f(unseen)"
    assert value_of(source) == expected
