"""Documents that are opened, changed and closed in the client."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from mindport.lsp.arguments import CallArguments
from mindport.lsp.diagnostics import Diagnostics
from mindport.lsp.uris import path_of
from mindport.source.decode import MAX_OPEN_BYTES
from mindport.source.document import Change, Document

if TYPE_CHECKING:
    from mindport.lsp.state import ServerState

_LOGGER = logging.getLogger(__name__)


def register(server: ServerState) -> None:
    """Tell the server which messages are handled here."""
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(did_open)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(did_change)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(did_close)
    server.protocol.plain_handlers[types.TEXT_DOCUMENT_DID_CHANGE] = server.documents.take_plain


def did_open(ls: ServerState, params: types.DidOpenTextDocumentParams) -> None:
    """A document was opened."""
    open_document(ls, params.text_document)
    ls.documents.edited(params.text_document.uri)
    for take_up in ls.documents.on_open:
        take_up(params.text_document.uri)


def open_document(ls: ServerState, item: types.TextDocumentItem) -> None:
    """Take up the text of a document or of a cell."""
    if item.uri in ls.documents.latest:
        _LOGGER.warning("%s was opened though it is open; its text is taken anew", item.uri)
        del ls.documents.latest[item.uri]
    ls.documents.latest[item.uri] = Document.open(item.uri, item.text, item.version, MAX_OPEN_BYTES)


def did_change(ls: ServerState, params: types.DidChangeTextDocumentParams) -> None:
    """A document was changed."""
    if change_document(ls, params.text_document, params.content_changes):
        ls.documents.edited(params.text_document.uri)


def change_document(
    ls: ServerState,
    identifier: types.VersionedTextDocumentIdentifier,
    events: Sequence[types.TextDocumentContentChangeEvent],
) -> bool:
    """Change the text of a document or of a cell. Returns whether that was possible."""
    return ls.documents.change(identifier.uri, identifier.version, [_change(event) for event in events])


def did_close(ls: ServerState, params: types.DidCloseTextDocumentParams) -> None:
    """A document was closed."""
    uri = params.text_document.uri
    if ls.documents.latest.pop(uri, None) is None:
        _LOGGER.warning("%s was closed though it is not open", uri)
        return
    path = path_of(uri)
    ls.part(Diagnostics).closed(uri)
    if ls.engine.is_usable:
        ls.worker.submit(lambda: ls.engine.forget([path]))
        ls.part(CallArguments).changed()


def _change(event: types.TextDocumentContentChangeEvent) -> Change:
    if isinstance(event, types.TextDocumentContentChangePartial):
        start, end = event.range.start, event.range.end
        return Change((start.line, start.character), (end.line, end.character), event.text)
    return Change(None, None, event.text)
