"""A pygls server that does nothing but say, at every change, that there are no diagnostics."""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("noop", "1")


def _publish(uri: str, version: int | None) -> None:
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, [], version))


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def did_open(params: types.DidOpenTextDocumentParams) -> None:
    """A document was opened."""
    _publish(params.text_document.uri, params.text_document.version)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def did_change(params: types.DidChangeTextDocumentParams) -> None:
    """A document was changed."""
    _publish(params.text_document.uri, params.text_document.version)


server.start_io()
