"""The documents that are open in the client: one immutable snapshot each, replaced by every change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lsprotocol import types

from mindport.lsp.uris import path_of
from mindport.source.document import Change, Document, DocumentPart
from mindport.source.lines import PositionEncoding
from mindport.source.notebook_document import CellText, NotebookDocument

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
    """The open documents by URI. Changed on the server's own thread only."""

    def __init__(self) -> None:
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

    def change(
        self,
        uri: str,
        version: int,
        changes: list[Change],
        encoding: PositionEncoding,
    ) -> None:
        """Replace a document that is open by what `changes` make of it. Raises PositionError."""
        changed = self.latest[uri].apply(changes, version, encoding)
        del self.latest[uri]  # so that it comes last
        self.latest[uri] = changed
