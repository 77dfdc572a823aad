"""What IPython understands in a cell and Python does not: magics, shell commands, help.

It is blanked out, so that the rest can be parsed as Python. Every byte keeps its offset.
"""

from __future__ import annotations

import re

PYTHON_CELL_MAGICS = frozenset({b"capture", b"memit", b"prun", b"time", b"timeit"})
"""Cell magics that run the cell as Python among the notebook's names. Of a cell with any other (`%%bash`,
`%%writefile`, ...) nothing is Python here."""

_MARKS = (b"%", b"!", b"?")
_CELL_MAGIC = re.compile(rb"[ \t\r\n]*%%(\w+)[^\r\n]*")
_TO_LINE_END = rb"(?:\\(?:\r\n|\r|\n)|[^\r\n])*"
_LINE = re.compile(
    rb"(?P<indent>[ \t]*)(?:"
    rb"(?:%%?[A-Za-z_]|!|\?)" + _TO_LINE_END + rb"|"
    rb"(?P<assigned>[A-Za-z_][\w.\[\], \t]*=[ \t]*)(?P<value>(?:%[A-Za-z_]|!)" + _TO_LINE_END + rb")|"
    rb"[%\w.\[\]()*, \t]+\?\??[ \t]*(?=[\r\n]|\Z))"
)
"""A logical line that is not Python: a magic, a shell command, help; or the assignment of what one gives."""
_TOKEN = re.compile(
    rb"(?P<skip>#[^\r\n]*|\"\"\"(?:\\.|(?!\"\"\").)*(?:\"\"\"|\Z)|'''(?:\\.|(?!''').)*(?:'''|\Z)"
    rb"|\"(?:\\(?:\r\n|.)|[^\"\\\r\n])*\"?|'(?:\\(?:\r\n|.)|[^'\\\r\n])*'?|\\(?:\r\n|.)?|[^#\"'\\()\[\]{}\r\n]+)"
    rb"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<newline>\r\n|\r|\n)",
    re.DOTALL,
)
_NOT_LINE_END = re.compile(rb"[^\r\n]")


def blank_magics(cell: bytes) -> bytes:
    """The text of a cell (UTF-8) with spaces in place of what is not Python; as many bytes, the same lines.

    Where a statement or a value is needed to keep the rest valid, a `0` or `_` stands in for it.
    """
    if not any(mark in cell for mark in _MARKS):
        return cell
    start = 0
    magic = _CELL_MAGIC.match(cell)
    if magic:
        if magic[1] not in PYTHON_CELL_MAGICS:
            return _blank(cell)
        start = magic.end()
    blanked = bytearray(cell)
    blanked[:start] = _blank(cell[:start])
    for line in _foreign_lines(cell, start):
        _blank_line(blanked, line)
    return bytes(blanked)


def _foreign_lines(cell: bytes, position: int) -> list[re.Match[bytes]]:
    """The logical lines that are not Python. A line inside brackets or a string is not one by itself."""
    found = []
    depth = 0
    is_line_start = True
    while position < len(cell):
        line = _LINE.match(cell, position) if is_line_start and depth == 0 else None
        if line:
            found.append(line)
            position = line.end()
            is_line_start = False
            continue
        token = _TOKEN.match(cell, position)
        assert token is not None  # there is a case for every byte
        depth = max(0, depth + (token["open"] is not None) - (token["close"] is not None))
        is_line_start = token["newline"] is not None
        position = token.end()
    return found


def _blank_line(blanked: bytearray, line: re.Match[bytes]) -> None:
    start, end = line.span("value") if line["value"] is not None else (line.end("indent"), line.end())
    blanked[start:end] = _blank(bytes(blanked[start:end]))
    if line["value"] is not None:
        blanked[start : start + 1] = b"_"  # a value of which nothing is known
    elif line["indent"]:
        blanked[start : start + 1] = b"0"  # it may be all there is in its block


def _blank(text: bytes) -> bytes:
    return _NOT_LINE_END.sub(b" ", text)
