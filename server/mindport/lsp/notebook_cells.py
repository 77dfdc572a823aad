"""Findings and edits of a notebook as those of its cells: with places in a cell's own text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mindport.lsp.workspace_edits import DocumentEdits, text_edits
from mindport.rewrite.edit import cell_edits

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.assess.finding import Finding
    from mindport.lsp.documents import Snapshot
    from mindport.rewrite.edit import Edit
    from mindport.source.lines import PositionEncoding


def in_part(found: FileFindings, start: int) -> Sequence[tuple[int, Sequence[Finding]]]:
    """The findings to show in the part of a document that starts at a byte, by block, each with where the
    block starts in the part; of a file, that is 0, all."""
    part = found.document.part(start)
    shown = found.shown()
    if part.number is None:
        return shown
    inside = [
        (shift - part.start, _between(findings, part.start - shift, part.end - shift))
        for shift, findings in shown
    ]
    return [(shift, findings) for shift, findings in inside if findings]


def _between(findings: Sequence[Finding], start: int, end: int) -> Sequence[Finding]:
    """Those that start there; the same sequence, if those are all."""
    kept = tuple([finding for finding in findings if start <= finding.use.start <= end])
    return findings if len(kept) == len(findings) else kept


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
