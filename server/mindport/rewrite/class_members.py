"""Renaming the methods that a class, and the classes derived from it in the same document, define or call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from mindport.rewrite.edit import Edit
from mindport.source.expression_node import expression_node

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.source.document import Document

_COMPOUND = ("_definition", "block", "_clause", "if_statement", "try_statement", "with_statement")
"""The ends of the types of what has statements in it."""


class ClassMembers:
    """The classes of one document, looked for when first asked about."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._classes: dict[int, list[Node]] = {}
        """By where a piece of the syntax starts."""

    def renamed(self, start: int, end: int, names: Mapping[str, str]) -> Iterator[Edit]:
        """The edits that give methods of the class with the base `start`..`end` their new names, where it or
        a class derived from it defines them: the definitions, and what is read of `self` and `super()`."""
        found = expression_node(self._document, start, end)
        node = found.node if found is not None else None
        while node is not None and node.type != "class_definition":
            node = node.parent
        if found is None or node is None:
            return
        classes = _with_derived(node, self._every(node, found.base))
        defined = {name for one in classes for name, _ in _methods(one) if name in names}
        if not defined:
            return
        for one in classes:
            for name, place in (*_methods(one), *_own_reads(one)):
                if name in defined:
                    yield _edit(place, found.base, names[name])

    def _every(self, node: Node, base: int) -> list[Node]:
        """All classes of the piece that a node is in."""
        if base not in self._classes:
            root = node
            while root.parent is not None:
                root = root.parent
            self._classes[base] = [one for one in _statements(root) if one.type == "class_definition"]
        return self._classes[base]


def _edit(node: Node, base: int, name: str) -> Edit:
    return Edit(base + node.start_byte, base + node.end_byte, name)


def _with_derived(first: Node, every: list[Node]) -> list[Node]:
    """A class and those derived from it by its name, directly or not."""
    found, names = [first], {_text(first.child_by_field_name("name"))}
    for one in every:
        bases = one.child_by_field_name("superclasses")
        if one == first or bases is None:
            continue
        if any(base.type == "identifier" and _text(base) in names for base in bases.named_children):
            found.append(one)
            names.add(_text(one.child_by_field_name("name")))
    return found


def _methods(node: Node) -> Iterator[tuple[str, Node]]:
    """The names of a class's own methods, each with where it stands."""
    body = node.child_by_field_name("body")
    for child in body.named_children if body is not None else ():
        inner = child.child_by_field_name("definition") if child.type == "decorated_definition" else child
        name = inner.child_by_field_name("name") if inner is not None else None
        if inner is not None and inner.type == "function_definition" and name is not None:
            yield _text(name), name


def _own_reads(node: Node) -> Iterator[tuple[str, Node]]:
    """What a class reads of `self` and `super()`, but for classes within it."""
    body = node.child_by_field_name("body")
    for one in _all(body) if body is not None else ():
        if one.type != "attribute":
            continue
        value, name = one.child_by_field_name("object"), one.child_by_field_name("attribute")
        if value is not None and name is not None and _text(value) in ("self", "super()"):
            yield _text(name), name


def _statements(node: Node) -> Iterator[Node]:
    """The statements in a node, but for those that are but expressions."""
    for child in node.named_children:
        if child.type.endswith(_COMPOUND):
            yield child
            yield from _statements(child)


def _all(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(current.named_children))


def _text(node: Node | None) -> str:
    return node.text.decode() if node is not None and node.text is not None else ""
