"""Renaming the methods that a class, and the classes derived from it in the same document, define or call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from mindport.rewrite.edit import Edit
from mindport.source.expression_node import expression_node

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.source.document import Document

_COMPOUND = ("_definition", "block", "_clause", "if_statement", "try_statement", "with_statement")
"""The ends of the types of what has statements in it."""


class _Body(NamedTuple):
    """A part of a class's body; `base` is what its offsets lack."""

    node: Node
    base: int


class _Class(NamedTuple):
    """A class of a document, whose body may be in several parts."""

    node: Node
    base: int
    bodies: tuple[_Body, ...]


class ClassMembers:
    """The classes of one document, looked for when first asked about."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._classes: list[_Class] | None = None

    def renamed(self, start: int, end: int, names: Mapping[str, str]) -> Iterator[Edit]:
        """The edits that give methods of the class with the base `start`..`end` their new names, where it or
        a class derived from it defines them: the definitions, and what is read of `self` and `super()`."""
        found = expression_node(self._document, start, end)
        node = found.node if found is not None else None
        while node is not None and node.type != "class_definition":
            node = node.parent
        if self._classes is None:
            self._classes = list(self._every())
        first = [
            one for one in self._classes if found is not None and (one.node, one.base) == (node, found.base)
        ]
        if not first:
            return
        classes = self._with_derived(first[0], self._classes)
        defined = {name for one in classes for name, _ in self._methods(one) if name in names}
        for one in classes if defined else ():
            for name, body in (*self._methods(one), *self._own_reads(one)):
                if name in defined:
                    begin, stop = body.base + body.node.start_byte, body.base + body.node.end_byte
                    yield Edit(begin, stop, names[name])

    def _every(self) -> Iterator[_Class]:
        """All classes, in source order."""
        for piece in self._document.pieces:
            members = [_Body(_member(one.root), piece.start + one.start) for one in piece.members]
            top = [node for node in _statements(piece.root) if node.type == "class_definition"]
            last = max((node.end_byte for node in top), default=0)
            outermost = next((node for node in top if node.end_byte == last), None)
            for node in top:
                own = _Body(node.child_by_field_name("body") or node, piece.start)
                bodies = (own, *members) if node == outermost else (own,)
                yield _Class(node, piece.start, bodies)
            for body in members:
                for node in _statements(body.node):
                    if node.type == "class_definition":
                        inner = _Body(node.child_by_field_name("body") or node, body.base)
                        yield _Class(node, body.base, (inner,))

    def _text(self, node: Node | None, base: int) -> str:
        if node is None:
            return ""
        return self._document.text(base + node.start_byte, base + node.end_byte)

    def _with_derived(self, first: _Class, every: list[_Class]) -> list[_Class]:
        """A class and those derived from it by its name, directly or not."""
        found, names = [first], {self._text(first.node.child_by_field_name("name"), first.base)}
        for one in every:
            bases = one.node.child_by_field_name("superclasses")
            if one == first or bases is None:
                continue
            plain = [base for base in bases.named_children if base.type == "identifier"]
            if any(self._text(base, one.base) in names for base in plain):
                found.append(one)
                names.add(self._text(one.node.child_by_field_name("name"), one.base))
        return found

    def _methods(self, one: _Class) -> Iterator[tuple[str, _Body]]:
        """The names of a class's own methods, each with where it stands."""
        for body, base in one.bodies:
            for child in body.named_children:
                is_decorated = child.type == "decorated_definition"
                inner = child.child_by_field_name("definition") if is_decorated else child
                name = inner.child_by_field_name("name") if inner is not None else None
                if inner is not None and inner.type == "function_definition" and name is not None:
                    yield self._text(name, base), _Body(name, base)

    def _own_reads(self, one: _Class) -> Iterator[tuple[str, _Body]]:
        """What a class reads of `self` and `super()`, but for classes within it."""
        for body, base in one.bodies:
            for read in _all(body):
                if read.type != "attribute":
                    continue
                value, name = read.child_by_field_name("object"), read.child_by_field_name("attribute")
                if name is not None and self._text(value, base) in ("self", "super()"):
                    yield self._text(name, base), _Body(name, base)


def _member(root: Node) -> Node:
    """The body that holds a member, in a class that takes no room."""
    around = root.named_children[0] if root.named_children else root
    return around.child_by_field_name("body") or around


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
