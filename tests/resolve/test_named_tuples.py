"""Named tuples that a call makes the class of. See `value_text.py` for how values are written."""

from __future__ import annotations

from pathlib import Path

import pytest
from looking import uses
from value_text import value_of

PAIR = 'from collections import namedtuple\nP = namedtuple("P", ["a", "b"])\n'
TYPED = 'from typing import NamedTuple\nP = NamedTuple("P", [("a", Tensor), ("b", int)])\n'

CLASSES = {
    'r = collections.namedtuple("P", "a b")': "=named(a: ?, b: ?)",
    'r = collections.namedtuple("P", "a, b")': "=named(a: ?, b: ?)",
    'r = collections.namedtuple("P", ("a", "b"))': "=named(a: ?, b: ?)",
    'r = collections.namedtuple(typename="P", field_names=["a"])': "=named(a: ?)",
    'r = collections.namedtuple("P", field_names=["a"])': "=named(a: ?)",
    TYPED + "r = P": "=named(a: Tensor (likely), b: int (likely))",
    # in other ways than a literal, or none that Python would take
    'r = collections.namedtuple("P", unseen)': "?",
    'r = collections.namedtuple("P", ["a", unseen])': "?",
    'r = collections.namedtuple("P", [*unseen, "a"])': "?",
    'r = collections.namedtuple("P", "a b".split())': "?",
    'r = collections.namedtuple("P", "a a", rename=True)': "?",
    'r = collections.namedtuple("P", "a a")': "?",
    'r = collections.namedtuple("P", "a _b")': "?",
    'r = collections.namedtuple("P", "a 1")': "?",
    'r = collections.namedtuple("P", "")': "?",
    "r = collections.namedtuple(*unseen)": "?",
    'r = collections.namedtuple("P")': "?",
    'from typing import NamedTuple\nr = NamedTuple("P", unseen)': "?",
    'from typing import NamedTuple\nr = NamedTuple("P", ["a"])': "?",
    'from typing import NamedTuple\nr = NamedTuple("P", [(unseen, int)])': "?",
}

MADE = {
    "r = P(torch.ones(1), 2)": "named(a: Tensor, b: int)",
    "r = P(b=torch.ones(1), a=2)": "named(a: int, b: Tensor)",
    "r = P(2, b=torch.ones(1))": "named(a: int, b: Tensor)",
    "r = P(*(torch.ones(1), 2))": "named(a: Tensor, b: int)",
    "r = P(*[torch.ones(1) for x in unseen])": "named(a: Tensor, b: Tensor)",
    "r = P(*[torch.ones(1) for x in unseen], b=1)": "named(a: Tensor, b: int)",
    "r = P(**{'b': torch.ones(1), 'a': 2})": "named(a: int, b: Tensor)",
    "r = P(**unseen)": "named(a: ?, b: ?)",
    "r = P(torch.ones(1))": "named(a: Tensor, b: ?)",
    "r = P(torch.ones(1), 2, 3, c=4)": "named(a: Tensor, b: int)",
    "r = P(torch.ones(1), 2).a": "Tensor",
    "r = P(torch.ones(1), 2).b": "int",
    "r = P(torch.ones(1), 2)[0]": "Tensor",
    "r = P(torch.ones(1), 2)[-1]": "int",
    "r = P(torch.ones(1), 2)[:1]": "tuple[Tensor | int]",
    "x, r = P(torch.ones(1), 2)": "int",
    "for r in P(torch.ones(1), 2): pass": "Tensor | int",
    "r = P(torch.ones(1), 2) + (None,)": "tuple(Tensor, int, None)",
    "r = P(torch.ones(1), 2).missing": "never",
    "r = P(torch.ones(1), 2)._replace(a=None)": "named(a: None, b: int)",
    "r = P(torch.ones(1), 2)._replace(a=None, c=1)": "named(a: None, b: int)",
    "r = P(torch.ones(1), 2)._replace(**unseen)": "named(a: Tensor | ?, b: int | ?)",
    "r = P(torch.ones(1), 2)._replace(**{'b': None})": "named(a: Tensor | ?, b: None)",
    "r = P(torch.ones(1), 2)._asdict()": "{a: Tensor, b: int}",
    "r = P(torch.ones(1), 2)._asdict()['b']": "int",
    "r = P._make((torch.ones(1), 2))": "named(a: Tensor, b: int)",
    "r = P._make([torch.ones(1) for x in unseen])": "named(a: Tensor, b: Tensor)",
    "r = P._make(unseen)": "named(a: ?, b: ?)",
    "r = P.a": "?",
    "r = P(1, 2) if unseen else P(None, 2)": "named(a: int | None, b: int)",
    "r = P(1, 2) if unseen else (1, 2)": "named(a: int, b: int) | tuple(int, int)",
    "Q = collections.namedtuple('Q', 'b a')\nr = P(1, 2) if unseen else Q(1, 2)": "named(a: int, b: int) | named(b: int, a: int)",
    "r = [P(torch.ones(1), 2) for x in unseen][0].a": "Tensor",
}

DEFAULTS = {
    "P = collections.namedtuple('P', 'a b', defaults=(1,))\nr = P(torch.ones(1))": "named(a: Tensor, b: int)",
    "P = collections.namedtuple('P', 'a b', defaults=(1,))\nr = P(1, torch.ones(1))": "named(a: int, b: Tensor)",
    "P = collections.namedtuple('P', 'a b', defaults=[1, None])\nr = P()": "named(a: int, b: None)",
    "P = collections.namedtuple('P', 'a b', defaults=[1, None])\nr = P(*unseen)": "named(a: ?, b: ?)",
    "P = collections.namedtuple('P', 'a b', defaults=unseen)\nr = P(1)": "named(a: int, b: ?)",
    "P = collections.namedtuple('P', 'a', defaults=[1, 2])\nr = P": "?",
    "P = collections.namedtuple('P', 'a b')\nP.__new__.__defaults__ = (None,)\nr = P(1)": "named(a: int, b: ?)",
}

TYPES = {
    "r = P(torch.ones(1), 2)": "named(a: Tensor, b: int)",
    "r = P(unseen, 2).a": "Tensor (likely)",
    "r = P(None, unseen)": "named(a: None, b: int (likely))",
    "def f(p: P): return p.a\nr = f(unseen)": "Tensor (likely)",
}

Q = "class Q(P):\n    def norm(self): return self.a\n"
MAKING_ITS_OWN = "class Q(P):\n    def __new__(cls, x): return super().__new__(cls, 3, torch.ones(1))\n"
ITERATING = "class Q(P):\n    def __iter__(self): return iter(unseen)\n"

SUBCLASSES = {
    Q + "r = Q(torch.ones(1), 2)": "Q",
    Q + "r = Q(torch.ones(1), 2).a": "? | Tensor (likely)",
    Q + "r = Q(torch.ones(1), 2).b": "?",  # builtin values are not told
    Q + "r = Q(torch.ones(1), 2).norm()": "? | Tensor (likely)",
    Q + "r = Q(torch.ones(1), 2)[0]": "? | Tensor (likely)",
    Q + "r, x = Q(torch.ones(1), 2)": "? | Tensor (likely)",
    Q + "x, r = Q(torch.ones(1), 2)": "?",
    Q + "r = Q(torch.ones(1), 2).missing": "?",
    Q + "r = Q.a\nQ(torch.ones(1), 2)": "?",
    "class Q(collections.namedtuple('Q', 'a b')): pass\nr = Q(torch.ones(1), 2).a": "? | Tensor (likely)",
    "class Q(collections.namedtuple('Q', unseen)): pass\nr = Q(torch.ones(1), 2).a": "?",
    "class Q(P):\n    a = None\nr = Q(torch.ones(1), 2).a": "None | ? (likely)",
    ITERATING + "r, x = Q(torch.ones(1), 2)": "?",
    ITERATING + "r = Q(torch.ones(1), 2).a": "? | Tensor (likely)",
    MAKING_ITS_OWN + "r = Q(torch.ones(1)).a": "?",
}


@pytest.mark.parametrize("source", CLASSES)
def test_class(source: str) -> None:
    assert value_of(source) == CLASSES[source]


@pytest.mark.parametrize("source", MADE)
def test_tuple(source: str) -> None:
    assert value_of(PAIR + source) == MADE[source]


@pytest.mark.parametrize("source", DEFAULTS)
def test_defaults(source: str) -> None:
    assert value_of(source) == DEFAULTS[source]


@pytest.mark.parametrize("source", TYPES)
def test_declared_fields(source: str) -> None:
    assert value_of(TYPED + source) == TYPES[source]


@pytest.mark.parametrize("source", SUBCLASSES)
def test_subclass(source: str) -> None:
    assert value_of(PAIR + source) == SUBCLASSES[source]


CROSSING = {
    "result": "def f(x): return P(torch.ones(1), x)\nf(3).a.sum()",
    "result of a function that passes it on": "def f(): return g()\ndef g(): return P(torch.ones(1), 3)\nf().a.sum()",
    "parameter": "def f(p): p.a.sum()\nf(P(torch.ones(1), 3))",
    "parameter, unpacked": "def f(p):\n    a, b = p\n    a.sum()\nf(P(torch.ones(1), 3))",
    "parameter, by index": "def f(p): p[0].sum()\nf(P(torch.ones(1), 3))",
    "parameter that is given the class": "def f(kind): kind(torch.ones(1), 3).a.sum()\nf(P)",
    "parameter that is declared": "def f(p: P): p.a.sum()\nP(torch.ones(1), 3)",
    "parameter of a method": "class A:\n    def f(self, p): p.a.sum()\nA().f(P(torch.ones(1), 3))",
    "attribute": "class A:\n    def __init__(self): self.p = P(torch.ones(1), 3)\n    def f(self): self.p.a.sum()",
    "attribute that is made anew of itself": "class A:\n    p: P\n    def f(self): self.p = P(a=self.p.a.sum(), b=3)\nP(torch.ones(1), 3)",
    "list": "def f(ps):\n    for p in ps: p.a.sum()\nf([P(torch.ones(1), 3)])",
}
NOT_CROSSING = {
    "another field": "def f(p): p.b.sum()\nf(P(torch.ones(1), 3))",
    "another item": "def f(p):\n    a, b = p\n    b.sum()\nf(P(torch.ones(1), 3))",
    "a field that is replaced": "def f(p): p.a.sum()\nf(P(torch.ones(1), 3)._replace(a=3))",
    "another class": "Q = namedtuple('Q', 'a b')\ndef f(p: Q): p.a.sum()\nP(torch.ones(1), 3)",
}


def _sums(source: str) -> list[str]:
    found = uses("import torch\n" + PAIR + source)
    return [line for line in found if "torch.Tensor.sum" in line and not line.endswith("(possible)")]


@pytest.mark.parametrize("name", CROSSING)
def test_field_crosses(name: str) -> None:
    assert len(_sums(CROSSING[name])) == 1, uses("import torch\n" + PAIR + CROSSING[name])


@pytest.mark.parametrize("name", NOT_CROSSING)
def test_field_does_not_cross(name: str) -> None:
    assert not _sums(NOT_CROSSING[name])


def test_across_modules(tmp_path: Path) -> None:
    (tmp_path / "kinds.py").write_text(PAIR)
    assert value_of("from kinds import P\nr = P(torch.ones(1), 2).a", root=tmp_path) == "Tensor"
