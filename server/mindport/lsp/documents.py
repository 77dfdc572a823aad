"""The documents that are open in the client: one immutable snapshot each, replaced by every change."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types

from mindport.language import Text
from mindport.lsp.uris import file_of, path_of
from mindport.source.document import Change, Document
from mindport.source.lines import PositionEncoding, PositionError

if TYPE_CHECKING:
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

    @property
    def version(self) -> int | None:
        """The version that the client gave it."""
        return self.document.version

    def is_current(self) -> bool:
        """Whether the document is still open and unchanged. May be asked on any thread."""
        return self.documents.latest.get(self.uri) is self.document


class Documents:
    """The open documents by URI. Changed on the server's own thread only."""

    def __init__(self) -> None:
        self.latest: dict[str, Document] = {}

    def snapshot(self, uri: str) -> Snapshot | None:
        """The document as it is now; None if it is not open."""
        document = self.latest.get(uri)
        return None if document is None else Snapshot(uri, path_of(uri), document, self)

    def snapshots(self) -> Iterator[Snapshot]:
        """All documents, the one changed last first."""
        for uri in reversed(self.latest):
            yield Snapshot(uri, path_of(uri), self.latest[uri], self)

    def paths(self) -> set[str]:
        """The paths of the open documents."""
        return {path_of(uri) for uri in self.latest}

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
    item = params.text_document
    if item.uri in ls.documents.latest:
        _LOGGER.warning("%s was opened though it is open; its text is taken anew", item.uri)
        del ls.documents.latest[item.uri]
    ls.documents.latest[item.uri] = Document.open(item.uri, item.text, item.version)
    ls.diagnostics.look_at(item.uri)


def did_change(ls: MindportServer, params: types.DidChangeTextDocumentParams) -> None:
    """A document was changed."""
    uri = params.text_document.uri
    if uri not in ls.documents.latest:
        _LOGGER.warning("%s was changed though it is not open; the change is ignored", uri)
        return
    changes = [_change(event) for event in params.content_changes]
    try:
        ls.documents.change(uri, params.text_document.version, changes, ls.client.encoding)
    except PositionError as error:
        _LOGGER.warning("A change of %s was not applied: %s", uri, error)
        change_not_applied(ls, uri, error.render(ls.language))
        return
    ls.diagnostics.look_at(uri)


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
    ls.diagnostics.closed(uri, path)
    if ls.engine.is_usable:
        ls.worker.submit(lambda: ls.engine.forget([path]))


def _change(event: types.TextDocumentContentChangeEvent) -> Change:
    if isinstance(event, types.TextDocumentContentChangePartial):
        start, end = event.range.start, event.range.end
        return Change((start.line, start.character), (end.line, end.character), event.text)
    return Change(None, None, event.text)
