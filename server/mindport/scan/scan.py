"""Scanning: every file of a run looked at, by whatever engine, unless the cache knows what comes of it.

First every file tells what its calls give to functions of other files, then they are looked at."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from mindport.callgraph.call_facts import CallFact, located
from mindport.project.dependencies import Places
from mindport.project.discover import import_roots
from mindport.scan.pool import Local
from mindport.scan.tasks import CallFacts, FileReporter, FileResult, ScanFile

if TYPE_CHECKING:
    from mindport.project.dependencies import FileCallFacts
    from mindport.project.discover import Discovery
    from mindport.project.setting_table import Settings
    from mindport.scan.cache import ScanCache

Entry = TypeVar("Entry")


def _tell_nobody(number: int, total: int) -> None:
    """Nothing: nobody wants to know."""


@dataclass
class Progress:
    """How far a run is: `number` of `total` files were looked at. `tell` is called with both, on the thread
    of the run. `stop` may be set on any thread: files that are looked at then are the last ones."""

    tell: Callable[[int, int], None] = _tell_nobody
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

    def call_facts(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileCallFacts | None]]:
        """What each file gives to others, None where that cannot be told; in any order."""
        ...

    def analyse(
        self, files: Sequence[ScanFile], call_facts: CallFacts
    ) -> Iterator[tuple[ScanFile, FileResult[Entry]]]:
        """Each file with what came of it, in any order; there is nothing to do after that. `call_facts` are
        what all files give each other."""
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
    roots = _Roots()
    files = [ScanFile(places[path], path, roots.of(path)) for path in discovery.files if path not in errors]
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
        kept = cache.call_facts(files) if cache is not None else {}
        placed = _Placed()
        for file, given in kept.items():
            placed.add(file, given)
        for file, found in run.call_facts([file for file in files if file not in kept]):
            if progress.stop.is_set():
                return
            if found is not None:
                placed.add(file, found.call_facts)
                if cache is not None:
                    cache.add_call_facts(file, found)
        call_facts = tuple(sorted(placed.found))
        known = cache.look_up(files, call_facts) if cache is not None else {}
        progress.advance(len(known))
        yield from known.items()
        unknown = [file for file in files if file not in known]
        if not unknown or progress.stop.is_set():
            return
        for file, result in run.analyse(unknown, call_facts):
            if cache is not None:
                cache.add(file, result)
            progress.advance(1)
            yield file, result.entry
            if progress.stop.is_set():
                return


class _Placed:
    """What files give each other, each once, with the paths of the modules that it is for."""

    def __init__(self) -> None:
        self.found: set[CallFact] = set()
        self._places: dict[tuple[Path, ...], Places] = {}

    def add(self, file: ScanFile, call_facts: CallFacts) -> None:
        """Take up what a file gives."""
        places = self._places.setdefault(file.roots, Places(file.roots))
        self.found.update(located(call_facts, lambda name: places.of(name).path))


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
