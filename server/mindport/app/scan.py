"""What a request is about, looked at: files on disk by a scan, and documents that are open by whoever has
them open."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from mindport.catalog.target import Target
from mindport.project.discover import TooManyFilesError
from mindport.report.scan_rows import ScannedFile, ScannedFiles, pack, unpack
from mindport.report.summary import Totals
from mindport.scan.cache import Packing, open_cache
from mindport.scan.pool import Local
from mindport.scan.scan import Progress, scan
from mindport.scan.tasks import internal_error
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.app.request import OpenDocument, Request, RequestPart
    from mindport.assess.file_findings import FileFindings
    from mindport.language import Language
    from mindport.project.setting_table import Settings
    from mindport.scan.tasks import FileReporter
    from mindport.source.lines import PositionEncoding

Entry = TypeVar("Entry")


@dataclass(frozen=True)
class Entries(Generic[Entry]):
    """What was made of files, by URI and sorted by their shown path; `settings` are those of the first of the
    folders that they are in; `left_out` says why files were left out, `cancelled` that there would have been
    more."""

    by_uri: Mapping[str, Entry]
    settings: Settings
    left_out: Sequence[TextError]
    cancelled: bool


@dataclass(frozen=True)
class Scan:
    """What was found, and by which request, so that the same can be looked at again.

    `files` are those that were looked at, by URI, sorted by path: all, unless the scan was `cancelled`.
    `settings` are those of the first folder that they are in.
    """

    identity: str
    request: Request
    settings: Settings
    files: Mapping[str, ScannedFile]
    cancelled: bool

    @property
    def target(self) -> Target:
        """What it says what is needed for."""
        return Target(self.settings.target, self.settings.device, self.settings.style)

    def totals(self) -> Totals:
        """The counts of all files."""
        totals = Totals()
        for file in self.files.values():
            totals.add(file.summary)
        return totals


def scan_request(
    request: Request, language: Language, encoding: PositionEncoding, progress: Progress
) -> Scan:
    """Look at what a request is about, until its end or until `progress.stop` is set. Raises TextError when
    nothing can be looked at."""
    import uuid  # the command line does not need it

    reporter = ScannedFiles(language, encoding)
    entries = analyse_request(request, reporter, progress, Packing(pack, unpack))
    paths = request.shown_paths()
    files = {uri: file._replace(path=paths.of(file.path)) for uri, file in entries.by_uri.items()}
    return Scan(uuid.uuid4().hex, request, entries.settings, files, entries.cancelled)


def analyse_request(
    request: Request,
    reporter: FileReporter[Entry],
    progress: Progress,
    packing: Packing[Entry] | None = None,
) -> Entries[Entry]:
    """What `reporter` makes of each file of a request; it is given their whole paths. The cache keeps what
    `packing` makes of that. Takes long: what is edited has another thread. Raises TextError when nothing can
    be looked at."""
    named = _Named(reporter)
    parts = request.parts()
    progress.total = sum(part.total for part in parts)
    found: dict[str, tuple[str, Entry]] = {}
    for document in (document for part in parts for document in part.documents):
        if not progress.stop.is_set():
            found[document.uri] = _analyse_open(document, named)
            progress.advance(1)
    for part in parts:
        if not progress.stop.is_set():
            found |= _analyse_closed(part, named, progress, packing)
    shown = request.shown_paths()
    by_path = sorted(found.items(), key=lambda item: shown.of(item[1][0]))
    settings = parts[0].settings if parts else request.folders[0].settings
    problems = [problem.error for part in parts for problem in part.files.problems]
    left_out = [error for error in problems if isinstance(error, TooManyFilesError)]
    by_uri = {uri: entry for uri, (_, entry) in by_path}
    return Entries(by_uri, settings, left_out, progress.stop.is_set())


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

    def unpack(content: bytes) -> tuple[str, Entry]:
        path, _, rest = content.partition(b"\n")
        return str(json.loads(path)), packing.unpack(rest)

    return Packing(lambda named: json.dumps(named[0]).encode() + b"\n" + packing.pack(named[1]), unpack)


def _analyse_open(document: OpenDocument, named: _Named[Entry]) -> tuple[str, Entry]:
    try:
        return document.analyse(partial(named.file, document.path))
    except TextError as error:
        return named.unreadable(document.path, error)
    except Exception as error:  # noqa: BLE001 - told to the user, and the rest goes on
        return named.unreadable(document.path, internal_error(error))


def _analyse_closed(
    part: RequestPart, named: _Named[Entry], progress: Progress, packing: Packing[Entry] | None
) -> dict[str, tuple[str, Entry]]:
    """The files of a part that are not open."""
    settings = part.settings
    cache = None if packing is None else open_cache(settings, named, _named_packing(packing))
    engine = Local(settings.jobs, apart=True)
    analysed = scan(part.files, settings, named, cache=cache, engine=engine, progress=progress)
    found = {Path(path).as_uri(): (path, entry) for path, entry in analysed}
    if cache is not None:
        cache.save()
    return found
