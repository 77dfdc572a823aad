"""Indices of several dimensions with something that may be a mask, which MindSpore takes otherwise than
PyTorch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.source.document import Document

_PLAIN: Final = frozenset({"slice", "integer", "none", "ellipsis", "string", "unary_operator", "comment"})
"""What is no mask in any program."""


def has_mixed_index(document: Document) -> bool:
    """Whether an index of several dimensions in a document may have a mask in it."""
    return any(
        _is_within(whole.root) for piece in document.pieces for _, whole in piece.all() if whole.is_sound
    )


def _is_within(node: Node) -> bool:
    if node.type == "subscript":
        parts = node.children_by_field_name("subscript")
        if len(parts) > 1 and any(part.type not in _PLAIN for part in parts):
            return True
    return any(map(_is_within, node.named_children))
