"""Edits: what a rewrite proposes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from mindport.source.document import Document

if TYPE_CHECKING:
    from mindport.source.notebook_document import NotebookDocument
    from mindport.source.notebook_file import NotebookFile

Applicability = Literal["safe", "review"]


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace the bytes `start`..`end` (absolute UTF-8 offsets in the document) by `new_text`."""

    start: int
    end: int
    new_text: str


def applied(data: bytes, edits: Iterable[Edit]) -> bytes:
    """A text (UTF-8) with edits made. They are sorted and do not overlap."""
    parts: list[bytes] = []
    end = 0
    for edit in edits:
        parts += [data[end : edit.start], edit.new_text.encode()]
        end = edit.end
    return b"".join([*parts, data[end:]])


def newline(document: Document) -> str:
    """The line end that a document uses first."""
    data = document.data
    for position, byte in enumerate(data):
        if byte == 0x0A:
            return "\n"
        if byte == 0x0D:
            return "\r\n" if data[position + 1 : position + 2] == b"\n" else "\r"
    return "\n"


def cell_edits(document: NotebookDocument, edits: Iterable[Edit]) -> dict[int, Sequence[Edit]]:
    """By the number of the cell, the edits of each one that changes: sorted, with offsets in its own text."""
    by_cell: dict[int, list[Edit]] = {}
    for edit in sorted(edits):
        by_cell.setdefault(document.parts.index(document.part(edit.start)), []).append(edit)
    found: dict[int, Sequence[Edit]] = {}
    for position, of_cell in by_cell.items():
        part = document.parts[position]
        assert part.number is not None
        moved = [Edit(edit.start - part.start, edit.end - part.start, edit.new_text) for edit in of_cell]
        data = part.lines.data
        found[part.number] = moved if moved[-1].end <= len(data) else _at_the_end(data, moved)
    return found


def edited_notebook(notebook: NotebookFile, document: NotebookDocument, edits: Iterable[Edit]) -> bytes:
    """The bytes of a notebook after edits of its joined text. Raises SourceError (see
    `NotebookFile.with_cells`)."""
    texts = {part.number: part.lines.data for part in document.parts}
    changed = cell_edits(document, edits).items()
    return notebook.with_cells({number: applied(texts[number], mine).decode() for number, mine in changed})


def _at_the_end(data: bytes, edits: Sequence[Edit]) -> list[Edit]:
    """Edits that treat the last line of a cell as one with a line end, as joining has made it: as one edit of
    the cell's text, whose last line has none."""
    new = applied(data + b"\n", edits)
    text, new_text = data.decode(), new.removesuffix(b"\n").decode()
    same = _same(text, new_text)
    rest, new_rest = text[same:], new_text[same:]
    tail = _same(rest[::-1], new_rest[::-1])
    start = len(text[:same].encode())
    end = len(data) - len(rest[len(rest) - tail :].encode())
    return [Edit(start, end, new_rest[: len(new_rest) - tail])]


def _same(one: str, other: str) -> int:
    """How many characters at the beginning are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((position for position, (a, b) in pairs if a != b), min(len(one), len(other)))
