"""Edits as the protocol has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from mindport.lsp.client import Client
from mindport.rewrite.edit import Edit
from mindport.source.lines import LineIndex, PositionEncoding

Json = dict[str, Any]


class DocumentEdits(NamedTuple):
    """Edits of one document; `version` is the one for which alone they hold, None for a file that is not
    open. The edits are those of the protocol."""

    uri: str
    version: int | None
    edits: list[Json]


def range_of(lines: LineIndex, start: int, end: int, encoding: PositionEncoding) -> Json:
    """The range of the bytes `start`..`end`."""
    return {"start": _position(lines, start, encoding), "end": _position(lines, end, encoding)}


def text_edits(lines: LineIndex, edits: Iterable[Edit], encoding: PositionEncoding) -> list[Json]:
    """Edits of a text."""
    return [
        {"range": range_of(lines, edit.start, edit.end, encoding), "newText": edit.new_text} for edit in edits
    ]


def workspace_edit(documents: Iterable[DocumentEdits], client: Client) -> Json:
    """The edits of documents, with versions if the client understands these."""
    if not client.versioned_edits:
        return {"changes": {document.uri: document.edits for document in documents}}
    changes = [
        {"textDocument": {"uri": document.uri, "version": document.version}, "edits": document.edits}
        for document in documents
    ]
    return {"documentChanges": changes}


def file_creation(uri: str, text: str) -> list[Json]:
    """The changes that make a new file with a text."""
    start = {"line": 0, "character": 0}
    edit = {"range": {"start": start, "end": start}, "newText": text}
    return [
        {"kind": "create", "uri": uri, "options": {"ignoreIfExists": False}},
        {"textDocument": {"uri": uri, "version": None}, "edits": [edit]},
    ]


def _position(lines: LineIndex, offset: int, encoding: PositionEncoding) -> Json:
    line, character = lines.position(offset, encoding)
    return {"line": line, "character": character}
