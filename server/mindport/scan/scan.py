"""Scanning: every file of a run looked at, by whatever engine, unless the cache knows what comes of it.

First it is found out what the calls in all files give for parameters, in rounds; then the files are looked
at."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from mindport.callgraph.argument_facts import ArgumentFacts, Given
from mindport.infer.propagation import MOST_ROUNDS, OF_ALL_FILES
from mindport.project.discover import Folders, import_roots
from mindport.scan.memory import are_large
from mindport.scan.pool import Local
from mindport.scan.tasks import Arguments, FileReporter, FileResult, ScanFile

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.project.dependencies import FileArguments
    from mindport.project.discover import Discovery
    from mindport.project.setting_table import Settings
    from mindport.scan.cache import ScanCache
    from mindport.source.error import TextError

_FEW_ROUNDS = 4
"""So many rounds for a large project, of which little may be kept: most is read anew in each then. Whether it
is large does not depend on the memory that there is, so that every machine finds the same."""

Entry = TypeVar("Entry")


def _tell_nobody(number: int, total: int) -> None:
    """Nothing: nobody wants to know."""


@dataclass
class Progress:
    """How far a run is: `number` of `total` files were looked at. `tell` is called with both, on the thread
    of the run. Before the first, files are read for what their calls give, in rounds: `tell_reading` is
    called with how many of them this round has read. `stop` may be set on any thread: files that are looked
    at then are the last ones."""

    tell: Callable[[int, int], None] = _tell_nobody
    tell_reading: Callable[[int, int], None] = _tell_nobody
    stop: threading.Event = field(default_factory=threading.Event)
    total: int = 0
    number: int = 0

    def advance(self, number: int) -> None:
        """So many more files have been looked at, or need not be."""
        self.number += number
        if number:
            self.tell(self.number, self.total)


class ScanRun(Protocol[Entry]):
    """The work of an engine."""

    def defined(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileArguments | None]]:
        """What the classes in each file define, None where that cannot be told; in any order."""
        ...

    def collect(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileArguments | None]]:
        """What the calls in each file give for parameters, None where that is as before or cannot be told; in
        any order."""
        ...

    def take(self, files: Sequence[ScanFile], arguments: Arguments) -> None:
        """Have it known what files give for parameters: `files` are those that are looked at next."""
        ...

    def analyse(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileResult[Entry]]]:
        """Each file with what came of it, in any order; there is nothing to do after that."""
        ...


class ScanEngine(Protocol):
    """What has files looked at."""

    def start(
        self, settings: Settings, reporter: FileReporter[Entry]
    ) -> AbstractContextManager[ScanRun[Entry]]:
        """Begin to work, until the context ends."""
        ...


def scan(
    discovery: Discovery,
    settings: Settings,
    reporter: FileReporter[Entry],
    jobs: int = 0,
    *,
    cache: ScanCache[Entry] | None = None,
    engine: ScanEngine | None = None,
    progress: Progress | None = None,
) -> Iterator[Entry]:
    """One entry for each file that was looked at and each path that could not be read, sorted by path.

    The entries are the same whatever `jobs`, `cache` and `engine` are. `jobs` is how many processes work, 0
    for one per processor; an `engine` takes their place. The `cache` is to be saved afterwards. What goes
    wrong in one file becomes an entry that says so; files are left out only when `progress` is told to stop.
    Raises IndexFileError when the catalog cannot be loaded, and what the engine raises.
    """
    progress = progress or Progress()
    errors = {problem.path: problem.error for problem in discovery.problems}
    places = {path: place for place, path in enumerate(sorted({*discovery.files, *errors}))}
    ready: dict[int, Entry] = {
        places[path]: reporter.unreadable(path.as_posix(), error) for path, error in errors.items()
    }
    files = scan_files([path for path in discovery.files if path not in errors], places)
    following = 0
    progress.advance(len(ready))
    for file, entry in _entries(files, settings, reporter, cache, engine or Local(jobs), progress):
        ready[file.place] = entry
        while following in ready:
            yield ready.pop(following)
            following += 1
    for place in sorted(ready):  # with gaps, where files were left out
        yield ready[place]


def _entries(
    files: Sequence[ScanFile],
    settings: Settings,
    reporter: FileReporter[Entry],
    cache: ScanCache[Entry] | None,
    engine: ScanEngine,
    progress: Progress,
) -> Iterator[tuple[ScanFile, Entry]]:
    """The files with their entries, in any order."""
    with engine.start(settings, reporter) as run:
        arguments = cache.arguments(files) if cache is not None else None
        if arguments is None:
            arguments = _in_rounds(files, run, cache, progress)
            is_taken = True
        else:
            is_taken = False
        if progress.stop.is_set():
            return
        known = cache.look_up(files, arguments) if cache is not None else {}
        progress.advance(len(known))
        yield from known.items()
        unknown = [file for file in files if file not in known]
        if not unknown or progress.stop.is_set():
            return
        if not is_taken:
            run.take(unknown, arguments)
        for file, result in run.analyse(unknown):
            if cache is not None:
                cache.add(file, result)
            progress.advance(1)
            yield file, result.entry
            if progress.stop.is_set():
                return


def propagated_arguments(
    files: Sequence[ScanFile],
    settings: Settings,
    engine: ScanEngine | None = None,
    cache: ScanCache[None] | None = None,
    progress: Progress | None = None,
) -> Arguments | None:
    """What the calls in all files give for parameters, as a scan finds it before it looks at them; None where
    `progress` was told to stop. The `cache` is to be saved afterwards. Raises IndexFileError when the catalog
    cannot be loaded, and what the engine raises."""
    progress = progress or Progress()
    arguments = cache.arguments(files) if cache is not None else None
    if arguments is None:
        with (engine or Local(1)).start(settings, NoReport()) as run:
            arguments = _in_rounds(files, run, cache, progress)
    return None if progress.stop.is_set() else arguments


def scan_files(paths: Sequence[Path], places: Mapping[Path, int] | None = None) -> list[ScanFile]:
    """Files to scan, with the roots of their imports."""
    roots = _Roots()
    return [
        ScanFile(number if places is None else places[path], path, roots.of(path))
        for number, path in enumerate(paths)
    ]


class NoReport:
    """The reporter of what nobody wants to read."""

    def __repr__(self) -> str:
        return "nothing"

    def file(self, path: str, found: FileFindings) -> None:
        """Nothing, whatever was found in a file."""

    def unreadable(self, path: str, error: TextError) -> None:
        """Nothing, whatever the reason is why a path could not be looked at."""


def _in_rounds(
    files: Sequence[ScanFile],
    run: ScanRun[Entry],
    cache: ScanCache[Entry] | None,
    progress: Progress,
) -> Arguments:
    """What the calls in all files give for parameters, found in rounds: in each, every file is evaluated with
    what all gave in the one before, so that neither order nor processes matter. What classes define, which
    much rests on, is known before the first, unless files would have to be read once more for that."""
    arguments: dict[str, Given] = {}
    facts = ArgumentFacts()
    progress.tell_reading(0, len(files))
    is_large = are_large(files)
    if not is_large:
        defined = _told(run.defined(files), len(files), cache, progress)
        arguments.update(defined)
        facts.take(defined)
        run.take(files, defined)
    for _ in range(_FEW_ROUNDS if is_large else MOST_ROUNDS):
        changed = _told(run.collect(files), len(files), cache, progress)
        if progress.stop.is_set():
            return arguments
        if not changed:
            break
        arguments.update(changed)
        run.take(files, changed)
        if not facts.take(changed):
            break
    arguments[OF_ALL_FILES] = facts.too_much()
    if cache is not None:
        cache.add_arguments(arguments)
    return arguments


def _told(
    found: Iterator[tuple[ScanFile, FileArguments | None]],
    total: int,
    cache: ScanCache[Entry] | None,
    progress: Progress,
) -> dict[str, Given]:
    """What files give that is news, by their paths; of some of them, when `progress` is told to stop."""
    changed: dict[str, Given] = {}
    for number, (file, told) in enumerate(found, 1):
        if progress.stop.is_set():
            break
        progress.tell_reading(number, total)
        if told is None:
            continue
        if told.given is not None:
            changed[str(file.path.absolute())] = told.given
        if cache is not None:
            cache.take_up(file, told)
    return changed


class _Roots:
    """The import roots of files, found once for each folder."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[Path, ...]] = {}
        self._folders = Folders()

    def of(self, path: Path) -> tuple[Path, ...]:
        """The roots of a file."""
        folder = path.parent
        if folder not in self._known:
            self._known[folder] = import_roots(path, self._folders)
        return self._known[folder]
