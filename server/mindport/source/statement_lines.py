"""Where statements start in text that does not parse: what indentation and the first word of a line tell."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_MOST_STATEMENTS: Final = 20
"""As many statements are looked through for what closes a bracket."""
TRIPLE_QUOTES: Final = (b'"""', b"'''")
_BODY_LINE: Final = re.compile(rb"^[ \t\x0c]*(?=[^\s#])", re.MULTILINE)
_DEFINITION: Final = re.compile(rb"[ \t\x0c]*(?:def|class|async)\b")


@lru_cache(64)
def _start(most: int) -> re.Pattern[bytes]:
    return re.compile(rb"\n[ \t\x0c]{0,%d}(?=[^\s#)\]}])(?!(?:elif|else|except|finally)\b)" % most)


def starts(text: bytes, most: int) -> list[int]:
    """Where statements start: at lines that are indented by at most that many characters, but for those
    which go on with the statement before. The first line starts one in any case, with all that is before."""
    found = [0]
    first = next_body_line(text, 0, len(text))
    is_decorated = first is not None and text[first:].lstrip().startswith(b"@")
    decorators = [0] if is_decorated else []
    for match in _start(most).finditer(text):
        start = match.start() + 1
        if start == first:
            pass
        elif text[max(start - 3, 0) : start].rstrip(b"\r\n").endswith(b"\\"):
            continue
        elif not (decorators and _DEFINITION.match(text, start)):
            found.append(start)
        else:
            del found[found.index(decorators[0]) + 1 :]
        is_decorator = text[match.end() : match.end() + 1] == b"@"
        decorators = [*decorators, found[-1]] if is_decorator else []
    return found


@lru_cache(64)
def _clause(most: int) -> re.Pattern[bytes]:
    return re.compile(rb"^[ \t\x0c]{0,%d}(?:elif|else|except|finally)\b" % most, re.MULTILINE)


def clause_starts(text: bytes, start: int, end: int) -> list[int]:
    """Where the clauses of the compound statement `start`..`end` start."""
    found = _clause(indentation(text, start)).finditer(text, start + 1, end)
    return [start, *(match.start() for match in found)]


def definition_start(text: bytes, start: int, end: int) -> int | None:
    """Where behind its decorators the function or class `start`..`end` starts."""
    position = start + indentation(text, start)
    if text[position : position + 1] != b"@":
        return None
    for match in _start(indentation(text, start)).finditer(text, start, end):
        if _DEFINITION.match(text, match.start() + 1):
            return match.start() + 1
    return None


def is_behind_empty_line(text: bytes, start: int) -> bool:
    """Whether the line before the one that starts there is empty."""
    line = text.rfind(b"\n", 0, max(start - 1, 0)) + 1
    return not text[line:start].strip()


@lru_cache(64)
def _stray(most: int, is_compound: bool) -> re.Pattern[bytes]:
    clauses = rb"" if is_compound else rb"|(?:elif|else|except|finally)\b"
    return re.compile(rb"^[ \t\x0c]{0,%d}(?:[)\]}]%s).*\n?" % (most, clauses), re.MULTILINE)


def stray_line(text: bytes, start: int, end: int, most: int, is_compound: bool) -> tuple[int, int] | None:
    """The first line that starts with a closing bracket, or with a clause where the statement has none,
    and is indented by at most that many characters."""
    match = _stray(most, is_compound).search(text, start, end)
    return match.span() if match is not None else None


def indentation(text: bytes, start: int) -> int:
    """By how many characters the line that starts there is indented."""
    position = start
    while text[position : position + 1] in (b" ", b"\t", b"\x0c"):
        position += 1
    return position - start


def next_body_line(text: bytes, start: int, end: int) -> int | None:
    """Where the first line starts that is neither empty nor a comment."""
    match = _BODY_LINE.search(text, start, end)
    return match.start() if match is not None and match.end() < end else None


def where_closed(text: bytes, bounds: list[int], position: int) -> int | None:
    """Where among `bounds` the statement at `position` may end, if it opens a string or a bracket that ends
    in one of the statements behind it: those are its own lines then, only not indented."""
    start, end = bounds[position], bounds[position + 1]
    for quotes in TRIPLE_QUOTES:
        if text.count(quotes, start, end) % 2:
            closing = text.find(quotes, end)
            if closing < 0:
                return None
            last = position + 1
            while bounds[last] <= closing:
                last += 1
            return last
    depth = _depth(text, start, end)
    if depth <= 0:
        return None
    for last in range(position + 1, min(position + _MOST_STATEMENTS, len(bounds) - 1)):
        depth += _depth(text, bounds[last], bounds[last + 1])
        if depth <= 0:
            return last + 1
    return None


def _depth(text: bytes, start: int, end: int) -> int:
    """How many more brackets are opened than closed."""
    opened = sum(text.count(bracket, start, end) for bracket in (b"(", b"[", b"{"))
    return opened - sum(text.count(bracket, start, end) for bracket in (b")", b"]", b"}"))
