"""The commands that convert: `mindport.convertFile` and `mindport.convertProject`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from mindport.language import Text
from mindport.lsp.commands import (
    REQUEST_FAILED,
    found_in_snapshot,
    name_of,
    wait_until_ready,
    wrong_arguments,
)
from mindport.lsp.current_edits import edits_now
from mindport.lsp.file_search import tell_left_out
from mindport.lsp.progress import Steps, with_progress
from mindport.lsp.requests import request_for, run_apart
from mindport.lsp.uris import file_of
from mindport.lsp.workspace_edits import DocumentEdits, workspace_edit

if TYPE_CHECKING:
    from mindport.app.convert_document import Converted
    from mindport.app.scan import Entries
    from mindport.assess.file_findings import FileFindings
    from mindport.lsp.documents import Snapshot
    from mindport.lsp.state import ServerState
    from mindport.rewrite.conversion import Outcome
    from mindport.scan.scan import Progress

_FILE = "mindport.convertFile"
CONVERT_PROJECT = "mindport.convertProject"

_CONVERTING = Text("MindPort: converting {name}", "MindPort：正在转换 {name}")
_THE_PROJECT = Text("the project", "项目")
_LABEL = Text("MindPort: convert to MindSpore", "MindPort：转换为 MindSpore")
_A_FILE = Text(
    'the URI of a document and, optionally, an object such as {"unsafe": true}',
    '文档的 URI，以及可选的对象，例如 {"unsafe": true}',
)
_A_FOLDER = Text("nothing, or the URI of a folder", "空，或文件夹的 URI")
_NO_FOLDER = Text(
    "No folder is open. Open the project's folder, or give its URI.",
    "未打开文件夹。请打开项目文件夹，或给出其 URI。",
)
_CANNOT_APPLY = Text(
    "This editor does not let language servers change files. Run `mindport convert --in-place` in a "
    "terminal.",
    "此编辑器不支持由语言服务器修改文件。请在终端中运行 `mindport convert --in-place`。",
)
_DONE = Text(
    "MindPort: changes: {changes} (files: {files}); findings left for you: {left}.",
    "MindPort：已在 {files} 个文件中作 {changes} 处修改；另有 {left} 项结果需您处理。",
)


def register(server: ServerState) -> None:
    """Tell the server which commands there are."""
    server.command(_FILE)(convert_file)
    server.command(CONVERT_PROJECT)(convert_project)


def convert_file(ls: ServerState, arguments: Sequence[Any], token: Any) -> Awaitable[Any]:
    """`mindport.convertFile`: make all safe changes in one document; see `docs/protocol.md`."""
    options = arguments[1] if len(arguments) > 1 and arguments[1] is not None else {}
    is_uri = 1 <= len(arguments) <= 2 and isinstance(arguments[0], str) and bool(arguments[0])
    is_sound = isinstance(options, dict) and set(options) <= {"unsafe"}
    if not is_uri or not is_sound or not isinstance(options.get("unsafe", False), bool):
        raise wrong_arguments(ls, _FILE, _A_FILE)
    uri = arguments[0]
    work = _convert_file(ls, uri, ls.documents.open_at(uri), options.get("unsafe", False))
    return with_progress(ls, work, _CONVERTING, token, name=name_of(uri))


async def _convert_file(ls: ServerState, uri: str, snapshot: Snapshot | None, unsafe: bool) -> Any:
    await prepare(ls)
    converted = await convert_document(ls, uri, snapshot, unsafe)
    return await apply(ls, [converted])


async def convert_document(ls: ServerState, uri: str, snapshot: Snapshot | None, unsafe: bool) -> Converted:
    """What becomes of one document or notebook: as `snapshot` has it, else as it is on disk. Raises
    JsonRpcException where it cannot be converted."""

    def convert(path: str, found: FileFindings) -> Converted:
        from mindport.app.convert_document import DocumentConverter

        whole = uri if snapshot is None or snapshot.notebook is None else snapshot.notebook.uri
        return DocumentConverter(ls.language, ls.engine.takers(path), unsafe).document(whole, path, found)

    converted: Converted = await found_in_snapshot(ls, uri, snapshot, convert)
    if converted.problem is not None:
        raise JsonRpcException(converted.problem, REQUEST_FAILED)
    return converted


def convert_project(ls: ServerState, arguments: Sequence[Any], token: Any) -> Awaitable[Any]:
    """`mindport.convertProject`: make all safe changes in a folder, or in all folders that are open."""
    given = arguments[0] if arguments else None
    folder = file_of(given) if isinstance(given, str) else None
    if len(arguments) > 1 or (given is not None and folder is None):
        raise wrong_arguments(ls, CONVERT_PROJECT, _A_FOLDER)
    folders = ls.client.folders if folder is None else (folder,)
    name = _THE_PROJECT.render(ls.language) if folder is None else folder.name
    steps = Steps(ls)
    return with_progress(ls, _convert_project(ls, folders, steps), _CONVERTING, token, steps, name=name)


async def _convert_project(ls: ServerState, folders: Sequence[Path], steps: Steps) -> Any:
    await prepare(ls)
    return await apply(ls, await convert_folders(ls, folders, steps))


async def convert_folders(
    ls: ServerState, folders: Sequence[Path], steps: Steps, unsafe: bool = False
) -> list[Converted]:
    """What becomes of the Python files and notebooks of folders. Raises JsonRpcException if there is no
    folder."""
    if not folders:
        raise JsonRpcException(_NO_FOLDER.render(ls.language), REQUEST_FAILED)
    request = request_for(ls, await ls.work(ls.engine.folders), folders)

    def run(progress: Progress) -> Entries[Converted]:
        from mindport.app.convert import convert_request

        return convert_request(request, ls.language, unsafe, progress)

    entries = await run_apart(ls, steps, run)
    tell_left_out(ls, entries.left_out)
    return list(entries.by_uri.values())


async def prepare(ls: ServerState) -> None:
    """Wait until the server works. Raises JsonRpcException if it cannot, or the client makes no edits."""
    await wait_until_ready(ls)
    if not ls.client.applies_edits:
        raise JsonRpcException(_CANNOT_APPLY.render(ls.language), REQUEST_FAILED)


async def apply(ls: ServerState, converted: Sequence[Converted]) -> Any:
    """Have the client make the edits, and say what became of the findings. Raises JsonRpcContentModified if a
    document is not as it was when it was looked at."""
    edits = await edits_now(ls, converted)
    result = {"applied": True} | outcome_of(converted)
    if edits:
        answer = await _sent(ls, edits)
        result["applied"] = answer.applied
        if not answer.applied:
            return result | {"reason": answer.failure_reason}
    ls.messages.show(types.MessageType.Info, _told(ls, converted))
    return result


def outcome_of(converted: Sequence[Converted]) -> dict[str, Any]:
    """What became of documents, as the protocol has it: how many change, the counts, and the problems."""
    outcomes: Counter[Outcome] = sum((one.outcomes for one in converted), Counter())
    problems = [{"uri": one.uri, "message": one.problem} for one in converted if one.problem is not None]
    changed = sum(one.changes for one in converted)
    return {"files": changed, "outcomes": dict(outcomes), "problems": problems}


def _told(ls: ServerState, converted: Sequence[Converted]) -> str:
    from mindport.rewrite.conversion import CHANGED

    outcomes: Counter[Outcome] = sum((one.outcomes for one in converted), Counter())
    changes = sum(outcomes[outcome] for outcome in CHANGED)
    files = sum(one.changes for one in converted)
    values = {"changes": changes, "files": files, "left": outcomes.total() - changes}
    return _DONE.render(ls.language, **values)


async def _sent(ls: ServerState, documents: Iterable[DocumentEdits]) -> types.ApplyWorkspaceEditResult:
    edit = ls.protocol.workspace_edit(workspace_edit(documents, ls.client))
    params = types.ApplyWorkspaceEditParams(edit, _LABEL.render(ls.language))
    answer: types.ApplyWorkspaceEditResult = await ls.protocol.send_request_async(
        types.WORKSPACE_APPLY_EDIT, params
    )
    return answer
