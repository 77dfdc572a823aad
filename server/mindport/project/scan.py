"""Scanning: every file of a run analysed, by several processes if that is worth it."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from mindport.language import Text
from mindport.project.discover import import_roots
from mindport.project.session import Session
from mindport.project.workers import Crash, Workers
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.project.discover import Discovery
    from mindport.project.settings import Settings

_LOGGER = logging.getLogger(__name__)
_FEW_FILES = 30
"""So few files are scanned faster by one process."""
_LISTS_PER_WORKER = 8
_SMALLEST_LIST = 64 * 1024
"""Lists of files shorter than this, in bytes of source, are not worth the modules that are loaded twice."""
_MOST_BYTES_KEPT = 8 * 1024 * 1024
"""After so much source everything kept is dropped, so that memory does not grow with the project. A process
takes about seventy times as much memory."""

_FAILED = Text(
    "mindport failed at this file with an error of its own ({error}). The other files are not affected.",
    "mindport 分析此文件时发生内部错误（{error}）。其他文件不受影响。",
)
_CRASHED = Text(
    "The process that looked at this file ended unexpectedly ({reason}). The other files are not affected.",
    "分析此文件的进程意外终止（{reason}）。其他文件不受影响。",
)

Entry = TypeVar("Entry")
Made = TypeVar("Made", covariant=True)


class FileReporter(Protocol[Made]):
    """Makes what a scan yields: plain data, since workers send it. Picklable."""

    def file(self, path: str, found: FileFindings) -> Made:
        """From what was found in a file. `path` is as the user gave it, with `/` between the parts."""
        ...

    def unreadable(self, path: str, error: TextError) -> Made:
        """From the reason why a path could not be looked at."""
        ...


class ScanFile(NamedTuple):
    """A file to scan: its place in the result, its path as found, and the roots of its imports."""

    place: int
    path: Path
    roots: tuple[Path, ...]


def scan(
    discovery: Discovery, settings: Settings, reporter: FileReporter[Entry], jobs: int
) -> Iterator[Entry]:
    """One entry for each file and each path that could not be read, sorted by path.

    The entries are the same whatever `jobs` is: how many processes work, 0 for one per processor. What goes
    wrong in one file becomes an entry that says so. Raises IndexFileError when the catalog cannot be loaded.
    """
    errors = {problem.path: problem.error for problem in discovery.problems}
    places = {path: place for place, path in enumerate(sorted({*discovery.files, *errors}))}
    ready: dict[int, Entry] = {
        places[path]: reporter.unreadable(path.as_posix(), error) for path, error in errors.items()
    }
    roots = _Roots()
    files = [ScanFile(places[path], path, roots.of(path)) for path in discovery.files if path not in errors]
    following = 0
    for place, entry in _entries(files, settings, reporter, jobs or processors()):
        ready[place] = entry
        while following in ready:
            yield ready.pop(following)
            following += 1
    while following in ready:
        yield ready.pop(following)
        following += 1


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _entries(
    files: Sequence[ScanFile], settings: Settings, reporter: FileReporter[Entry], jobs: int
) -> Iterator[tuple[int, Entry]]:
    """The entries with their places, in any order."""
    from mindport.catalog.catalog import Catalog

    Catalog.load()  # before any process starts: so that an error is told once, and forks have it
    if jobs == 1 or len(files) < _FEW_FILES:
        with _without_collection():
            scanner = Scanner(settings, reporter)
            for file in sorted(files, key=_by_roots):
                yield file.place, scanner.look_at(file)
        return
    lists = divide(files, jobs)
    with Workers(partial(_scanner_in_worker, settings, reporter), min(jobs, len(lists))) as workers:
        for file, entry in workers.handle(lists):
            if isinstance(entry, Crash):
                error = TextError(_CRASHED, reason=_reason(entry))
                entry = reporter.unreadable(file.path.as_posix(), error)
            yield file.place, entry


def divide(files: Sequence[ScanFile], jobs: int) -> list[list[ScanFile]]:
    """Lists of files for the workers: the files of a list share the roots of their imports, and those of a
    folder are together as far as the lists stay of like size. The list with the first file is the first."""
    sizes = {file.place: _size(file.path) for file in files}
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


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # reading will tell


def _reason(crash: Crash) -> str:
    code = crash.exit_code
    if code is None:
        return "?"
    return f"signal {-code}" if code < 0 else f"exit code {code}"


@dataclass
class Scanner(Generic[Entry]):
    """Looks at files, in one process."""

    settings: Settings
    reporter: FileReporter[Entry]

    def __post_init__(self) -> None:
        from mindport.catalog.catalog import Catalog

        self._catalog = Catalog.load()
        self._sessions: dict[tuple[Path, ...], Session] = {}
        self._kept = 0

    def look_at(self, file: ScanFile) -> Entry:
        """The entry of a file. Never raises what a file can be the reason of."""
        shown = file.path.as_posix()
        try:
            return self.reporter.file(shown, self._findings(file))
        except TextError as error:
            return self.reporter.unreadable(shown, error)
        except Exception as error:  # told to the user, and the rest goes on
            _LOGGER.exception("Internal error at %s", shown)
            self._sessions.clear()
            reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            return self.reporter.unreadable(shown, TextError(_FAILED, error=reason))

    def _findings(self, file: ScanFile) -> FileFindings:
        self._make_room(_size(file.path))
        path = file.path.absolute()
        session = self._sessions.get(file.roots)
        if session is None:
            session = self._sessions[file.roots] = self._session(file)
        if not session.is_importable(path):
            session = self._session(file)  # it must not stand in for the module that has its name
        return session.analyse_file(path)

    def _session(self, file: ScanFile) -> Session:
        return Session(self._catalog, self.settings, file.roots)

    def _make_room(self, size: int) -> None:
        """Make sure that not too much is kept when a file of this size is added."""
        if self._kept and self._kept + size > _MOST_BYTES_KEPT:
            self._kept = 0
            self._sessions.clear()
            gc.collect()
        self._kept += size


def _scanner_in_worker(settings: Settings, reporter: FileReporter[Entry]):  # type: ignore[no-untyped-def]
    """What a worker does with a file; see `SetUp`."""
    return Scanner(settings, reporter).look_at


@contextmanager
def _without_collection() -> Iterator[None]:
    """Without Python's cyclic garbage collector: nearly all that is made is kept, so that looking for garbage
    again and again would take half of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class _Roots:
    """The import roots of files, found once for each folder."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[Path, ...]] = {}

    def of(self, path: Path) -> tuple[Path, ...]:
        """The roots of a file."""
        folder = path.parent
        if folder not in self._known:
            self._known[folder] = import_roots(path)
        return self._known[folder]
