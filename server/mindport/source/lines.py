"""Where the lines of a text are: byte offsets to lines and columns and back, in every position encoding."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import Literal, NamedTuple

from mindport.language import Text
from mindport.source.error import TextError

PositionEncoding = Literal["utf-8", "utf-16", "utf-32"]
"""What a `character` counts: UTF-8 bytes, UTF-16 code units or code points."""

_TERMINATORS = b"\r\n"
_MOST_EMPTY_LINES = 20
"""The line of code before an edit is looked for behind no more empty lines."""
_CARRIAGE_RETURN = 0x0D
_LINE_FEED = 0x0A

_NO_SUCH_LINE = Text(
    "Line {line} (counted from 0) is beyond the document, which has {line_count} lines.",
    "行号 {line}（从 0 起）超出文档范围：文档共 {line_count} 行。",
)
_NEGATIVE_POSITION = Text(
    "The position {line}:{character} is not valid: lines and characters are counted from 0. "
    "The document has {line_count} lines.",
    "位置 {line}:{character} 无效：行号和字符位置均从 0 起。文档共 {line_count} 行。",
)
_NO_SUCH_OFFSET = Text(
    "The byte offset {offset} is outside the document, which has {size} bytes.",
    "字节偏移 {offset} 超出文档范围：文档共 {size} 字节。",
)


class PositionError(TextError, ValueError):
    """A position that the document does not have."""


class TreeEdit(NamedTuple):
    """What the parser is told about an edit: offsets in bytes, points as row and byte column from 0."""

    start: int
    old_end: int
    new_end: int
    start_point: tuple[int, int]
    old_end_point: tuple[int, int]
    new_end_point: tuple[int, int]


class LineIndex:
    """The lines of a UTF-8 text. Immutable.

    Lines end at `\\n`, `\\r\\n` and `\\r`, and at nothing else. A text that ends with a terminator has an
    empty last line, so an empty text has one line. Offsets count bytes; lines and characters count from 0.
    """

    __slots__ = ("_absent", "_ascii", "_first_moved", "_known_starts", "_moved", "data")

    data: bytes
    """The text, valid UTF-8."""

    def __init__(
        self,
        data: bytes,
        starts: list[int] | None = None,
        first_moved: int = 0,
        moved: int = 0,
        absent: tuple[bytes, ...] = (),
        is_ascii: bool | None = None,
    ) -> None:
        """All but `data` is for this class alone: what is known already. Lines from `first_moved` on start
        `moved` bytes behind where `starts` has them, which is that of an earlier text: where somebody types,
        making it anew for all lines behind would take longer than the rest. `absent` is nowhere in `data`."""
        self.data = data
        self._known_starts = starts
        self._first_moved = first_moved
        self._moved = moved
        self._absent = absent
        self._ascii = data.isascii() if is_ascii is None else is_ascii

    @property
    def _starts(self) -> list[int]:
        """Where lines start, found when first asked for: most files of a project nobody asks."""
        starts = self._known_starts
        if starts is None:
            starts = self._known_starts = _line_starts(self.data, 0)
        return starts

    def forget_starts(self) -> None:
        """Drop where lines start, which takes half the memory of the text."""
        if not self._moved:
            self._known_starts = None

    def lacks(self, text: bytes) -> bool:
        """Whether `text` is nowhere in this one. It is searched for once, whatever is edited afterwards."""
        if text in self._absent:
            return True
        if text in self.data:
            return False
        self._absent = (*self._absent, text)
        return True

    def after_edit(self, start: int, old_end: int, new_bytes: bytes) -> LineIndex:
        """The index of the text in which the bytes `start`..`old_end` are replaced by `new_bytes`.

        Only the lines the edit touches are searched for terminators.
        Raises PositionError when `start`..`old_end` is no range of this text.
        """
        self._check_offset(start)
        self._check_offset(old_end)
        if old_end < start:
            raise PositionError(_NO_SUCH_OFFSET, offset=old_end, size=len(self.data))
        before = memoryview(self.data)
        data = b"".join((before[:start], new_bytes, before[old_end:]))
        starts, first_moved, moved = self._starts_after_edit(data, start, old_end)
        end = start + len(new_bytes)
        absent = tuple(
            [one for one in self._absent if one not in data[max(start - len(one), 0) : end + len(one)]]
        )
        is_ascii = new_bytes.isascii() if self._ascii else None
        return LineIndex(data, starts, first_moved, moved, absent, is_ascii)

    def _starts_after_edit(self, data: bytes, start: int, old_end: int) -> tuple[list[int], int, int]:
        first = self.line_of(start)
        if first > 0 and self._start(first) == start and self.data[start - 1] == _CARRIAGE_RETURN:
            first -= 1  # the line before ends with "\r", which may now become "\r\n", or was split from it
        after = self.line_of(old_end) + 1
        begin = self._start(first)
        if after == len(self._starts):
            return self._all_starts()[:first] + _line_starts(data[begin:], begin), 0, 0
        shift = len(data) - len(self.data)
        middle = _line_starts(data[begin : self._start(after) + shift], begin)
        middle.pop()  # the start of the first line after the edit, which the rest begins with
        if middle == [self._start(line) for line in range(first, after)]:
            if not shift:
                return self._starts, self._first_moved, self._moved
            if not self._moved or self._first_moved == after:
                return self._starts, after, self._moved + shift
        starts = self._all_starts()
        rest = starts[after:]
        return starts[:first] + middle + ([line + shift for line in rest] if shift else rest), 0, 0

    def _all_starts(self) -> list[int]:
        """Where each line starts."""
        if not self._moved:
            return self._starts
        first, moved = self._first_moved, self._moved
        return self._starts[:first] + [start + moved for start in self._starts[first:]]

    def _start(self, line: int) -> int:
        return self._starts[line] + (self._moved if line >= self._first_moved else 0)

    @property
    def line_count(self) -> int:
        """How many lines the text has, at least 1."""
        return len(self._starts)

    def line_of(self, offset: int) -> int:
        """The line that holds the byte at `offset` (the last line for the end of the text).

        Raises PositionError when `offset` is outside the text.
        """
        self._check_offset(offset)
        first, starts = self._first_moved, self._starts
        if first < len(starts) and offset >= starts[first] + self._moved:
            return bisect_right(starts, offset - self._moved, first) - 1
        return bisect_right(starts, offset, 0, first) - 1

    def line_start(self, line: int) -> int:
        """The offset of the first byte of `line`. Raises PositionError if there is no such line."""
        if not 0 <= line < len(self._starts):
            raise PositionError(_NO_SUCH_LINE, line=line, line_count=len(self._starts))
        return self._start(line)

    def line_end(self, line: int) -> int:
        """The offset where the content of `line` ends, before its terminator. Raises PositionError."""
        start = self.line_start(line)
        if line + 1 == len(self._starts):
            return len(self.data)
        end = self._start(line + 1) - 1
        if end > start and self.data[end - 1] == _CARRIAGE_RETURN and self.data[end] == _LINE_FEED:
            end -= 1
        return end

    def line_bytes(self, line: int) -> bytes:
        """The content of `line` without its terminator. Raises PositionError if there is no such line."""
        return self.data[self.line_start(line) : self.line_end(line)]

    def position(self, offset: int, encoding: PositionEncoding) -> tuple[int, int]:
        """The line and character of `offset`, both from 0.

        An offset inside a character is rounded down to its start, one inside a terminator to the end of the
        line's content. Raises PositionError when `offset` is outside the text.
        """
        line = self.line_of(offset)
        start = self._start(line)
        if self._ascii:
            starts = self._starts
            is_inside = line + 1 < len(starts) and offset + 2 < self._start(line + 1)
            return line, (offset if is_inside else min(offset, self.line_end(line))) - start
        before = self.data[start : min(self._character_start(offset), self.line_end(line))]
        if encoding == "utf-8" or before.isascii():
            return line, len(before)
        text = before.decode()
        return line, len(text) if encoding == "utf-32" else len(text.encode("utf-16-le")) // 2

    def offset(self, line: int, character: int, encoding: PositionEncoding) -> int:
        """The byte offset of a position.

        A character beyond the line means the line's end, as the Language Server Protocol says; one inside
        a character (a surrogate pair, or bytes of UTF-8) is rounded down to the character's start.
        Raises PositionError, naming line and line count, when there is no such line.
        """
        if line < 0 or character < 0:
            raise PositionError(
                _NEGATIVE_POSITION, line=line, character=character, line_count=len(self._starts)
            )
        start, end = self.line_start(line), self.line_end(line)
        if encoding == "utf-8":
            return self._character_start(min(start + character, end))
        if self._ascii:
            return min(start + character, end)
        content = self.data[start:end]
        if content.isascii():
            return min(start + character, end)
        if encoding == "utf-32":
            return start + len(content.decode()[:character].encode())
        units = content.decode().encode("utf-16-le")[: 2 * character]
        return start + len(units.decode("utf-16-le", errors="ignore").encode())

    def code_point_position(self, offset: int) -> tuple[int, int]:
        """The line and column of `offset` for people: both from 1, columns count code points."""
        line, character = self.position(offset, "utf-32")
        return line + 1, character + 1

    def _check_offset(self, offset: int) -> None:
        if not 0 <= offset <= len(self.data):
            raise PositionError(_NO_SUCH_OFFSET, offset=offset, size=len(self.data))

    def _character_start(self, offset: int) -> int:
        data = self.data
        while not self._ascii and 0 < offset < len(data) and data[offset] & 0xC0 == 0x80:
            offset -= 1
        return offset


def _line_starts(data: bytes, start: int) -> list[int]:
    """The offsets of the lines of `data`, which itself begins at the offset `start`.

    `bytes.splitlines` (unlike `str.splitlines`) splits at the three terminators only.
    """
    starts = list(accumulate(map(len, data.splitlines(keepends=True)), initial=start))
    if len(starts) > 1 and data[-1] not in _TERMINATORS:
        starts.pop()  # no terminator at the end, hence no empty last line
    return starts


def goes_on(data: bytes, line_start: int) -> bool:
    """Whether the line that starts here goes on with the one before, which ends with a backslash."""
    return data.endswith((b"\\\n", b"\\\r\n", b"\\\r"), 0, line_start)


def tree_edit(before: LineIndex, after: LineIndex, start: int, old_end: int) -> TreeEdit:
    """The edit of the bytes `start`..`old_end` that led from the text of `before` to that of `after`, as the
    parser is told of it: to the end of its last line, and where it starts with a line, from the end of the
    line of code before.

    Told of no more than the edit, the parser cannot take up the old tree again where a block starts or ends
    there, and reads the rest of the file: in one of 5,000 lines that takes 20 ms instead of 0.5
    (tree-sitter 0.26).
    """
    grown = len(after.data) - len(before.data)
    line = before.line_of(start)
    if not before.data[before.line_start(line) : start].strip():
        start = _end_of_code(before, line - 1)
    last = before.line_of(old_end) + 1
    end = before.line_start(last) if last < before.line_count else len(before.data)
    points = _point(before, start), _point(before, end), _point(after, end + grown)
    return TreeEdit(start, end, end + grown, *points)


def _end_of_code(lines: LineIndex, line: int) -> int:
    """Where the last character is of a line that is not empty, this one or one before it."""
    for candidate in range(line, max(line - _MOST_EMPTY_LINES, -1), -1):
        code = lines.line_bytes(candidate).rstrip()
        if code:
            return lines.line_start(candidate) + len(code) - 1
    return lines.line_start(max(line - _MOST_EMPTY_LINES, 0))


def _point(lines: LineIndex, offset: int) -> tuple[int, int]:
    line = lines.line_of(offset)
    return line, offset - lines.line_start(line)
