"""Continuation lines that keep their place behind an opening bracket, wherever conversion moves that."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mindport.rewrite.edit import Edit, applied
from mindport.rewrite.line_breaks import LONGEST, TOKENS, is_same

_TOKENS: Final = re.compile(TOKENS.pattern.encode(), TOKENS.flags & (re.DOTALL | re.VERBOSE))
_INDENTATION: Final = re.compile(rb" *")
_OPENING: Final = b"([{"
_ENDS: Final = b"\r\n"
_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_REST: Final = re.compile(rb"[^\r\n]*")


class _Bracket(NamedTuple):
    """An opening bracket: its offset, the line that it is in, and its column in characters."""

    offset: int
    row: int
    column: int


class _Line(NamedTuple):
    """A line that begins within brackets: its number, where it starts, how far it is indented, and the
    innermost bracket. `is_aligned`: it begins right behind that, or, where it closes it, below it."""

    row: int
    start: int
    indent: int
    bracket: _Bracket
    is_aligned: bool


def with_aligned_lines(data: bytes, edits: Sequence[Edit]) -> Sequence[Edit]:
    """The edits of a module, with those that move continuation lines along with the bracket that they are
    aligned with, and lines within these with them. What would become longer than 120 characters, and what
    edits touch, stays where it is; all does, where what the module means might change."""
    lines = list(_lines(data)) if edits else []
    if not any(line.is_aligned for line in lines):
        return edits
    places = _Places(data, edits)
    fixed: set[_Bracket] = set()
    while True:
        moves = places.moves(lines, fixed)
        too_long = {line.source for line in moves.values() if line.shift > 0 and line.length > LONGEST}
        if too_long <= fixed:
            break
        fixed |= too_long
    added = [
        Edit(start, start, " " * move.shift) if move.shift > 0 else Edit(start, start - move.shift, "")
        for start, move in moves.items()
    ]
    if not added:
        return edits
    found = sorted([*edits, *added])
    return found if is_same(places.text.decode("utf-8"), applied(data, found).decode("utf-8")) else edits


class _Move(NamedTuple):
    """How many columns a line moves to the right, with which bracket, and how long it is then."""

    shift: int
    source: _Bracket
    length: int


class _Places:
    """Where the offsets of a text are after edits, which make it `text`."""

    def __init__(self, data: bytes, edits: Sequence[Edit]) -> None:
        self._edits = edits
        self.text = applied(data, edits)
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(self.text))]
        self._ends = [edit.end for edit in edits]
        self._shifts = [0]
        for edit in edits:
            self._shifts.append(self._shifts[-1] + len(edit.new_text.encode()) - (edit.end - edit.start))

    def moves(self, lines: Sequence[_Line], fixed: set[_Bracket]) -> dict[int, _Move]:
        """The lines that have to move, by their offsets, where these brackets move nothing."""
        found: dict[int, _Move] = {}
        by_row: dict[int, _Move] = {}
        for line in lines:
            if self._is_touched(line.start, line.start + line.indent):
                continue
            around = by_row.get(line.bracket.row)
            shift, source = (around.shift, around.source) if around is not None else (0, line.bracket)
            if line.is_aligned:
                own = 0 if line.bracket in fixed else self._shift_of(line.bracket)
                if own is None:
                    continue
                shift, source = shift + own, line.bracket if own else source
            shift = max(shift, -line.indent)
            if shift:
                length = len(self._new_line(line.start)) + shift
                found[line.start] = by_row[line.row] = _Move(shift, source, length)
        return found

    def _is_touched(self, start: int, end: int) -> bool:
        """Whether an edit changes something of the indentation of a line, or right before it."""
        first = bisect_left(self._ends, start)
        return first < len(self._edits) and self._edits[first].start < max(end, start + 1)

    def _moved(self, offset: int) -> int | None:
        """Where a byte is afterwards; None if it is replaced."""
        number = bisect_left(self._ends, offset + 1)
        if number < len(self._edits) and self._edits[number].start <= offset:
            return None
        return offset + self._shifts[number]

    def _shift_of(self, bracket: _Bracket) -> int | None:
        """How far a bracket has moved in its line, which lines behind it have to follow; None where it has
        nothing behind it any more, or is gone."""
        place = self._moved(bracket.offset)
        if place is None:
            return None
        line = self._line_at(place)
        if not self.text[place + 1 : line[1]].strip():
            return None
        return len(self.text[line[0] : place].decode("utf-8")) - bracket.column

    def _new_line(self, start: int) -> str:
        """The line afterwards that starts as a line does whose indentation nothing touches."""
        begin, end = self._line_at(start + self._shifts[bisect_left(self._ends, start + 1)])
        return self.text[begin:end].decode("utf-8")

    def _line_at(self, place: int) -> tuple[int, int]:
        """Where the line of a place afterwards begins and ends."""
        number = bisect_right(self._starts, place)
        start = self._starts[number - 1]
        line = self.text[start : self._starts[number] if number < len(self._starts) else None]
        return start, start + len(line.rstrip(_ENDS))


def _lines(data: bytes) -> Iterator[_Line]:
    """The lines that begin within brackets, but for empty ones and those that begin within a text."""
    stack: list[tuple[_Bracket, bool]] = []
    row = start = 0
    for token in _TOKENS.finditer(data):
        if token["end"]:
            row, start = row + 1, token.end()
            line = _line(data, row, start, stack) if stack else None
            if line is not None:
                yield line
        elif token["text"]:
            ends = _LINE_END.findall(token["text"])
            if ends:
                row, start = row + len(ends), max(data.rfind(end, 0, token.end()) for end in ends) + 1
        elif token["sign"] and token["sign"] in _OPENING:
            column = len(data[start : token.start()].decode("utf-8", "replace"))
            is_hanging = not _rest_of_line(data, token.end())
            stack.append((_Bracket(token.start(), row, column), is_hanging))
        elif token["sign"] and token["sign"] != b"," and stack:
            stack.pop()


def _rest_of_line(data: bytes, offset: int) -> bytes:
    """What stands in a line from an offset on, without a comment at its beginning."""
    rest = _REST.match(data, offset)
    found = rest[0].strip() if rest is not None else b""
    return b"" if found.startswith(b"#") else found


def _line(data: bytes, row: int, start: int, stack: Sequence[tuple[_Bracket, bool]]) -> _Line | None:
    found = _INDENTATION.match(data, start)
    indent = len(found[0]) if found is not None else 0
    first = data[start + indent : start + indent + 1]
    if not first or first in b"\r\n\t\f":
        return None
    bracket, is_hanging = stack[-1]
    places = (bracket.column, bracket.column + 1) if first in b")]}" else (bracket.column + 1,)
    return _Line(row, start, indent, bracket, not is_hanging and indent in places)
