"""The expression that ends at a place in a module, and its value: what an attribute is read of there."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.index import nodes
from mindport.infer.values import AbstractValue

if TYPE_CHECKING:
    from mindport.index.module import Module
    from mindport.infer.evaluator import Evaluator


class FoundExpression(NamedTuple):
    """An expression: the byte it starts at in the document, its value, the name if it is but a name, and
    whether nothing but dots and names spell it."""

    start: int
    value: AbstractValue
    name: str | None
    is_dotted: bool


def ending_at(evaluator: Evaluator, module: Module, offset: int) -> FoundExpression | None:
    """The shortest expression of the module's latest text that ends at a byte; None where there is none."""
    position = bisect_left(module.starts, offset) - 1
    if position < 0:
        return None
    block, start = module.blocks[position], module.starts[position]
    found = [one for root, _ in block.roots for one in expressions_in(root) if one.end == offset - start]
    if not found:
        return None
    expression = min(found, key=lambda one: one.end - one.start)
    if block.memo.dirty:
        evaluator.enter(block)
    with evaluator.inside(block):
        value = evaluator.value(expression)
    name = expression.id if isinstance(expression, nodes.Name) else None
    return FoundExpression(start + expression.start, value, name, _is_dotted(expression))


def _is_dotted(expression: nodes.Expression) -> bool:
    while isinstance(expression, nodes.Attribute):
        expression = expression.value
    return isinstance(expression, nodes.Name)


_PARTS: Final[dict[type, tuple[str, ...]]] = {}
"""The attributes that hold what an expression is made of, by kind."""


def _parts_of(kind: type) -> tuple[str, ...]:
    found = _PARTS.get(kind)
    if found is None:
        found = tuple([name for base in kind.__mro__ for name in getattr(base, "__slots__", ())])
        _PARTS[kind] = found
    return found


def expressions_in(root: nodes.Expression) -> Iterator[nodes.Expression]:
    """An expression and all those in it, as far as they are part of its text."""
    waiting: list[object] = [root]
    while waiting:
        current = waiting.pop()
        if isinstance(current, nodes.Expression):
            yield current
        if isinstance(current, (nodes.Expression, nodes.CallArgument)):
            waiting += [getattr(current, name) for name in _parts_of(type(current))]
        elif isinstance(current, (list, tuple)):
            waiting += current
