"""Breaking lines that conversion has made longer than the file's own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

_LEAST: Final = 100
LONGEST: Final = 120
"""What a line should have at most, in characters."""
_MOST_ROUNDS: Final = 12
_OPENING: Final = "([{"
_CLOSING: Final = ")]}"
_LINES: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
TOKENS: Final = re.compile(
    r"""\#[^\r\n]*
    | (?P<text> \'{3} (?:[^\\]|\\.)*? \'{3} | "{3} (?:[^\\]|\\.)*? "{3}
        | \' (?:[^'\\\r\n]|\\(?:\r\n|.))* \' | " (?:[^"\\\r\n]|\\(?:\r\n|.))* " )
    | (?P<sign> [()\[\]{},] )
    | (?P<end> \r\n|\r|\n )""",
    re.DOTALL | re.VERBOSE,
)
"""What brackets are told by: comments, texts, brackets and commas, ends of lines. Python's own tokenizer
takes many times as long, and knows formatted texts that have quotes like their own within."""


def with_line_breaks(before: bytes, after: bytes) -> bytes:
    """A converted module, its new lines broken within brackets where they are longer than what the module
    had and than 100 characters, and in any case than 120. What it means stays the same; where that cannot be
    told, all stays as it is."""
    try:
        old, new = before.decode("utf-8"), after.decode("utf-8")
    except UnicodeDecodeError:
        return after
    known = {_without_end(line) for line in _LINES.findall(old)}
    limit = min(LONGEST, max(_LEAST, *map(len, known), 0))
    text = new
    for _ in range(_MOST_ROUNDS):
        broken = _broken(text, known, limit)
        if broken == text:
            break
        text = broken
    return text.encode("utf-8") if text != new and is_same(new, text) else after


def is_same(one: str, other: str) -> bool:
    """Whether two modules mean the same. Statements that have the same lines need no comparison."""
    try:
        before, after = ast.parse(one).body, ast.parse(other).body
        if len(before) != len(after):
            return False
        lines, others = _LINES.findall(one), _LINES.findall(other)
        return all(
            _lines_of(first, lines) == _lines_of(second, others) or ast.dump(first) == ast.dump(second)
            for first, second in zip(before, after, strict=True)
        )
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _lines_of(statement: ast.stmt, lines: Sequence[str]) -> Sequence[str]:
    decorators: Sequence[ast.expr] = getattr(statement, "decorator_list", ())
    first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    return lines[first - 1 : statement.end_lineno]


def _without_end(line: str) -> str:
    return line.rstrip("\r\n")


class _Comma(NamedTuple):
    """A comma in brackets that are not closed in its line; `bracket` is the column where they are opened,
    None if that is in another line."""

    column: int
    bracket: int | None


class _Pair(NamedTuple):
    """Brackets that are opened and closed in a line, in how many others of it, and the commas right within,
    by columns."""

    depth: int
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
    found = _brackets(text, long)
    for number in long:
        brackets = found.get(number)
        if brackets is None:
            continue
        content = _without_end(lines[number])
        commas = [
            comma
            for comma in brackets.commas
            if comma.column < limit and content[comma.column + 1 :].strip()[:1] not in ("", "#")
        ]
        if commas:
            lines[number] = "".join(_at_comma(lines[number], commas[-1]))
        elif brackets.pairs:
            chosen = min(brackets.pairs, key=lambda pair: (pair.depth, pair.start - pair.end))
            lines[number] = "".join(_within(lines[number], chosen, limit))
    return "".join(lines)


def _at_comma(line: str, comma: _Comma) -> Iterator[str]:
    """The two lines that a line becomes which is broken behind a comma, the second one as far in as what
    stands behind the bracket, or as the first."""
    content = _without_end(line)
    rest = content[comma.column + 1 :].strip()
    yield content[: comma.column + 1] + (line[len(content) :] or "\n")
    indent = content[: len(content) - len(content.lstrip())]
    yield (indent if comma.bracket is None else " " * (comma.bracket + 1)) + rest + line[len(content) :]


def _within(line: str, pair: _Pair, limit: int) -> Iterator[str]:
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
    """A bracket that is open: where, and the commas within, by line."""

    row: int
    column: int
    depth: int
    commas: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class _Brackets:
    """The brackets of a line that have something in them, and the commas in those that it does not close."""

    pairs: list[_Pair] = field(default_factory=list)
    commas: list[_Comma] = field(default_factory=list)


def _brackets(text: str, rows: set[int]) -> dict[int, _Brackets]:
    """The brackets of some lines, by their numbers. Nothing for a line that is within a text itself."""
    found = {row: _Brackets() for row in rows}
    stack: list[_Open] = []
    row = start = 0
    for token in TOKENS.finditer(text):
        sign = token["sign"]
        if token["end"]:
            row, start = row + 1, token.end()
        elif token["text"]:
            ends = _LINES.findall(token["text"])
            if len(ends) > 1:
                for inside in range(row, row + len(ends)):
                    found.pop(inside, None)
                row, start = row + len(ends) - 1, token.end() - len(ends[-1])
        elif sign and sign in _OPENING:
            stack.append(_Open(row, token.start() - start, sum(each.row == row for each in stack)))
        elif sign and stack and sign in _CLOSING:
            _close(stack.pop(), row, token.start() - start, found)
        elif sign and stack:
            stack[-1].commas.append((row, token.start() - start))
    return found


def _close(opened: _Open, row: int, column: int, found: dict[int, _Brackets]) -> None:
    """Take up brackets that end at a line and a column."""
    if opened.row == row:
        if row in found and column > opened.column + 1:
            found[row].pairs.append(
                _Pair(opened.depth, opened.column, column, [at for _, at in opened.commas])
            )
        return
    for at, place in opened.commas:
        if at in found:
            found[at].commas.append(_Comma(place, opened.column if at == opened.row else None))
