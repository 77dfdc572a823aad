"""What a conversion changes, as a unified diff."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

_CONTEXT = 3
_BOLD, _RED, _GREEN, _CYAN, _PLAIN = "1", "31", "32", "36", ""
_COLOURS = {" ": _PLAIN, "-": _RED, "+": _GREEN}
_NO_LINE_END = "\\ No newline at end of file"


def unified_diff(path: str, before: bytes, after: bytes, colour: bool = False) -> str:
    """The diff between two texts (UTF-8) of the file `path`, for `patch -p0` and `git apply -p0`. With
    `colour` it is for a terminal: then what would control the terminal is escaped."""
    if before == after:
        return ""
    lines = [(_BOLD, f"--- {path}\n"), (_BOLD, f"+++ {path}\n"), *_hunks(_lines(before), _lines(after))]
    return "".join(_painted(paint, line) if colour else _ended(line) for paint, line in lines)


def _lines(data: bytes) -> list[str]:
    return [line.decode() for line in data.splitlines(keepends=True)]


def _hunks(before: list[str], after: list[str]) -> Iterator[tuple[str, str]]:
    """The lines of all hunks, each with its colour."""
    for group in SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(_CONTEXT):
        first, last = group[0], group[-1]
        yield _CYAN, f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n"
        for kind, start, end, new_start, new_end in group:
            removed = " " if kind == "equal" else "-"
            yield from ((_COLOURS[removed], removed + line) for line in before[start:end])
            if kind != "equal":
                yield from ((_GREEN, "+" + line) for line in after[new_start:new_end])


def _range(start: int, end: int) -> str:
    """Lines as the header of a hunk has them: the first, from 1 (of none, the one before), and how many."""
    length = end - start
    return f"{start + 1 if length else start},{length}"


def _ended(line: str) -> str:
    return line if line.endswith(("\n", "\r")) else f"{line}\n{_NO_LINE_END}\n"


def _painted(colour: str, line: str) -> str:
    text = "".join(c if c.isprintable() or c == "\t" else repr(c)[1:-1] for c in line.rstrip("\r\n"))
    return f"\x1b[{colour}m{text}\x1b[0m\n" if colour else f"{text}\n"
