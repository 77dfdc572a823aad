"""Scans of the same files, one after the other, by an engine that keeps what it has found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from mindport.scan.pool import Local

if TYPE_CHECKING:
    from mindport.project.dependencies import FileArguments
    from mindport.project.setting_table import Settings
    from mindport.scan.pool import LocalRun
    from mindport.scan.scan import ScanRun
    from mindport.scan.tasks import Arguments, FileReporter, FileResult, ScanFile

Entry = TypeVar("Entry")


class Kept:
    """The engine for scans of the same files with the same settings, one after the other: what the first has
    found is kept for the others, which differ in their reporters. `jobs` is as for `Local`. A context
    manager: its processes end with it."""

    def __init__(self, jobs: int) -> None:
        self._engine = Local(jobs)
        self._ending = ExitStack()
        self._run: LocalRun[Any] | None = None

    def __enter__(self) -> Kept:
        return self

    def __exit__(self, *_: object) -> None:
        if self._run is not None:
            self._run.dismiss()
        self._ending.close()

    @contextmanager
    def start(self, settings: Settings, reporter: FileReporter[Entry]) -> Iterator[ScanRun[Entry]]:
        """Begin to work, or go on. Raises IndexFileError."""
        if self._run is None:
            self._run = self._ending.enter_context(self._engine.start(settings, reporter))
            self._run.is_last = False
            yield self._run
        else:
            self._run.report(reporter)
            yield _Again(self._run)


class _Again(Generic[Entry]):
    """The work once more: what calls give for parameters is known."""

    def __init__(self, run: LocalRun[Entry]) -> None:
        self._run = run

    def defined(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileArguments | None]]:
        """Nothing new."""
        return iter(())

    def collect(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileArguments | None]]:
        """Nothing new."""
        return iter(())

    def take(self, files: Sequence[ScanFile], arguments: Arguments) -> None:
        """Nothing: there is nothing new."""

    def analyse(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileResult[Entry]]]:
        """Each file with what came of it, in any order."""
        return self._run.analyse(files)
