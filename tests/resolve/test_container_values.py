"""What displays, items, unpacking and methods of containers give. See `value_text.py` for how it is written."""

from __future__ import annotations

import pytest
from value_text import value_of

DISPLAYS = {
    "r = [torch.ones(1), 2]": "list(Tensor, int)",
    "r = (1, None)": "tuple(int, None)",
    "r = {torch.ones(1)}": "set(Tensor)",
    "r = [*unseen, 1]": "list[? | int]",
    "r = [torch.ones(1), *[1]]": "list[Tensor | int]",
    "def f(x, *others): return (x, *others)\nr = f(torch.ones(1), torch.ones(2))[1]": "? | Tensor (likely)",
    "r = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]": "list[?]",
    "r = [1][0]": "int",
    "r = {'a': torch.ones(1)}": "{a: Tensor}",
    "r = {}": "dict[?]",
    "r = {'a': 1, **unseen}": "dict[?]",
    "r = {'a': 1, 'b': None}": "{a: int, b: None}",
    "r = [x for x in [torch.ones(1)]]": "list[Tensor]",
    "r = {x for x in [1]}": "set[int]",
    "r = {x: 1 for x in [2]}": "dict[int]",
    "r = ()": "tuple()",
    "r = []": "list()",
}

ITEMS = {
    "r = [1, None][0]": "int",
    "r = [1, None][1]": "None",
    "r = [1, None][-1]": "None",
    "r = [1, None][-2]": "int",
    "r = [1, None][2]": "int | None",
    "r = [1, None][-3]": "int | None",
    "r = [1, None][unseen]": "int | None",
    "r = [1, None][True]": "int | None",
    "r = [1, torch.ones(1)][1:]": "list[int | Tensor]",
    "r = list(unseen)[1:]": "list[?]",
    "r = {'a': 1}['a']": "int",
    "r = torch.ones(1)[0]": "Tensor",
    "r = torch.ones(1)[1:]": "Tensor",
    "r = torch.ones(1)[1:, 0]": "Tensor",
    "r = torch.ones(1)[0, 1]": "Tensor",
    "r = None[0]": "never",
    "r = None[1:]": "never",
    "r = torch.topk(torch.ones(1), 2)[0]": "Tensor",
    "r = torch.topk(torch.ones(1), 2)[1:]": "Tensor",
    "r = 'abc'[0]": "str[]",
    "r = 'abc'[1:]": "str[]",
    "r = unseen[0]": "?",
    "r = nn.Sequential(nn.ReLU(), nn.GELU())[0]": "nn.ReLU | nn.GELU",
    "r = nn.Sequential(nn.ReLU(), nn.GELU())[1:]": "nn.Sequential[nn.ReLU | nn.GELU; last nn.GELU]",
    "r = (1, None)[0x1]": "int | None",
    "r = [torch.ones(1)][- -0]": "Tensor",
    "r = [1, None][+1]": "int | None",
    "r = [1, None][0:1][0]": "int | None",
    "r = ()[0]": "?",
}

UNPACK = {
    "r, x = 1, None": "int",
    "x, r = 1, None": "None",
    "x, *r = 1, None, 2": "list[int | None]",
    "*r, x = 1, 2": "list[int]",
    "(x, r), y = (1, None), 2": "None",
    "for r in [1, None]: pass": "int | None",
    "for r in {'a': torch.ones(1)}: pass": "key[]",
    "for k, r in {'a': torch.ones(1)}.items(): pass": "Tensor",
    "with unseen as r: pass": "?",
    "try: pass\nexcept unseen as r: pass": "?",
}

FILLED = {
    "r = []\nr.append(torch.ones(1))": "list[Tensor]",
    "r = [1]\nr.append(torch.ones(1))": "list[int | Tensor]",
    "r = list(unseen)\nr.append(torch.ones(1))": "list[? | Tensor]",
    "r = nn.ModuleList()\nr.append(nn.ReLU())": "nn.ModuleList[nn.ReLU; last nn.ReLU]",
    "r = nn.Sequential()\nr.add_module('a', nn.ReLU())": "nn.Sequential",
    "r = torch.ones(1)\nr.append(1)": "Tensor",
    "r = nn.ReLU()\nr.append(1)": "nn.ReLU",
    "r = []\nr.extend([torch.ones(1)])": "list[Tensor]",
    "r = []\nr += [torch.ones(1)]": "list(Tensor)",
    "r = [x for x in [1]]\nr.append(None)": "list[int | None]",
    "r = {}\nr['a'] = torch.ones(1)": "dict[? | Tensor]",
    "r = {}\nr[unseen], x = torch.ones(1), 2": "dict[?]",
    "r = {}\nr['a'] = x": "dict[?]",
    "r = {}\nr['a'] = 'b'": "dict[?]",
    "r = {'b': 1}\nr['a'] = torch.ones(1)": "{b: int, *: Tensor}",
    "r = dict(b=1)\nfor k in unseen: r[k] = torch.ones(1)": "{b: int, *: Tensor}",
    "r = [None] * 3\nr[0] = torch.ones(1)": "list[None | Tensor]",
    "r = [1, 2]\nr[0:1] = [torch.ones(1)]": "list(int, int)",
    "r = list(unseen)\nr[0] = torch.ones(1)": "list[? | Tensor]",
    "x = torch.ones(1)\nx[0] = torch.ones(1)\nr = x": "Tensor",
    "r = unseen\nr['a'] = torch.ones(1)": "?",
    "class A:\n    def __init__(self): self.d = {}\n    def f(self, k): self.d[k] = torch.ones(1)\nr = A().d": "dict[? | Tensor]",
    "r = nn.ParameterList([torch.ones(1)])[0]": "nn.Parameter (likely)",
    "for r in nn.ParameterList(): pass": "nn.Parameter (likely)",
    "r = nn.ModuleDict({'a': nn.ReLU()})['a']": "nn.ReLU",
    "r = nn.ModuleDict(unseen)['a']": "?",
}

METHODS = {
    "r = {'a': torch.ones(1)}.values()": "iterator[Tensor]",
    "r = {'a': torch.ones(1)}.get('a')": "Tensor",
    "r = {'a': torch.ones(1)}.pop('a')": "Tensor",
    "r = {'a': torch.ones(1)}.setdefault('a')": "Tensor",
    "r = {'a': torch.ones(1)}.popitem()": "Tensor",
    "r = {'a': torch.ones(1)}.items()": "iterator[tuple(?, Tensor)]",
    "r = {'a': torch.ones(1)}.copy()": "{a: Tensor}",
    "r = {'a': torch.ones(1)}.update(1)": "None",
    "r = {'a': torch.ones(1)}.keys()": "iterator[key]",
    "r = {'a': torch.ones(1)}.clear()": "None",
    "r = [torch.ones(1)].pop()": "Tensor",
    "r = [torch.ones(1)].append(1)": "None",
    "r = [torch.ones(1)].extend(1)": "None",
    "r = [torch.ones(1)].insert(1)": "None",
    "r = [torch.ones(1)].sort()": "None",
    "r = [torch.ones(1)].reverse()": "None",
    "r = [torch.ones(1)].remove(1)": "None",
    "r = [torch.ones(1)].index(1)": "list.index",
    "r = [torch.ones(1)].copy()": "list(Tensor)",
    "r = {1}.add(2)": "None",
    "r = [1].pop": "list(int).pop",
    "r = (1, None).count(1)": "tuple.count",
}


@pytest.mark.parametrize(("source", "expected"), {**DISPLAYS, **ITEMS, **UNPACK, **FILLED, **METHODS}.items())
def test_what_a_name_is(source: str, expected: str) -> None:
    assert value_of(source) == expected


OPTIMIZERS = ["SGD", "Adam", "AdamW", "Adagrad", "Adadelta", "RMSprop", "NAdam", "RAdam", "ASGD", "Rprop"]
CLASSES = (
    "class Base: pass\nclass Other: pass\n"
    + "".join(f"class A{number}(Base): pass\n" for number in range(9))
    + "".join(f"class B{number}(Other): pass\n" for number in range(9))
)
MANY = ", ".join(f"'a{number}': A{number}" for number in range(9))
OTHERS = ", ".join(f"'b{number}': B{number}" for number in range(9))
OF_MANY_CLASSES = {
    f"r = {{{MANY}}}[unseen]": "=Base (likely)",
    f"r = {{{MANY}}}[unseen]()": "Base (likely)",
    f"r = {{{MANY}}}['a3']": "=A3",
    f"r = {{{MANY}, {OTHERS}}}[unseen]": "=Base | =Other (likely)",
    f"r = {{{MANY}, {OTHERS}, unseen: A1}}[unseen]": "=Base | =Other (likely)",
    f"r = {{{MANY}, 'x': unseen}}[unseen]": "?",
    f"r = {{{MANY}, 'x': nn.ReLU}}[unseen]": "?",
    "r = {" + ", ".join(f"'x{one}': torch.optim.{one}" for one in OPTIMIZERS) + "}[unseen]": "?",
}


@pytest.mark.parametrize(("source", "expected"), OF_MANY_CLASSES.items(), ids=range(len(OF_MANY_CLASSES)))
def test_one_of_more_classes_than_are_told_apart(source: str, expected: str) -> None:
    assert value_of(CLASSES + source) == expected
