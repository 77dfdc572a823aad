"""Reads of names that no analysis of the code sees: in doctests, in code that is text, in a notebook's
magics, and where the code does not parse.

Words are looked for, so that what is not read may be taken for read, but nothing the other way round.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mindport.uses.analysis import Analysis

_RUNS_TEXT = re.compile(
    rb"(?<![\w.])(?:eval|exec|globals|locals|vars)\s*\(|__dict__|__name__\s*\]|__file__\s*,"
)
"""What may read names of the module by their texts."""

_READS_NAMES = re.compile(rb"%(?:timeit|time|prun|memit|lprun|mprun|debug|run)\b|[{$]")
"""What comes before names of the notebook in a line that is not Python."""


class UnseenReads:
    """The reads of one document that analysis does not see, `gone` being the spans that are taken out."""

    def __init__(self, analysis: Analysis, gone: Sequence[tuple[int, int]]) -> None:
        self._analysis = analysis
        self._document = analysis.document
        self._data = analysis.document.data
        self._gone = gone
        self._runs_text = _RUNS_TEXT.search(self._data) is not None
        self._is_broken = any(piece.root.has_error for piece in self._document.pieces)

    def may_be_read(self, name: str) -> bool:
        """Whether a name may be read in such a way."""
        word = re.escape(name.encode())
        return (
            self._is_in_doctest(word)
            or self._is_in_magic(word)
            or (self._runs_text and re.search(rb"""["'][^"'\r\n]*\b%b\b""" % word, self._data) is not None)
            or (self._is_broken and any(self._elsewhere(word)))
        )

    def _is_in_doctest(self, word: bytes) -> bool:
        """Whether an example in a string reads the name without binding it in the same string before."""
        if b">>>" not in self._data:
            return False
        reads = re.compile(rb"^[ \t]*(?:>>>|\.\.\.)[^\r\n]*\b%b\b" % word, re.MULTILINE)
        binds = re.compile(
            rb"(?:>>>|\.\.\.)[ \t]*(?:(?:from|import)\b[^\r\n]*\b%b\b|%b[ \t]*=[^=])" % (word, word)
        )
        for read in reads.finditer(self._data):
            if binds.search(self._data, self._string_start(read.end()), read.end() + 2) is None:
                return True
        return False

    def _string_start(self, offset: int) -> int:
        """Where the string starts that an offset is in; the offset, if it is in none."""
        node = self._document.node_at(offset - 1)
        while node is not None and node.type != "string":
            node = node.parent
        if node is None:
            return offset
        piece = next(one for one in reversed(self._document.pieces) if one.start <= offset - 1)
        return piece.start + node.start_byte

    def _is_in_magic(self, word: bytes) -> bool:
        """Whether a magic or a shell command in a notebook's cell reads the name."""
        for part in self._document.parts:
            text = part.lines.data
            if text == self._data[part.start : part.end]:
                continue
            for found in re.finditer(rb"\b%b\b" % word, text):
                start = part.start + found.start()
                is_blank = self._data[start : start + len(found[0])] != found[0]
                line = text.rfind(b"\n", 0, found.start()) + 1
                if is_blank and _READS_NAMES.search(text, line, found.start()):
                    return True
        return False

    def _elsewhere(self, word: bytes) -> Iterator[bool]:
        """For each place of the name, be it in a comment, whether it is none of those that go."""
        imports = [
            (block.start, block.start + block.length) for block in self._analysis.blocks if block.is_import
        ]
        spans = [*self._gone, *imports]
        for found in re.finditer(rb"\b%b\b" % word, self._data):
            yield not any(start <= found.start() < end for start, end in spans)
