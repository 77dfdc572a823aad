"""The documents that are open in the client: one immutable snapshot each, replaced by every change."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from lsprotocol import types

from mindport.lsp.uris import path_of
from mindport.source.document import Change, Document, DocumentPart
from mindport.source.lines import PositionEncoding, PositionError
from mindport.source.notebook_document import CellText, NotebookDocument

_LOGGER = logging.getLogger(__name__)
PYTHON = "python"
"""The language of the cells that are looked at."""
NOTEBOOK_SYNC = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithNotebook(
            notebook=types.NotebookDocumentFilterNotebookType(notebook_type="jupyter-notebook"),
            cells=[types.NotebookCellLanguage(language=PYTHON)],
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


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A document as it was when a message arrived."""

    uri: str
    path: str
    document: Document
    documents: Documents
    notebook: Notebook | None = None
    """The notebook that it is a cell of, as it was then."""

    @property
    def version(self) -> int | None:
        """The version that the client gave it."""
        return self.document.version

    @property
    def revision(self) -> int | None:
        """The version of all that it is looked at with: of its notebook, else its own."""
        return self.version if self.notebook is None else self.notebook.version

    def is_current(self) -> bool:
        """Whether the document (of a cell: its whole notebook) is still open and unchanged. May be asked on
        any thread."""
        if self.notebook is not None:
            return self.documents.notebooks.get(self.notebook.uri) is self.notebook
        return self.documents.latest.get(self.uri) is self.document

    def whole(self) -> Document:
        """What is looked at: the document, or the code of its notebook. On the worker's thread."""
        return self.document if self.notebook is None else self.notebook.document()

    def start(self) -> int:
        """Where the document starts in `whole`, in bytes. On the worker's thread."""
        return 0 if self.notebook is None else self.notebook.part(self.uri).start


class Documents:
    """The open documents by URI. Changed on the server's own thread only. `refused` is told of a change that
    does not fit the text of a document, by its URI."""

    def __init__(self, refused: Callable[[str, PositionError], None]) -> None:
        self._refused = refused
        self.encoding: PositionEncoding = "utf-16"
        """What the client counts characters in."""
        self.on_open: list[Callable[[str], None]] = []
        """Called with the URI of a document that was opened."""
        self.on_edit: list[Callable[[str], None]] = []
        """Called with the URI of a document that was opened or changed."""
        self.on_replaced: list[Callable[[object], None]] = []
        """Called with what a document was before a change, when that has been looked at."""
        self.latest: dict[str, Document] = {}
        self.notebooks: dict[str, Notebook] = {}
        self.notebook_of: dict[str, Notebook] = {}
        """By the URI of a cell."""

    def snapshot(self, uri: str) -> Snapshot | None:
        """The document as it is now; None if it is not open."""
        document = self.latest.get(uri)
        return None if document is None else self._snapshot(uri, document)

    def open_at(self, uri: str) -> Snapshot | None:
        """The document as it is now, or a cell of the notebook with this URI; None if neither is open."""
        notebook = self.notebooks.get(uri)
        return self.snapshot(next(iter(notebook.code), uri) if notebook is not None else uri)

    def snapshots(self) -> Iterator[Snapshot]:
        """All documents, the one changed last first."""
        for uri in reversed(self.latest):
            yield self._snapshot(uri, self.latest[uri])

    def together(self, snapshot: Snapshot) -> list[Snapshot]:
        """The documents that are looked at together with this one: all cells of its notebook, else itself.
        May be asked on any thread."""
        notebook = snapshot.notebook
        if notebook is None:
            return [snapshot]
        return [
            Snapshot(uri, notebook.path, document, self, notebook) for uri, document in notebook.code.items()
        ]

    def _snapshot(self, uri: str, document: Document) -> Snapshot:
        notebook = self.notebook_of.get(uri)
        return Snapshot(uri, path_of(uri) if notebook is None else notebook.path, document, self, notebook)

    def paths(self) -> set[str]:
        """The paths of the open documents and notebooks."""
        return {path_of(uri) for uri in (*self.latest, *self.notebooks)}

    def edited(self, uri: str) -> None:
        """Have everybody take up a document that was opened or changed."""
        for take_up in self.on_edit:
            take_up(uri)

    def change(self, uri: str, version: int, changes: list[Change]) -> bool:
        """Replace a document by what `changes` make of it. Returns whether that was possible."""
        document = self.latest.get(uri)
        if document is None:
            _LOGGER.warning("%s was changed though it is not open; the change is ignored", uri)
            return False
        try:
            changed = document.apply(changes, version, self.encoding)
        except PositionError as error:
            self._refused(uri, error)
            return False
        del self.latest[uri]  # so that it comes last
        self.latest[uri] = changed
        return True

    def take_plain(self, params: Any) -> bool:
        """Take up a change as it is in JSON. Returns False, with nothing done, if it is not plainly a
        replacement of ranges."""
        change = plain_change(params)
        if change is None:
            return False
        uri, version, changes = change
        before = self.latest.get(uri)
        if self.change(uri, version, changes):
            self.edited(uri)
            for take in self.on_replaced:
                take(before)
        return True


def plain_change(params: Any) -> tuple[str, int, list[Change]] | None:
    """The URI, the version and the changes in the parameters of a change in JSON; None if anything in them is
    not plainly a replacement of ranges."""
    try:
        document, events = params["textDocument"], params["contentChanges"]
        uri, version = document["uri"], document["version"]
        changes = [
            Change(_plain_place(event["range"]["start"]), _plain_place(event["range"]["end"]), event["text"])
            for event in events
        ]
    except (KeyError, TypeError, ValueError):
        return None
    is_plain = type(uri) is str and type(version) is int and type(events) is list
    return (uri, version, changes) if is_plain and all(type(each.text) is str for each in changes) else None


def _plain_place(position: Any) -> tuple[int, int]:
    """A position. Raises KeyError, TypeError or ValueError if it is none."""
    line, character = position["line"], position["character"]
    if type(line) is not int or type(character) is not int or line < 0 or character < 0:
        raise ValueError(position)
    return line, character
