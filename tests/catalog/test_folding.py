"""Templates lose the branches that a call never takes, and nothing else."""

from __future__ import annotations

import ast
from itertools import product

import pytest
from mindport.catalog.catalog import Catalog
from mindport.catalog.expansion import expansion
from mindport.catalog.folding import folded
from mindport.catalog.target import Target
from mindport.catalog.template import BUILTINS

CASES = {
    "a condition that holds": ("f(k, k if s is None else s)", {"s": "None"}, "f(k, k)"),
    "one that does not": ("f(k, k if s is None else s)", {"s": "2"}, "f(k, s)"),
    "not known": ("f(k, k if s is None else s)", {"s": "size(1)"}, "f(k, k if s is None else s)"),
    "another value is known": ("f(k, k if s is None else s)", {"k": "1"}, "f(k, k if s is None else s)"),
    "brackets go": ("x * (a if b == 'fro' else c)", {"b": "'fro'"}, "x * a"),
    "brackets that are needed": ("x * (a if b != 1 else c + d)", {"b": "1"}, "x * (c + d)"),
    "or": ("f(s or k)", {"s": "None"}, "f(k)"),
    "or, true": ("f(s or k)", {"s": "2"}, "f(s)"),
    "and": ("f(s and k and j)", {"s": "True"}, "f(k and j)"),
    "a type": ("f(p if isinstance(p, int) else p[0])", {"p": "(1, 2)"}, "f(p[0])"),
    "one of several types": ("f(p if isinstance(p, (int, float)) else p[0])", {"p": "0.5"}, "f(p)"),
    "a type that is not known": (
        "f(p if isinstance(p, mindspore.Tensor) else q)",
        {"p": "1"},
        "f(p if isinstance(p, mindspore.Tensor) else q)",
    ),
    "a flag as a number": ("f(int(u))", {"u": "False"}, "f(0)"),
    "a negative number": ("f(a if n == -1 else n)", {"n": "-1"}, "f(a)"),
    "a tuple of what is not known": (
        "f((d,) if isinstance(d, int) else tuple(d))",
        {"d": "(a, b)"},
        "f(d)",
    ),
    "a list of what is not known": (
        "f((d,) if isinstance(d, int) else tuple(d))",
        {"d": "[a, b]"},
        "f(tuple(d))",
    ),
    "a text as a number": ("f(int(u))", {"u": "'1'"}, "f(int(u))"),
    "nested": ("a if s is None else b if not t else c", {"s": "1", "t": "False"}, "b"),
    "by type": ("f({bool: a, int: b, float: c}[type(v)])", {"v": "1"}, "f(b)"),
    "by type, a flag": (
        "f({bool: a, int: b, float: c}[type(v)] if d is None else d)",
        {"v": "True"},
        "f(a if d is None else d)",
    ),
    "by a type that is not there": ("f({int: b}[type(v)])", {"v": "1.5"}, "f({int: b}[type(v)])"),
    "by a type that is not known": ("f({int: b}[type(v)])", {"v": "w"}, "f({int: b}[type(v)])"),
    "a name bound within": ("f(lambda s: a if s else b)", {"s": "True"}, "f(lambda s: a if s else b)"),
}


@pytest.mark.parametrize("name", CASES)
def test_branches_go(name: str) -> None:
    template, known, after = CASES[name]
    assert folded(template, tuple(known.items())) == after


def test_what_is_known_not_to_be_none() -> None:
    template = "x.astype(x.dtype if dtype is None else dtype)"
    assert folded(template, (("dtype", "d.dtype"),), ("dtype",)) == "x.astype(dtype)"
    assert folded(template, (("dtype", "d.dtype"),)) == template
    assert folded("dtype if dtype is not None else 1", (), ("dtype",)) == "dtype"
    assert folded("dtype == None or 1", (), ("dtype",)) == "1"
    bound = "[x for x in y if x is None]"
    assert folded(bound, (), ("x",)) == bound


def test_what_is_left_gives_the_same() -> None:
    """For every template of the data: the values of its conditions decide the same before and after."""
    catalog = Catalog.load()
    templates = {
        candidate.template
        for name in catalog.torch_names
        for candidate in catalog.answer(name, Target()).candidates
        if candidate.template is not None
    }
    shortened = 0
    for template in sorted(templates):
        if "lambda" in template or " for " in template:
            continue  # names may be bound within: see the cases
        names = sorted({slot.name for slot in expansion(template).slots} - BUILTINS)[:3]
        for values in product(("None", "2", "False"), repeat=len(names)):
            known = tuple(zip(names, values, strict=True))
            short = folded(template, known)
            if short != template:
                shortened += 1
                assert _decided(template, known) == _decided(short, known), (template, known)
    assert shortened > 300


def _decided(template: str, known: tuple[tuple[str, str], ...]) -> str:
    """The template with the values put in and its conditions worked out by Python, as a text."""
    values = {name: ast.literal_eval(text) for name, text in known}
    return ast.unparse(_Deciding(values).visit(ast.parse(template, mode="eval")))


class _Deciding(ast.NodeTransformer):
    def __init__(self, values: dict[str, object]) -> None:
        self.values = values

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        test = self._constant(node.test)
        if test is None:
            return self.generic_visit(node)
        found: ast.AST = self.visit(node.body if test[0] else node.orelse)
        return found

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        values = list(node.values)
        while len(values) > 1 and (first := self._constant(values[0])) is not None:
            values = values[:1] if bool(first[0]) == isinstance(node.op, ast.Or) else values[1:]
        made: ast.AST = values[0] if len(values) == 1 else ast.BoolOp(node.op, values)
        if isinstance(made, ast.BoolOp):
            return self.generic_visit(made)
        found: ast.AST = self.visit(made)
        return found

    def visit_Call(self, node: ast.Call) -> ast.AST:
        is_int = isinstance(node.func, ast.Name) and node.func.id == "int" and len(node.args) == 1
        value = self._constant(node) if is_int and isinstance(node.args[0], ast.Name) else None
        return ast.Constant(value[0]) if value is not None else self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """A dictionary of types, asked for that of a value that is there."""
        index = ast.unparse(node.slice).removeprefix("type(").removesuffix(")")
        if (
            isinstance(node.value, ast.Dict)
            and ast.unparse(node.slice) == f"type({index})"
            and index in self.values
        ):
            keys = [ast.unparse(key) for key in node.value.keys if key is not None]
            wanted = type(self.values[index]).__name__
            if wanted in keys:
                found: ast.AST = self.visit(node.value.values[keys.index(wanted)])
                return found
        return self.generic_visit(node)

    def _constant(self, node: ast.expr) -> tuple[object] | None:
        builtin = {"isinstance": isinstance, "int": int, "float": float, "tuple": tuple, "list": list}
        names = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
        wholes = (ast.Name, ast.Constant, ast.Compare, ast.UnaryOp, ast.Call)
        if not isinstance(node, wholes) or not names <= self.values.keys() | builtin.keys():
            return None
        try:
            text = compile(ast.Expression(node), "<template>", "eval")
            return (eval(text, {"__builtins__": {}}, {**builtin, "bool": bool, "str": str, **self.values}),)
        except (TypeError, ValueError, NameError, ArithmeticError):
            return None
