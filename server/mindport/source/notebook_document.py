"""A notebook as one document: the texts of its code cells, in order, share one namespace.

The cells' texts are joined with an empty line between them, and what is not Python is blanked out. Each cell
is a piece that is parsed by itself, so that an error in one spoils no other and an edit parses one cell.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mindport.source.document import Document, DocumentPart
from mindport.source.lines import LineIndex
from mindport.source.notebook_magics import blank_magics
from mindport.source.piece import Piece
from mindport.source.pieces import Known, cut
from mindport.source.syntax import parse

BETWEEN_CELLS = b"\n\n"
"""An empty line: no statement reaches from one cell to the next, and the end of a cell is not the start of
the next one."""


class CellText(NamedTuple):
    """A code cell: its number among all cells of the notebook (from 1), and its text."""

    number: int
    lines: LineIndex


class NotebookDocument(Document):
    """The code cells of a notebook as one text. Immutable, as every document."""

    __slots__ = ("_cells", "_starts")

    def __init__(self, uri: str, lines: LineIndex, cells: Sequence[DocumentPart], known: Known) -> None:
        super().__init__(uri, None, lines, known=known)
        self._cells = tuple(cells)
        self._starts = [cell.start for cell in cells]

    @classmethod
    def join(cls, uri: str, cells: Iterable[CellText], known: Known | None = None) -> NotebookDocument:
        """The document of these cells. What is `known` (see there) is used again."""
        parts: list[DocumentPart] = []
        texts: list[bytes] = []
        start = 0
        for cell in cells:
            parts.append(DocumentPart(cell.number, start, cell.lines))
            texts.append(blank_magics(cell.lines.data))
            start += len(texts[-1]) + len(BETWEEN_CELLS)
        return cls(uri, LineIndex(BETWEEN_CELLS.join(texts)), parts, known or Known())

    @property
    def known(self) -> Known:
        """What was made of the cells' texts, for the document after an edit. Makes it."""
        _ = self.pieces
        return self._known

    @property
    def parts(self) -> tuple[DocumentPart, ...]:
        """The cells, in order."""
        return self._cells

    def part(self, offset: int) -> DocumentPart:
        """The cell that holds an offset; what stands between two cells belongs to the first."""
        position = bisect_right(self._starts, offset) - 1
        return self._cells[position] if position >= 0 else super().part(offset)

    def without(self, start: int, end: int) -> NotebookDocument:
        """The document without the bytes `start`..`end`, which are in one cell; of no version."""
        around = self.part(start)
        lines = around.lines.after_edit(start - around.start, end - around.start, b"")
        cells = [CellText(one.number or 0, lines if one is around else one.lines) for one in self._cells]
        return NotebookDocument.join(self.uri, cells, self.known)

    def _make_pieces(self) -> tuple[Piece, ...]:
        pieces: list[Piece] = []
        made = Known()
        for part in self._cells:
            text = self.data[part.start : part.end]
            tree = made.trees.get(text) or self._known.trees.get(text) or parse(text)
            made.trees[text] = tree
            if tree.root_node.has_error:
                inner, made_inside = cut(text, self._known)
                pieces += [piece._replace(start=part.start + piece.start) for piece in inner]
                made.take(made_inside)
            else:
                pieces.append(Piece(part.start, text, tree.root_node))
        self._known = made
        return tuple(pieces)
