"""Findings and edits of a notebook as those of its cells: with places in a cell's own text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mindport.lsp.workspace_edits import DocumentEdits, text_edits
from mindport.rewrite.notebook_edits import cell_edits

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.lsp.documents import Snapshot
    from mindport.rewrite.edit import Edit
    from mindport.source.lines import PositionEncoding


def in_part(found: FileFindings, start: int) -> Sequence[PlacedFinding]:
    """The findings to show in the part of a document that starts at a byte; of a file, that is 0, all."""
    document = found.document
    part = document.part(start)
    if part.number is None:
        return found.diagnostics()
    return [
        moved(placed, part.start) for placed in found.diagnostics() if part.start <= placed.start <= part.end
    ]


def moved(placed: PlacedFinding, start: int) -> PlacedFinding:
    """A finding with offsets that count from `start`."""
    if not start:
        return placed
    return placed._replace(start=placed.start - start, end=placed.end - start, shift=placed.shift - start)


def document_edits(
    snapshot: Snapshot, edits: Iterable[Edit], encoding: PositionEncoding
) -> list[DocumentEdits]:
    """Edits of what is looked at (see `Snapshot.whole`) as those of the document, or of the cells of its
    notebook. On the worker's thread."""
    notebook = snapshot.notebook
    if notebook is None:
        changes = text_edits(snapshot.document.lines, edits, encoding)
        return [DocumentEdits(snapshot.uri, snapshot.version, changes)]
    found = []
    for number, of_cell in cell_edits(notebook.document(), edits).items():
        cell = notebook.code[notebook.cells[number - 1]]
        found.append(DocumentEdits(cell.uri, cell.version, text_edits(cell.lines, of_cell, encoding)))
    return found
