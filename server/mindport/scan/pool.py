"""Looking at files on this machine: in this process, or in several if that is worth it."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from mindport.language import Text
from mindport.scan.division import by_roots, divide_by_imports
from mindport.scan.memory import are_large, bytes_kept
from mindport.scan.scanner import Scanner
from mindport.scan.tasks import (
    AnalyseFile,
    CollectArguments,
    CollectDefinitions,
    FileReporter,
    FileResult,
    ScanFile,
    TakeArguments,
    TakeReporter,
    Task,
    failed_result,
)
from mindport.scan.worker_processes import Crash, Workers
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.project.dependencies import FileArguments
    from mindport.project.setting_table import Settings
    from mindport.scan.tasks import Arguments

_FEW_FILES = 30
"""So few files are scanned faster by one process."""
_TAKEN_AT_FIRST = 1 / 2
"""This part of the files that a process has not begun is taken from it by who has nothing left."""
_TAKEN_OF_KNOWN = 1 / 4
"""This part of what a process knows and has not begun is taken from it: who has to find out what it is about
takes about three times as long."""
GIVES_WAY = 10
"""By so much processes that give way are less urgent, as Unix counts it."""
_CRASHED = Text(
    "The process that analyzed this file ended unexpectedly ({reason}). Other files are unaffected.",
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

    @contextmanager
    def start(self, settings: Settings, reporter: FileReporter[Entry]) -> Iterator[LocalRun[Entry]]:
        """Begin to work. Raises IndexFileError."""
        from mindport.catalog.catalog import Catalog

        Catalog.load()  # before any process starts: so that an error is told once, and forks have it
        with ExitStack() as ending:
            yield LocalRun(settings, reporter, self._jobs, self._apart, ending)


class LocalRun(Generic[Entry]):
    """The work, in this process or, as soon as there is much of it, in others: those that told of
    arguments look at the files, too, as they have read them."""

    def __init__(
        self, settings: Settings, reporter: FileReporter[Entry], jobs: int, apart: bool, ending: ExitStack
    ) -> None:
        self._settings = settings
        self._reporter = reporter
        self._jobs = jobs
        self._apart = apart
        self._ending = ending
        self._scanner: Scanner[Entry] | None = None
        self._workers: Workers[Task, Any] | None = None
        self._divided: tuple[Sequence[ScanFile], list[list[ScanFile]]] | None = None
        self.is_last = True
        """Whether there is nothing to do any more once files were looked at."""
        self._shares: list[list[ScanFile]] = []
        """The files that each worker has looked at last: it knows them, and what they import."""
        self._is_evaluated = False
        """Whether what the calls in all files give was told before: then little of it changes, which takes
        less time than to read a file."""

    def defined(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileArguments | None]]:
        """What the classes in each file define, None where that cannot be told; in any order."""
        for file, given in self._each(files, CollectDefinitions):
            yield file, None if isinstance(given, Crash) else given

    def collect(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileArguments | None]]:
        """What the calls in each file give for parameters, None where that is as before or cannot be told; in
        any order."""
        for file, given in self._each(files, CollectArguments, keeps=self._is_evaluated):
            yield file, None if isinstance(given, Crash) else given
        self._is_evaluated = True

    def take(self, files: Sequence[ScanFile], arguments: Arguments) -> None:
        """Have it known what files give for parameters: `files` are those that are looked at next."""
        if self._workers is None and self._is_little(files):
            self._in_process(files).handle(TakeArguments(arguments))
        else:
            self._in_others(files).tell(TakeArguments(arguments))

    def analyse(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileResult[Entry]]]:
        """Each file with what came of it, in any order."""
        for file, looked in self._each(files, AnalyseFile):
            if isinstance(looked, Crash):
                error = TextError(_CRASHED, reason=_reason(looked))
                looked = failed_result(self._reporter, file, error)
            yield file, looked
        if self.is_last:
            self.dismiss()

    def dismiss(self) -> None:
        """There is nothing more to do: nobody waits for the workers to end."""
        if self._workers is not None:
            self._workers.dismiss()

    def report(self, reporter: FileReporter[Entry]) -> None:
        """Have another reporter make the entries from now on."""
        self._reporter = reporter
        if self._scanner is not None:
            self._scanner.handle(TakeReporter(reporter))
        if self._workers is not None:
            self._workers.tell(TakeReporter(reporter))

    def _each(
        self, files: Sequence[ScanFile], task: Callable[[ScanFile], Task], *, keeps: bool = False
    ) -> Iterator[tuple[ScanFile, Any]]:
        """Each file with what comes of a task about it. With `keeps`, no process takes what another knows."""
        if self._workers is None and self._is_little(files):
            for file in sorted(files, key=by_roots):
                yield file, self._in_process(files).handle(task(file))
            return
        lists = [[task(file) for file in part] for part in self._lists(files)]
        workers = self._in_others(files)
        taken = (0.0 if keeps else _TAKEN_OF_KNOWN) if self._shares else _TAKEN_AT_FIRST
        for done, result in workers.handle(lists, taken=taken):
            yield _file_of(done), result
        self._shares = [sorted(map(_file_of, share), key=by_roots) for share in workers.handled]

    def _lists(self, files: Sequence[ScanFile]) -> list[list[ScanFile]]:
        """The files in lists for the workers: for each those that it knows, and then what none knows."""
        if not self._shares:
            if self._divided is None or self._divided[0] != files:
                self._divided = files, divide_by_imports(files, self._jobs)
            return self._divided[1]
        unknown = dict.fromkeys(files)
        known = [[file for file in share if file in unknown] for share in self._shares]
        for file in (file for share in known for file in share):
            del unknown[file]
        return [*known, list(unknown)] if unknown else known

    def _is_little(self, files: Sequence[ScanFile]) -> bool:
        return len(files) < _FEW_FILES or (self._jobs == 1 and not self._apart)

    def _in_process(self, files: Sequence[ScanFile]) -> Scanner[Entry]:
        if self._scanner is None:
            self._ending.enter_context(without_collection())
            self._scanner = Scanner(self._settings, self._reporter, bytes_kept(1), are_large(files))
        return self._scanner

    def _in_others(self, files: Sequence[ScanFile]) -> Workers[Task, Any]:
        if self._workers is None:
            number = min(self._jobs, len(self._lists(files)))
            set_up = partial(
                _scanner_in_worker,
                self._settings,
                self._reporter,
                self._apart,
                bytes_kept(number),
                are_large(files),
            )
            self._workers = self._ending.enter_context(Workers(set_up, number))
        return self._workers


def _file_of(task: Task) -> ScanFile:
    assert not isinstance(task, TakeArguments | TakeReporter)
    return task.file


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _reason(crash: Crash) -> str:
    code = crash.exit_code
    if code is None:
        return "?"
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def _scanner_in_worker(
    settings: Settings, reporter: FileReporter[Entry], gives_way: bool, most_kept: int, is_large: bool
) -> Callable[[Task], object]:
    """What a worker does with a task; see `SetUp`."""
    if gives_way and hasattr(os, "nice"):
        os.nice(GIVES_WAY)
    return Scanner(settings, reporter, most_kept, is_large).handle


@contextmanager
def without_collection() -> Iterator[None]:
    """Without Python's cyclic garbage collector: nearly all that is made is kept, so that looking for garbage
    again and again would take half of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        if was_enabled:
            gc.enable()
