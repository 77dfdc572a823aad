"""Edits as the protocol has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mindport.lsp.client import Client
from mindport.lsp.documents import Snapshot
from mindport.rewrite.edit import Edit
from mindport.source.lines import LineIndex, PositionEncoding

Json = dict[str, Any]


def range_of(lines: LineIndex, start: int, end: int, encoding: PositionEncoding) -> Json:
    """The range of the bytes `start`..`end`."""
    return {"start": _position(lines, start, encoding), "end": _position(lines, end, encoding)}


def workspace_edit(snapshot: Snapshot, edits: Iterable[Edit], client: Client) -> Json:
    """The edits of one document; they hold for the version of the snapshot alone, and say so if the client
    understands that."""
    lines = snapshot.document.lines
    changes = [
        {"range": range_of(lines, edit.start, edit.end, client.encoding), "newText": edit.new_text}
        for edit in edits
    ]
    if not client.versioned_edits:
        return {"changes": {snapshot.uri: changes}}
    document = {"uri": snapshot.uri, "version": snapshot.version}
    return {"documentChanges": [{"textDocument": document, "edits": changes}]}


def _position(lines: LineIndex, offset: int, encoding: PositionEncoding) -> Json:
    line, character = lines.position(offset, encoding)
    return {"line": line, "character": character}
