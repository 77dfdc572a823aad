"""Simplifying templates where values are known: of `2 if p == 'fro' else p` with p = 1, `p` is left."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache

_COMPARISONS: Mapping[type[ast.cmpop], Callable[[object, object], bool]] = {
    ast.Is: lambda left, right: left is right,
    ast.IsNot: lambda left, right: left is not right,
    ast.Eq: lambda left, right: left == right,
    ast.NotEq: lambda left, right: left != right,
}
_FOLDABLE = re.compile(r"\b(?:if|or|and|int|tuple|type)\b")
"""A template without these has nothing to fold; parsing it takes longer than looking for them."""
_DISPLAYS: Mapping[type[ast.expr], type] = {ast.Tuple: tuple, ast.List: list}
_TYPES: Mapping[str, type] = {one.__name__: one for one in (bool, int, float, str, tuple, list)}


@lru_cache(maxsize=4096)
def folded(template: str, known: tuple[tuple[str, str], ...], present: tuple[str, ...] = ()) -> str:
    """A template without the branches that are never taken, `known` being names in it with the texts of their
    values, `present` those that are not None; the template itself where nothing can be left out. Texts that
    are no literals say nothing, but for the type of a tuple or a list that is written out."""
    if _FOLDABLE.search(template) is None:
        return template
    constants: dict[str, object] = {}
    displays: dict[str, type] = {}
    for name, text in known:
        try:
            value = ast.parse(text.strip(), mode="eval").body
            if type(value) in _DISPLAYS:
                displays[name] = _DISPLAYS[type(value)]
            constants[name] = ast.literal_eval(value)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    tree = ast.parse(template.strip(), mode="eval")
    bound = _bound_within(tree)
    for name in bound:
        constants.pop(name, None)
        displays.pop(name, None)
    folder = _Folder(constants, displays, set(present) - bound)
    body = folder.visit(tree.body)
    return ast.unparse(body) if folder.has_folded else template


def _bound_within(tree: ast.AST) -> set[str]:
    """The names that lambdas and comprehensions bind."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


class _UnknownError(Exception):
    """A value that is not known."""


class _Folder(ast.NodeTransformer):
    """Takes branches whose condition is known."""

    def __init__(
        self, constants: Mapping[str, object], displays: Mapping[str, type], present: Collection[str]
    ) -> None:
        self.constants = constants
        self.displays = displays
        self.present = present
        self.has_folded = False

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """`body if test else orelse`"""
        try:
            branch = node.body if self.value(node.test) else node.orelse
        except _UnknownError:
            return self.generic_visit(node)
        self.has_folded = True
        found: ast.AST = self.visit(branch)
        return found

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """`left or right`"""
        try:
            first = bool(self.value(node.values[0]))
        except _UnknownError:
            return self.generic_visit(node)
        self.has_folded = True
        if first == isinstance(node.op, ast.Or):
            chosen: ast.expr = node.values[0]
        else:
            rest = node.values[1:]
            chosen = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
        found: ast.AST = self.visit(chosen)
        return found

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """`int(flag)`, `tuple(values)`"""
        if isinstance(node.func, ast.Name) and node.func.id == "tuple" and len(node.args) == 1:
            given = node.args[0]
            if isinstance(given, ast.Name) and self.displays.get(given.id) is tuple:
                self.has_folded = True
                return given
        is_int = isinstance(node.func, ast.Name) and node.func.id == "int" and not node.keywords
        if is_int and len(node.args) == 1 and isinstance(node.args[0], ast.Name):
            try:
                value = self.value(node.args[0])
            except _UnknownError:
                return node
            if isinstance(value, int):
                self.has_folded = True
                return ast.Constant(int(value))
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """`{int: one, float: other}[type(value)]`"""
        chosen = self._by_type(node)
        if chosen is None:
            return self.generic_visit(node)
        self.has_folded = True
        found: ast.AST = self.visit(chosen)
        return found

    def _by_type(self, node: ast.Subscript) -> ast.expr | None:
        """What a dictionary of types has for that of a value that is known."""
        index = node.slice
        is_type = isinstance(index, ast.Call) and isinstance(index.func, ast.Name) and index.func.id == "type"
        if not is_type or not isinstance(node.value, ast.Dict):
            return None
        assert isinstance(index, ast.Call)
        try:
            wanted = type(self.value(index.args[0]))
        except _UnknownError:
            return None
        for key, chosen in zip(node.value.keys, node.value.values, strict=True):
            if isinstance(key, ast.Name) and _TYPES.get(key.id) is wanted:
                return chosen
        return None

    def value(self, node: ast.expr) -> object:
        """What an expression is. Raises _UnknownError."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name) and node.id in self.constants:
            return self.constants[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return not self.value(node.operand)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            number = self.value(node.operand)
            if isinstance(number, (int, float)):
                return -number
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            compare = _COMPARISONS.get(type(node.ops[0]))
            if compare is not None and self._is_present(node.left) and _is_none(node.comparators[0]):
                return not compare(None, None)
            if compare is not None:
                return compare(self.value(node.left), self.value(node.comparators[0]))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            types = tuple(self._types(node.args[1]))
            if isinstance(node.args[0], ast.Name) and node.args[0].id in self.displays:
                return issubclass(self.displays[node.args[0].id], types)
            return isinstance(self.value(node.args[0]), types)
        raise _UnknownError

    def _is_present(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in self.present

    def _types(self, node: ast.expr) -> list[type]:
        names = node.elts if isinstance(node, ast.Tuple) else [node]
        types = [_TYPES.get(name.id) for name in names if isinstance(name, ast.Name)]
        found = [one for one in types if one is not None]
        if len(found) < len(names):
            raise _UnknownError
        return found
