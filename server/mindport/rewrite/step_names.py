"""The names that statements read and bind, for moving them into a function."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def bound(node: ast.AST) -> set[str]:
    """The names that a node binds in the scope that it stands in."""
    found: set[str] = set()
    for each in _of_scope(node):
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            found.add(each.id)
        elif isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(each.name)
        elif isinstance(each, ast.alias):
            found.add((each.asname or each.name).partition(".")[0])
        elif isinstance(each, ast.ExceptHandler) and each.name:
            found.add(each.name)
    return found


def _of_scope(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what is in it, but not what is in functions, classes and comprehensions."""
    yield node
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(node, _COMPREHENSIONS):
            named = (each for each in ast.walk(child) if isinstance(each, ast.NamedExpr))
            yield from (each.target for each in named)
        else:
            yield from _of_scope(child)


def read(node: ast.AST) -> set[str]:
    """The names that a node reads, those in functions and comprehensions within it as well, but not the
    names that only these bind."""
    if isinstance(node, _COMPREHENSIONS):
        targets = {name for part in node.generators for name in bound(part.target)}
        return _read_by_children(node) - targets
    if isinstance(node, _FUNCTIONS):
        own = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
        body = node.body if isinstance(node.body, list) else [node.body]
        own = own.union(*(bound(each) for each in body))
        return _read_by_children(node) - own
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, (ast.Load, ast.Del)) else set()
    found = _read_by_children(node)
    if isinstance(node, ast.AugAssign):
        found |= bound(node.target)
    return found


def _read_by_children(node: ast.AST) -> set[str]:
    return set[str]().union(*(read(child) for child in ast.iter_child_nodes(node)))


def exposed(statements: Sequence[ast.stmt], defined: Iterable[str] = ()) -> tuple[set[str], set[str]]:
    """The names that statements read, one after the other, that may not be bound by them before; and the
    names that are surely bound afterwards. `defined` are those bound at the beginning."""
    found: set[str] = set()
    known = set(defined)
    for statement in statements:
        more, known = _exposed_by(statement, known)
        found |= more
    return found, known


def _exposed_by(node: ast.stmt, known: set[str]) -> tuple[set[str], set[str]]:
    if isinstance(node, ast.If):
        first, after = exposed(node.body, known)
        other, after_other = exposed(node.orelse, known)
        return (read(node.test) - known) | first | other, after & after_other
    if isinstance(node, (ast.For, ast.AsyncFor)):
        inner, _ = exposed(node.body, known | bound(node.target))
        other, _ = exposed(node.orelse, known)
        return ((read(node.iter) | read(node.target)) - known) | inner | other, known
    if isinstance(node, ast.While):
        inner, _ = exposed([*node.body, *node.orelse], known)
        return (read(node.test) - known) | inner, known
    if isinstance(node, (ast.With, ast.AsyncWith)):
        items = set[str]().union(*(read(item) for item in node.items)) - known
        inner, after = exposed(node.body, known.union(*(bound(item) for item in node.items)))
        return items | inner, after
    if isinstance(node, ast.Try):
        parts = [node.body, *(handler.body for handler in node.handlers), node.orelse, node.finalbody]
        return set[str]().union(*(exposed(part, known)[0] for part in parts)), known
    gone = bound(node) if isinstance(node, ast.Delete) else set[str]()
    return read(node) - known, (known | _surely_bound(node)) - gone


def _surely_bound(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.AnnAssign) and node.value is None:
        return set()
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return set[str]().union(*(bound(target) for target in targets))
    if isinstance(node, (ast.AugAssign, ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)):
        return bound(node)
    return set()


def operands(statements: Iterable[ast.AST]) -> set[str]:
    """The names that are read other than to call them or one of their members' functions."""
    found: set[str] = set()
    for statement in statements:
        owners = {id(each) for node in ast.walk(statement) for each in _owners(node)}
        found |= {
            node.id
            for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in owners
        }
    return found


def _owners(node: ast.AST) -> Iterator[ast.AST]:
    """What a node calls, or takes a member of."""
    if isinstance(node, ast.Call):
        yield node.func
    elif isinstance(node, ast.Attribute):
        yield node.value
