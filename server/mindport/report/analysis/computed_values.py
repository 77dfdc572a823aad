"""What expressions of constants come to: arithmetic, parts of lists, and a few plain functions."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

from mindport.report.analysis.function_code import dotted

_MOST_ITEMS: Final = 1000
"""As many items lists and texts may have that are computed."""
_LARGEST: Final = 1e30
_OPERATORS: Final[Mapping[type[ast.AST], Callable[..., Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
}
_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    **{one.__name__: one for one in (len, sum, min, max, int, float, round, abs, str, sorted, bool)},
    "list": list,
    "tuple": tuple,
    "range": lambda *given: list(range(*given)[:_MOST_ITEMS]),
    **{
        f"{module}{one.__name__}": one
        for module in ("math.", "np.", "numpy.", "")
        for one in (math.sqrt, math.ceil, math.floor, math.log2, math.log10, math.exp)
    },
    "math.log": math.log,
    "np.log": math.log,
    "math.pow": math.pow,
}
_METHODS: Final = frozenset({"format", "lower", "upper", "strip", "split", "replace", "get", "join"})


class UnknownError(Exception):
    """An expression is not one of constants."""


def value_of_expression(source: str, value_of: Callable[[str], object]) -> object:
    """What an expression comes to; `value_of` gives what a dotted name is, and raises
    `UnknownError` itself."""
    try:
        return _Computing(value_of, {}).value(ast.parse(source.strip(), mode="eval").body)
    except (SyntaxError, ValueError, ArithmeticError, TypeError, LookupError, RecursionError) as error:
        raise UnknownError from error


def truth_of(condition: str, value_of: Callable[[str], object]) -> bool | None:
    """Whether a condition holds, as far as what is in it is known; None where that is not enough."""
    try:
        return _truth(ast.parse(condition.strip(), mode="eval").body, value_of)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _truth(node: ast.expr, value_of: Callable[[str], object]) -> bool | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = _truth(node.operand, value_of)
        return None if inner is None else not inner
    if isinstance(node, ast.BoolOp):
        found = [_truth(one, value_of) for one in node.values]
        deciding = isinstance(node.op, ast.Or)
        if deciding in found:
            return deciding
        return None if None in found else not deciding
    try:
        return bool(value_of_expression(ast.unparse(node), value_of))
    except UnknownError:
        return None


class _Computing:
    def __init__(self, value_of: Callable[[str], object], names: Mapping[str, object]) -> None:
        self._value_of = value_of
        self._names = names

    def value(self, node: ast.AST) -> Any:
        """What a node comes to."""
        found = self._value(node)
        if isinstance(found, int | float) and abs(found) > _LARGEST:
            raise UnknownError
        if isinstance(found, str | list | tuple) and len(found) > _MOST_ITEMS:
            raise UnknownError
        return found

    def _value(self, node: ast.AST) -> Any:
        match node:
            case ast.Constant():
                return node.value
            case ast.Name() | ast.Attribute():
                name = dotted(node)
                return self._names[name] if name in self._names else self._value_of(name)
            case ast.BinOp(op=ast.Pow()):
                base, power = self.value(node.left), self.value(node.right)
                if abs(power) > _MOST_ITEMS or abs(base) > _MOST_ITEMS * _MOST_ITEMS:
                    raise UnknownError
                return base**power
            case ast.BinOp():
                return self._operated(node.op, self.value(node.left), self.value(node.right))
            case ast.UnaryOp():
                return self._operated(node.op, self.value(node.operand))
            case ast.Compare(ops=[op], comparators=[other]):
                return self._operated(op, self.value(node.left), self.value(other))
            case ast.IfExp():
                return self.value(node.body if self.value(node.test) else node.orelse)
            case ast.List() | ast.Tuple():
                found = [self.value(one) for one in node.elts]
                return found if isinstance(node, ast.List) else tuple(found)
            case ast.Dict() if None not in node.keys:
                pairs = zip(node.keys, node.values, strict=True)
                return {self.value(key): self.value(one) for key, one in pairs if key is not None}
            case ast.Subscript(slice=ast.Slice() as part):
                ends = [
                    None if one is None else self.value(one) for one in (part.lower, part.upper, part.step)
                ]
                return self.value(node.value)[slice(*ends)]
            case ast.Subscript():
                return self.value(node.value)[self.value(node.slice)]
            case ast.ListComp(generators=[ast.comprehension(target=ast.Name(), ifs=[]) as each]):
                return [
                    _Computing(self._value_of, {**self._names, dotted(each.target): one}).value(node.elt)
                    for one in self.value(each.iter)[:_MOST_ITEMS]
                ]
            case ast.Call(keywords=[]):
                return self._called(node)
        raise UnknownError

    def _operated(self, sign: ast.AST, *values: Any) -> Any:
        function = _OPERATORS.get(type(sign))
        if function is None or (any(isinstance(one, str) for one in values) and isinstance(sign, ast.Mult)):
            raise UnknownError
        is_list = isinstance(sign, ast.Mult) and any(isinstance(one, list | tuple) for one in values)
        if is_list and any(isinstance(one, int) and one > _MOST_ITEMS for one in values):
            raise UnknownError
        return function(*values)

    def _called(self, node: ast.Call) -> Any:
        given = [self.value(one) for one in node.args]
        if (function := _FUNCTIONS.get(dotted(node.func))) is not None:
            return function(*given)
        if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
            owner = self.value(node.func.value)
            if isinstance(owner, str | dict):
                return getattr(owner, node.func.attr)(*given)
        raise UnknownError
