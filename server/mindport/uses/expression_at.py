"""The expression that ends at a place in a module, and its value: what an attribute is read of there."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

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
    found = [one for root in block.roots for one in expressions_in(root) if one.end == offset - start]
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


def expressions_in(root: nodes.Expression) -> Iterator[nodes.Expression]:
    """An expression and all those in it, as far as they are part of its text."""
    waiting = [root]
    while waiting:
        current = waiting.pop()
        yield current
        if isinstance(current, nodes.AssignmentTarget):
            waiting.append(current.attribute)
        elif isinstance(current, nodes.Stored):
            waiting += [part for part in (current.container, current.value) if part is not None]
        else:
            waiting += nodes.children(current)
