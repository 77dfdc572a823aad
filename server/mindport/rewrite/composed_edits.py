"""Edits of an edited text, as edits of the text before all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mindport.rewrite.edit import Edit


class _Part(NamedTuple):
    """A part of an edited text: kept bytes of the text before, or new ones in the place `start`..`end`."""

    start: int
    end: int
    new: bytes | None = None

    @property
    def length(self) -> int:
        return self.end - self.start if self.new is None else len(self.new)


def composed(data: bytes, first: Sequence[Edit], second: Sequence[Edit]) -> tuple[Edit, ...]:
    """The edits of a text that do what the `first` and then the `second` do; both sorted."""
    parts = list(_parts(len(data), first))
    return tuple(_as_edits(list(_edited(parts, second))))


def _parts(length: int, edits: Sequence[Edit]) -> Iterator[_Part]:
    end = 0
    for edit in edits:
        if edit.start > end:
            yield _Part(end, edit.start)
        yield _Part(edit.start, edit.end, edit.new_text.encode())
        end = edit.end
    if length > end:
        yield _Part(end, length)


def _edited(parts: list[_Part], edits: Sequence[Edit]) -> Iterator[_Part]:
    """Parts after edits of the text that they make."""
    waiting, place = list(reversed(parts)), 0
    for edit in edits:
        while waiting and place + waiting[-1].length <= edit.start:
            place += waiting[-1].length
            yield waiting.pop()
        if edit.start > place:
            head, tail = _cut(waiting.pop(), edit.start - place)
            place = edit.start
            waiting.append(tail)
            yield head
        at = waiting[-1].start if waiting else (parts[-1].end if parts else 0)
        yield _Part(at, at, edit.new_text.encode())
        while place < edit.end:
            part = waiting.pop()
            if place + part.length > edit.end:
                head, tail = _cut(part, edit.end - place)
                waiting.append(tail)
                part = head
            place += part.length
            yield _Part(part.start, part.end, b"")
    yield from reversed(waiting)


def _cut(part: _Part, length: int) -> tuple[_Part, _Part]:
    """A part in two; what new bytes are in the place of goes with the first."""
    if part.new is None:
        return _Part(part.start, part.start + length), _Part(part.start + length, part.end)
    return _Part(part.start, part.end, part.new[:length]), _Part(part.end, part.end, part.new[length:])


def _as_edits(parts: list[_Part]) -> Iterator[Edit]:
    """What is new, together where nothing is kept between."""
    start, end, text = 0, 0, b""
    is_open = False
    for part in parts:
        if part.new is None:
            if part.end > part.start:
                if is_open:
                    yield Edit(start, end, text.decode())
                is_open, text = False, b""
            continue
        if not is_open:
            start, is_open = part.start, True
        end, text = max(part.end, start), text + part.new
    if is_open:
        yield Edit(start, end, text.decode())
