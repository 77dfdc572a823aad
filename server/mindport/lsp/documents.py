"""The documents that are open in the client: one immutable snapshot each, replaced by every change."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from mindport.language import Text
from mindport.lsp.uris import file_of, path_of
from mindport.source.decode import MAX_OPEN_BYTES
from mindport.source.document import Change, Document
from mindport.source.lines import PositionEncoding, PositionError

if TYPE_CHECKING:
    from mindport.lsp.notebooks import Notebook
    from mindport.lsp.server import MindportServer

_LOGGER = logging.getLogger(__name__)

CHANGE_NOT_APPLIED = Text(
    "The editor sent a change of {name} that does not fit its text, so mindport goes on with the text it "
    "had before. Close the file and open it again to put this right. ({reason})",
    "编辑器发送的对 {name} 的更改与其文本不符，mindport 将继续使用更改前的文本。"
    "请关闭并重新打开该文件以恢复正常。（{reason}）",
)


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


def register(server: MindportServer) -> None:
    """Tell the server which messages are handled here."""
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(did_open)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(did_change)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(did_close)


def did_open(ls: MindportServer, params: types.DidOpenTextDocumentParams) -> None:
    """A document was opened."""
    open_document(ls, params.text_document)
    ls.diagnostics.analyse(params.text_document.uri)


def open_document(ls: MindportServer, item: types.TextDocumentItem) -> None:
    """Take up the text of a document or of a cell."""
    if item.uri in ls.documents.latest:
        _LOGGER.warning("%s was opened though it is open; its text is taken anew", item.uri)
        del ls.documents.latest[item.uri]
    ls.documents.latest[item.uri] = Document.open(item.uri, item.text, item.version, MAX_OPEN_BYTES)


def did_change(ls: MindportServer, params: types.DidChangeTextDocumentParams) -> None:
    """A document was changed."""
    if change_document(ls, params.text_document, params.content_changes):
        ls.diagnostics.analyse(params.text_document.uri)


def change_document(
    ls: MindportServer,
    identifier: types.VersionedTextDocumentIdentifier,
    events: Sequence[types.TextDocumentContentChangeEvent],
) -> bool:
    """Change the text of a document or of a cell. Returns whether that was possible."""
    return _change_text(ls, identifier.uri, identifier.version, [_change(event) for event in events])


def take_plain_change(ls: MindportServer, params: object) -> bool:
    """Do what `did_change` does, for the parameters as they are in JSON: making the protocol's types of them
    takes longer than looking at what was typed. Returns False, with nothing done, where they are not of the
    form that typing gives them."""
    change = plain_change(params)
    if change is None:
        return False
    if _change_text(ls, *change):
        ls.diagnostics.analyse(change[0])
    return True


def plain_change(params: Any) -> tuple[str, int, list[Change]] | None:
    """The URI, the version and the changes in the parameters of a notification; None if anything in them is
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


def _change_text(ls: MindportServer, uri: str, version: int, changes: list[Change]) -> bool:
    if uri not in ls.documents.latest:
        _LOGGER.warning("%s was changed though it is not open; the change is ignored", uri)
        return False
    try:
        ls.documents.change(uri, version, changes, ls.client.encoding)
    except PositionError as error:
        _LOGGER.warning("A change of %s was not applied: %s", uri, error)
        change_not_applied(ls, uri, error.render(ls.language))
        return False
    return True


def change_not_applied(ls: MindportServer, uri: str, reason: str) -> None:
    """Tell the user that our text is no longer the editor's."""
    file = file_of(uri)
    name = uri if file is None else file.name
    ls.messages.show_once(types.MessageType.Warning, CHANGE_NOT_APPLIED, name=name, reason=reason)


def did_close(ls: MindportServer, params: types.DidCloseTextDocumentParams) -> None:
    """A document was closed."""
    uri = params.text_document.uri
    if ls.documents.latest.pop(uri, None) is None:
        _LOGGER.warning("%s was closed though it is not open", uri)
        return
    path = path_of(uri)
    ls.diagnostics.closed(uri)
    if ls.engine.is_usable:
        ls.worker.submit(lambda: ls.engine.forget([path]))
        ls.call_facts.analyse([path])


def _change(event: types.TextDocumentContentChangeEvent) -> Change:
    if isinstance(event, types.TextDocumentContentChangePartial):
        start, end = event.range.start, event.range.end
        return Change((start.line, start.character), (end.line, end.character), event.text)
    return Change(None, None, event.text)
