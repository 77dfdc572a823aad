"""Documents that are opened, changed and closed in the client."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from mindport.lsp.arguments import CallArguments
from mindport.lsp.diagnostics import Diagnostics
from mindport.lsp.uris import path_of
from mindport.source.decode import MAX_OPEN_BYTES
from mindport.source.document import Change, Document
from mindport.source.lines import PositionError

if TYPE_CHECKING:
    from mindport.lsp.state import ServerState

_LOGGER = logging.getLogger(__name__)


def register(server: ServerState) -> None:
    """Tell the server which messages are handled here."""
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(did_open)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(did_change)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(did_close)
    server.protocol.plain_handlers[types.TEXT_DOCUMENT_DID_CHANGE] = lambda params: _take_plain(
        server, params
    )


def did_open(ls: ServerState, params: types.DidOpenTextDocumentParams) -> None:
    """A document was opened."""
    open_document(ls, params.text_document)
    tell_edited(ls, params.text_document.uri)
    for take_up in ls.on_open:
        take_up(params.text_document.uri)


def open_document(ls: ServerState, item: types.TextDocumentItem) -> None:
    """Take up the text of a document or of a cell."""
    if item.uri in ls.documents.latest:
        _LOGGER.warning("%s was opened though it is open; its text is taken anew", item.uri)
        del ls.documents.latest[item.uri]
    ls.documents.latest[item.uri] = Document.open(item.uri, item.text, item.version, MAX_OPEN_BYTES)


def tell_edited(ls: ServerState, uri: str) -> None:
    """Have everybody take up a document that was opened or changed."""
    for take_up in ls.on_edit:
        take_up(uri)


def _take_plain(ls: ServerState, params: Any) -> bool:
    """Do what `did_change` does, for parameters as they are in JSON."""
    change = plain_change(params)
    if change is None:
        return False
    uri, version, changes = change
    if _change_text(ls, uri, version, changes):
        tell_edited(ls, uri)
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


def did_change(ls: ServerState, params: types.DidChangeTextDocumentParams) -> None:
    """A document was changed."""
    if change_document(ls, params.text_document, params.content_changes):
        tell_edited(ls, params.text_document.uri)


def change_document(
    ls: ServerState,
    identifier: types.VersionedTextDocumentIdentifier,
    events: Sequence[types.TextDocumentContentChangeEvent],
) -> bool:
    """Change the text of a document or of a cell. Returns whether that was possible."""
    return _change_text(ls, identifier.uri, identifier.version, [_change(event) for event in events])


def _change_text(ls: ServerState, uri: str, version: int, changes: list[Change]) -> bool:
    if uri not in ls.documents.latest:
        _LOGGER.warning("%s was changed though it is not open; the change is ignored", uri)
        return False
    try:
        ls.documents.change(uri, version, changes, ls.client.encoding)
    except PositionError as error:
        _LOGGER.warning("A change of %s was not applied: %s", uri, error)
        ls.change_not_applied(uri, error.render(ls.language))
        return False
    return True


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
