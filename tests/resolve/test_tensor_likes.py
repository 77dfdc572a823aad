"""Objects that say themselves what torch makes of them (`__torch_function__`), beside Tensors."""

from __future__ import annotations

import pytest
from looking import uses
from value_text import value_of

LIKE = """\
class Like:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None): ...
    def rows(self): return torch.ones(1)
    def view(self, *sizes): return self
    def sum(self, dim) -> Tensor: ...
    def __add__(self, other): return 1
    def __radd__(self, other): return Like()
    def __lt__(self, other): return 'a'
    def __gt__(self, other): return 1.0
class Other(Like):
    def rows(self): return torch.ones(1)
"""

OPERATIONS = {
    "r = torch.add(Like(), 1)": "?",
    "r = torch.sum(Like(), 1)": "Tensor (likely)",
    "r = torch.sum(torch.ones(1), 1)": "Tensor",
    "r = torch.sum(unseen, 1)": "Tensor (likely)",
    "r = torch.sum(1, Like())": "?",
    "r = torch.neg(Like() if unseen else torch.ones(1))": "? | Tensor (likely)",
    "r = torch.view(Other() if unseen else torch.ones(1))": "Like | ? (likely)",
    "r = torch.ones(1).sum(Like())": "?",
    "r = nn.ReLU(Like())": "nn.ReLU",
    "r = Like() + torch.ones(1)": "int (likely)",
    "r = Like() - torch.ones(1)": "?",
    "r = torch.ones(1) + Like()": "Like (likely)",
    "r = torch.ones(1) - Like()": "?",
    "r = torch.ones(1) + (Like() if unseen else 1)": "Like | Tensor (likely)",
    "r = torch.ones(1) + unseen": "Tensor (likely)",
    "r = torch.ones(1) < Like()": "str (likely)",
    "r = 1 - Like()": "?",
}


@pytest.mark.parametrize(("source", "expected"), OPERATIONS.items())
def test_what_operations_give(source: str, expected: str) -> None:
    assert value_of(LIKE + source) == expected


def test_objects_of_other_classes_have_operators_too() -> None:
    source = "class A:\n    def __add__(self, other): return torch.ones(1)\n"
    assert value_of(source + "r = A() + 1") == "Tensor (likely)"
    assert value_of(source + "r = A() - 1") == "?"


MEMBERS = {
    "a member of its own": (
        "x.rows().view(1)\n    x.view(2)",
        ["call torch.Tensor.view <- x.rows().view (likely)"],
    ),
    "only what Tensors have, too": ("x.view(2)", ["call torch.Tensor.view <- x.view (possible)"]),
    "what only Tensors have": (
        "x.clamp_(1)\n    x.view(2)",
        ["call torch.Tensor.clamp_ <- x.clamp_ (likely)", "call torch.Tensor.view <- x.view (likely)"],
    ),
}


@pytest.mark.parametrize("name", MEMBERS)
def test_members_tell_such_objects_from_tensors(name: str) -> None:
    body, expected = MEMBERS[name]
    found = uses(f"import torch\nfrom torch import Tensor\n{LIKE}def f(x):\n    {body}\n")
    assert [line for line in found if "x." in line] == expected


def test_members_of_two_classes_tell_nothing() -> None:
    another = "class Another:\n    def __torch_function__(self): ...\n    def rows(self): ...\n"
    found = uses(f"import torch\nfrom torch import Tensor\n{LIKE}{another}def f(x):\n    x.rows().view(1)\n")
    assert "call torch.Tensor.view <- x.rows().view (possible)" in found


UNIONS = {
    "what only one of them has": ("x.unsqueeze(0)\n    x.view(1)", "likely"),
    "what both have": ("x.sum(0)\n    x.view(1)", "possible"),
    "what neither has": ("x.nothing\n    x.view(1)", "possible"),
}


@pytest.mark.parametrize("name", UNIONS)
def test_members_tell_which_of_two_it_is(name: str) -> None:
    body, certainty = UNIONS[name]
    found = uses(f"import torch\nfrom torch import Tensor\n{LIKE}def f(x: Tensor | Like):\n    {body}\n")
    assert f"call torch.Tensor.view <- x.view ({certainty})" in found


CASE = f"""import torch
from abc import abstractmethod
{LIKE.replace(" -> Tensor", "")}class Case:
    @abstractmethod
    def make(self): raise NotImplementedError()
    @abstractmethod
    def expected(self, like): raise NotImplementedError()
    def test_view(self):
        like = self.make()
        return self.expected(like).view(1), like.view(1)
"""
USED = {
    "nothing told": ("", "possible", "possible"),
    "what only Tensors have": (
        "    def test_unsqueeze(self):\n        found = self.expected(1)\n        found.unsqueeze(0)\n",
        "likely",
        "possible",
    ),
    "a subclass says": (
        "class Own(Case):\n    def expected(self, like): return 1\n    def test_unsqueeze(self):\n"
        "        found = self.expected(1)\n        found.unsqueeze(0)\n",
        "possible",
        "possible",
    ),
    "what the other has first": (
        "    def test_rows(self):\n        like = self.make()\n        like.rows()\n",
        "possible",
        "",
    ),
}


@pytest.mark.parametrize("name", USED)
def test_callers_tell_what_a_method_gives_that_is_left_to_subclasses(name: str) -> None:
    rest, of_expected, of_made = USED[name]
    found = [line for line in uses(CASE + rest) if "view <-" in line]
    expected = [("self.expected(like).view", of_expected), ("like.view", of_made)]
    assert found == [f"call torch.Tensor.view <- {text} ({sure})" for text, sure in expected if sure]


OF_A_SUBCLASS = {
    "r = T(1)[0]": "Tensor (likely)",
    "r = T(1) == 2": "Tensor | bool (likely)",
    "r = T(1) * 2": "Tensor | T (likely)",
    "r = T(1).clone()": "Tensor | T (likely)",
    "r = T(1).shape": "=Tensor.shape",
    "r = T(1).numel()": "int",
    "class U(T):\n    def __getitem__(self, index): return 1\nr = U(1)[0]": "?",
    "class M(nn.Module): pass\nr = M()[0]": "?",
    "class M(nn.Module): pass\nr = M().float()": "M",
}


@pytest.mark.parametrize(("source", "expected"), OF_A_SUBCLASS.items())
def test_classes_that_derive_from_tensor(source: str, expected: str) -> None:
    assert value_of("class T(torch.Tensor): pass\n" + source) == expected


OVERRIDING = """class T(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None): ...
    def neg(self): return 1
"""
OF_AN_OVERRIDING_SUBCLASS = {
    "r = torch.abs(T(1))": "? | Tensor | T (likely)",
    "r = torch.mode(T(1), 0)": "? | return_types.mode (likely)",
    "r = torch.neg(T(1))": "int (likely)",
    "r = torch.mul(2, T(1))": "?",
}


@pytest.mark.parametrize(("source", "expected"), OF_AN_OVERRIDING_SUBCLASS.items())
def test_kinds_of_tensors_that_override_functions(source: str, expected: str) -> None:
    assert value_of(OVERRIDING + source) == expected


def test_a_method_that_a_subclass_overrides_may_be_its_own() -> None:
    source = "import torch\nclass T(torch.Tensor):\n    def add_(self, other): return self\n"
    lines = uses(source + "T(1).clone().add_(1)\nT(1).clone().mul_(1)\n")
    assert "call torch.Tensor.add_ <- T(1).clone().add_ (possible)" in lines
    assert "call torch.Tensor.mul_ <- T(1).clone().mul_ (likely)" in lines
