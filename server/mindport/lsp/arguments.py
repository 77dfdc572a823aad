"""What calls give for parameters, found out in the background.

A keystroke uses what was known last. When nothing was typed for a while, what the open documents give is
brought up to date, in steps so short that no request waits for one; what the other files of the workspace
give is found by a process of its own. Findings come at once without it, and again when it is known.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.lsp.diagnostics import Diagnostics
from mindport.lsp.file_search import apart, tell_left_out
from mindport.lsp.workspace_diagnostics import WorkspaceDiagnostics

if TYPE_CHECKING:
    from mindport.lsp.engine import FoundArguments
    from mindport.lsp.state import ServerState

_QUIET_SECONDS = 0.5
"""So long after an edit nothing is done."""
_SHORT_SECONDS = 0.01
"""After so long the worker is free for others again, as soon as the step at hand is done."""
_DISK_SECONDS = 3.0
"""So long after files have changed on disk they are looked at, if that takes a process."""
_FEW_FILES_SECONDS = 0.2
"""The same, if it takes none."""


class CallArguments:
    """When what is brought up to date. Used on the server's own thread, where nothing else is said."""

    def __init__(self, server: ServerState) -> None:
        self._server = server
        self._workspace = _Workspace(server, self.changed)
        self._wanted = 0
        """How often something has changed."""
        self._settled = 0
        """How much of it counts by now."""
        self._begun = 0
        """The same of what is being brought up to date. Used on the worker's thread."""
        self._edited = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._is_busy = False
        self._has_changed = False
        server.documents.on_edit.append(lambda _: self.edited())

    def edited(self) -> None:
        """A document was opened or changed: that counts once it is quiet."""
        self._edited = self._server.loop.time()
        self._wanted += 1
        if self._timer is None:
            self._timer = self._server.loop.call_later(_QUIET_SECONDS, self._again)

    def changed(self) -> None:
        """Something else has changed that calls or what they give may depend on."""
        self._wanted += 1
        self._go_on()

    def files_changed(self) -> None:
        """Files on disk have changed, come or gone."""
        self._workspace.look_again()
        self.changed()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Meanwhile the files of the workspace are not looked at, since somebody else does: what is found
        then is in the cache."""
        self._workspace.hold()
        try:
            yield
        finally:
            self._workspace.release()

    def settings_changed(self, folders: Sequence[Path]) -> None:
        """Settings have changed, or the folders of the workspace, which are these now."""
        self._workspace.look_at(folders)
        self.changed()

    def _again(self) -> None:
        self._timer = None
        self._go_on()

    def _go_on(self) -> None:
        """Have the next step made, if it is quiet; in the end have the documents looked at, if need be."""
        if self._is_busy or self._timer is not None or not self._server.engine.is_usable:
            return
        if self._settled == self._wanted:
            if self._has_changed:
                self._has_changed = False
                self._server.part(Diagnostics).analyse_all()
            return
        quiet = self._edited + _QUIET_SECONDS - self._server.loop.time()
        if self._edited and quiet > 0:
            self._timer = self._server.loop.call_later(quiet, self._again)
            return
        self._is_busy = True
        wanted, opened = self._wanted, self._server.documents.paths()
        self._server.worker.submit(lambda: self._settle(wanted, opened), "arguments", background=True)

    def _settle(self, wanted: int, opened: set[str]) -> None:
        """Make as many steps as there is time for. On the worker's thread."""
        engine = self._server.engine
        is_done = has_changed = False
        try:
            if self._begun != wanted:
                self._begun = wanted
                engine.begin_settling(opened)
            is_done, has_changed = engine.settle(_SHORT_SECONDS)
        except Exception as error:  # noqa: BLE001 - told to the user, and the rest goes on
            self._server.report_internal_error(error, "")
            is_done = True
        self._server.on_loop(self._stepped, wanted if is_done else self._settled, has_changed)

    def _stepped(self, settled: int, has_changed: bool) -> None:
        self._is_busy = False
        self._settled = settled
        self._has_changed |= has_changed
        self._go_on()


class _Workspace:
    """Has the files of the workspace looked at, once after all that is visible, and again when they change.
    `changed` is told when the engine knows what they give."""

    def __init__(self, server: ServerState, changed: Callable[[], None]) -> None:
        self._server = server
        self._changed = changed
        self._has_folders = False
        self._is_small = True
        self._is_wanted = False
        self._stop = threading.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._held = 0
        """How many have it wait."""
        self._waits = False
        """Whether there is something to look at when nobody has it wait any more."""
        server.on_end.append(self._end)

    def look_at(self, folders: Sequence[Path]) -> None:
        """These are the folders of the workspace."""
        self._has_folders = bool(folders)
        self._look_after(0)

    def look_again(self) -> None:
        """Files have changed: look when no more do for a while."""
        self._look_after(_FEW_FILES_SECONDS if self._is_small else _DISK_SECONDS)

    def hold(self) -> None:
        """Wait until `release`."""
        self._held += 1
        self._waits |= self._timer is not None or (self._task is not None and not self._task.done())
        self._end()

    def release(self) -> None:
        """Go on where nobody else has it wait."""
        self._held -= 1
        if self._waits and not self._held:
            self._waits = False
            self._look_after(0)

    def _look_after(self, seconds: float) -> None:
        self._stop.set()  # what is found now holds no more
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._held:
            self._waits = True
        else:
            self._timer = self._server.loop.call_later(seconds, self._look)

    def _look(self) -> None:
        self._timer = None
        self._is_wanted = self._server.engine.is_usable
        if self._is_wanted and (self._task is None or self._task.done()):
            self._task = self._server.loop.create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._is_wanted:
                self._is_wanted = False
                self._stop = threading.Event()
                await self._server.work(lambda: None, background=True)  # after all that is visible
                stop = self._stop
                found = await apart(partial(self._find, stop))
                if not stop.is_set():
                    await self._take(found)
        except Exception as error:  # noqa: BLE001 - told to the user, and the rest goes on
            self._server.report_internal_error(error, "")

    def _find(self, stop: threading.Event) -> FoundArguments:
        return self._server.engine.find_arguments(self._has_folders, stop)

    async def _take(self, found: FoundArguments) -> None:
        self._is_small = found.is_small
        tell_left_out(self._server, found.left_out)
        await self._server.work(lambda: self._server.engine.take_arguments(found), background=True)
        self._changed()
        self._server.part(WorkspaceDiagnostics).large.look_at(found.large)

    def _end(self) -> None:
        self._is_wanted = False
        self._stop.set()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
