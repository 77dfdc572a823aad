"""Where code adds up the gradients of several batches before the optimizer takes a step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.assess.code_context import BodyContext

_STEPPING = ("opt", "scaler")
"""Are in the names of what takes steps."""
_COUNTING = "accum"


def accumulation_condition(context: BodyContext) -> Iterator[Node]:
    """The conditions under which the optimizer takes a step, where a gradient is taken at every turn: the
    first of a body."""
    called = [(call, _method(context, call)) for call in context.nodes("call")]
    taken = [call for call, name in called if name.endswith(".backward")]
    for statement in context.nodes("if_statement") if taken else ():
        condition = statement.child_by_field_name("condition")
        body = statement.child_by_field_name("consequence")
        if condition is None or body is None or not _counts(context, condition):
            continue
        within = [name for call, name in called if _is_in(call, body)]
        is_taken_outside = any(call.end_byte <= statement.start_byte for call in taken)
        if is_taken_outside and any(map(_takes_step, within)) and not any(map(_takes_gradient, within)):
            yield condition
            return


def _method(context: BodyContext, call: Node) -> str:
    """What is called, if it is a method: as it is written."""
    function = call.child_by_field_name("function")
    return context.text(function) if function is not None and function.type == "attribute" else ""


def _is_in(node: Node, around: Node) -> bool:
    return around.start_byte <= node.start_byte and node.end_byte <= around.end_byte


def _takes_step(name: str) -> bool:
    receiver, _, method = name.rpartition(".")
    return method == "step" and any(word in receiver.lower() for word in _STEPPING)


def _takes_gradient(name: str) -> bool:
    return name.endswith(".backward")


def _counts(context: BodyContext, condition: Node) -> bool:
    """Whether a condition holds at every so many turns, or says so by a name."""
    if _COUNTING in context.text(condition) or _has_remainder(condition):
        return True
    names = {context.text(node) for node in _within(condition) if node.type == "identifier"}
    for assignment in context.nodes("assignment"):
        target, value = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
        is_read = target is not None and context.text(target) in names
        if is_read and value is not None and _has_remainder(value):
            return True
    return False


def _has_remainder(node: Node) -> bool:
    operators = (
        one.child_by_field_name("operator") for one in _within(node) if one.type == "binary_operator"
    )
    return any(operator is not None and operator.type == "%" for operator in operators)


def _within(node: Node) -> Iterator[Node]:
    yield node
    for child in node.named_children:
        yield from _within(child)
