"""Diagnostics: pushed to clients that only listen, given on request to those that ask; never both."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from collections.abc import Awaitable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from mindport.lsp.diagnostics_json import DiagnosticItems, not_analysed
from mindport.lsp.notebook_cells import in_part
from mindport.lsp.protocol import RawJson

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.lsp.documents import Snapshot
    from mindport.lsp.state import ServerState

_LOGGER = logging.getLogger(__name__)
_SERVER_CANCELLED = -32802
_QUIET_SECONDS = 0.5
"""After so long without an edit, the other open documents are looked at again."""
_SHORT_SECONDS = 0.02
"""A document that took less to look at is looked at on the spot when it is changed."""


class Diagnostics:
    """Which documents are looked at when, and what the client was told of each."""

    def __init__(self, server: ServerState) -> None:
        self._server = server
        self.items = DiagnosticItems(server.engine, server.client)
        self._told: dict[str, list[str]] = {}
        """By URI, what was published last. Used on the server's own thread."""
        self._recheck: asyncio.TimerHandle | None = None
        self._quiet_at = 0.0
        """When it will have been quiet for long enough (seconds of the loop's clock)."""
        self._edited: str | None = None
        """The document that was edited last, if that is what happened last."""
        self._took: dict[str, float] = {}
        """By URI, the seconds that it took last to look at a document."""
        server.documents.on_edit.append(self.analyse)

    def meet_client(self) -> None:
        """The client has said what it can do."""
        self.items = DiagnosticItems(self._server.engine, self._server.client)

    def analyse(self, uri: str) -> None:
        """A document was opened or changed: have its latest version looked at."""
        self._submit(uri)
        self._look_again_soon(uri)

    def closed(self, uri: str) -> None:
        """A document was closed: nothing more is said of it."""
        self._told.pop(uri, None)
        self._took.pop(uri, None)
        self._server.worker.submit(lambda: self.items.forget(uri))
        if not self._server.client.pulls_diagnostics:
            self._server.protocol.send_text(publication(uri, None, ()))
            self._tell_quiet()

    def analyse_all(self, is_first: bool = False) -> None:
        """Something that concerns all documents has changed. `is_first` says that none was looked at yet."""
        if self._server.client.pulls_diagnostics:
            if not is_first:  # else the answers to what was asked meanwhile are on their way
                self.refresh()
            return
        for snapshot in self._server.documents.snapshots():
            self._submit(snapshot.uri)
        self._tell_quiet()
        self._look_again_soon(None)

    def _look_again_soon(self, edited: str | None) -> None:
        """Documents can depend on each other: look again when it is quiet at all but the one edited."""
        self._quiet_at = self._server.loop.time() + _QUIET_SECONDS
        self._edited = edited
        if self._recheck is None:  # else what waits already waits on
            self._recheck = self._server.loop.call_later(_QUIET_SECONDS, self._look_when_quiet)

    def _look_when_quiet(self) -> None:
        self._recheck = None
        left = self._quiet_at - self._server.loop.time()
        if left > 0:
            self._recheck = self._server.loop.call_later(left, self._look_when_quiet)
        elif len(self._server.documents.latest) > 1 or self._edited is not None:
            self._look_at_others(self._edited)

    def _look_at_others(self, edited: str | None) -> None:
        if self._server.client.pulls_diagnostics:
            return  # such clients know about the dependency and ask again
        for snapshot in self._server.documents.snapshots():
            if snapshot.uri != edited:
                self._submit(snapshot.uri, background=True)
        self._tell_quiet()

    def _submit(self, uri: str, background: bool = False) -> None:
        snapshot = self._server.documents.snapshot(uri)
        if snapshot is None or not self._server.ready.is_set():
            return  # when the server is ready it looks at all documents
        is_short = self._server.protocol.is_caught_up() and self._took.get(uri, 1.0) < _SHORT_SECONDS
        if is_short and not background and self._push_now(snapshot):
            return
        key = ("look at", uri if snapshot.notebook is None else snapshot.notebook.uri)
        self._server.worker.submit(lambda: self._push(snapshot, background), key, background)

    def _push_now(self, snapshot: Snapshot) -> bool:
        """Look at a document on the spot, if nothing is to be done before. Returns whether that was so."""
        worker = self._server.worker
        if worker.waiting or not worker.turn.acquire(blocking=False):
            return False
        try:
            self._push(snapshot, False)
        finally:
            worker.turn.release()
        return True

    def _push(self, snapshot: Snapshot, only_if_new: bool) -> None:
        """Find what there is in a document, and tell clients that only listen. On the worker's thread, or
        instead of it."""
        if not snapshot.is_current():
            return
        begin = time.perf_counter()
        if self._server.client.pulls_diagnostics:
            self._server.engine.found(snapshot)  # done ahead: the client will ask
            self._took[snapshot.uri] = time.perf_counter() - begin
            return
        found = self._server.engine.found(snapshot)
        for each in self._server.documents.together(snapshot):
            texts = self._texts(each, found)
            self._server.on_loop(self._publish, each, texts, only_if_new)
        self._took[snapshot.uri] = time.perf_counter() - begin

    def _publish(self, snapshot: Snapshot, texts: list[str], only_if_new: bool) -> None:
        unchanged = only_if_new and self._told.get(snapshot.uri) == texts
        if snapshot.is_current() and not unchanged:
            self._told[snapshot.uri] = texts
            self._server.protocol.send_text(publication(snapshot.uri, snapshot.version, texts))

    def texts(self, snapshot: Snapshot) -> list[str]:
        """The diagnostics of a document as JSON (see `DiagnosticItems.of`); none where looking at it fails.
        On the worker's thread."""
        return self._texts(snapshot, self._server.engine.found(snapshot))

    def _texts(self, snapshot: Snapshot, found: FileFindings | None) -> list[str]:
        if found is None:
            return []
        refusal = found.document.refusal
        if refusal is not None:
            return [] if snapshot.start() else [not_analysed(refusal.render(self._server.language))]
        try:
            return self.items.of(snapshot.uri, in_part(found, snapshot.start()), snapshot.document.lines)
        except Exception as error:  # noqa: BLE001 - an error in one document is told, and the rest goes on
            self._server.report_internal_error(error, snapshot.uri)
            self.items.forget(snapshot.uri)
            return []

    def _tell_quiet(self) -> None:
        for tell in self._server.on_quiet:
            tell()

    def refresh(self) -> None:
        """Have a client that asks for diagnostics ask again, if it can be told to."""
        if not (self._server.client.pulls_diagnostics and self._server.client.refreshes_diagnostics):
            return
        answer = self._server.protocol.send_request(types.WORKSPACE_DIAGNOSTIC_REFRESH)
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())


def register(server: ServerState) -> None:
    """Tell the server that clients may ask for diagnostics. Only for clients that do."""
    options = types.DiagnosticOptions(
        inter_file_dependencies=True, workspace_diagnostics=True, identifier="mindport"
    )
    server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)(document_diagnostic)


def document_diagnostic(ls: ServerState, params: types.DocumentDiagnosticParams) -> Awaitable[RawJson]:
    """The client asks for the diagnostics of a document."""
    return _report(ls, ls.documents.snapshot(params.text_document.uri), params.previous_result_id)


async def _report(ls: ServerState, snapshot: Snapshot | None, previous: str | None) -> RawJson:
    if snapshot is None:
        return _full_report([])
    await ls.ready.wait()
    texts = await ls.work(lambda: ls.part(Diagnostics).texts(snapshot) if snapshot.is_current() else None)
    if texts is None or not snapshot.is_current():
        message = "The document has changed meanwhile"
        raise JsonRpcException(message, _SERVER_CANCELLED, {"retriggerRequest": True})
    result = result_id(texts)
    if result == previous:
        return RawJson(f'{{"kind":"unchanged","resultId":"{result}"}}')
    return _full_report(texts)


def _full_report(texts: Sequence[str]) -> RawJson:
    return RawJson(f'{{"kind":"full","resultId":"{result_id(texts)}","items":[{",".join(texts)}]}}')


def result_id(texts: Sequence[str]) -> str:
    """A name for what is said: the same texts have the same name."""
    return hashlib.blake2b(",".join(texts).encode(), digest_size=12).hexdigest()


@lru_cache(maxsize=256)
def _quoted(uri: str) -> str:
    """A URI as JSON text."""
    return json.dumps(uri)


def publication(uri: str, version: int | None, texts: Sequence[str]) -> str:
    """The message that tells the diagnostics of a document. `version` is None where it is not open."""
    numbered = "" if version is None else f'"version":{version},'
    return (
        '{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":'
        f'{{"uri":{_quoted(uri)},{numbered}"diagnostics":[{",".join(texts)}]}}}}'
    )
