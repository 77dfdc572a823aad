"""Indices of several dimensions that MindSpore takes otherwise than PyTorch: slices with steps, and masks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.source.document import Document

_PLAIN: Final = frozenset({"slice", "integer", "none", "ellipsis", "string", "unary_operator", "comment"})
"""What is no mask in any program."""
_SLICE_OBJECT: Final = re.compile(rb"(?<![\w.])slice\(")
_TARGETS = ("delete_statement", "augmented_assignment", "pattern_list", "as_pattern_target")


class StridedSlice(NamedTuple):
    """`value[index]`, where a slice of the index has a step. The spans are absolute bytes; `dimensions` has
    for each the spans of start, end and step (None where there is none), or one span."""

    start: int
    end: int
    value: tuple[int, int]
    dimensions: tuple[tuple[tuple[int, int] | None, ...], ...]


def strided_slices(document: Document) -> Iterator[StridedSlice]:
    """The slices of several dimensions with steps in a document, the innermost first: only what is like a
    Tensor has several. The helper for them takes a slice object for each. Those that are assigned to, or
    deleted, are left out."""
    for node, base in _mixed_subscripts(document):
        parts = node.children_by_field_name("subscript")
        value = node.child_by_field_name("value")
        if value is not None and not _is_target(node) and any(_has_step(part) for part in parts):
            index = tuple(_spans(part, base) for part in parts)
            span = (base + value.start_byte, base + value.end_byte)
            yield StridedSlice(base + node.start_byte, base + node.end_byte, span, index)


def has_mixed_index(document: Document) -> bool:
    """Whether an index of several dimensions in a document may have a mask in it, or places; where slices are
    objects, an index may be a tuple with a name."""
    return _SLICE_OBJECT.search(document.data) is not None or any(
        part.type not in _PLAIN
        for node, _ in _mixed_subscripts(document)
        for part in node.children_by_field_name("subscript")
    )


def _mixed_subscripts(document: Document) -> Iterator[tuple[Node, int]]:
    """The subscripts of several dimensions in a document, the innermost first, each with what its offsets
    lack."""
    for piece in document.pieces:
        for start, whole in piece.all():
            if whole.is_sound:
                yield from ((node, start) for node in _within(whole.root))


def _within(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        yield from _within(child)
    if node.type == "subscript" and len(node.children_by_field_name("subscript")) > 1:
        yield node


def _is_target(node: Node) -> bool:
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "assignment":
        return parent.child_by_field_name("left") == node
    return parent.type in _TARGETS


def _has_step(node: Node) -> bool:
    spans = _spans(node, 0)
    step = node.text[spans[2][0] - node.start_byte :] if len(spans) == 3 and spans[2] and node.text else b""
    return bool(step) and step != b"1"


def _spans(node: Node, base: int) -> tuple[tuple[int, int] | None, ...]:
    """The spans of what a slice consists of; of anything else that of the whole."""
    if node.type != "slice":
        return ((base + node.start_byte, base + node.end_byte),)
    found: list[tuple[int, int] | None] = [None]
    for child in node.children:
        if child.type == ":":
            found.append(None)
        elif child.is_named and child.type != "comment":
            found[-1] = (base + child.start_byte, base + child.end_byte)
    return tuple([*found, None][:3])
