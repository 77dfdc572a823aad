"""Diagnostics of files that are not open, where the setting `diagnostics` is `workspace`.

The files of a small project are looked at beside those that are open, with what stands in these; those of a
large one by a process of its own, as they are on disk.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from mindport.language import Text
from mindport.lsp.diagnostics import Diagnostics, publication, result_id
from mindport.lsp.file_search import FileSearch, apart, search
from mindport.lsp.progress import with_progress
from mindport.lsp.protocol import RawJson
from mindport.lsp.uris import path_of
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.app.arguments import ArgumentsTask
    from mindport.lsp.closed_files import ClosedFile, ClosedFiles
    from mindport.lsp.state import ServerState

_LOOKING = Text("MindPort: checking all files of the workspace", "MindPort：正在检查工作区的所有文件")
_NOTHING = result_id(())
_LONG_SECONDS = 60.0
"""So long at most a client that asks for what is new of large projects waits for an answer: some ask again
two seconds after each, with all that they know."""


class _Closed(NamedTuple):
    """The diagnostics of a file that is not open, as JSON, and their result id."""

    texts: Sequence[str]
    result: str


_GONE = _Closed((), _NOTHING)


class WorkspaceDiagnostics:
    """Looks at the files of the workspace in the background, one at a time, after all that is asked for."""

    def __init__(self, server: ServerState) -> None:
        self._server = server
        self._search = FileSearch(server, server.engine.workspace_files, self._found)
        self._told: dict[str, str] = {}
        """By URI, the result id of what was published last of a file that is not open. Used on the server's
        own thread, as everything here that does not say otherwise."""
        self.large = LargeProjects(server, self._publish_large)
        server.documents.on_edit.append(self.opened)
        server.on_quiet.append(self.analyse_all)

    def analyse_all(self) -> None:
        """Something has changed that may concern any file."""
        if self._server.client.pulls_diagnostics or not self._server.engine.is_usable:
            return
        self._search.start()
        self._publish_large(self.large.known)

    def opened(self, uri: str) -> None:
        """From now on the open document's own diagnostics count."""
        self._told.pop(uri, None)

    def texts(self, file: Path) -> list[str]:
        """The diagnostics of a file as JSON; none, where it cannot be looked at. On the worker's thread."""
        try:
            found = self._server.engine.analyse_file(file)
            return self._server.part(Diagnostics).items.of(file.as_uri(), found.shown(), found.document.lines)
        except TextError:
            return []  # it is gone, or no text
        except Exception as error:  # noqa: BLE001 - told to the user, and the rest goes on
            self._server.report_internal_error(error, file.as_uri())
            return []

    def _found(self, files: Sequence[Path]) -> None:
        is_open = self._server.documents.paths()
        closed = {file.as_uri(): file for file in files if str(file) not in is_open}
        for uri in [uri for uri in self._told if uri not in closed and uri not in self.large.known]:
            del self._told[uri]
            if path_of(uri) not in is_open:
                self._server.protocol.send_text(publication(uri, None, ()))
        for uri, file in closed.items():
            self._server.worker.submit(partial(self._analyse, uri, file), ("closed", uri), background=True)

    def _analyse(self, uri: str, file: Path) -> None:
        texts = self.texts(file)
        self._server.on_loop(self._publish, uri, _Closed(texts, result_id(texts)))

    def _publish_large(self, found: Mapping[str, _Closed]) -> None:
        if not self._server.client.pulls_diagnostics:
            for uri, closed in found.items():
                self._publish(uri, closed)

    def _publish(self, uri: str, closed: _Closed) -> None:
        if self._told.get(uri, _NOTHING) == closed.result or not _is_closed(self._server, uri):
            return
        self._told[uri] = closed.result
        self._server.protocol.send_text(publication(uri, None, closed.texts))


class LargeProjects:
    """Has the files of large projects looked at, by one process at a time. `publish` is told what was found
    of some of them, or that nothing is said of them any more. Used on the server's own thread."""

    def __init__(self, server: ServerState, publish: Callable[[Mapping[str, _Closed]], None]) -> None:
        self._server = server
        self._publish = publish
        self.known: dict[str, _Closed] = {}
        """By URI, what was found last."""
        self._wanted: Sequence[ArgumentsTask] | None = None
        self._news = asyncio.Event()
        self._stop = threading.Event()
        self._task: asyncio.Task[None] | None = None
        server.on_end.append(self._end)

    def look_at(self, projects: Sequence[ArgumentsTask]) -> None:
        """These are the large projects of which diagnostics are wanted: they, or their files, have changed.
        What is being found is found to its end before."""
        if not projects and not self.known and self._task is None:
            return
        self._wanted = projects
        if self._task is None or self._task.done():
            self._task = self._server.loop.create_task(self._run())

    async def news(self) -> None:
        """Wait for a while until something else is known."""
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._news.wait(), _LONG_SECONDS)

    def _tell(self, found: Mapping[str, _Closed]) -> None:
        self._publish(found)
        if found:
            self._news.set()
            self._news = asyncio.Event()

    async def _run(self) -> None:
        try:
            while self._wanted is not None:
                projects, self._wanted = self._wanted, None
                await with_progress(self._server, self._look(projects), _LOOKING)
        except Exception as error:  # noqa: BLE001 - told to the user, and the rest goes on
            self._server.report_internal_error(error, "")

    async def _look(self, projects: Sequence[ArgumentsTask]) -> None:
        from mindport.lsp.closed_files import ClosedFiles

        seen: set[str] = set()
        for project in projects:
            form = ClosedFiles(self._server.engine.language, self._server.client)
            await apart(partial(self._look_apart, project, form, seen))
        gone = dict.fromkeys([uri for uri in self.known if uri not in seen], _GONE)
        for uri in gone:
            del self.known[uri]
        self._tell(gone)
        self._server.part(Diagnostics).refresh()

    def _look_apart(self, project: ArgumentsTask, form: ClosedFiles, seen: set[str]) -> None:
        """On a thread of its own."""
        from mindport.lsp.closed_files import look_apart

        for files in look_apart(project, form, self._stop):
            found = {Path(file.path).as_uri(): file for file in files}
            seen.update(found)
            self._server.on_loop(self._take, found)

    def _take(self, files: Mapping[str, ClosedFile]) -> None:
        found = {uri: _Closed(file.texts, result_id(file.texts)) for uri, file in files.items()}
        new = {uri: closed for uri, closed in found.items() if self.known.get(uri) != closed}
        self.known.update(new)
        self._tell(new)

    def _end(self) -> None:
        self._wanted = None
        self._stop.set()


def register(server: ServerState) -> None:
    """Tell the server that clients may ask for the diagnostics of all files. Only for clients that do."""
    server.feature(types.WORKSPACE_DIAGNOSTIC)(workspace_diagnostic)


def workspace_diagnostic(ls: ServerState, params: types.WorkspaceDiagnosticParams) -> Awaitable[RawJson]:
    """The client asks for the diagnostics of all files that are not open: of those that are it asks one by
    one."""
    previous = {known.uri: known.value for known in params.previous_result_ids}
    return _reports(ls, previous)


async def _reports(ls: ServerState, previous: dict[str, str]) -> RawJson:
    await ls.ready.wait()
    reports: dict[str, str] = {}
    if ls.engine.is_usable:
        reports = await _of_small(ls, previous)
        large = ls.part(WorkspaceDiagnostics).large
        news = _of_large(ls, large.known, previous, reports)
        if large.known and not reports and not news:
            await large.news()
            news = _of_large(ls, large.known, previous, reports)
        reports |= news
    return RawJson(f'{{"items":[{",".join(reports.values())}]}}')


async def _of_small(ls: ServerState, previous: Mapping[str, str]) -> dict[str, str]:
    """The reports of the files of small projects, by URI."""
    reports: dict[str, str] = {}
    for file in await search(ls, ls.engine.workspace_files):
        if str(file) not in ls.documents.paths():
            texts = await ls.work(partial(ls.part(WorkspaceDiagnostics).texts, file), background=True)
            uri = file.as_uri()
            reports[uri] = _report(uri, _Closed(texts, result_id(texts)), previous.get(uri))
    return reports


def _of_large(
    ls: ServerState, known: Mapping[str, _Closed], previous: Mapping[str, str], others: Collection[str]
) -> dict[str, str]:
    """What is new: of thousands of files, to say that they are as before would take long. Of files that the
    client knows, and that are neither known here nor to `others`, nothing is said any more."""
    gone = {uri: _GONE for uri in previous if uri not in known and uri not in others}
    return {
        uri: _report(uri, closed, None)
        for uri, closed in {**known, **gone}.items()
        if closed.result != previous.get(uri, _NOTHING) and _is_closed(ls, uri)
    }


def _is_closed(ls: ServerState, uri: str) -> bool:
    return path_of(uri) not in ls.documents.paths()


def _report(uri: str, closed: _Closed, previous: str | None) -> str:
    head = f'{{"uri":{json.dumps(uri)},"version":null,"resultId":"{closed.result}",'
    if closed.result == previous:
        return head + '"kind":"unchanged"}'
    return head + f'"kind":"full","items":[{",".join(closed.texts)}]}}'
