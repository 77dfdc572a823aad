"""Carries out the scan of a project: files on disk by the scan that the command line uses, beside the
server's own work, and files that are open by the session that looks at them anyway."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from mindport.lsp.worker import Worker
from mindport.report.scanned import ScannedFile, ScannedFiles, pack, unpack
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.lsp.documents import Snapshot
    from mindport.lsp.scan_order import Part, ScanOrder
    from mindport.lsp.server import MindportServer
    from mindport.project.scan import Engine
    from mindport.project.scanner import FileReporter, Looked, ScanFile
    from mindport.project.settings import Settings

Entry = TypeVar("Entry")


@dataclass
class Course:
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


class Found(NamedTuple):
    """What was found: the files by URI, sorted by their shown path; the settings of the first of the folders
    that they are in; and whether there would have been more."""

    files: dict[str, ScannedFile]
    settings: Settings
    cancelled: bool


async def scan_project(ls: MindportServer, order: ScanOrder, course: Course) -> Found:
    """Carry out an order, until its end or until `course.stop` is set. Raises TextError when nothing can be
    looked at."""
    worker = Worker()  # on a thread of its own: looking at what is edited goes on meanwhile
    worker.start()
    try:
        parts = await asyncio.wrap_future(worker.submit(order.parts))
        course.total = sum(len(part.files.files) + len(part.documents) for part in parts)
        found: dict[str, ScannedFile] = {}
        for document in (document for part in parts for document in part.documents):
            if not course.stop.is_set():
                uri = document.uri if document.notebook is None else document.notebook.uri
                look = partial(_look_at_open, ls, order, document)
                found[uri] = await ls.work(look, background=True)  # what the user waits for goes before
                course.advance(1)
        for part in parts:
            if not course.stop.is_set():
                found |= await asyncio.wrap_future(worker.submit(partial(_scan, ls, order, part, course)))
        cancelled = course.stop.is_set()
    finally:
        course.stop.set()  # also when nobody waits any more
        worker.stop()
    by_path = sorted(found.items(), key=lambda item: item[1].path)
    return Found(dict(by_path), parts[0].settings if parts else order.folders[0].settings, cancelled)


def _look_at_open(ls: MindportServer, order: ScanOrder, document: Snapshot) -> ScannedFile:
    """Look at a document as it is in the editor. On the worker's thread."""
    from mindport.project.scanner import internal_error

    reporter = ScannedFiles(ls.engine.language, ls.client.encoding)
    path = order.shown_path(document.path)
    try:
        return reporter.file(path, ls.engine.analyse(document.path, document.whole()))
    except TextError as error:
        return reporter.unreadable(path, error)
    except Exception as error:  # noqa: BLE001 - told to the user, and the rest goes on
        ls.report_internal_error(error, document.uri)
        return reporter.unreadable(path, internal_error(error))


def _scan(ls: MindportServer, order: ScanOrder, part: Part, course: Course) -> dict[str, ScannedFile]:
    """Look at the files of a part that are not open."""
    from mindport.project.cache import Packing, open_cache
    from mindport.project.local import Local
    from mindport.project.scan import scan

    reporter = ScannedFiles(ls.engine.language, ls.client.encoding)
    engine = _Stoppable(Local(part.settings.jobs, apart=True), course, len(part.files.files))
    cache = open_cache(part.settings, reporter, Packing(pack, unpack))
    looked_at = scan(part.files, part.settings, reporter, cache=cache, engine=engine)
    files = {Path(file.path).as_uri(): file._replace(path=order.shown_path(file.path)) for file in looked_at}
    course.advance(engine.left)
    return files


@dataclass
class _Stoppable:
    """An engine that tells how far it is, and stops when it is told to. `left` are the files that nobody was
    told of yet."""

    engine: Engine
    course: Course
    left: int

    def look_at(
        self, files: Sequence[ScanFile], settings: Settings, reporter: FileReporter[Entry]
    ) -> Iterator[tuple[ScanFile, Looked[Entry]]]:
        """Each file with what came of it, in any order, until the scan is stopped."""
        self._advance(self.left - len(files))  # the cache knew the others
        for looked in self.engine.look_at(files, settings, reporter):
            yield looked
            self._advance(1)
            if self.course.stop.is_set():
                self.left = 0  # they stay as they are
                return

    def _advance(self, number: int) -> None:
        self.left -= number
        self.course.advance(number)
