"""Notebooks that are open in the client: which cells they have, and the document that their code makes."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lsprotocol import types

from mindport.lsp import documents
from mindport.lsp.uris import path_of
from mindport.source.notebook_document import CellText, NotebookDocument

if TYPE_CHECKING:
    from mindport.lsp.server import MindportServer
    from mindport.source.document import Document, DocumentPart

_LOGGER = logging.getLogger(__name__)

_PYTHON = "python"
SYNC = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithNotebook(
            notebook=types.NotebookDocumentFilterNotebookType(notebook_type="jupyter-notebook"),
            cells=[types.NotebookCellLanguage(language=_PYTHON)],
        )
    ],
    save=True,
)
"""Which notebooks the client is asked to tell of."""


@dataclass(eq=False)
class Notebook:
    """A notebook as it was when a message arrived: its cells in order, and the documents of those of code.

    `document` may be asked for on the worker's thread only.
    """

    uri: str
    version: int
    cells: tuple[str, ...]
    """The URIs of all cells, also of those that are not Python."""
    code: dict[str, Document]
    """The documents of the cells of Python, by URI."""
    _before: Notebook | None = None
    """What it was when its document was made last, for the trees of unchanged cells."""
    _document: NotebookDocument | None = field(default=None, init=False)

    @property
    def path(self) -> str:
        """What the engine calls it."""
        return path_of(self.uri)

    def document(self) -> NotebookDocument:
        """The code of all cells."""
        if self._document is None:
            before, self._before = self._before, None
            known = None if before is None else before.document().known
            self._document = NotebookDocument.join(self.path, self._texts(), known)
        return self._document

    def parsed(self) -> Notebook | None:
        """This one if its document was made, else the last one before it whose document was."""
        return self._before if self._document is None else self

    def _texts(self) -> list[CellText]:
        return [
            CellText(number, self.code[uri].lines)
            for number, uri in enumerate(self.cells, start=1)
            if uri in self.code
        ]

    def part(self, uri: str) -> DocumentPart:
        """The part of `document` that a cell of Python is."""
        number = self.cells.index(uri) + 1
        return next(part for part in self.document().parts if part.number == number)


def register(server: MindportServer) -> None:
    """Tell the server which messages are handled here."""
    server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)(did_open)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)(did_change)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)(did_save)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)(did_close)


def did_open(ls: MindportServer, params: types.DidOpenNotebookDocumentParams) -> None:
    """A notebook was opened."""
    item = params.notebook_document
    before = ls.documents.notebooks.get(item.uri)
    if before is not None:
        _LOGGER.warning("%s was opened though it is open; it is taken anew", item.uri)
        _drop(ls, list(before.code))
    _open(ls, params.cell_text_documents)
    _take_up(ls, item.uri, item.version, tuple(cell.document for cell in item.cells))


def did_change(ls: MindportServer, params: types.DidChangeNotebookDocumentParams) -> None:
    """Cells were added, removed, moved or edited."""
    uri = params.notebook_document.uri
    notebook = ls.documents.notebooks.get(uri)
    if notebook is None:
        _LOGGER.warning("%s was changed though it is not open; the change is ignored", uri)
        return
    cells = list(notebook.cells)
    change = params.change.cells
    if change is not None and change.structure is not None:
        array = change.structure.array
        new = [cell.document for cell in array.cells or ()]
        cells[array.start : array.start + array.delete_count] = new
        for closed in change.structure.did_close or ():
            _drop(ls, [closed.uri])
        _open(ls, change.structure.did_open or ())
    for edited in (change.text_content if change is not None else None) or ():
        documents.change_document(ls, edited.document, edited.changes)
    _take_up(ls, uri, params.notebook_document.version, tuple(cells))


def did_save(ls: MindportServer, params: types.DidSaveNotebookDocumentParams) -> None:
    """A notebook was saved: its text is known already."""


def did_close(ls: MindportServer, params: types.DidCloseNotebookDocumentParams) -> None:
    """A notebook was closed."""
    uri = params.notebook_document.uri
    notebook = ls.documents.notebooks.pop(uri, None)
    if notebook is None:
        _LOGGER.warning("%s was closed though it is not open", uri)
        return
    _drop(ls, [*notebook.code, *(cell.uri for cell in params.cell_text_documents)])
    if ls.engine.is_usable:
        ls.worker.submit(lambda: ls.engine.forget([notebook.path]))


def _open(ls: MindportServer, cells: Sequence[types.TextDocumentItem]) -> None:
    for cell in cells:
        if cell.language_id == _PYTHON:
            documents.open_document(ls, cell)


def _take_up(ls: MindportServer, uri: str, version: int, cells: tuple[str, ...]) -> None:
    """The notebook has these cells now."""
    latest = ls.documents.latest
    code = {cell: latest[cell] for cell in cells if cell in latest}
    before = ls.documents.notebooks.get(uri)
    notebook = Notebook(uri, version, cells, code, None if before is None else before.parsed())
    ls.documents.notebooks[uri] = notebook
    for cell in code:
        ls.documents.notebook_of[cell] = notebook
    for cell in list(code)[:1]:  # all cells are looked at together
        ls.diagnostics.analyse(cell)


def _drop(ls: MindportServer, cells: list[str]) -> None:
    """These cells are gone."""
    for cell in cells:
        ls.documents.notebook_of.pop(cell, None)
        if ls.documents.latest.pop(cell, None) is not None:
            ls.diagnostics.closed(cell)
