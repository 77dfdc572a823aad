"""Diagnostics of files that are not open, where the setting `diagnostics` is `workspace`."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from mindport.lsp.diagnostics import Diagnostics, publication, result_id
from mindport.lsp.file_search import FileSearch, search
from mindport.lsp.protocol import RawJson
from mindport.lsp.uris import path_of
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.lsp.state import ServerState


class WorkspaceDiagnostics:
    """Looks at the files of the workspace in the background, one at a time, after all that is asked for."""

    def __init__(self, server: ServerState) -> None:
        self._server = server
        self._search = FileSearch(server, server.engine.workspace_files, self._found)
        self._told: dict[str, str] = {}
        """By URI, the result id of what was published last of a file that is not open. Used on the server's
        own thread, as everything here that does not say otherwise."""
        server.documents.on_edit.append(self.opened)
        server.on_quiet.append(self.analyse_all)

    def analyse_all(self) -> None:
        """Something has changed that may concern any file."""
        if self._server.client.pulls_diagnostics or not self._server.engine.is_usable:
            return
        self._search.start()

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
        for uri in [uri for uri in self._told if uri not in closed]:
            del self._told[uri]
            if path_of(uri) not in is_open:
                self._server.protocol.send_text(publication(uri, None, ()))
        for uri, file in closed.items():
            self._server.worker.submit(partial(self._analyse, uri, file), ("closed", uri), background=True)

    def _analyse(self, uri: str, file: Path) -> None:
        texts = self.texts(file)
        self._server.on_loop(self._publish, uri, file, texts)

    def _publish(self, uri: str, file: Path, texts: Sequence[str]) -> None:
        result = result_id(texts)
        known = self._told.get(uri, result_id(()))
        if str(file) in self._server.documents.paths() or known == result:
            return
        self._told[uri] = result
        self._server.protocol.send_text(publication(uri, None, texts))


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
    reports: list[str] = []
    if ls.engine.is_usable:
        for file in await search(ls, ls.engine.workspace_files):
            if str(file) not in ls.documents.paths():
                texts = await ls.work(partial(ls.part(WorkspaceDiagnostics).texts, file), background=True)
                reports.append(_report(file.as_uri(), texts, previous.get(file.as_uri())))
    return RawJson(f'{{"items":[{",".join(reports)}]}}')


def _report(uri: str, texts: Sequence[str], previous: str | None) -> str:
    result = result_id(texts)
    head = f'{{"uri":{json.dumps(uri)},"version":null,"resultId":"{result}",'
    if result == previous:
        return head + '"kind":"unchanged"}'
    return head + f'"kind":"full","items":[{",".join(texts)}]}}'
