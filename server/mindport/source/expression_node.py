"""The node of the syntax tree that is a given piece of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from tree_sitter import Node

from mindport.source.syntax import EXTRAS

if TYPE_CHECKING:
    from mindport.source.document import Document


class PlacedNode(NamedTuple):
    """A node of a document's syntax; `base` is what its offsets lack."""

    node: Node
    base: int

    def text(self, document: Document, node: Node) -> bytes:
        """The text of this node or another one of the same tree."""
        return document.data[self.base + start_of_expression(node) : self.base + node.end_byte]


def start_of_expression(node: Node) -> int:
    """Where the text of a node starts, in bytes of its tree. The parser takes the star of `[*x.size()]` to
    belong to `x`: it does not belong to the expression."""
    first = node
    while first.type in _BEGUN and first.child_count:
        first = first.children[0]
    return without_star(first).start_byte if first != node else node.start_byte


def without_star(node: Node) -> Node:
    """What the star of `[*x.size()]` stands before, where the parser takes it to belong to `x`."""
    return node.named_children[0] if node.type == "list_splat" and node.named_children else node


_BEGUN: Final = frozenset({"call", "attribute", "subscript"})
"""Expressions that begin with another one."""


def expression_node(document: Document, start: int, end: int) -> PlacedNode | None:
    """The expression that is exactly the bytes `start`..`end`: of several, the call or the attribute, else
    the outermost. None if the text has none there, or does not parse there."""
    found = document.piece_at(start)
    if found is None:
        return None
    base, piece = found
    span = start - base, end - base
    node = piece.root.descendant_for_byte_range(*span)
    while node is not None and (start_of_expression(node), node.end_byte) != span:
        node = node.parent
    if node is None or node.has_error:
        return None
    while node.parent is not None and (start_of_expression(node.parent), node.parent.end_byte) == span:
        if node.type in ("call", "attribute"):
            break
        node = node.parent
    return PlacedNode(node, base)


_TESTS = frozenset({b"isinstance", b"issubclass"})
_GROUPS = frozenset({"tuple", "parenthesized_expression", "binary_operator"})
"""`(A, B)`, `A | B`"""


def is_tested_for(document: Document, start: int, end: int) -> bool:
    """Whether the expression `start`..`end` is the type, or one of the types, of an `isinstance` or
    `issubclass`."""
    found = expression_node(document, start, end)
    node = found.node if found is not None else None
    while node is not None and node.parent is not None and node.parent.type in _GROUPS:
        node = node.parent
    arguments = node.parent if node is not None else None
    if arguments is None or arguments.type != "argument_list" or arguments.parent is None:
        return False
    function = arguments.parent.child_by_field_name("function")
    given = [child for child in arguments.named_children if child.type not in EXTRAS]
    is_test = found is not None and function is not None and found.text(document, function) in _TESTS
    return is_test and len(given) == 2 and given[1] == node
