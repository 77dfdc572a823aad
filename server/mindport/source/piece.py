"""A piece of a document that does not parse as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node


class Piece(NamedTuple):
    """A piece of a document: where it starts (bytes), its text, and the root of its syntax tree.

    Broken statements stand in the tree as `...`, exactly where they are; what they are is in `fragments`, as
    pieces of this piece. So are `members`: the statements of the body of the class that the tree ends with
    which are not in the tree. In the tree of a member they are in a class that takes no room.
    """

    start: int
    data: bytes
    root: Node
    fragments: tuple[Piece, ...] = ()
    members: tuple[Piece, ...] = ()
    is_sound: bool = True

    @property
    def end(self) -> int:
        """Where it ends, members included."""
        return self.start + (self.members[-1].end if self.members else len(self.data))

    def at(self, offset: int) -> tuple[int, Piece]:
        """The innermost piece at an offset, which counts as `start` does, with where that piece starts."""
        if not (self.members or self.fragments):
            return self.start, self
        offset -= self.start
        inner = next((one for one in reversed(self.members) if one.start <= offset), None) or next(
            (one for one in self.fragments if one.start <= offset <= one.end), None
        )
        if inner is None:
            return self.start, self
        start, piece = inner.at(offset)
        return self.start + start, piece

    def all(self) -> Iterator[tuple[int, Piece]]:
        """The piece and those in it, each with where it starts."""
        yield self.start, self
        for inner in (*self.fragments, *self.members):
            for start, piece in inner.all():
                yield self.start + start, piece

    def of(self, data: bytes) -> Piece:
        """The same piece of a text that has other line ends; the piece starts at `start` in it."""
        text = data[self.start : self.start + len(self.data)]
        fragments = tuple([one.of(text) for one in self.fragments])
        whole = data[self.start : self.end]
        members = tuple([one.of(whole) for one in self.members])
        return self._replace(data=text, fragments=fragments, members=members)
