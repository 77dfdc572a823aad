"""A source line as a terminal shows it, and where in it a marker goes."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

TAB = 4
"""Tabs are shown as spaces up to the next multiple of this."""
WIDEST = 120
"""Longer lines are cut, in terminal cells."""
_BEFORE = 40
_CUT = "…"
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_CONTROL = ("Cc", "Cs", "Zl", "Zp")
_WITHOUT_WIDTH = ("Mn", "Me", "Cf")


class Excerpt(NamedTuple):
    """A line to show; `start` and `width`, in terminal cells, say where the marker goes below it."""

    text: str
    start: int
    width: int


def excerpt(line: str, start: int, end: int) -> Excerpt:
    """The line with a marker below its code points `start`..`end` (at least one cell wide).

    Tabs become spaces, other control characters a replacement character: they must not reach a terminal.
    Of a long line the part around `start` is kept.
    """
    first = max(0, start - WIDEST - _BEFORE)  # cheap bounds: a line may have millions of characters
    last = start + WIDEST
    cells, shown = _lay_out(line[first:last])
    start, end = start - first, min(end, last) - first
    left, right = 0, len(shown)
    if first > 0 or last < len(line) or cells[-1] > WIDEST:
        while cells[start] - cells[left] > _BEFORE:
            left += 1
        while cells[right] - cells[left] > WIDEST and right > start + 1:
            right -= 1
    before = _CUT if first + left > 0 else ""
    after = _CUT if first + right < len(line) else ""
    text = before + "".join(shown[left:right]) + after
    marker = cells[start] - cells[left] + len(before)
    return Excerpt(text.rstrip(), marker, max(1, cells[max(start, min(end, right))] - cells[start]))


def _lay_out(text: str) -> tuple[list[int], list[str]]:
    """The cell at which each code point starts, and where the last one ends; and what is shown for each."""
    cells, shown = [0], []
    for character in text:
        at = cells[-1]
        if character == "\t":
            shown.append(" " * (TAB - at % TAB))
            cells.append(at + TAB - at % TAB)
            continue
        visible = _REPLACEMENT if unicodedata.category(character) in _CONTROL else character
        shown.append(visible)
        cells.append(at + cell_width(visible))
    return cells, shown


def cell_width(character: str) -> int:
    """How many terminal cells one code point takes: two for wide ones, none for combining ones."""
    if character.isascii():
        return 1
    if unicodedata.category(character) in _WITHOUT_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
