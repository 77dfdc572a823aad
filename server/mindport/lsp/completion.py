"""Completion: MindSpore's counterparts while the user types the name of a torch API."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from mindport.language import Text
from mindport.lsp.hover import plain_text
from mindport.lsp.notebook_cells import document_edits
from mindport.lsp.protocol import invalid_params
from mindport.lsp.workspace_edits import Json, range_of
from mindport.source.lines import PositionError

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.lsp.documents import Snapshot
    from mindport.lsp.state import ServerState
    from mindport.rewrite.completions import Offer
    from mindport.rewrite.edit import Edit

_NOTHING: Json = {"isIncomplete": False, "items": []}
_KINDS = {
    "function": types.CompletionItemKind.Function,
    "class": types.CompletionItemKind.Class,
    "method": types.CompletionItemKind.Method,
    "property": types.CompletionItemKind.Property,
    "attribute": types.CompletionItemKind.Field,
    "constant": types.CompletionItemKind.Constant,
    "dtype": types.CompletionItemKind.Constant,
}
_DIFFERS = Text("{detail} (behaves differently)", "{detail}（行为有差异）")


def register(server: ServerState) -> None:
    """Tell the server which messages are handled here."""
    options = types.CompletionOptions(trigger_characters=["."], resolve_provider=True)
    server.feature(types.TEXT_DOCUMENT_COMPLETION, options)(completion)
    server.feature(types.COMPLETION_ITEM_RESOLVE)(resolve)


def completion(ls: ServerState, params: types.CompletionParams) -> Awaitable[Json] | None:
    """The client asks what may stand at a position."""
    snapshot = ls.documents.snapshot(params.text_document.uri)
    if snapshot is None:
        return None
    position = params.position
    try:
        offset = snapshot.document.lines.offset(position.line, position.character, ls.client.encoding)
    except PositionError:
        return None  # beyond the text: there is nothing
    return ls.ask(snapshot, lambda found: _completion(ls, snapshot, found, offset), _NOTHING)


def resolve(ls: ServerState, params: types.CompletionItem) -> Awaitable[Json] | Json:
    """The client asks for the page about an item that it was offered."""
    item = ls.protocol.plain(params)
    data: Any = item.get("data")
    try:
        api, path = str(data["api"]), str(data["path"])
    except (KeyError, TypeError) as error:
        raise invalid_params("The item's data is not what the server sent") from error
    return _explained(ls, item, api, path)


async def _explained(ls: ServerState, item: Json, api: str, path: str) -> Json:
    await ls.ready.wait()
    if not ls.engine.is_usable:
        return item
    page = await ls.work(lambda: ls.engine.explain(api, path))
    if ls.client.completes_markdown:
        return item | {"documentation": {"kind": "markdown", "value": page}}
    return item | {"documentation": {"kind": "plaintext", "value": plain_text(page)}}


def _completion(ls: ServerState, snapshot: Snapshot, found: FileFindings, offset: int) -> Json:
    from mindport.rewrite.completions import MOST_OFFERS

    cursor = snapshot.start() + offset
    offers = list(islice(ls.engine.completions(snapshot.path, found, cursor), MOST_OFFERS + 1))
    items = _Items(ls, snapshot, found, cursor)
    return {
        "isIncomplete": len(offers) > MOST_OFFERS,
        "items": [items.item(offer) for offer in offers[:MOST_OFFERS]],
    }


class _Items:
    """Offers as the protocol has them. Used on the worker's thread."""

    def __init__(self, server: ServerState, snapshot: Snapshot, found: FileFindings, cursor: int) -> None:
        self._server = server
        self._snapshot = snapshot
        self._found = found
        self._cursor = cursor
        self._imports: dict[tuple[Edit, ...], list[Json]] = {}

    def item(self, offer: Offer) -> Json:
        """One offer. Its place in the list is behind what others offer of the same name: whoever types a name
        to its end and goes on has typed what they meant."""
        detail = f"{offer.api} → {offer.target}"
        if offer.status == "differs":
            detail = _DIFFERS.render(self._server.engine.language, detail=detail)
        covered = self._range(offer.start, self._cursor)
        data: dict[str, Any] = {"api": offer.api, "path": self._snapshot.path}
        item: Json = {
            "label": offer.new_text,
            "kind": _KINDS[offer.kind].value,
            "detail": detail,
            "sortText": f"~{'0' if offer.status == 'equivalent' else '1'}{offer.typed_name}",
            "filterText": offer.typed_name,
            "textEdit": {"range": covered, "newText": offer.new_text},
            "data": data,
        }
        imports = self._edits(offer.imports)
        return item | {"additionalTextEdits": imports} if imports else item

    def _range(self, start: int, end: int) -> Json:
        part = self._found.document.part(start)
        return range_of(part.lines, part.offset(start), part.offset(end), self._server.client.encoding)

    def _edits(self, edits: tuple[Edit, ...]) -> list[Json]:
        """The edits of imports, in the document itself: an item may not change another cell of a notebook."""
        if edits not in self._imports:
            encoding = self._server.client.encoding
            documents = document_edits(self._snapshot, self._here(edits), encoding)
            self._imports[edits] = [edit for document in documents for edit in document.edits]
        return self._imports[edits]

    def _here(self, edits: tuple[Edit, ...]) -> Iterator[Edit]:
        document = self._found.document
        part = document.part(self._cursor)
        lines = document.lines
        for edit in edits:
            if document.part(edit.start) is part:
                yield edit
                continue
            first = next(block.start for block in self._found.analysis.blocks if block.start >= part.start)
            place = lines.line_start(lines.line_of(first))
            yield replace(edit, start=place, end=place, new_text=f"{edit.new_text.strip()}\n")
