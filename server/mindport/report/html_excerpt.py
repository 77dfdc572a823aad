"""The line of code of a finding, in three parts, for pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mindport.source.lines import LineIndex

_BEFORE = 80
_WIDEST = 200
_CUT = "…"


class Marked(NamedTuple):
    """A line: what stands before the marked part, the marked part, and what stands behind it."""

    before: str
    marked: str
    after: str


def marked(lines: LineIndex, start: int, end: int) -> Marked:
    """The line of the byte `start` with `start`..`end` marked, without its indentation. Of a long line the
    part around `start` is kept."""
    line = lines.line_of(start)
    line_start, line_end = lines.line_start(line), lines.line_end(line)
    data = lines.data
    before = data[line_start:start].decode().lstrip()
    inside = data[start : min(end, line_end)].decode()
    after = data[min(end, line_end) : line_end].decode().rstrip()
    if len(before) > _BEFORE:
        before = _CUT + before[-_BEFORE:]
    if len(inside) > _WIDEST:
        inside, after = inside[:_WIDEST] + _CUT, ""
    room = _WIDEST - len(inside)
    return Marked(before, inside, after if len(after) <= room else after[:room] + _CUT)
