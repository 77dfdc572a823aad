"""Looking into installed packages, on a thread of its own and in another process: no edit waits for it.

Findings come at once without what packages say, and again when that is known.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.lsp.arguments import CallArguments
from mindport.lsp.diagnostics import Diagnostics

if TYPE_CHECKING:
    from collections.abc import Callable

    from mindport.lsp.engine import Wanted
    from mindport.lsp.state import ServerState

_LOGGER = logging.getLogger(__name__)


class Packages:
    """Has the stubs that the engine's sessions want made."""

    def __init__(self, server: ServerState) -> None:
        self._server = server
        self._condition = threading.Condition()
        self._waiting: list[Wanted] = []
        self._is_running = False
        self._stopped = False
        server.engine.on_analysis.append(self.look_up_wanted)
        server.on_end.append(self.stop)

    def look_up_wanted(self) -> None:
        """Begin to look up what the engine wants to know by now. On the worker's thread, or instead of it."""
        wanted = self._server.engine.packages_wanted()
        if not wanted:
            return
        with self._condition:
            self._waiting.extend(wanted)
            if self._is_running or self._stopped:
                return
            self._is_running = True
        threading.Thread(target=self._run, name="mindport-packages", daemon=True).start()

    def stop(self) -> None:
        """Look up nothing more."""
        with self._condition:
            self._stopped = True
            self._waiting.clear()

    def _run(self) -> None:
        while True:
            with self._condition:
                if not self._waiting:
                    self._is_running = False
                    return
                wanted = self._waiting.pop(0)
            try:
                self._look_up(wanted)
            except Exception:
                _LOGGER.exception("Looking into installed packages has failed")

    def _look_up(self, wanted: Wanted) -> None:
        from mindport.project.stub_index import PackageStubs

        stubs = PackageStubs(self._server.engine.catalog, wanted.folders)
        found = stubs.ready(wanted.names)
        self._take(wanted, found)
        others = [name for name in wanted.names if name not in found]
        if others:
            self._take(wanted, _made_elsewhere(wanted.folders, others))

    def _take(self, wanted: Wanted, stubs: Mapping[str, str]) -> None:
        if stubs and not self._stopped:
            take = partial(self._server.engine.take_stubs, wanted, stubs)
            self._server.worker.submit(lambda: self._taken(take()), background=True)

    def _taken(self, is_changed: bool) -> None:
        if is_changed:
            self._server.on_loop(self._server.part(Diagnostics).analyse_all)
            self._server.on_loop(self._server.part(CallArguments).changed)


def _made_elsewhere(folders: Sequence[Path], names: Sequence[str]) -> dict[str, str]:
    """The stubs of names, made in a process that ends then; of one that it fails at, nothing."""
    from mindport.scan.worker_processes import Crash, Workers

    with Workers(partial(_stubs_in_worker, folders), 1) as workers:
        return {name: "" if isinstance(stub, Crash) else stub for name, stub in workers.handle([names])}


def _stubs_in_worker(folders: Sequence[Path]) -> Callable[[str], str]:
    """What the process does with a name; see `SetUp`."""
    import sys

    from mindport.catalog.catalog import Catalog
    from mindport.project.session import RECURSION_LIMIT
    from mindport.project.stub_index import PackageStubs

    sys.setrecursionlimit(RECURSION_LIMIT)
    stubs = PackageStubs(Catalog.load(), folders)
    return lambda name: stubs.of([name]).get(name, "")
