"""Breaking lines that conversion has made longer than the file's own."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

_LEAST: Final = 100
_MOST: Final = 120
_MOST_ROUNDS: Final = 12
_OPENING: Final = "([{"
_CLOSING: Final = ")]}"
_LINES: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def with_line_breaks(before: bytes, after: bytes) -> bytes:
    """A converted module, its new lines broken within brackets where they are longer than what the module
    had and than 100 characters, and in any case than 120. What it means stays the same; where that cannot be
    told, all stays as it is."""
    try:
        old, new = before.decode("utf-8"), after.decode("utf-8")
    except UnicodeDecodeError:
        return after
    known = {_without_end(line) for line in _LINES.findall(old)}
    limit = min(_MOST, max(_LEAST, *map(len, known), 0))
    text = new
    for _ in range(_MOST_ROUNDS):
        broken = _broken(text, known, limit)
        if broken == text:
            break
        text = broken
    return text.encode("utf-8") if text != new and _is_same(new, text) else after


def _is_same(one: str, other: str) -> bool:
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _without_end(line: str) -> str:
    return line.rstrip("\r\n")


class _Pair(NamedTuple):
    """Brackets that are opened and closed in a line, and the commas right within, by columns."""

    start: int
    end: int
    commas: Sequence[int]


def _broken(text: str, known: set[str], limit: int) -> str:
    """The text with each line that is too long broken once."""
    lines = _LINES.findall(text)
    long = {
        number
        for number, line in enumerate(lines)
        if len(_without_end(line)) > limit and _without_end(line) not in known
    }
    if not long:
        return text
    pairs = _outermost_pairs(text, long)
    for number in long:
        chosen = max(pairs.get(number, ()), key=lambda pair: pair.end - pair.start, default=None)
        if chosen is not None:
            lines[number] = "".join(_parts(lines[number], chosen, limit))
    return "".join(lines)


def _parts(line: str, pair: _Pair, limit: int) -> Iterator[str]:
    """The lines that a line becomes which is broken within brackets."""
    content = _without_end(line)
    end = line[len(content) :] or "\n"
    indent = content[: len(content) - len(content.lstrip())]
    inner = indent + ("\t" if indent.endswith("\t") else "    ")
    body = content[pair.start + 1 : pair.end].strip()
    yield content[: pair.start + 1] + end
    if len(inner) + len(body) <= limit or not pair.commas:
        yield inner + body + end
    else:
        at = pair.start + 1
        for stop in (*(comma + 1 for comma in pair.commas), pair.end):
            if content[at:stop].strip():
                yield inner + content[at:stop].strip() + end
            at = stop
    yield indent + content[pair.end :] + line[len(content) :]


@dataclass
class _Open:
    """A bracket that is open: where, and the commas within, so far."""

    row: int
    column: int
    is_outermost: bool
    commas: list[int] = field(default_factory=list)


def _outermost_pairs(text: str, rows: set[int]) -> dict[int, list[_Pair]]:
    """By the numbers of some lines, the brackets with something in them that are opened and closed there and
    are in no others of the line. Nothing where the text has no tokens, or is within a text itself."""
    found: dict[int, list[_Pair]] = {}
    stack: list[_Open] = []
    texts = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
            name, row = tokenize.tok_name[token.type], token.start[0] - 1
            texts += name.endswith("STRING_START")
            texts -= name.endswith("STRING_END")
            if name == "STRING" and token.end[0] > token.start[0]:
                rows = rows - set(range(row, token.end[0]))
            if texts or name != "OP":
                continue
            if token.string in _OPENING:
                stack.append(_Open(row, token.start[1], not any(each.row == row for each in stack)))
            elif token.string in _CLOSING and stack:
                opened = stack.pop()
                column = token.start[1]
                if opened.row == row and row in rows and opened.is_outermost and column > opened.column + 1:
                    found.setdefault(row, []).append(_Pair(opened.column, column, opened.commas))
            elif token.string == "," and stack and stack[-1].row == row:
                stack[-1].commas.append(token.start[1])
    except (tokenize.TokenError, SyntaxError):
        return {}
    return {row: pairs for row, pairs in found.items() if row in rows}
