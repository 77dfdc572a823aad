"""Code actions: a quick fix per finding, silencing a finding on its line, and all safe fixes of a file."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from mindport.language import Text
from mindport.lsp.protocol import invalid_params
from mindport.lsp.workspace_edits import Json, workspace_edit
from mindport.rewrite.suppress import ignore_edit
from mindport.source.lines import PositionError

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.lsp.documents import Snapshot
    from mindport.lsp.server import MindportServer
    from mindport.rewrite.edit import Edit
    from mindport.rewrite.fixes import ProposedFix

QUICK_FIX = types.CodeActionKind.QuickFix.value
FIX_ALL = "source.fixAll.mindport"
_FIX_ALL_KEY = "all safe fixes"

FIX_ALL_TITLE = Text("mindport: apply all safe fixes of this file", "mindport：应用此文件的所有安全修复")
IGNORE_TITLE = Text("Ignore {code} on this line", "在此行忽略 {code}")


def register(server: MindportServer) -> None:
    """Tell the server which messages are handled here."""
    options = types.CodeActionOptions(
        code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL], resolve_provider=True
    )
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)(code_action)
    server.feature(types.CODE_ACTION_RESOLVE)(resolve)


def code_action(ls: MindportServer, params: types.CodeActionParams) -> Awaitable[Sequence[Json]] | None:
    """The client asks what can be done about a range."""
    snapshot = ls.documents.snapshot(params.text_document.uri)
    if snapshot is None:
        return None
    lines, encoding = snapshot.document.lines, ls.client.encoding
    try:
        start = lines.offset(params.range.start.line, params.range.start.character, encoding)
        end = lines.offset(params.range.end.line, params.range.end.character, encoding)
    except PositionError:
        return None  # beyond the text: there is nothing
    only = None if params.context.only is None else [_kind(kind) for kind in params.context.only]
    offer = _Offer(ls, snapshot, min(start, end), max(start, end))
    return ls.ask(snapshot, lambda found: offer.actions(found, only), [])


def resolve(ls: MindportServer, params: types.CodeAction) -> Awaitable[Json] | Json:
    """The client asks for the edits of an action that it was offered."""
    action = ls.protocol.plain(params)
    data = action.get("data")
    if data is None:
        return action  # it has its edits already
    try:
        uri, version, key, start, end = (data[name] for name in ("uri", "version", "key", "start", "end"))
        snapshot = ls.documents.snapshot(uri)
    except (KeyError, TypeError) as error:
        raise invalid_params("The action's data is not what the server sent") from error
    if snapshot is None or snapshot.version != version:
        raise JsonRpcContentModified("The document has changed since the action was offered")
    offer = _Offer(ls, snapshot, start, end)
    return ls.ask(snapshot, lambda found: action | {"edit": offer.edit_of(found, key)}, action)


def _kind(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind


def _is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Whether the client asks for actions of a kind: by its name or the beginning of its name."""
    return only is None or any(wanted in ("", kind) or kind.startswith(f"{wanted}.") for wanted in only)


class _Offer:
    """What can be done about the bytes `start`..`end` of a document. Used on the worker's thread."""

    def __init__(self, server: MindportServer, snapshot: Snapshot, start: int, end: int) -> None:
        self._server = server
        self._snapshot = snapshot
        self._start = start
        self._end = end

    def actions(self, found: FileFindings, only: Sequence[str] | None) -> list[Json]:
        """The actions of the kinds that are wanted."""
        actions: list[Json] = []
        if _is_wanted(QUICK_FIX, only):
            touched = [placed for placed in found.diagnostics() if self._touches(placed)]
            actions.extend(self._quick_fixes(found, touched))
            actions.extend(self._ignores(found, touched))
        if _is_wanted(FIX_ALL, only) and any(placed.finding.fix == "safe" for placed in found.diagnostics()):
            title = FIX_ALL_TITLE.render(self._server.engine.language)
            action: Json = {"title": title, "kind": FIX_ALL}
            actions.append(self._with_edit(action, found, _FIX_ALL_KEY))
        return actions

    def edit_of(self, found: FileFindings, key: str) -> Json:
        """The edit of the action with this key. Raises JsonRpcContentModified if there is none any more."""
        session = self._server.engine.session
        if key == _FIX_ALL_KEY:
            return self._edit(session.fix_all(found))
        for fix in session.fixes(found, self._start, self._end):
            if fix.key == key:
                return self._edit(session.edits(found, fix))
        raise JsonRpcContentModified("The fix is not offered any more")

    def _touches(self, placed: PlacedFinding) -> bool:
        return placed.start <= self._end and placed.end >= self._start

    def _quick_fixes(self, found: FileFindings, shown: Sequence[PlacedFinding]) -> Iterator[Json]:
        fixes = self._server.engine.session.fixes(found, self._start, self._end)
        visible = {id(placed.finding) for placed in shown}
        for fix in fixes:
            action = self._action(fix.title(self._server.engine.language))
            if id(fix.finding.finding) in visible:
                action["diagnostics"] = [self._diagnostic(found, fix.finding)]
            if fix.applicability == "safe":
                action["isPreferred"] = True
            yield self._with_edit(action, found, fix.key, fix)

    def _ignores(self, found: FileFindings, shown: Sequence[PlacedFinding]) -> Iterator[Json]:
        offered: set[tuple[int, str]] = set()
        for placed in shown:
            code = placed.finding.code
            line = found.document.lines.line_of(placed.start)
            if code is None or (line, code) in offered:
                continue
            offered.add((line, code))
            edit = ignore_edit(found.document, placed.start, code)
            if edit is not None:
                action = self._action(IGNORE_TITLE.render(self._server.engine.language, code=code))
                action["diagnostics"] = [self._diagnostic(found, placed)]
                yield action | {"edit": self._edit((edit,))}

    def _action(self, title: str) -> Json:
        return {"title": title, "kind": QUICK_FIX}

    def _with_edit(self, action: Json, found: FileFindings, key: str, fix: ProposedFix | None = None) -> Json:
        """The action with what is needed to make its edit later, or with the edit for simpler clients."""
        if not self._server.client.resolves_edits:
            session = self._server.engine.session
            edits = session.fix_all(found) if fix is None else session.edits(found, fix)
            return action | {"edit": self._edit(edits)}
        data: dict[str, Any] = {"uri": self._snapshot.uri, "version": self._snapshot.version, "key": key}
        return action | {"data": data | {"start": self._start, "end": self._end}}

    def _diagnostic(self, found: FileFindings, placed: PlacedFinding) -> Any:
        return json.loads(self._server.diagnostics.items.one(found, placed))

    def _edit(self, edits: Sequence[Edit]) -> Json:
        return workspace_edit(self._snapshot, edits, self._server.client)
