"""A document as it was at one version: its text, its lines and its syntax tree."""

from __future__ import annotations

import hashlib
import threading
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from mindport.language import Text
from mindport.source.lines import LineIndex, PositionEncoding, PositionError, TreeEdit, tree_edit
from mindport.source.piece import Piece
from mindport.source.pieces import Known, cut
from mindport.source.refusal import SMALL_BYTES, refusal
from mindport.source.syntax import as_parsed, parse, parse_member, reparse, reparse_if_sound

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

    from mindport.source.error import TextError

_MOST_PENDING_EDITS = 256
"""With more edits than this since the last tree, parsing from scratch is the cheaper way."""

_LONG = 4096
"""What is typed is shorter. A longer text that is put in may make no code of the document."""

_REVERSED_RANGE = Text(
    "The range from {start_line}:{start_character} to {end_line}:{end_character} ends before it starts "
    "(lines and characters counted from 0; the document has {line_count} lines).",
    "范围 {start_line}:{start_character} 至 {end_line}:{end_character} 的终点在起点之前"
    "（行号和字符位置均从 0 起；文档共 {line_count} 行）。",
)
_HALF_RANGE = Text(
    "A change needs both a start and an end, or neither.", "一处更改须同时给出起点和终点，或两者都不给。"
)


def digest_of(text: bytes) -> str:
    """A name for a text."""
    return hashlib.blake2b(text, digest_size=16).hexdigest()


class Change(NamedTuple):
    """One change of a notification: replace `start`..`end` (line, character; from 0) by `text`.

    Without a range, `text` is the whole new text.
    """

    start: tuple[int, int] | None
    end: tuple[int, int] | None
    text: str


class DocumentPart(NamedTuple):
    """A part of a document that people see as a text of its own: a cell of a notebook, or all of a file.

    `number` is the cell's among all cells of the notebook, from 1; None for a file. The part's text, as it
    was written, is that of `lines`; it starts at the document's byte `start`.
    """

    number: int | None
    start: int
    lines: LineIndex

    @property
    def end(self) -> int:
        """The document's byte behind the part."""
        return self.start + len(self.lines.data)

    def offset(self, offset: int) -> int:
        """The part's offset for one of the document; its end for what comes behind it."""
        return min(offset - self.start, len(self.lines.data))


class _Edited(NamedTuple):
    """The text before one edit, and how much of it is the same before and behind the edit, in bytes."""

    before: bytes
    until: int
    behind: int


class _Unparsed(NamedTuple):
    """The last tree that was made, and the edits from its text to this one."""

    tree: Tree | None
    edits: tuple[TreeEdit, ...]

    def plus(self, edit: TreeEdit) -> _Unparsed:
        if self.tree is None or len(self.edits) == _MOST_PENDING_EDITS:
            return _NEVER_PARSED
        return _Unparsed(self.tree, (*self.edits, edit))


_NEVER_PARSED = _Unparsed(None, ())


class Document:
    """A snapshot of a document. Immutable: a change makes a new one. May be read by several threads.

    The text is kept as UTF-8 bytes exactly as received, line ends included. A lone surrogate, which UTF-8
    cannot hold, becomes U+FFFD, which is one UTF-16 code unit as well, so no position moves.
    """

    __slots__ = (
        "_cuts",
        "_digest",
        "_edited",
        "_is_accepted",
        "_is_sound",
        "_known",
        "_limit",
        "_lock",
        "_parsed_parts",
        "_pieces",
        "_refusal",
        "_syntax",
        "lines",
        "uri",
        "version",
    )

    def __init__(
        self,
        uri: str,
        version: int | None,
        lines: LineIndex,
        syntax: Tree | _Unparsed = _NEVER_PARSED,
        known: Known | None = None,
        limit: int | None = None,
        is_accepted: bool = False,
        edited: _Edited | None = None,
    ) -> None:
        self.uri = uri
        self.version = version
        self.lines = lines
        # Replaced as a whole (by the tree, once made), so that it can be read without the lock.
        self._syntax = syntax
        self._pieces: tuple[Piece, ...] | None = None
        self._known = known or Known()
        self._limit = limit
        self._is_accepted = is_accepted
        self._refusal: TextError | None = None
        self._digest = ""
        self._is_sound: bool | None = None
        self._edited = edited
        self._cuts: Sequence[int] | None = None
        self._parsed_parts: dict[int, Piece | None] = {}
        self._lock = threading.Lock()

    @classmethod
    def open(
        cls, uri: str, text: str | bytes, version: int | None = None, limit: int | None = None
    ) -> Document:
        """A document from its text. Bytes must be UTF-8 (see `mindport.source.decode`), else
        UnicodeDecodeError is raised. With more bytes than `limit`, it is not parsed."""
        if isinstance(text, str):
            data = as_utf8(text)
        else:
            data = text
            if not data.isascii():
                data.decode()
        return cls(uri, version, LineIndex(data), limit=limit)

    @property
    def data(self) -> bytes:
        """The text in UTF-8."""
        return self.lines.data

    @property
    def digest(self) -> str:
        """A name for the text, made when first asked for."""
        if not self._digest:
            self._digest = digest_of(self.data)
        return self._digest

    @property
    def refusal(self) -> TextError | None:
        """Why the text is not parsed: it is too large, or no code. None if it is parsed."""
        if not self._is_accepted and self._refusal is None:
            self._refusal = refusal(self.data, self._limit)
            self._is_accepted = self._refusal is None
        return self._refusal

    @property
    def tree(self) -> Tree:
        """The syntax tree, made when first asked for, from the last tree of an earlier snapshot if any; that
        of an empty text, if this one is not parsed."""
        syntax = self._syntax
        if not isinstance(syntax, _Unparsed):
            return syntax
        with self._lock:
            syntax = self._syntax
            if isinstance(syntax, _Unparsed):
                if self.refusal is not None:
                    return parse(b"")
                base, edits = syntax
                syntax = parse(self.data) if base is None else reparse(self._parsed(), base, edits)
                self._syntax = syntax
            return syntax

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The syntax in pieces: one, if the text parses; none, if it is not parsed (see `refusal`). Cheaper
        than `tree` while the text does not parse."""
        pieces = self._pieces
        if pieces is None:
            with self._lock:
                if self._pieces is None:
                    self._pieces = () if self.refusal is not None else self._make_pieces()
                pieces = self._pieces
        return pieces

    def _make_pieces(self) -> tuple[Piece, ...]:
        tree = self._tree_if_cheap()
        if tree is not None and not tree.root_node.has_error:
            return (Piece(0, self.data, tree.root_node),)
        pieces, self._known = cut(self.data, self._known)
        return pieces

    def _tree_if_cheap(self) -> Tree | None:
        """The tree; None if the text does not parse and its tree would have to be made from scratch."""
        syntax = self._syntax
        if not isinstance(syntax, _Unparsed):
            return syntax
        base, edits = syntax
        tree = parse(self.data) if base is None else reparse_if_sound(self._parsed(), base, edits)
        if tree is not None:
            self._syntax = tree
        return tree

    def _parsed(self) -> bytes:
        """What the parser reads."""
        return self.data if self.lines.lacks(b"\r") else as_parsed(self.data)

    def unchanged(self, before: bytes) -> tuple[int, int]:
        """How much is the same as in an earlier text, in bytes: at the beginning and, behind that, at the
        end. All there is, unless the text was made from that one by a single edit, whose range counts."""
        edited = self._edited
        if edited is not None and edited.before is before:
            return edited.until, edited.behind
        until = _common_prefix(before, self.data)
        return until, _common_suffix(before, self.data, until)

    def forget_syntax(self, cuts: Sequence[int] | None = None) -> None:
        """Drop what was parsed, but whether it `is_sound`: a tree takes twenty times the memory of its text.
        It is parsed again when next asked for. `cuts` say where statements start, in order, so that only
        those that are asked for are parsed again: those at the top level, and those of the bodies of classes
        there; twice the offset (bytes), and one more for the latter."""
        if self._pieces is not None:
            self._is_sound = self.is_sound
        with self._lock:
            self._cuts = cuts or self._cuts
            self._parsed_parts = {}
            self._syntax = _NEVER_PARSED
            self._pieces = None
            self._known = Known()
            self.lines.forget_starts()

    @property
    def parts(self) -> tuple[DocumentPart, ...]:
        """The texts that people see: the cells of a notebook in order, else one for all."""
        return (DocumentPart(None, 0, self.lines),)

    def part(self, offset: int) -> DocumentPart:
        """The part that holds an offset."""
        return DocumentPart(None, 0, self.lines)

    def node_at(self, offset: int) -> Node | None:
        """The smallest syntax node at an offset."""
        found = self.piece_at(offset)
        if found is None:
            return None
        start, piece = found
        return piece.root.descendant_for_byte_range(offset - start, offset - start)

    def piece_at(self, offset: int) -> tuple[int, Piece] | None:
        """The innermost piece at an offset, with where it starts in the document: in a text that parses, all
        of it, or the statement there, if nothing else was parsed again (see `forget_syntax`)."""
        if self._pieces is None and self._cuts is not None and self._is_sound:
            part = self._part_at(offset, self._cuts)
            if part is not None:
                return part.start, part
        pieces = self.pieces
        position = bisect_right(pieces, offset, key=_start_of) - 1
        return pieces[position].at(offset) if position >= 0 else None

    def _part_at(self, offset: int, cuts: Sequence[int]) -> Piece | None:
        """The statement at an offset of a text that parses: one of the body of a class, with nothing else on
        its first line, else that at the top level. None if it does not parse by itself, or there is none."""
        first = bisect_right(cuts, 2 * offset + 1) - 1
        if first < 0:
            return None
        start, end = cuts[first] // 2, first + 1
        is_member = cuts[first] % 2 == 1
        if is_member:
            line = self.data.rfind(b"\n", 0, start) + 1
            is_member = not self.data[line:start].strip()
            start = line
        if not is_member:
            while cuts[first] % 2:
                first -= 1
            while end < len(cuts) and cuts[end] % 2:
                end += 1
            start = cuts[first] // 2
        with self._lock:
            if start not in self._parsed_parts:
                text = self.data[start : cuts[end] // 2 if end < len(cuts) else len(self.data)]
                tree = parse_member(text) if is_member else parse(text)
                is_sound = not tree.root_node.has_error
                self._parsed_parts[start] = Piece(start, text, tree.root_node) if is_sound else None
            return self._parsed_parts[start]

    @property
    def is_sound(self) -> bool:
        """Whether the text parses."""
        if self._is_sound is None:
            self._is_sound = all(piece.is_sound for piece in self.pieces)
        return self._is_sound

    def text(self, start: int, end: int) -> str:
        """The text of the bytes `start`..`end`; both must be between characters."""
        return self.lines.data[start:end].decode()

    def apply(self, changes: Sequence[Change], version: int | None, encoding: PositionEncoding) -> Document:
        """The document after `changes`, made one after the other, each relative to the one before.

        Nothing is parsed yet. Raises PositionError when a range is outside the text; this snapshot stays
        as it is in any case.
        """
        lines = self.lines
        syntax = self._syntax
        pending = syntax if isinstance(syntax, _Unparsed) else _Unparsed(syntax, ())
        is_accepted = self._is_accepted
        edited: _Edited | None = None
        for change in changes:
            if len(change.text) > _LONG:
                is_accepted = False
            if change.start is None and change.end is None:
                lines, pending = LineIndex(as_utf8(change.text)), _NEVER_PARSED
                continue
            start, end = _offsets(lines, change, encoding)
            before, lines = lines, lines.after_edit(start, end, as_utf8(change.text))
            is_short = len(changes) == 1 and end - start <= _LONG and len(change.text) <= _LONG
            edited = _Edited(before.data, start, len(before.data) - end) if is_short else None
            pending = pending.plus(tree_edit(before, lines, start, end))
        unchanged = lines.data == self.lines.data
        if len(lines.data) > SMALL_BYTES and not pending.edits and not unchanged:
            is_accepted = False  # it was replaced, or much has come by and by
        return Document(
            self.uri,
            version,
            lines,
            syntax if unchanged else pending,
            self._known,
            self._limit,
            is_accepted and (self._limit is None or len(lines.data) <= self._limit),
            edited,
        )

    def without(self, start: int, end: int) -> Document:
        """The document without the bytes `start`..`end`; of no version."""
        syntax = self._syntax
        pending = syntax if isinstance(syntax, _Unparsed) else _Unparsed(syntax, ())
        lines = self.lines.after_edit(start, end, b"")
        pending = pending.plus(tree_edit(self.lines, lines, start, end))
        return Document(self.uri, None, lines, pending, self._known, self._limit, self._is_accepted)


def _start_of(piece: Piece) -> int:
    return piece.start


def _common_prefix(first: bytes, second: bytes) -> int:
    """The length of the text that both start with."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_suffix(first: bytes, second: bytes, prefix: int) -> int:
    """The length of the text that both end with, behind a common prefix."""
    low, high = 0, min(len(first), len(second)) - prefix
    while low < high:
        middle = (low + high + 1) // 2
        if first[len(first) - middle : len(first) - low] == second[len(second) - middle : len(second) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def _offsets(lines: LineIndex, change: Change, encoding: PositionEncoding) -> tuple[int, int]:
    if change.start is None or change.end is None:
        raise PositionError(_HALF_RANGE)
    start = lines.offset(*change.start, encoding)
    end = lines.offset(*change.end, encoding)
    if end < start:
        raise PositionError(
            _REVERSED_RANGE,
            start_line=change.start[0],
            start_character=change.start[1],
            end_line=change.end[0],
            end_character=change.end[1],
            line_count=lines.line_count,
        )
    return start, end


def as_utf8(text: str) -> bytes:
    """A text in UTF-8, with U+FFFD for each lone surrogate."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        units = text.encode("utf-16-le", errors="surrogatepass")
        return units.decode("utf-16-le", errors="replace").encode()
