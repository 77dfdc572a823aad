"""Taking a block out of the statement around it: its lines lose the indentation of that statement's body."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mindport.rewrite.edit import Edit

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.source.document import Document


@dataclass(frozen=True, slots=True)
class Dedent:
    """Lines that lose the bytes `first`..`last` of their indentation. Lines indented otherwise (comments,
    lines that go on within brackets) stay as they are."""

    lines: frozenset[int]
    indent: bytes
    first: int

    @property
    def last(self) -> int:
        """Where the indentation ends that a line must have."""
        return len(self.indent)


def dedent_of(document: Document, body: Node, base: int, outer: int) -> Dedent | None:
    """How the body of a statement that is indented by `outer` bytes is taken out of it; None where tabs and
    blanks are mixed."""
    lines, data = document.lines, document.data
    first = lines.line_of(base + body.start_byte)
    last = lines.line_of(base + body.end_byte - 1)
    indent = data[lines.line_start(first) : base + body.start_byte]
    if indent.strip() or len(indent) <= outer:
        return None
    covered = set(range(first, last + 1)) - set(_inside_strings(document, body, base))
    covered |= set(_comments_beside(document, first, -1)) | set(_comments_beside(document, last, 1))
    return Dedent(frozenset(covered), indent, outer)


def _comments_beside(document: Document, line: int, step: int) -> Iterator[int]:
    """The lines of comments right before or behind a block."""
    lines = document.lines
    line += step
    while 0 <= line < lines.line_count:
        text = document.data[lines.line_start(line) : lines.line_end(line)].strip()
        if not text.startswith(b"#"):
            return
        yield line
        line += step


def _inside_strings(document: Document, node: Node, base: int) -> Iterator[int]:
    """The lines that begin within a string."""
    lines = document.lines
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.type == "string":
            first = lines.line_of(base + current.start_byte)
            yield from range(first + 1, lines.line_of(base + current.end_byte) + 1)
        else:
            waiting.extend(current.named_children)


def dedent_edits(document: Document, dedents: Sequence[Dedent], edits: Iterable[Edit]) -> Iterator[Edit]:
    """The edits that take indentation away, but for lines that `edits` remove or begin before."""
    taken = [edit for edit in edits if edit.start < edit.end]
    for dedent in dedents:
        for line in sorted(dedent.lines):
            start = document.lines.line_start(line)
            if not document.data.startswith(dedent.indent, start):
                continue
            first, last = start + dedent.first, start + dedent.last
            if not any(edit.start < last and first < edit.end for edit in taken):
                yield Edit(first, last, "")


def dedented(document: Document, dedents: Sequence[Dedent], inserted: Edit) -> Edit:
    """A line that is inserted before another one, indented as that one will be."""
    line = document.lines.line_of(inserted.start)
    text = inserted.new_text
    for dedent in sorted(dedents, key=lambda one: one.first, reverse=True):
        if line in dedent.lines and text.encode().startswith(dedent.indent):
            text = text[: dedent.first] + text[dedent.last :]
    return Edit(inserted.start, inserted.end, text)
