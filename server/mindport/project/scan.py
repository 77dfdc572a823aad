"""Scanning: every file of a run looked at, by whatever engine, unless the cache knows what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from mindport.project.discover import import_roots
from mindport.project.local import Local
from mindport.project.scanner import FileReporter, Looked, ScanFile

if TYPE_CHECKING:
    from mindport.project.cache import ScanCache
    from mindport.project.discover import Discovery
    from mindport.project.settings import Settings

__all__ = ["Engine", "FileReporter", "ScanFile", "scan"]

Entry = TypeVar("Entry")


class Engine(Protocol):
    """What has files looked at."""

    def look_at(
        self, files: Sequence[ScanFile], settings: Settings, reporter: FileReporter[Entry]
    ) -> Iterator[tuple[ScanFile, Looked[Entry]]]:
        """Each file with what came of it, in any order. An engine that is told to stop leaves out some."""
        ...


def scan(
    discovery: Discovery,
    settings: Settings,
    reporter: FileReporter[Entry],
    jobs: int = 0,
    *,
    cache: ScanCache[Entry] | None = None,
    engine: Engine | None = None,
) -> Iterator[Entry]:
    """One entry for each file that was looked at and each path that could not be read, sorted by path.

    The entries are the same whatever `jobs`, `cache` and `engine` are. `jobs` is how many processes work, 0
    for one per processor; an `engine` takes their place. What goes wrong in one file becomes an entry that
    says so. Raises IndexFileError when the catalog cannot be loaded, and what the engine raises.
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
    engine: Engine,
) -> Iterator[tuple[ScanFile, Entry]]:
    """The files with their entries, in any order."""
    known = cache.look_up(files) if cache is not None else {}
    yield from known.items()
    unknown = [file for file in files if file not in known]
    if not unknown:
        return
    for file, looked in engine.look_at(unknown, settings, reporter):
        if cache is not None:
            cache.add(file, looked)
        yield file, looked.entry
    if cache is not None:
        cache.save(known)


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
