"""Notebooks that are opened, changed and closed in the client."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from mindport.lsp import text_synchronization
from mindport.lsp.arguments import CallArguments
from mindport.lsp.diagnostics import Diagnostics
from mindport.lsp.documents import PYTHON, Notebook

if TYPE_CHECKING:
    from mindport.lsp.state import ServerState

_LOGGER = logging.getLogger(__name__)


def register(server: ServerState) -> None:
    """Tell the server which messages are handled here."""
    server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)(did_open)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)(did_change)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)(did_save)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)(did_close)


def did_open(ls: ServerState, params: types.DidOpenNotebookDocumentParams) -> None:
    """A notebook was opened."""
    item = params.notebook_document
    before = ls.documents.notebooks.get(item.uri)
    if before is not None:
        _LOGGER.warning("%s was opened though it is open; it is taken anew", item.uri)
        _drop(ls, list(before.code))
    _open(ls, params.cell_text_documents)
    _take_up(ls, item.uri, item.version, tuple(cell.document for cell in item.cells))


def did_change(ls: ServerState, params: types.DidChangeNotebookDocumentParams) -> None:
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
        text_synchronization.change_document(ls, edited.document, edited.changes)
    _take_up(ls, uri, params.notebook_document.version, tuple(cells))


def did_save(ls: ServerState, params: types.DidSaveNotebookDocumentParams) -> None:
    """A notebook was saved: its text is known already."""


def did_close(ls: ServerState, params: types.DidCloseNotebookDocumentParams) -> None:
    """A notebook was closed."""
    uri = params.notebook_document.uri
    notebook = ls.documents.notebooks.pop(uri, None)
    if notebook is None:
        _LOGGER.warning("%s was closed though it is not open", uri)
        return
    _drop(ls, [*notebook.code, *(cell.uri for cell in params.cell_text_documents)])
    if ls.engine.is_usable:
        ls.worker.submit(lambda: ls.engine.forget([notebook.path]))
        ls.part(CallArguments).changed()


def _open(ls: ServerState, cells: Sequence[types.TextDocumentItem]) -> None:
    for cell in cells:
        if cell.language_id == PYTHON:
            text_synchronization.open_document(ls, cell)


def _take_up(ls: ServerState, uri: str, version: int, cells: tuple[str, ...]) -> None:
    """The notebook has these cells now."""
    latest = ls.documents.latest
    code = {cell: latest[cell] for cell in cells if cell in latest}
    before = ls.documents.notebooks.get(uri)
    notebook = Notebook(uri, version, cells, code, None if before is None else before.parsed())
    ls.documents.notebooks[uri] = notebook
    for cell in code:
        ls.documents.notebook_of[cell] = notebook
    for cell in list(code)[:1]:  # all cells are looked at together
        ls.documents.edited(cell)


def _drop(ls: ServerState, cells: list[str]) -> None:
    """These cells are gone."""
    for cell in cells:
        ls.documents.notebook_of.pop(cell, None)
        if ls.documents.latest.pop(cell, None) is not None:
            ls.part(Diagnostics).closed(cell)
