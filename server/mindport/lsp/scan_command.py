"""The command `mindport.scanProject`; `docs/protocol.md` describes its arguments and result."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pygls.exceptions import JsonRpcException

from mindport.language import Text
from mindport.lsp.arguments import CallArguments
from mindport.lsp.commands import REQUEST_FAILED, name_of, wait_until_ready, wrong_arguments
from mindport.lsp.configuration import Configuration
from mindport.lsp.progress import Steps, with_progress
from mindport.lsp.requests import request_for, run_apart
from mindport.lsp.uris import file_of

if TYPE_CHECKING:
    from mindport.app.scan import Scan
    from mindport.lsp.documents import Snapshot
    from mindport.lsp.state import ServerState
    from mindport.report.scan_rows import ScannedFile
    from mindport.scan.scan import Progress

SCAN_PROJECT = "mindport.scanProject"

_SCANNING = Text("MindPort: scanning {name}", "MindPort：正在扫描 {name}")
_THE_WORKSPACE = Text("the workspace", "工作区")
_SEVERAL = Text("{number} files and folders", "{number} 个文件和文件夹")
_AN_OBJECT = Text(
    'nothing, or an object with "uris" (a list of URIs of files, folders and open documents), "keep" '
    "(true or false), or both",
    '空，或含有 "uris"（由文件、文件夹和已打开文档的 URI 组成的列表）、"keep"（true 或 false）'
    "中一项或两项的对象",
)
_NO_FOLDER = Text(
    "No folder is open. Open the project's folder, or give the URIs of files and folders.",
    "未打开文件夹。请打开项目文件夹，或给出文件、文件夹的 URI。",
)


class _Arguments(NamedTuple):
    """What the arguments say; `uris` is None where they name none."""

    uris: Sequence[str] | None
    keep: bool


def register(server: ServerState) -> None:
    """Tell the server of the command."""
    server.command(SCAN_PROJECT)(scan_project_command)


def scan_project_command(ls: ServerState, arguments: Sequence[Any], token: Any) -> Awaitable[Any]:
    """`mindport.scanProject`: what is found in files and folders, or in all folders of the workspace."""
    wanted = _arguments(arguments)
    if wanted is None:
        raise wrong_arguments(ls, SCAN_PROJECT, _AN_OBJECT)
    named = [] if wanted.uris is None else [ls.documents.open_at(uri) for uri in wanted.uris]
    documents = [document for document in named if document is not None]
    unopened = [uri for uri, found in zip(wanted.uris or (), named, strict=True) if found is None]
    paths = [path for path in map(file_of, unopened) if path is not None]
    if len(paths) < len(unopened):
        raise wrong_arguments(ls, SCAN_PROJECT, _AN_OBJECT)
    steps = Steps(ls)
    steps.stop = asyncio.get_running_loop().create_future()
    work = _scan(ls, wanted, paths, documents, steps)
    if token is None and not wanted.keep:
        return work  # nobody waits for it
    return with_progress(ls, work, _SCANNING, token, steps, name=_name(ls, wanted))


def _arguments(arguments: Sequence[Any]) -> _Arguments | None:
    """What the arguments say; None if they cannot be used."""
    given = arguments[0] if arguments and arguments[0] is not None else {}
    if len(arguments) > 1 or not isinstance(given, dict) or not set(given) <= {"uris", "keep"}:
        return None
    uris, keep = given.get("uris"), given.get("keep", True)
    is_list = isinstance(uris, list) and bool(uris) and all(isinstance(uri, str) and uri for uri in uris)
    if not isinstance(keep, bool) or not (uris is None or is_list):
        return None
    return _Arguments(uris, keep)


def _name(ls: ServerState, wanted: _Arguments) -> str:
    """What the scan is of, for people."""
    if wanted.uris is None:
        return _THE_WORKSPACE.render(ls.language)
    if len(wanted.uris) == 1:
        return name_of(wanted.uris[0])
    return _SEVERAL.render(ls.language, number=len(wanted.uris))


async def _scan(
    ls: ServerState, wanted: _Arguments, paths: Sequence[Path], documents: Sequence[Snapshot], steps: Steps
) -> Any:
    await wait_until_ready(ls)
    folders = await ls.work(ls.engine.folders)
    searched = list(ls.part(Configuration).folders) if wanted.uris is None else paths
    if not searched and not documents:
        raise JsonRpcException(_NO_FOLDER.render(ls.language), REQUEST_FAILED)
    request = request_for(ls, folders, searched, documents)
    language, encoding = ls.engine.language, ls.client.encoding

    def run(progress: Progress) -> Scan:
        from mindport.app.scan import scan_request

        return scan_request(request, language, encoding, progress)

    holding = ls.part(CallArguments).held() if wanted.uris is None else nullcontext()
    with holding:
        scan = await run_apart(ls, steps, run)
    if wanted.keep:
        ls.scans.add(scan.identity, scan)
    return _answer(scan, wanted.keep)


def _answer(scan: Scan, is_kept: bool) -> dict[str, Any]:
    from mindport.report import words
    from mindport.report.json_report import summary_entry, target_entry

    return {
        "scan": scan.identity if is_kept else None,
        "target": target_entry(scan.target),
        "summary": summary_entry(scan.totals()),
        "statuses": {name: word.render(scan.settings.language) for name, word in words.STATUSES.items()},
        "files": [_file(uri, file) for uri, file in scan.files.items()],
        "cancelled": scan.cancelled,
    }


def _file(uri: str, file: ScannedFile) -> dict[str, Any]:
    from mindport.report.json_report import counts_entry, problem_entries

    return {
        "uri": uri,
        "path": file.path,
        "counts": counts_entry(file.summary.by_status),
        "findings": counts_entry(file.findings()),
        "problems": problem_entries(file.problems),
    }
