"""Edits of documents as they are now: open in the editor, else on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pygls.exceptions import JsonRpcContentModified, JsonRpcException

from mindport.language import Text
from mindport.lsp.commands import name_of, read_document
from mindport.lsp.uris import file_of, path_of
from mindport.lsp.workspace_edits import DocumentEdits, text_edits
from mindport.source.decode import is_notebook
from mindport.source.document import as_utf8
from mindport.source.error import TextError
from mindport.source.lines import LineIndex
from mindport.source.notebook_file import read_notebook

if TYPE_CHECKING:
    from mindport.app.convert_document import Converted, Texts
    from mindport.lsp.state import ServerState
    from mindport.rewrite.edit import Edit
    from mindport.source.document import Document

_CHANGED = Text(
    "Nothing was converted: {name} has changed since it was analyzed. Try again.",
    "未进行任何转换：{name} 在分析之后已被修改。请重试。",
)


class _Open(NamedTuple):
    """A text that is open: its URI, and the document as the editor has it."""

    uri: str
    document: Document


async def edits_now(ls: ServerState, converted: Sequence[Converted]) -> list[DocumentEdits]:
    """The edits that convert documents, as they are now: of an open notebook those of its cells, of one on
    disk those of its file. Raises JsonRpcContentModified if a text is not the one that was converted."""
    every = _open_texts(ls)
    known = [(one, every.get(path_of(one.uri))) for one in converted if one.changes]
    found = await ls.work(lambda: [_edits(ls, one, texts) for one, texts in known])
    used = [opened for _, texts in known for opened in (texts or {}).values()]
    stale = [opened for opened in used if ls.documents.latest.get(opened.uri) is not opened.document]
    if stale:
        raise _changed(ls, stale[0].uri)
    return [edits for of_one in found for edits in of_one]


def _open_texts(ls: ServerState) -> dict[str, Mapping[int | None, _Open]]:
    """What is open, by path: the texts by the numbers of their cells, in a notebook, else by None."""
    documents = ls.documents
    found: dict[str, Mapping[int | None, _Open]] = {
        path_of(uri): {None: _Open(uri, document)}
        for uri, document in documents.latest.items()
        if uri not in documents.notebook_of
    }
    for notebook in documents.notebooks.values():
        found[notebook.path] = {
            number: _Open(uri, notebook.code[uri])
            for number, uri in enumerate(notebook.cells, start=1)
            if uri in notebook.code
        }
    return found


def _edits(ls: ServerState, one: Converted, opened: Mapping[int | None, _Open] | None) -> list[DocumentEdits]:
    """The edits of one document. On the worker's thread."""
    encoding = ls.client.encoding
    if opened is None:
        lines, edits = _on_disk(ls, one)
        return [DocumentEdits(one.uri, None, text_edits(lines, edits, encoding))]
    _check_same(ls, one, {part: text.document.data for part, text in opened.items()})
    of_texts = [(opened[part], edits) for part, edits in one.edits.items()]
    return [
        DocumentEdits(uri, document.version, text_edits(document.lines, edits, encoding))
        for (uri, document), edits in of_texts
    ]


def _on_disk(ls: ServerState, one: Converted) -> tuple[LineIndex, Sequence[Edit]]:
    """The text of a file, and its edits."""
    try:
        file = file_of(one.uri)
        if file is None or not is_notebook(file):
            document = read_document(ls, one.uri)
            _check_same(ls, one, {None: document.data})
            return document.lines, one.edits[None]
        notebook = read_notebook(file)
        _check_same(ls, one, {cell.number: cell.lines.data for cell in notebook.cells()})
        return LineIndex(as_utf8(notebook.text)), one.edits_of_file(notebook)
    except (TextError, JsonRpcException) as error:
        raise _changed(ls, one.uri) from error


def _check_same(ls: ServerState, one: Converted, now: Texts) -> None:
    """Raises JsonRpcContentModified unless the document is as it was when it was looked at."""
    if not one.is_of(now):
        raise _changed(ls, one.uri)


def _changed(ls: ServerState, uri: str) -> JsonRpcContentModified:
    return JsonRpcContentModified(_CHANGED.render(ls.language, name=name_of(uri)))
