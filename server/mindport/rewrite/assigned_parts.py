"""Assignments to parts of what may be a Tensor (`x[0, 1:] = y`), and to parts of views of one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.source.document import Document

_GIVING_VIEWS: Final = frozenset(
    (
        b"chunk",
        b"detach",
        b"diagonal",
        b"expand",
        b"flatten",
        b"movedim",
        b"narrow",
        b"permute",
        b"reshape",
        b"select",
        b"split",
        b"squeeze",
        b"swapaxes",
        b"t",
        b"transpose",
        b"unbind",
        b"unflatten",
        b"unsqueeze",
        b"view",
        b"view_as",
    )
)
"""Methods of Tensors whose results share memory with them."""
_TURNED: Final = frozenset((b"T", b"mT", b"H", b"mH", b"data", b"real", b"imag"))
_OF_PYTHON: Final = frozenset((b"globals", b"locals", b"vars"))


def assigns_to_parts(document: Document) -> bool:
    """Whether a part of several dimensions is assigned to in a document."""
    return any(len(part.children_by_field_name("subscript")) > 1 for part in _assigned(document))


def assigns_to_views(document: Document) -> bool:
    """Whether a part of something that may be a view of a Tensor is assigned to in a document: of the result
    of a call, of a part, or of a name that a view is bound to anywhere in it."""
    found = [
        value for part in _assigned(document) if (value := part.child_by_field_name("value")) is not None
    ]
    names = {each.text for each in found if each.type == "identifier"}
    return any(map(_may_be_view, found)) or bool(names and names & set(_names_of_views(document)))


def _assigned(document: Document) -> Iterator[Node]:
    """The subscripts that are assigned to, but not those by a text, which no Tensor has."""
    for node in _nodes(document):
        if node.type in ("assignment", "augmented_assignment"):
            left = node.child_by_field_name("left")
            if left is not None and left.type == "subscript" and not _is_by_text(left):
                yield left


def _names_of_views(document: Document) -> Iterator[bytes]:
    for node in _nodes(document):
        if node.type == "assignment":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None and right is not None and left.text and _is_view(right):
                yield from (name.strip() for name in left.text.split(b","))


def _may_be_view(value: Node) -> bool:
    """Whether what a part is assigned to may be a view: what any function gave, or a part."""
    if value.type == "call":
        function = value.child_by_field_name("function")
        return function is not None and function.text not in _OF_PYTHON
    return _is_view(value)


def _is_view(value: Node) -> bool:
    """Whether an expression is one that gives a view of a Tensor."""
    if value.type == "subscript":
        return not _is_by_text(value)
    if value.type == "attribute":
        return _last_name(value) in _TURNED
    function = value.child_by_field_name("function") if value.type == "call" else None
    return function is not None and function.type == "attribute" and _last_name(function) in _GIVING_VIEWS


def _last_name(attribute: Node) -> bytes | None:
    name = attribute.child_by_field_name("attribute")
    return name.text if name is not None else None


def _is_by_text(subscript: Node) -> bool:
    return any(part.type == "string" for part in subscript.children_by_field_name("subscript"))


def _nodes(document: Document) -> Iterator[Node]:
    for piece in document.pieces:
        for _, whole in piece.all():
            if whole.is_sound:
                yield from _within(whole.root)


def _within(node: Node) -> Iterator[Node]:
    yield node
    for child in node.named_children:
        yield from _within(child)
