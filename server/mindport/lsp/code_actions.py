"""Code actions: a quick fix per finding, the same for all of its kind in the file, silencing a finding on its
line, and all safe fixes of a file."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from mindport.language import Text
from mindport.lsp.commands import SHOW_CHECK
from mindport.lsp.convert_commands import CONVERT_PROJECT
from mindport.lsp.diagnostics import Diagnostics
from mindport.lsp.group_action import CONVERT_GROUP, GROUP_KEY, group_edit, is_offered, title_at
from mindport.lsp.model_test_action import MODEL_TEST, MODEL_TEST_KEY, model_test_edit, model_test_title
from mindport.lsp.notebook_cells import document_edits, moved
from mindport.lsp.protocol import invalid_params
from mindport.lsp.workspace_edits import Json, workspace_edit
from mindport.source.lines import PositionError

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.language import Language
    from mindport.lsp.documents import Snapshot
    from mindport.lsp.state import ServerState
    from mindport.rewrite.edit import Edit
    from mindport.rewrite.fixes import ProposedFix

QUICK_FIX = types.CodeActionKind.QuickFix.value
FIX_ALL = "source.fixAll.mindport"
FIX_PROJECT = "source.mindport.fixProject"
"""Not below `source.fixAll`: nobody wants the whole project changed whenever a file is saved."""
_FIX_ALL_KEY = "all safe fixes"
_SAME_KEY = "all safe fixes of "

FIX_ALL_TITLE = Text("MindPort: Apply All Safe Fixes in This File", "MindPort：应用此文件的所有安全修复")
SAME_TITLE = Text("Fix all {number} uses of {api} in this file", "修复此文件中 {api} 的全部 {number} 处使用")
FIX_PROJECT_TITLE = Text(
    "MindPort: Apply All Safe Fixes in the Project", "MindPort：应用整个项目的所有安全修复"
)
IGNORE_TITLE = Text("Ignore {code} on this line", "在此行忽略 {code}")
CHECK_TITLE = Text("Show what to check", "显示需要检查的内容")
NOTHING_CHANGED = Text(
    "MindPort: nothing was changed. Here the fix would lose a comment or break the surrounding code.",
    "MindPort：未作修改。在此处应用该修复会丢失注释或破坏周围的代码。",
)


def register(server: ServerState) -> None:
    """Tell the server which messages are handled here."""
    options = types.CodeActionOptions(
        code_action_kinds=[types.CodeActionKind.QuickFix, CONVERT_GROUP, MODEL_TEST, FIX_ALL, FIX_PROJECT],
        resolve_provider=True,
    )
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)(code_action)
    server.feature(types.CODE_ACTION_RESOLVE)(resolve)


def code_action(ls: ServerState, params: types.CodeActionParams) -> Awaitable[Sequence[Json]] | None:
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


def resolve(ls: ServerState, params: types.CodeAction) -> Awaitable[Json] | Json:
    """The client asks for the edits of an action that it was offered."""
    action = ls.protocol.plain(params)
    data = action.get("data")
    if data is None:
        return action  # it has its edits already
    try:
        uri, version, key = str(data["uri"]), data["version"], str(data["key"])
        snapshot = ls.documents.snapshot(uri)
    except (KeyError, TypeError) as error:
        raise invalid_params("The action's data is not what the server sent") from error
    if snapshot is None or snapshot.revision != version:
        raise JsonRpcContentModified("The document has changed since the action was offered")
    if key.startswith(GROUP_KEY):
        return _with_group_edit(ls, action, snapshot, int(key.removeprefix(GROUP_KEY)))
    if key.startswith(MODEL_TEST_KEY):
        return action | {"edit": model_test_edit(ls, snapshot, int(key.removeprefix(MODEL_TEST_KEY)))}
    offer = _Offer(ls, snapshot)
    return ls.ask(snapshot, lambda found: action | {"edit": offer.edit_of(found, key)}, action)


async def _with_group_edit(ls: ServerState, action: Json, snapshot: Snapshot, offset: int) -> Json:
    return action | {"edit": await group_edit(ls, snapshot, offset)}


def _kind(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind


def _is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Whether the client asks for actions of a kind: by its name or the beginning of its name."""
    return only is None or any(wanted in ("", kind) or kind.startswith(f"{wanted}.") for wanted in only)


class _Offer:
    """What can be done about the bytes `start`..`end` of a document. Used on the worker's thread."""

    def __init__(self, server: ServerState, snapshot: Snapshot, start: int = 0, end: int = 0) -> None:
        self._server = server
        self._snapshot = snapshot
        self._start = start
        self._end = end

    @property
    def _language(self) -> Language:
        return self._server.engine.language

    def actions(self, found: FileFindings, only: Sequence[str] | None) -> list[Json]:
        """The actions of the kinds that are wanted."""
        actions: list[Json] = []
        if _is_wanted(QUICK_FIX, only):
            from mindport.rewrite.fixes import propose

            touched = [placed for placed in found.chosen() if self._touches(placed)]
            proposed = [fix for placed in touched if (fix := propose(placed)) is not None]
            actions.extend(self._quick_fixes(found, proposed))
            actions.extend(self._same_kind(found, proposed))
            actions.extend(self._ignores(found, touched))
        if _is_wanted(FIX_ALL, only) and any(placed.finding.fix == "safe" for placed in found.chosen()):
            action: Json = {"title": FIX_ALL_TITLE.render(self._language), "kind": FIX_ALL}
            actions.extend(self._with_edit(action, found, _FIX_ALL_KEY))
        actions.extend(self._about_definitions(found, only))
        if _is_wanted(FIX_PROJECT, only):
            actions.extend(self._whole_project())
        return actions

    def _about_definitions(self, found: FileFindings, only: Sequence[str] | None) -> Iterator[Json]:
        """What can be done about the class or function that begins here."""
        wanted = [kind for kind in (CONVERT_GROUP, MODEL_TEST) if _is_wanted(kind, only)]
        if not wanted or not is_offered(self._server, self._snapshot):
            return
        offered = title_at(found, self._start, self._language)
        if offered is None:
            return
        title, start = offered
        if CONVERT_GROUP in wanted:
            yield from self._with_edit({"title": title, "kind": CONVERT_GROUP}, found, f"{GROUP_KEY}{start}")
        if MODEL_TEST in wanted and (of_test := model_test_title(self._server, self._snapshot, start)):
            yield from self._with_edit(
                {"title": of_test, "kind": MODEL_TEST}, found, f"{MODEL_TEST_KEY}{start}"
            )

    def edit_of(self, found: FileFindings, key: str) -> Json:
        """The edit of the action with this key; an empty one, which the user is told of, where it cannot be
        made. Raises JsonRpcContentModified if there is no such action any more."""
        chosen = self._chosen(found, key)
        if not chosen:
            raise JsonRpcContentModified("The fix is not offered any more")
        edit = self._edit_for(found, chosen)
        if edit is None:
            self._server.messages.show(types.MessageType.Info, NOTHING_CHANGED.render(self._language))
        return edit or self._edit(())

    def _edit_for(self, found: FileFindings, chosen: Sequence[ProposedFix]) -> Json | None:
        """The edit of fixes; None where none of them can be made."""
        from mindport.rewrite.fixes import edits

        made = edits(found, chosen, self._server.engine.takers(self._snapshot.path).of(self._snapshot.path))
        return self._edit(made) if made else None

    def _chosen(self, found: FileFindings, key: str) -> Sequence[ProposedFix]:
        """The fixes that an action stands for."""
        from mindport.rewrite.fixes import find, safe_fixes

        if key == _FIX_ALL_KEY:
            return safe_fixes(found)
        if key.startswith(_SAME_KEY):
            api = key.removeprefix(_SAME_KEY)
            return [fix for fix in safe_fixes(found) if _api(fix) == api]
        fix = find(found, key)
        return [] if fix is None else [fix]

    def _touches(self, placed: PlacedFinding) -> bool:
        start, end = self._range()
        return placed.start <= end and placed.end >= start

    def _range(self) -> tuple[int, int]:
        """The range in what is looked at: in a notebook, all cells."""
        start = self._snapshot.start()
        return start + self._start, start + self._end

    def _quick_fixes(self, found: FileFindings, proposed: Sequence[ProposedFix]) -> Iterator[Json]:
        for fix in proposed:
            action = self._action(fix.title(self._language))
            action["diagnostics"] = [self._diagnostic(fix.finding)]
            if fix.applicability == "safe":
                action["isPreferred"] = True
            else:
                action["command"] = self._told_what_to_check(fix)
            yield from self._with_edit(action, found, fix.key)

    def _told_what_to_check(self, fix: ProposedFix) -> Json:
        """The command that follows on a fix to review, which is made at once."""
        from mindport.rewrite.review import what_to_check

        sentence = what_to_check(fix.finding.finding, self._language)
        return {"title": CHECK_TITLE.render(self._language), "command": SHOW_CHECK, "arguments": [sentence]}

    def _same_kind(self, found: FileFindings, proposed: Sequence[ProposedFix]) -> Iterator[Json]:
        """For each API with a safe fix here and others in the file, all of them at once."""
        from mindport.rewrite.fixes import count

        for api in dict.fromkeys(_api(fix) for fix in proposed if fix.applicability == "safe"):
            key = f"{_SAME_KEY}{api}"
            number = count(found, self._chosen(found, key))
            if number > 1:
                title = SAME_TITLE.render(self._language, api=api, number=number)
                yield from self._with_edit(self._action(title), found, key)

    def _whole_project(self) -> Iterator[Json]:
        """The command that converts the document's folder of the workspace."""
        client, path = self._server.client, Path(self._snapshot.path)
        around = [folder for folder in client.folders if folder in path.parents]
        if client.applies_edits and around:
            title = FIX_PROJECT_TITLE.render(self._language)
            innermost = max(around, key=lambda folder: len(folder.parts))
            command = {"title": title, "command": CONVERT_PROJECT, "arguments": [innermost.as_uri()]}
            yield {"title": title, "kind": FIX_PROJECT, "command": command}

    def _ignores(self, found: FileFindings, shown: Sequence[PlacedFinding]) -> Iterator[Json]:
        from mindport.rewrite.suppress import ignore_edit

        offered: set[tuple[int, str]] = set()
        for placed in shown:
            code = placed.finding.code
            line = found.document.lines.line_of(placed.start)
            if code is None or (line, code) in offered:
                continue
            offered.add((line, code))
            edit = ignore_edit(found.document, placed.start, code)
            if edit is not None:
                action = self._action(IGNORE_TITLE.render(self._language, code=code))
                action["diagnostics"] = [self._diagnostic(placed)]
                yield action | {"edit": self._edit((edit,))}

    def _action(self, title: str) -> Json:
        return {"title": title, "kind": QUICK_FIX}

    def _with_edit(self, action: Json, found: FileFindings, key: str) -> Iterator[Json]:
        """The action with what is needed to make its edit later; or, for simpler clients, with the edit: then
        it is left out if nothing can be changed."""
        if self._server.client.resolves_edits:
            data: dict[str, Any] = {"uri": self._snapshot.uri, "version": self._snapshot.revision, "key": key}
            yield action | {"data": data}
            return
        edit = self._edit_for(found, self._chosen(found, key))
        if edit is not None:
            yield action | {"edit": edit}

    def _diagnostic(self, placed: PlacedFinding) -> Any:
        placed = moved(placed, self._snapshot.start())
        return json.loads(self._server.part(Diagnostics).items.one(placed, self._snapshot.document.lines))

    def _edit(self, edits: Sequence[Edit]) -> Json:
        client = self._server.client
        return workspace_edit(document_edits(self._snapshot, edits, client.encoding), client)


def _api(fix: ProposedFix) -> str:
    return fix.finding.finding.use.api
