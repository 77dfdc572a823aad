"""Where something is assigned to a part of a copy that indexing gave: MindSpore changes the original, too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.assess.code_context import BodyContext

_ASSIGNING = ("assignment", "augmented_assignment")
_BINDING = ("assignment", "augmented_assignment", "for_statement", "for_in_clause", "named_expression")
_INDEXED = ("identifier", "attribute")
_LOOPS = ("for_statement", "while_statement")


def written_copies(context: BodyContext) -> Iterator[tuple[Node, Node]]:
    """The parts that are assigned, each with the Tensor that the copy was taken of."""
    for statement in context.nodes(*_ASSIGNING):
        target = statement.child_by_field_name("left")
        copied = target.child_by_field_name("value") if target is not None else None
        if target is None or target.type != "subscript" or copied is None:
            continue
        copying = copied if copied.type == "subscript" else _copying(context, copied, statement)
        original = copying.child_by_field_name("value") if copying is not None else None
        if copying is None or original is None or original.type not in _INDEXED:
            continue
        if not _is_copy(context, copying) or context.is_tensor(original) is None:
            continue
        if copied.type == "subscript" or _counts(context, original, copied, statement):
            yield target, original


def _copying(context: BodyContext, name: Node, statement: Node) -> Node | None:
    """The indexing that a name stands for at a statement: it is all that is ever assigned to the name, or
    what was assigned last, in the same suite."""
    if name.type != "identifier":
        return None
    wanted = context.text(name)
    bound = [
        one
        for one in context.nodes(*_ASSIGNING, "for_statement", "named_expression")
        if (left := one.child_by_field_name("left") or one.child_by_field_name("name")) is not None
        and context.text(left) == wanted
    ]
    before = [one for one in bound if one.end_byte <= statement.start_byte]
    last = max(before, key=lambda one: one.start_byte, default=None)
    if last is None or last.type != "assignment" or (len(bound) > 1 and _suite(last) != _suite(statement)):
        return None
    right = last.child_by_field_name("right")
    return right if right is not None and right.type == "subscript" else None


def _suite(statement: Node) -> Node | None:
    """What a statement stands in."""
    return statement.parent.parent if statement.parent is not None else None


def _is_copy(context: BodyContext, indexing: Node) -> bool:
    """Whether an index of it is a list, a mask, or a Tensor with dimensions."""
    return any(
        index.type in ("list", "comparison_operator") or is_many(context, index)
        for index in indexing.children_by_field_name("subscript")
    )


def is_many(context: BodyContext, index: Node) -> bool:
    """Whether an index is surely a mask or a Tensor with dimensions."""
    if context.is_tensor(index) is None:
        return False
    if context.code.is_mask(index):
        return True
    is_scalar = context.code.tensor_type(index).is_scalar
    return is_scalar is False or (is_scalar is None and _is_computed(context, index))


def _is_computed(context: BodyContext, index: Node) -> bool:
    """Whether an index is the result of a call, as all that is assigned to its name is: what a loop goes
    through, and what was taken out of a Tensor, may have no dimensions."""
    if index.type != "identifier":
        return index.type == "call"
    wanted = context.text(index)
    bound = [
        one
        for one in context.nodes(*_BINDING)
        if (left := one.child_by_field_name("left")) is not None
        and any(context.text(name) == wanted for name in _names_in(left))
    ]
    values = [one.child_by_field_name("right") for one in bound if one.type == "assignment"]
    return (
        bool(bound)
        and len(values) == len(bound)
        and all(value is not None and value.type == "call" for value in values)
    )


def _names_in(target: Node) -> list[Node]:
    return target.named_children if target.type == "pattern_list" else [target]


def _counts(context: BodyContext, original: Node, copied: Node, statement: Node) -> bool:
    """Whether the original is read after the assignment, or by others: it is an attribute, a parameter, or
    what a loop comes back to."""
    if original.type == "attribute" or _is_parameter(context, original):
        return True
    wanted = context.text(original)
    if wanted == context.text(copied):
        return False
    around: Node | None = statement
    while around is not None and around.type not in _LOOPS:
        around = around.parent
    start = around.start_byte if around is not None else statement.end_byte
    return any(
        context.text(one) == wanted and one.start_byte >= start and not _is_bound(one)
        for one in context.nodes("identifier")
    )


def _is_bound(name: Node) -> bool:
    """Whether a name is what an assignment binds."""
    around = name.parent
    return around is not None and around.type == "assignment" and around.child_by_field_name("left") == name


def _is_parameter(context: BodyContext, name: Node) -> bool:
    """Whether a name is a parameter that nothing else is assigned to before."""
    function = name.parent
    while function is not None and function.type != "function_definition":
        function = function.parent
    parameters = function.child_by_field_name("parameters") if function is not None else None
    if parameters is None:
        return False
    wanted = context.text(name)
    names = {context.text(one) for one in _identifiers(parameters)}
    bound = (one.child_by_field_name("left") for one in context.nodes("assignment"))
    is_bound = any(
        left is not None
        and context.text(left) == wanted
        and left.end_byte < name.start_byte
        and not _is_same_statement(left, name)
        for left in bound
    )
    return wanted in names and not is_bound


def _is_same_statement(left: Node, name: Node) -> bool:
    around = left.parent
    return around is not None and around.start_byte <= name.start_byte < around.end_byte


def _identifiers(parameters: Node) -> Iterator[Node]:
    for one in parameters.named_children:
        named = one.child_by_field_name("name") or one
        while named.type not in ("identifier", "list_splat_pattern") and named.named_children:
            named = named.named_children[0]
        yield named
