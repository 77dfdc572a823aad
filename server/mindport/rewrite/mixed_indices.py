"""Indices of several dimensions with something that may be a mask, which MindSpore takes otherwise than
PyTorch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mindport.rewrite.strided_slices import mixed_subscripts

if TYPE_CHECKING:
    from mindport.source.document import Document

_PLAIN: Final = frozenset({"slice", "integer", "none", "ellipsis", "string", "unary_operator", "comment"})
"""What is no mask in any program."""


def has_mixed_index(document: Document) -> bool:
    """Whether an index of several dimensions in a document may have a mask in it."""
    return any(
        part.type not in _PLAIN
        for node, _ in mixed_subscripts(document)
        for part in node.children_by_field_name("subscript")
    )
