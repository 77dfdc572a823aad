"""What files give to functions of others, found out in the background: when nothing was typed for a while, a
few files at a time, so that no edit waits for it.

Findings come at once without it, and again when it is known.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.lsp.diagnostics import Diagnostics
from mindport.lsp.file_search import FileSearch
from mindport.lsp.uris import path_of

if TYPE_CHECKING:
    from mindport.lsp.state import ServerState

_QUIET_SECONDS = 0.5
"""So long after an edit nothing is done."""
_SHORT_SECONDS = 0.01
"""After so long the worker is free for others again, as soon as the file at hand is done."""


class CallFacts:
    """The files that are to be asked. Used on the server's own thread, where nothing else is said."""

    def __init__(self, server: ServerState) -> None:
        self._server = server
        self._search = FileSearch(server, server.engine.project_files, self._found)
        self._waiting: dict[str, None] = {}
        self._edited = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._is_busy = False
        self._has_changed = False
        server.on_edit.append(lambda uri: self.edited(path_of(uri)))

    def analyse_all(self) -> None:
        """Any file of the workspace may be another, or have come or gone."""
        if self._server.engine.is_usable:
            self._search.start()

    def analyse(self, paths: Iterable[str]) -> None:
        """These files may be others."""
        self._waiting.update((path, None) for path in paths if path.endswith(".py"))
        self._go_on()

    def edited(self, path: str) -> None:
        """A document was opened or changed: it is asked once it is quiet."""
        self._edited = self._server.loop.time()
        self._waiting[path] = None
        if self._timer is None:
            self._timer = self._server.loop.call_later(_QUIET_SECONDS, self._again)

    def _found(self, files: Sequence[Path]) -> None:
        known = {*map(str, files), *self._server.documents.paths()}
        self._server.worker.submit(lambda: self._keep(known), "keep call facts", background=True)
        self.analyse(known)

    def _keep(self, paths: set[str]) -> None:
        self._server.on_loop(self._looked, (), self._server.engine.keep_call_facts_of(paths))

    def _again(self) -> None:
        self._timer = None
        self._go_on()

    def _go_on(self) -> None:
        """Have the next files asked, if it is quiet; in the end have the documents looked at, if need be."""
        if self._is_busy or self._timer is not None or not self._server.engine.is_usable:
            return
        if not self._waiting:
            if self._has_changed:
                self._has_changed = False
                self._server.part(Diagnostics).analyse_all()
            return
        quiet = self._edited + _QUIET_SECONDS - self._server.loop.time()
        if quiet > 0:
            self._timer = self._server.loop.call_later(quiet, self._again)
            return
        self._is_busy = True
        waiting, self._waiting = list(self._waiting), {}
        self._server.worker.submit(lambda: self._look(waiting), "call_facts", background=True)

    def _look(self, paths: Sequence[str]) -> None:
        """Ask as many files as there is time for. On the worker's thread."""
        until = time.perf_counter() + _SHORT_SECONDS
        has_changed = False
        done = 0
        for path in paths:
            has_changed |= self._ask(path)
            done += 1
            if time.perf_counter() > until:
                break
        self._server.on_loop(self._asked, paths[done:], has_changed)

    def _ask(self, path: str) -> bool:
        file = Path(path)
        try:
            return file.is_absolute() and self._server.engine.take_call_facts_of(file)
        except Exception as error:  # noqa: BLE001 - told to the user, and the rest goes on
            self._server.report_internal_error(error, path)
            return False

    def _asked(self, left: Sequence[str], has_changed: bool) -> None:
        self._is_busy = False
        self._looked(left, has_changed)

    def _looked(self, left: Sequence[str], has_changed: bool) -> None:
        self._waiting = {**dict.fromkeys(left), **self._waiting}
        self._has_changed |= has_changed
        self._go_on()
