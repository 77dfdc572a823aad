"""Scanning: every file of a run looked at, by whatever engine, unless the cache knows what comes of it.

First every file tells what its calls give to functions of other files, then they are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
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


class ScanRun(Protocol[Entry]):
    """The work of an engine."""

    def call_facts(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileCallFacts | None]]:
        """What each file gives to others, None where that cannot be told; in any order."""
        ...

    def analyse(
        self, files: Sequence[ScanFile], call_facts: CallFacts
    ) -> Iterator[tuple[ScanFile, FileResult[Entry]]]:
        """Each file with what came of it, in any order; there is nothing to do after that. `call_facts` are
        what all files give each other. An engine that is told to stop leaves out some."""
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
) -> Iterator[Entry]:
    """One entry for each file that was looked at and each path that could not be read, sorted by path.

    The entries are the same whatever `jobs`, `cache` and `engine` are. `jobs` is how many processes work, 0
    for one per processor; an `engine` takes their place. The `cache` is to be saved afterwards. What goes
    wrong in one file becomes an entry that says so. Raises IndexFileError when the catalog cannot be loaded,
    and what the engine raises.
    """
    errors = {problem.path: problem.error for problem in discovery.problems}
    places = {path: place for place, path in enumerate(sorted({*discovery.files, *errors}))}
    ready: dict[int, Entry] = {
        places[path]: reporter.unreadable(path.as_posix(), error) for path, error in errors.items()
    }
    roots = _Roots()
    files = [ScanFile(places[path], path, roots.of(path)) for path in discovery.files if path not in errors]
    following = 0
    for file, entry in _entries(files, settings, reporter, cache, engine or Local(jobs)):
        ready[file.place] = entry
        while following in ready:
            yield ready.pop(following)
            following += 1
    for place in sorted(ready):  # with gaps, where the engine has left out files
        yield ready[place]


def _entries(
    files: Sequence[ScanFile],
    settings: Settings,
    reporter: FileReporter[Entry],
    cache: ScanCache[Entry] | None,
    engine: ScanEngine,
) -> Iterator[tuple[ScanFile, Entry]]:
    """The files with their entries, in any order."""
    with engine.start(settings, reporter) as looking:
        kept = cache.call_facts(files) if cache is not None else {}
        placed = _Placed()
        for file, given in kept.items():
            placed.add(file, given)
        for file, found in looking.call_facts([file for file in files if file not in kept]):
            if found is not None:
                placed.add(file, found.call_facts)
                if cache is not None:
                    cache.add_call_facts(file, found)
        call_facts = tuple(sorted(placed.found))
        known = cache.look_up(files, call_facts) if cache is not None else {}
        yield from known.items()
        unknown = [file for file in files if file not in known]
        if not unknown:
            return
        for file, looked in looking.analyse(unknown, call_facts):
            if cache is not None:
                cache.add(file, looked)
            yield file, looked.entry


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
