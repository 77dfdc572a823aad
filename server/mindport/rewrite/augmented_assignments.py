"""Augmented assignments (`name op= value`), which change a Tensor in place in PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.source.document import Document

_PLAIN = frozenset({"identifier", "attribute", "call", "subscript", "integer", "float"})
"""What may stand behind any operator without brackets."""
_BRACKETED = frozenset({"parenthesized_expression", "list", "tuple"})
_SUMS, _PRODUCTS = (b"+=", b"-="), ("*", "/", "//", "%", "@", "**")


class AugmentedAssignment(NamedTuple):
    """`name op= value`, a statement; the spans are absolute bytes. `around` are those of the contexts and the
    decorators that it runs under."""

    start: int
    end: int
    name: str
    operator: str
    value: tuple[int, int]
    needs_brackets: bool
    around: tuple[tuple[int, int], ...]


def augmented_assignment(document: Document, operator_start: int) -> AugmentedAssignment | None:
    """The augmented assignment to a name whose operator starts at a byte; None if there is none."""
    found = document.piece_at(operator_start)
    if found is None:
        return None
    base, piece = found
    node = piece.root.descendant_for_byte_range(operator_start - base, operator_start - base)
    while node is not None and node.type != "augmented_assignment":
        node = node.parent
    if node is None or node.parent is None or node.parent.type != "expression_statement":
        return None
    left, operator, right = (node.child_by_field_name(name) for name in ("left", "operator", "right"))
    if left is None or operator is None or right is None or left.type != "identifier":
        return None
    around = tuple((base + one.start_byte, base + one.end_byte) for one in _around(node))
    return AugmentedAssignment(
        base + node.start_byte,
        base + node.end_byte,
        (left.text or b"").decode(),
        (operator.text or b"").decode()[:-1],
        (base + right.start_byte, base + right.end_byte),
        not _binds_closer(operator, right),
        around,
    )


def _binds_closer(operator: Node, right: Node) -> bool:
    """Whether the value may stand behind the operator without brackets."""
    if right.type == "binary_operator":
        inner = right.child_by_field_name("operator")
        return operator.text in _SUMS and inner is not None and inner.type in _PRODUCTS
    return right.type in _PLAIN | _BRACKETED


def _around(node: Node) -> Iterator[Node]:
    """The items of `with` statements around a node, and the decorators of the function that it is in."""
    inner, outer = node, node.parent
    while outer is not None:
        if outer.type == "with_statement":
            yield from (child for child in outer.children if child.type == "with_clause")
        if outer.type == "decorated_definition" and inner.type == "function_definition":
            yield from (child for child in outer.children if child.type == "decorator")
            return
        if outer.type in ("function_definition", "lambda") and (
            outer.parent is None or outer.parent.type != "decorated_definition"
        ):
            return
        inner, outer = outer, outer.parent
