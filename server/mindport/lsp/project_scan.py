"""Carries out the scan of a project: files on disk by the scan that the command line uses, beside the
server's own work, and files that are open by the session that looks at them anyway."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from mindport.lsp.worker import Worker
from mindport.report.scan_rows import ScannedFile, ScannedFiles, pack, unpack
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.lsp.documents import Snapshot
    from mindport.lsp.scan_order import ScanPart, ScanRequest
    from mindport.lsp.state import ServerState
    from mindport.project.dependencies import FileCallFacts
    from mindport.project.setting_table import Settings
    from mindport.scan.cache import Packing
    from mindport.scan.scan import ScanEngine, ScanRun
    from mindport.scan.tasks import CallFacts, FileReporter, FileResult, ScanFile

Entry = TypeVar("Entry")


@dataclass
class ScanProgress:
    """How far a scan is. `tell` is called with how many of how many files have been looked at, on any thread.
    `stop` may be set on any thread: files are looked at to their end, and no others are begun."""

    tell: Callable[[int, int], None]
    stop: threading.Event = field(default_factory=threading.Event)
    total: int = 0
    number: int = 0

    def advance(self, number: int) -> None:
        """So many more files have been looked at."""
        self.number += number
        if number:
            self.tell(self.number, self.total)


class FoundInProject(NamedTuple):
    """What was found: the files by URI, sorted by their shown path; the settings of the first of the folders
    that they are in; and whether there would have been more."""

    files: dict[str, ScannedFile]
    settings: Settings
    cancelled: bool


@dataclass(frozen=True)
class Entries(Generic[Entry]):
    """What was made of files, by URI and sorted by their shown path; `settings` are those of the first of the
    folders that they are in; `cancelled` says that there would have been more."""

    by_uri: Mapping[str, Entry]
    settings: Settings
    cancelled: bool


async def scan_project(ls: ServerState, order: ScanRequest, course: ScanProgress) -> FoundInProject:
    """Carry out an order, until its end or until `course.stop` is set. Raises TextError when nothing can be
    looked at."""
    from mindport.scan.cache import Packing

    reporter = ScannedFiles(ls.engine.language, ls.client.encoding)
    entries = await analyse_files(ls, order, course, reporter, Packing(pack, unpack))
    paths = order.shown_paths()
    files = {uri: file._replace(path=paths.of(file.path)) for uri, file in entries.by_uri.items()}
    return FoundInProject(files, entries.settings, entries.cancelled)


async def analyse_files(
    ls: ServerState,
    order: ScanRequest,
    course: ScanProgress,
    reporter: FileReporter[Entry],
    packing: Packing[Entry],
) -> Entries[Entry]:
    """What `reporter` makes of each file of an order; it is given their whole paths. The cache keeps what
    `packing` makes of that. Raises TextError when nothing can be looked at."""
    worker = Worker()  # on a thread of its own: looking at what is edited goes on meanwhile
    worker.start()
    named = _Named(reporter)
    found: dict[str, tuple[str, Entry]] = {}
    try:
        parts = await asyncio.wrap_future(worker.submit(order.parts))
        course.total = sum(len(part.files.files) + len(part.documents) for part in parts)
        for document in (document for part in parts for document in part.documents):
            if not course.stop.is_set():
                uri = document.uri if document.notebook is None else document.notebook.uri
                look = partial(_look_at_open, ls, document, named)
                found[uri] = await ls.work(look, background=True)  # what the user waits for goes before
                course.advance(1)
        for part in parts:
            if not course.stop.is_set():
                scan = partial(_scan, part, course, named, packing)
                found |= await asyncio.wrap_future(worker.submit(scan))
        cancelled = course.stop.is_set()
    finally:
        course.stop.set()  # also when nobody waits any more
        worker.stop()
    shown = order.shown_paths()
    by_path = sorted(found.items(), key=lambda item: shown.of(item[1][0]))
    settings = parts[0].settings if parts else order.folders[0].settings
    return Entries({uri: entry for uri, (_, entry) in by_path}, settings, cancelled)


@dataclass(frozen=True)
class _Named(Generic[Entry]):
    """Makes what `reporter` makes, with the path of the file."""

    reporter: FileReporter[Entry]

    def file(self, path: str, found: FileFindings) -> tuple[str, Entry]:
        """From what was found in a file."""
        return path, self.reporter.file(path, found)

    def unreadable(self, path: str, error: TextError) -> tuple[str, Entry]:
        """From the reason why a path could not be looked at."""
        return path, self.reporter.unreadable(path, error)


def _named_packing(packing: Packing[Entry]) -> Packing[tuple[str, Entry]]:
    """The path in the first line, as JSON, and then the entry."""
    from mindport.scan.cache import Packing

    def unpack(content: bytes) -> tuple[str, Entry]:
        path, _, rest = content.partition(b"\n")
        return str(json.loads(path)), packing.unpack(rest)

    return Packing(lambda named: json.dumps(named[0]).encode() + b"\n" + packing.pack(named[1]), unpack)


def _look_at_open(ls: ServerState, document: Snapshot, named: _Named[Entry]) -> tuple[str, Entry]:
    """Look at a document as it is in the editor. On the worker's thread."""
    from mindport.scan.tasks import internal_error

    try:
        return named.file(document.path, ls.engine.analyse(document.path, document.whole()))
    except TextError as error:
        return named.unreadable(document.path, error)
    except Exception as error:  # noqa: BLE001 - told to the user, and the rest goes on
        ls.report_internal_error(error, document.uri)
        return named.unreadable(document.path, internal_error(error))


def _scan(
    part: ScanPart, course: ScanProgress, named: _Named[Entry], packing: Packing[Entry]
) -> dict[str, tuple[str, Entry]]:
    """Look at the files of a part that are not open."""
    from mindport.scan.cache import open_cache
    from mindport.scan.pool import Local
    from mindport.scan.scan import scan

    engine = _Stoppable(Local(part.settings.jobs, apart=True), course, len(part.files.files))
    cache = open_cache(part.settings, named, _named_packing(packing))
    analysed = scan(part.files, part.settings, named, cache=cache, engine=engine)
    found = {Path(path).as_uri(): (path, entry) for path, entry in analysed}
    cache.save()
    course.advance(engine.left)
    return found


@dataclass
class _Stoppable:
    """An engine that tells how far it is, and stops when it is told to. `left` are the files that nobody was
    told of yet."""

    engine: ScanEngine
    course: ScanProgress
    left: int

    @contextmanager
    def start(self, settings: Settings, reporter: FileReporter[Entry]) -> Iterator[_Stopping[Entry]]:
        """Begin to work."""
        with self.engine.start(settings, reporter) as looking:
            yield _Stopping(self, looking)

    def advance(self, number: int) -> None:
        """So many more files have been looked at, or need not be."""
        self.left -= number
        self.course.advance(number)


@dataclass(frozen=True)
class _Stopping(Generic[Entry]):
    """The work of an engine, which stops when it is told to."""

    engine: _Stoppable
    looking: ScanRun[Entry]

    def call_facts(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileCallFacts | None]]:
        """What each file gives to others, until the scan is stopped."""
        for given in self.looking.call_facts(files):
            if self.engine.course.stop.is_set():
                return
            yield given

    def analyse(
        self, files: Sequence[ScanFile], call_facts: CallFacts
    ) -> Iterator[tuple[ScanFile, FileResult[Entry]]]:
        """Each file with what came of it, in any order, until the scan is stopped."""
        self.engine.advance(self.engine.left - len(files))  # the cache knew the others
        if self.engine.course.stop.is_set():
            self.engine.left = 0
            return
        for looked in self.looking.analyse(files, call_facts):
            yield looked
            self.engine.advance(1)
            if self.engine.course.stop.is_set():
                self.engine.left = 0  # they stay as they are
                return
