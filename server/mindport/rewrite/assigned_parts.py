"""Assignments to parts of what may be a Tensor (`x[0, 1:] = y`), and changes of views of one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.source.document import Document

_GIVING_PARTS: Final = frozenset(
    (b"chunk", b"dsplit", b"hsplit", b"split", b"split_with_sizes", b"tensor_split", b"unbind", b"vsplit")
)
"""Functions and methods whose results are several views, in a tuple."""
_GIVING_VIEWS: Final = _GIVING_PARTS | frozenset(
    (
        b"as_strided",
        b"broadcast_to",
        b"detach",
        b"diagonal",
        b"expand",
        b"expand_as",
        b"flatten",
        b"moveaxis",
        b"movedim",
        b"narrow",
        b"permute",
        b"ravel",
        b"rearrange",
        b"reshape",
        b"reshape_as",
        b"select",
        b"squeeze",
        b"swapaxes",
        b"swapdims",
        b"t",
        b"transpose",
        b"unbind",
        b"unflatten",
        b"unfold",
        b"unsqueeze",
        b"view",
        b"view_as",
        b"view_as_complex",
        b"view_as_real",
    )
)
"""Functions and methods of Tensors whose results share memory with them."""
_TURNED: Final = frozenset((b"T", b"mT", b"H", b"mH", b"data", b"real", b"imag"))
_DISPLAYS: Final = (
    "tuple",
    "list",
    "expression_list",
    "list_comprehension",
    "generator_expression",
    "conditional_expression",
    "parenthesized_expression",
)
_PASSING_ON: Final = (b"enumerate", b"list", b"reversed", b"tuple", b"zip")
_OF_PYTHON: Final = frozenset((b"globals", b"locals", b"vars"))


def assigns_to_parts(document: Document) -> bool:
    """Whether a part of several dimensions is assigned to in a document."""
    return any(len(part.children_by_field_name("subscript")) > 1 for part in _assigned(document))


def changes_views(document: Document) -> bool:
    """Whether something is changed in place in a document that may be a view of a Tensor, or have one: the
    result of a call, a part, a name or an attribute that is bound to a view of another one or viewed by one,
    or what a function is given."""
    found = list(_changed(document))
    if any(map(_may_be_view, found)):
        return True
    names = {_root(each): each for each in found}
    return bool(names and names.keys() & _names_with_views(document)) or any(
        _is_given(each) for each in names.values()
    )


def names_of_parts(document: Document) -> frozenset[bytes]:
    """The names that are bound to several views in a tuple anywhere in a document."""
    return frozenset(
        left.text
        for left, right in _bound(document)
        if left.text and right.type == "call" and _called(right) in _GIVING_PARTS
    )


def _assigned(document: Document) -> Iterator[Node]:
    """The subscripts that are assigned to, but not those by a text, which no Tensor has."""
    for node in _nodes(document):
        if node.type in ("assignment", "augmented_assignment"):
            left = node.child_by_field_name("left")
            if left is not None and left.type == "subscript" and not _is_by_text(left):
                yield left


def _changed(document: Document) -> Iterator[Node]:
    """What is changed in place: that which a part is assigned to, the operand of an augmented assignment, of
    a call by a name with `_` at its end, or of one with `inplace=True`, and what is given as `out`."""
    for part in _assigned(document):
        value = part.child_by_field_name("value")
        if value is not None:
            yield value
    for node in _nodes(document):
        left = node.child_by_field_name("left") if node.type == "augmented_assignment" else None
        if left is not None and left.type in ("identifier", "attribute"):
            yield left
        if node.type == "call":
            yield from _changed_by(node)


def _changed_by(call: Node) -> Iterator[Node]:
    """What a call changes in place."""
    function, given = (call.child_by_field_name(name) for name in ("function", "arguments"))
    arguments = given.named_children if given is not None else []
    name = _called(call) or b""
    is_in_place = name.endswith(b"_") and not name.endswith(b"__")
    if is_in_place and function is not None and function.type == "attribute":
        receiver = function.child_by_field_name("object")
        if receiver is not None:
            yield receiver
    if arguments and (is_in_place or any(one.text == b"inplace=True" for one in arguments)):
        yield arguments[0]
    for one in arguments:
        key, value = (one.child_by_field_name(field) for field in ("name", "value"))
        if key is not None and key.text == b"out" and value is not None:
            yield value


def _root(node: Node) -> bytes:
    """The name or attribute that is changed, without what is changed of it in a chain of calls."""
    while node.type == "call":
        function = node.child_by_field_name("function")
        inner = function.child_by_field_name("object") if function is not None else None
        if inner is None:
            break
        node = inner
    return node.text or b""


def _is_given(node: Node) -> bool:
    """Whether a name is what the function around was given, unless that is a module's own: there it is what
    other modules made."""
    name, around = node.text, node.parent
    while around is not None and around.type != "function_definition":
        around = around.parent
    parameters = around.child_by_field_name("parameters") if around is not None else None
    if parameters is None or node.type != "identifier" or name in (b"self", b"cls"):
        return False
    is_augmented = node.parent is not None and node.parent.type == "augmented_assignment"
    return not is_augmented and any(_parameter(one) == name for one in parameters.named_children)


def _parameter(node: Node) -> bytes | None:
    """The name of a parameter."""
    while node.type != "identifier" and node.named_children:
        node = node.named_children[0]
    return node.text


def _bound(document: Document) -> Iterator[tuple[Node, Node]]:
    """What is bound to what: by assignments, and by loops to what they run over."""
    for node in _nodes(document):
        if node.type in ("assignment", "for_statement", "for_in_clause"):
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None and right is not None:
                yield left, right


def _names_with_views(document: Document) -> frozenset[bytes]:
    """The names and attributes that are bound to views anywhere in a document, or to what views are of."""
    found: set[bytes] = set()
    for left, right in _bound(document):
        in_loop = left.parent is not None and left.parent.type != "assignment"
        views = list(_views_in(right, in_loop))
        if views:
            found.update(name.strip() for name in (left.text or b"").strip(b"()").split(b","))
            found.update(filter(None, map(_viewed, views)))
    return frozenset(found)


def _views_in(value: Node, in_loop: bool) -> Iterator[Node]:
    """The expressions that give views, in what is bound: itself, in a display or a comprehension, and what a
    loop runs over."""
    if _is_view(value):
        yield value
    elif value.type in _DISPLAYS:
        for child in value.named_children:
            yield from _views_in(child, in_loop)
    elif in_loop and value.type in ("identifier", "attribute"):
        yield value
    elif in_loop and value.type == "call" and _called(value) in _PASSING_ON:
        arguments = value.child_by_field_name("arguments")
        for child in arguments.named_children if arguments is not None else ():
            yield from _views_in(child, in_loop)


def _viewed(view: Node) -> bytes | None:
    """What an expression gives a view of."""
    if view.type == "subscript":
        inner = view.child_by_field_name("value")
    elif view.type == "attribute":
        inner = view.child_by_field_name("object")
    else:
        function = view.child_by_field_name("function")
        inner = function.child_by_field_name("object") if function is not None else None
    return inner.text if inner is not None and inner.type in ("identifier", "attribute") else None


def _called(call: Node) -> bytes | None:
    """The last part of the name of what is called."""
    function = call.child_by_field_name("function")
    if function is None:
        return None
    return _last_name(function) if function.type == "attribute" else function.text


def _may_be_view(value: Node) -> bool:
    """Whether what is changed may be a view: what a function gave whose part is assigned to, or a view."""
    parent = value.parent
    if value.type == "call" and parent is not None and parent.type == "subscript":
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
    if function is None or function.type != "attribute":
        return False
    name, inner = _last_name(function) or b"", function.child_by_field_name("object")
    is_chain = name.endswith(b"_") and not name.endswith(b"__")
    return name in _GIVING_VIEWS or (is_chain and inner is not None and _is_view(inner))


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
