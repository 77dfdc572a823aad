"""Text that does not parse, cut into pieces that are parsed by themselves.

An error then spoils only the statement it is in, and after a keystroke only what is around that is parsed
again.
Text that parses is one piece. Else every statement at the top level is one; a class there is several: its
header with the first statement of its body, and each other statement of the body.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mindport.source.piece import Piece
from mindport.source.repair import repaired
from mindport.source.statement_lines import indentation, next_body_line
from mindport.source.suites import Suites
from mindport.source.syntax import IN_CLASS, as_parsed

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

_CLASS: Final = re.compile(rb"^class[ \t]+\w", re.MULTILINE)
_CLASS_LIKE: Final = (b"class", b"@")


class Known:
    """What was made of texts: syntax trees, and pieces that start at 0; those of members of classes by
    themselves. What was made for a document is used again for the next one, so far as that has the same
    texts."""

    __slots__ = ("member_trees", "members", "pieces", "trees")

    def __init__(self) -> None:
        self.trees: dict[bytes, Tree] = {}
        self.pieces: dict[bytes, Piece] = {}
        self.member_trees: dict[bytes, Tree] = {}
        self.members: dict[bytes, Piece] = {}

    def take(self, other: Known) -> None:
        """Take up what was made of other texts."""
        self.trees |= other.trees
        self.pieces |= other.pieces
        self.member_trees |= other.member_trees
        self.members |= other.members


def cut(data: bytes, known: Known) -> tuple[tuple[Piece, ...], Known]:
    """The pieces of `data`, and what was made for them. What is `known` is used again."""
    cutter = _Cutter(known)
    text = as_parsed(data)
    pieces = cutter.top_level(text)
    return pieces if text is data else tuple([piece.of(data) for piece in pieces]), cutter.made


class _Cutter:
    """Cuts one text, whose lines end as the parser has it. What a statement is cut into depends on nothing
    but its own text."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._suites = Suites(known.trees, known.member_trees)
        self.made = Known()
        self.made.trees, self.made.member_trees = self._suites.trees, self._suites.member_trees

    def top_level(self, text: bytes) -> tuple[Piece, ...]:
        """The statements of a module."""

        def is_sound(statement: bytes) -> bool:
            if statement.startswith(_CLASS_LIKE):
                return self._statement(statement).is_sound
            return self._suites.parses(statement)

        bounds = self._suites.statements(text, 0, is_sound)
        return tuple([self._statement(text[start:end])._replace(start=start) for start, end in bounds])

    def _statement(self, text: bytes) -> Piece:
        """One statement at the top level."""
        if not text.startswith(_CLASS_LIKE):
            return self._plain(text)
        found = self.made.pieces.get(text)
        if found is None:
            found = self._known.pieces.get(text)
            if found is None:
                found = self._class(text) or self._plain(text)
            else:
                for one in (found, *found.members):
                    self._suites.keep(one.data)
            self.made.pieces[text] = found
        return found

    def _plain(self, text: bytes) -> Piece:
        """A statement that is not cut."""
        tree = self._suites.tree(text)
        if not tree.root_node.has_error:
            return Piece(0, text, tree.root_node)
        found = self.made.pieces.get(text) or self._known.pieces.get(text)
        if found is None:
            found = repaired(self._suites, text)
            if found is None:
                found = Piece(0, text, self._suites.broken_tree(text).root_node, is_sound=False)
        self.made.pieces[text] = found
        return found

    def _member(self, text: bytes) -> Piece:
        """A statement of the body of a class."""
        tree = self._suites.member_tree(text)
        if not tree.root_node.has_error:
            return Piece(0, text, tree.root_node)
        found = self.made.members.get(text) or self._known.members.get(text)
        if found is None:
            found = repaired(self._suites, text, IN_CLASS)
            if found is None:
                found = Piece(0, text, tree.root_node, is_sound=False)
        self.made.members[text] = found
        return found

    def _class(self, text: bytes) -> Piece | None:
        """A class in pieces; None if it cannot be cut."""
        keyword = _CLASS.search(text)
        if keyword is None:
            return None
        suites = self._suites
        body, is_header_sound = suites.header_end(text, keyword.start(), len(text))
        first = next_body_line(text, body, len(text))
        if first is None or not indentation(text, first):
            return None
        is_undecorated = is_header_sound and keyword.start() == 0

        def parses(statement: bytes) -> bool:
            if is_undecorated and text.startswith(statement, body):
                return suites.parses_in(text[:body], statement)
            return suites.parses_as_member(statement)

        statements = suites.statements(text[body:], indentation(text, first), parses)
        bounds = [(body + start, body + end) for start, end in statements]
        beginning = self._plain(text[: bounds[0][1]])
        if not _ends_with_class(beginning.root):
            return None
        members = [self._member(text[start:end])._replace(start=start) for start, end in bounds[1:]]
        is_sound = beginning.is_sound and all(member.is_sound for member in members)
        return beginning._replace(members=tuple(members), is_sound=is_sound)


def _ends_with_class(root: Node) -> bool:
    """Whether the last of the statements is a class with a body."""
    for node in reversed(root.named_children):
        if node.type != "comment":
            is_decorated = node.type == "decorated_definition"
            definition = node.child_by_field_name("definition") if is_decorated else node
            return (
                definition is not None
                and definition.type == "class_definition"
                and definition.child_by_field_name("body") is not None
            )
    return False
