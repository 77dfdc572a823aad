"""What operators, conditions and constants give; and what comes of a name that is bound nowhere. See `value_text.py` for how it is written."""

from __future__ import annotations

import pytest
from value_text import value_of

OPERATORS = {
    "r = torch.ones(1) + 2": "Tensor",
    "r = torch.ones(1) - 2": "Tensor",
    "r = torch.ones(1) * 2": "Tensor",
    "r = torch.ones(1) / 2": "Tensor",
    "r = torch.ones(1) // 2": "Tensor",
    "r = torch.ones(1) % 2": "Tensor",
    "r = torch.ones(1) ** 2": "Tensor",
    "r = torch.ones(1) @ 2": "Tensor",
    "r = torch.ones(1) & 2": "Tensor",
    "r = torch.ones(1) | 2": "Tensor",
    "r = torch.ones(1) ^ 2": "Tensor",
    "r = torch.ones(1) << 2": "Tensor",
    "r = torch.ones(1) >> 2": "Tensor",
    "r = torch.ones(1) < 2": "Tensor",
    "r = torch.ones(1) <= 2": "Tensor",
    "r = torch.ones(1) > 2": "Tensor",
    "r = torch.ones(1) >= 2": "Tensor",
    "r = torch.ones(1) == 2": "Tensor | bool",
    "r = torch.ones(1) != 2": "Tensor | bool",
    "r = torch.ones(1) is 2": "bool",
    "r = torch.ones(1) in 2": "bool",
    "r = 2 + torch.ones(1)": "Tensor",
    "r = 2 - torch.ones(1)": "Tensor",
    "r = 2 ** torch.ones(1)": "Tensor",
    "r = 2 < torch.ones(1)": "Tensor",
    "r = 2 == torch.ones(1)": "Tensor | bool",
    "r = 2 @ torch.ones(1)": "Tensor",
    "r = unseen + torch.ones(1)": "Tensor (likely)",
    "r = unseen < torch.ones(1)": "Tensor (likely)",
    "r = unseen + 1": "?",
    "r = 1 + unseen": "?",
    "r = 1 + 2": "int",
    "r = 1.0 * 2": "float",
    "r = 'a' + 'b'": "str",
    "r = 1 < 2": "bool",
    "r = unseen < 1": "?",
    "r = 1 < unseen": "?",
    "r = [1] < [2]": "bool",
    "r = 1 < torch.ones(1)": "Tensor",
    "r = torch.ones(1) < torch.ones(1) < 1": "Tensor",
    "r = 1 < torch.ones(1) < unseen": "Tensor",
    "r = unseen < unseen": "?",
    "r = 1 in [1]": "bool",
    "r = not torch.ones(1)": "bool",
    "r = -torch.ones(1)": "Tensor",
    "r = ~torch.ones(1)": "Tensor",
    "r = -1": "int",
    "r = -unseen": "?",
    "r = -torch.ones(1).T": "Tensor",
    "r = -nn.Linear(1, 2).weight": "Tensor",
    "r = torch.ones(1).T + 1": "Tensor",
    "r = 1 + torch.ones(1).T": "Tensor",
    "r = [1] + [None]": "list(int, None)",
    "r = (1,) + (None,)": "tuple(int, None)",
    "r = [1] + list(unseen)": "list[int | ?]",
    "r = list([1]) + [None]": "list[int | None]",
    "r = list([1]) + list([None])": "list[int | None]",
    "r = [] + list([1])": "list[int]",
    "r = [1] * 2": "list[int]",
    "r = torch.ones(1) + unseen": "Tensor",
    "r = torch.ones(1) + (1 if unseen else None)": "Tensor",
    "r = 1 + (torch.ones(1) if unseen else 2)": "Tensor | int",
    "r = nn.ReLU() + 1": "?",
    "r = torch.Size([1]) + torch.Size([2])": "Size",
    "r = torch.float32 == 1": "?",
    "r = True + torch.ones(1)": "Tensor",
    "r = 'a' + torch.ones(1)": "Tensor (likely)",
    "r = torch.ones(1)\nr += 1": "Tensor",
    "r = 1\nr += torch.ones(1)": "Tensor",
    "r = unseen\nr -= 1": "?",
    "r = torch.ones(1)\nr **= 2": "Tensor",
    "r = 1\nr //= 2": "int",
}

CONDITIONS = {
    "r = 1 if unseen else None": "int | None",
    "r = 1 or None": "int | None",
    "r = None or 1": "int",
    "r = (None if unseen else 1) or torch.ones(1)": "int | Tensor",
    "r = (None if unseen else 1) and torch.ones(1)": "None | int | Tensor",
    "r = torch.ones(1) and 1": "Tensor | int",
    "r = not 1": "bool",
    "r = 'a'": "str",
    "r = f'a'": "str",
    "r = 'a' 'b'": "str",
    "r = b'a'": "bytes",
    "r = 1": "int",
    "r = 1.5": "float",
    "r = True": "bool",
    "r = None": "None",
    "r = ...": "Ellipsis",
    "r = (r := 1)": "int",
    "r = lambda: 1": "=<lambda>",
    "r = (lambda: torch.ones(1))()": "Tensor",
    "r = (1, 2)[0] if unseen else [3]": "int | list(int)",
    "r = 1 if unseen else unseen": "int | ?",
    "r = await unseen": "?",
    "r = 1\nif unseen: r = None\nelif unseen: r = 'a'": "None | str | int",
    "if unseen: r = torch.ones(1)": "Tensor",
    "r = 1\ndel r": "never",
    "match unseen:\n    case r: pass": "?",
    "r = 1 if q else 1.5 if q else 'a' if q else None if q else True if q else [] if q else () if q else {}": "int | float | str | None | bool | list() | tuple() | dict[?]",
    "r = 1 if q else 1.5 if q else 'a' if q else None if q else True if q else [] if q else () if q else {} if q else torch.ones(1)": "?",
}

MISSING = {
    "r = missing": "never",
    "r = missing + 1": "never",
    "r = missing[0]": "never",
    "r = missing.a": "never",
    "r = missing()": "never",
    "r = torch.ones(1) + missing": "never",
    "r: Tensor = missing": "never",
    "r = 1 if q else missing": "int",
    "r = -missing": "never",
    "r = missing < 1": "never",
    "r = [missing]": "list(never)",
    "r = []\nr.append(missing)": "list[never]",
    "def f() -> Tensor: return missing\nr = f()": "Tensor (likely)",
    "def f(x): return x\nr = f(missing)": "never",
    "from functools import partial\nr = partial(missing)": "never",
}


INCREASED = """class A:
    def __init__(self, x):
        self.total = {first}
    def add(self, x: torch.Tensor):
        self.total {operator} {value}
class B(A):
    def more(self, x: torch.Tensor):
        self.total += x
r = A(1).total
"""
INCREASES = {
    "a Tensor": ("0", "+=", "x.sum()", "int | Tensor (likely)"),
    "a Tensor, in parentheses": ("0.0", "-=", "(x * 2)", "float | Tensor (likely)"),
    "by a number": ("0", "+=", "1", "int"),
    "by another number": ("0", "+=", "x.numel()", "int (likely)"),
    "by anything": ("0", "*=", "unseen", "int | ?"),
    "no number first": ("'a'", "+=", "x.sum()", "str"),
    "a list": ("[]", "+=", "x.unbind()", "list[Tensor (likely)]"),
}


@pytest.mark.parametrize("name", INCREASES)
def test_attributes_that_are_increased(name: str) -> None:
    first, operator, value, expected = INCREASES[name]
    assert value_of(INCREASED.format(first=first, operator=operator, value=value)) == expected


@pytest.mark.parametrize(("source", "expected"), {**OPERATORS, **CONDITIONS, **MISSING}.items())
def test_what_a_name_is(source: str, expected: str) -> None:
    assert value_of(source) == expected
