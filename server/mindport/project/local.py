"""Looking at files on this machine: in this process, or in several if that is worth it."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from mindport.language import Text
from mindport.project.scanner import FileReporter, Looked, ScanFile, Scanner, file_size, not_looked_at
from mindport.project.workers import Crash, Workers
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.project.settings import Settings

_FEW_FILES = 30
"""So few files are scanned faster by one process."""
_LISTS_PER_WORKER = 8
_GIVES_WAY = 10
"""By so much processes that give way are less urgent, as Unix counts it."""
_SMALLEST_LIST = 64 * 1024
"""Lists of files shorter than this, in bytes of source, are not worth the modules that are loaded twice."""
_CRASHED = Text(
    "The process that looked at this file ended unexpectedly ({reason}). The other files are not affected.",
    "分析此文件的进程意外终止（{reason}）。其他文件不受影响。",
)

Entry = TypeVar("Entry")


class Local:
    """The engine that scans use by default. `jobs` is how many processes work, 0 for one per processor.

    With `apart`, many files are not looked at in this process even if one job is enough, and the processes
    that do it let others go before: this one, which has something else to do.
    """

    def __init__(self, jobs: int, *, apart: bool = False) -> None:
        self._jobs = jobs or processors()
        self._apart = apart

    def look_at(
        self, files: Sequence[ScanFile], settings: Settings, reporter: FileReporter[Entry]
    ) -> Iterator[tuple[ScanFile, Looked[Entry]]]:
        """Each file with what came of it, in any order. Raises IndexFileError."""
        from mindport.catalog.catalog import Catalog

        Catalog.load()  # before any process starts: so that an error is told once, and forks have it
        if len(files) < _FEW_FILES or (self._jobs == 1 and not self._apart):
            with without_collection():
                scanner = Scanner(settings, reporter)
                for file in sorted(files, key=_by_roots):
                    yield file, scanner.look_at(file)
            return
        lists = divide(files, self._jobs)
        set_up = partial(_scanner_in_worker, settings, reporter, self._apart)
        with Workers(set_up, min(self._jobs, len(lists))) as workers:
            for file, looked in workers.handle(lists):
                if isinstance(looked, Crash):
                    error = TextError(_CRASHED, reason=_reason(looked))
                    looked = not_looked_at(reporter, file, error)
                yield file, looked


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def divide(files: Sequence[ScanFile], jobs: int) -> list[list[ScanFile]]:
    """Lists of files for the workers: the files of a list share the roots of their imports, and those of a
    folder are together as far as the lists stay of like size. The list with the first file is the first."""
    sizes = {file.place: file_size(file.path) for file in files}
    target = max(_SMALLEST_LIST, sum(sizes.values()) // (jobs * _LISTS_PER_WORKER))
    lists: list[list[ScanFile]] = []
    filled = 0
    for file in sorted(files, key=_by_roots):
        if not lists or filled >= target or lists[-1][-1].roots != file.roots:
            lists.append([])
            filled = 0
        lists[-1].append(file)
        filled += sizes[file.place]
    return sorted(lists, key=lambda files: min(file.place for file in files))


def _by_roots(file: ScanFile) -> tuple[tuple[Path, ...], Path, Path]:
    return file.roots, file.path.parent, file.path


def _reason(crash: Crash) -> str:
    code = crash.exit_code
    if code is None:
        return "?"
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def _scanner_in_worker(
    settings: Settings, reporter: FileReporter[Entry], gives_way: bool
) -> Callable[[ScanFile], Looked[Entry]]:
    """What a worker does with a file; see `SetUp`."""
    if gives_way and hasattr(os, "nice"):
        os.nice(_GIVES_WAY)
    return Scanner(settings, reporter).look_at


@contextmanager
def without_collection() -> Iterator[None]:
    """Without Python's cyclic garbage collector: nearly all that is made is kept, so that looking for garbage
    again and again would take half of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
