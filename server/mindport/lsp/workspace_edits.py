"""Edits as the protocol has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from mindport.lsp.client import Client
from mindport.rewrite.edit import Edit
from mindport.source.lines import LineIndex, PositionEncoding

Json = dict[str, Any]
_ANNOTATION = "check"


class DocumentEdits(NamedTuple):
    """Edits of one document; `version` is the one for which alone they hold, None for a file that is not
    open. The edits are those of the protocol."""

    uri: str
    version: int | None
    edits: list[Json]


class Annotation(NamedTuple):
    """What the user is asked to confirm before edits are made."""

    label: str
    description: str


def range_of(lines: LineIndex, start: int, end: int, encoding: PositionEncoding) -> Json:
    """The range of the bytes `start`..`end`."""
    return {"start": _position(lines, start, encoding), "end": _position(lines, end, encoding)}


def text_edits(lines: LineIndex, edits: Iterable[Edit], encoding: PositionEncoding) -> list[Json]:
    """Edits of a text."""
    return [
        {"range": range_of(lines, edit.start, edit.end, encoding), "newText": edit.new_text} for edit in edits
    ]


def workspace_edit(
    documents: Iterable[DocumentEdits], client: Client, annotation: Annotation | None = None
) -> Json:
    """The edits of documents, with versions if the client understands these, and with the annotation if it
    shows such."""
    if not client.versioned_edits:
        return {"changes": {document.uri: document.edits for document in documents}}
    annotated = annotation is not None and client.annotates_edits
    changes = [
        {
            "textDocument": {"uri": document.uri, "version": document.version},
            "edits": [edit | {"annotationId": _ANNOTATION} for edit in document.edits]
            if annotated
            else document.edits,
        }
        for document in documents
    ]
    if annotation is None or not annotated:
        return {"documentChanges": changes}
    told = {"label": annotation.label, "description": annotation.description, "needsConfirmation": True}
    return {"documentChanges": changes, "changeAnnotations": {_ANNOTATION: told}}


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
