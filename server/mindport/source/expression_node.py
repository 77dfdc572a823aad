"""The node of the syntax tree that is a given piece of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

if TYPE_CHECKING:
    from mindport.source.document import Document


class PlacedNode(NamedTuple):
    """A node of a document's syntax; `base` is what its offsets lack."""

    node: Node
    base: int

    def text(self, document: Document, node: Node) -> bytes:
        """The text of this node or another one of the same tree."""
        return document.data[self.base + node.start_byte : self.base + node.end_byte]


def expression_node(document: Document, start: int, end: int) -> PlacedNode | None:
    """The expression that is exactly the bytes `start`..`end`: of several, the call or the attribute, else
    the outermost. None if the text has none there, or does not parse there."""
    found = document.piece_at(start)
    if found is None:
        return None
    base, piece = found
    span = start - base, end - base
    node = piece.root.descendant_for_byte_range(*span)
    while node is not None and (node.start_byte, node.end_byte) != span:
        node = node.parent
    if node is None or node.has_error:
        return None
    while node.parent is not None and (node.parent.start_byte, node.parent.end_byte) == span:
        if node.type in ("call", "attribute"):
            break
        node = node.parent
    return PlacedNode(node, base)
