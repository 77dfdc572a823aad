"""Expansion of templates: the pieces of their text, and the order in which their names are evaluated."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from mindport.catalog.template import PACKAGE, dotted

Context = Literal["argument", "operand"]
"""Where a name stands: an argument, an item or an index, where any expression may stand; or where only an
atom may, such as next to an operator or before a dot."""
_SCOPES = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_ATOMS = (
    *(ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List, ast.Dict, ast.Set),
    *_SCOPES,
)


@dataclass(frozen=True)
class TemplateSlot:
    """A name in a template: where it stands in the text (in bytes), and in what context. `deferred`: it is
    evaluated never, once or several times, depending on the rest. `bound` are the names that lambdas and
    comprehensions around it bind; `in_iterable`: a comprehension runs over what it stands in."""

    name: str
    start: int
    end: int
    context: Context
    deferred: bool
    bound: frozenset[str]
    in_iterable: bool


@dataclass(frozen=True)
class Expansion:
    """A template's free names in the order they are evaluated, its MindSpore APIs as (start, end, name), and
    whether the whole is an atom."""

    text: str
    slots: tuple[TemplateSlot, ...]
    apis: tuple[tuple[int, int, str], ...]
    is_atom: bool


@lru_cache(maxsize=2048)
def expansion(text: str) -> Expansion:
    """The expansion of a template that `parse_template` accepts."""
    text = text.strip()
    tree = ast.parse(text, mode="eval").body
    reader = _Reader(_iterables(tree) if "for" in text else ())
    reader.visit(tree, frozenset(), "argument", False)
    slots, apis = tuple(reader.slots), tuple(reader.apis)
    return Expansion(text, slots, apis, isinstance(tree, _ATOMS))


def filled_in(text: str, values: Mapping[str, str]) -> str:
    """A template with texts in the places of its names, to be read."""
    expanded = expansion(text)
    filled = expanded.text.encode()
    for slot in sorted(expanded.slots, key=lambda slot: slot.start, reverse=True):
        value = values.get(slot.name, slot.name)
        if slot.context == "operand" and not _is_atom(value):
            value = f"({value})"
        filled = filled[: slot.start] + value.encode() + filled[slot.end :]
    return filled.decode()


_LONGEST = 40
"""Longer arguments are left out of what a message shows."""


def in_short(source: str) -> str:
    """The text of an argument for a message: on one line; an ellipsis where it is long."""
    line = " ".join(source.split())
    return line if len(line) <= _LONGEST else "…"


@lru_cache(maxsize=2048)
def _is_atom(source: str) -> bool:
    """Whether a text may stand next to an operator or before a dot."""
    try:
        return source == "…" or isinstance(ast.parse(source, mode="eval").body, _ATOMS)
    except SyntaxError:
        return False


def _iterables(tree: ast.AST) -> list[tuple[int, int]]:
    """The spans of what comprehensions run over."""
    return [
        (node.iter.col_offset, node.iter.end_col_offset or 0)
        for node in ast.walk(tree)
        if isinstance(node, ast.comprehension)
    ]


@lru_cache(maxsize=2048)
def called_members(text: str) -> frozenset[str]:
    """The members of values that a template calls."""
    tree = ast.parse(text.strip(), mode="eval")
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return frozenset(
        func.attr
        for func in called
        if isinstance(func, ast.Attribute) and not (dotted(func) or "").startswith(f"{PACKAGE}.")
    )


class _Reader:
    """Visits a template in evaluation order."""

    def __init__(self, iterables: Sequence[tuple[int, int]]) -> None:
        self.iterables = iterables
        self.slots: list[TemplateSlot] = []
        self.apis: list[tuple[int, int, str]] = []

    def visit(self, node: ast.AST, bound: frozenset[str], context: Context, deferred: bool) -> None:
        name = dotted(node)
        if name is not None and name.startswith(f"{PACKAGE}.") and isinstance(node, ast.Attribute):
            self.apis.append((node.col_offset, node.end_col_offset or 0, name))
        elif isinstance(node, ast.Name):
            if node.id not in bound:
                start, end = node.col_offset, node.end_col_offset or 0
                in_iterable = any(first <= start and end <= last for first, last in self.iterables)
                self.slots.append(TemplateSlot(node.id, start, end, context, deferred, bound, in_iterable))
        else:
            for child, inner_bound, inner_context, is_deferred in _parts(node, bound):
                self.visit(child, inner_bound, inner_context, deferred or is_deferred)


_Part = tuple[ast.AST, frozenset[str], Context, bool]


def _parts(node: ast.AST, bound: frozenset[str]) -> Iterator[_Part]:
    """The parts of an expression in evaluation order: names bound in them, context, whether deferred."""
    if isinstance(node, ast.Call):
        yield node.func, bound, "operand", False
        for argument in node.args:
            yield argument, bound, "operand" if isinstance(argument, ast.Starred) else "argument", False
        for keyword in node.keywords:
            yield keyword.value, bound, "argument" if keyword.arg else "operand", False
    elif isinstance(node, ast.IfExp):
        yield node.test, bound, "operand", False
        yield node.body, bound, "operand", True
        yield node.orelse, bound, "operand", True
    elif isinstance(node, ast.BoolOp):
        for position, value in enumerate(node.values):
            yield value, bound, "operand", position > 0
    elif isinstance(node, ast.Lambda):
        arguments = node.args
        names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        names += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        for default in [*arguments.defaults, *(one for one in arguments.kw_defaults if one is not None)]:
            yield default, bound, "operand", False
        yield node.body, bound | {one.arg for one in names}, "operand", True
    elif isinstance(node, _SCOPES):
        yield from _comprehension(node, bound)
    elif isinstance(node, ast.Subscript):
        yield node.value, bound, "operand", False
        yield node.slice, bound, "argument" if isinstance(node.slice, ast.Name) else "operand", False
    elif isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        for item in node.elts:
            yield item, bound, "argument", False
    else:
        for child in ast.iter_child_nodes(node):
            yield child, bound, "operand", False


def _comprehension(
    node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, bound: frozenset[str]
) -> Iterator[_Part]:
    """Only the first iterable is evaluated once, and at once."""
    for position, generator in enumerate(node.generators):
        yield generator.iter, bound, "operand", position > 0
        bound |= {one.id for one in ast.walk(generator.target) if isinstance(one, ast.Name)}
        for condition in generator.ifs:
            yield condition, bound, "operand", True
    for part in [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]:
        yield part, bound, "operand", True
