"""What goes with an expression that is left out: a statement, a decorator, what a `with` enters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from mindport.source.expression_node import expression_node

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.source.document import Document

RemovalKind = Literal["statement", "target", "decorator", "context"]
"""`context`: what a `with` statement enters, without a name for it. `target`: what a statement assigns
to, where the value may do something when it is evaluated, and stays."""

_PLAIN = frozenset(
    {
        "identifier",
        "attribute",
        "subscript",
        "integer",
        "float",
        "true",
        "false",
        "none",
        "ellipsis",
        "unary_operator",
        "not_operator",
        "boolean_operator",
        "comparison_operator",
        "conditional_expression",
        "parenthesized_expression",
    }
)


class RemovalPlace(NamedTuple):
    """The part of the syntax that goes, `base` being what its offsets lack. Of a `target` it is the whole
    assignment, all before the value of which goes."""

    kind: RemovalKind
    node: Node
    base: int

    @property
    def start(self) -> int:
        """Where it starts (bytes)."""
        return self.base + self.node.start_byte

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.base + self.node.end_byte


def removal_place(document: Document, start: int, end: int, receiver_is_plain: bool) -> RemovalPlace | None:
    """What can go with the expression `start`..`end`: the statement that it is or that assigns a plain value
    to it, the decorator, the item of a `with`. None where the expression is needed for something else, or is
    a statement whose receiver may do something when it is evaluated (not `receiver_is_plain`)."""
    found = expression_node(document, start, end)
    if found is None:
        return None
    node, base = found
    statement = _statement(node)
    if statement is not None:
        return RemovalPlace("statement", statement, base) if receiver_is_plain else None
    assignment = _assignment_to(node)
    if assignment is not None:
        return RemovalPlace("target", assignment, base) if receiver_is_plain else None
    parent = node.parent
    if parent is None:
        return None
    if parent.type == "decorator":
        return RemovalPlace("decorator", parent, base)
    if parent.type == "with_item" and parent.parent is not None and parent.parent.type == "with_clause":
        return RemovalPlace("context", parent, base)
    return None


def assigns_to_itself(
    document: Document, start: int, end: int, receiver: tuple[int, int]
) -> RemovalPlace | None:
    """The statement that assigns the expression `start`..`end` to what its receiver, a piece of the text, is:
    `x = x.cuda()`; None if it is no such statement."""
    found = expression_node(document, start, end)
    parent = found.node.parent if found is not None else None
    if found is None or parent is None or parent.type != "assignment":
        return None
    left, right = parent.child_by_field_name("left"), parent.child_by_field_name("right")
    statement = parent.parent
    if left is None or right != found.node or statement is None or statement.type != "expression_statement":
        return None
    text = document.data[slice(*receiver)]
    is_same = found.text(document, left) == text and parent.child_by_field_name("type") is None
    return RemovalPlace("statement", statement, found.base) if is_same else None


class ParallelPlace(NamedTuple):
    """One of several values that a statement assigns at once, each of them to its own target."""

    statement: RemovalPlace
    position: int
    among: int


def assigns_to_itself_in_parallel(
    document: Document, start: int, end: int, receiver: tuple[int, int]
) -> ParallelPlace | None:
    """Where the expression `start`..`end` is one of several that a statement assigns, and its receiver, a
    piece of the text, is what it is assigned to: `x, y = x.cuda(), y.cuda()`; None if it is not."""
    found = expression_node(document, start, end)
    values = found.node.parent if found is not None else None
    assignment = values.parent if values is not None and values.type == "expression_list" else None
    if found is None or values is None or assignment is None or assignment.type != "assignment":
        return None
    targets, statement = assignment.child_by_field_name("left"), assignment.parent
    if targets is None or targets.type != "pattern_list" or statement is None:
        return None
    position = values.named_children.index(found.node)
    if statement.type != "expression_statement" or len(targets.named_children) != len(values.named_children):
        return None
    if found.text(document, targets.named_children[position]) != document.data[slice(*receiver)]:
        return None
    place = RemovalPlace("statement", statement, found.base)
    return ParallelPlace(place, position, len(values.named_children))


def _with_members(node: Node) -> tuple[Node, Node | None]:
    """The expression with the members that are read of it, and what it is a part of."""
    whole, parent = node, node.parent
    while parent is not None and parent.type == "attribute" and parent.child_by_field_name("object") == whole:
        whole, parent = parent, parent.parent
    return whole, parent


def _assignment_to(node: Node) -> Node | None:
    """The assignment of one value to an expression or to a member of it, a statement by itself."""
    whole, parent = _with_members(node)
    if parent is None or parent.type != "assignment" or parent.child_by_field_name("left") != whole:
        return None
    value, statement = parent.child_by_field_name("right"), parent.parent
    is_single = (
        value is not None and value.type != "assignment" and parent.child_by_field_name("type") is None
    )
    is_statement = statement is not None and statement.type == "expression_statement"
    return parent if is_single and is_statement and whole.start_byte == node.start_byte else None


def _statement(node: Node) -> Node | None:
    """The statement that does nothing but evaluate an expression, or assign to it or a member of it."""
    whole, parent = _with_members(node)
    if parent is not None and _is_assigned(whole, parent):
        whole, parent = parent, parent.parent
    elif whole != node:
        return None
    is_statement = parent is not None and parent.type == "expression_statement"
    return parent if is_statement and whole.start_byte == node.start_byte else None


def _is_assigned(node: Node, parent: Node) -> bool:
    """Whether an assignment does nothing but give a plain value to a target."""
    if parent.type != "assignment" or parent.child_by_field_name("left") != node:
        return False
    value = parent.child_by_field_name("right")
    return value is not None and _is_plain(value) and parent.child_by_field_name("type") is None


def _is_plain(node: Node) -> bool:
    if node.type == "string":
        return not any(part.type == "interpolation" for part in node.named_children)
    return node.type in _PLAIN and all(_is_plain(part) for part in node.named_children)
