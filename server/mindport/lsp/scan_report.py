"""The report of the files of a scan: the same files with the settings of then, as they are now."""

from __future__ import annotations

import asyncio
import json
import os.path
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mindport.lsp.project_scan import ScanProgress, analyse_files
from mindport.lsp.reports import output_of, written
from mindport.lsp.scan_order import ShownPaths
from mindport.lsp.scan_results import scan_named
from mindport.lsp.uris import file_of
from mindport.report.choice import EVERYTHING, Choice
from mindport.report.formats import FORMATS, make_report
from mindport.report.report import FileReport, pack, unpack
from mindport.report.summary import UNREADABLE, FileSummary, Totals, summarise

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.language import Language
    from mindport.lsp.scan_order import ScanRequest
    from mindport.lsp.scans import Scan
    from mindport.lsp.state import ServerState
    from mindport.report.report import Report
    from mindport.source.error import TextError

_NUMBER_OF_ARGUMENTS = 3


class ScanReportOrder(NamedTuple):
    """A report that is asked for: its format, the file to write (None: it is returned), the identity of the
    scan, and what of it is wanted."""

    form: str
    output: Path | None
    scan: str
    choice: Choice


def scan_report_order(arguments: Sequence[Any]) -> ScanReportOrder | None:
    """The order that the arguments of `mindport.exportReport` mean; None if they name no scan, or cannot be
    used."""
    if len(arguments) != _NUMBER_OF_ARGUMENTS or arguments[0] not in FORMATS:
        return None
    form, uri, about = arguments
    wanted = dict(about) if isinstance(about, dict) else {}
    choice, output = _choice(wanted.pop("only", {})), output_of(uri)
    identity = scan_named(wanted)
    if identity is None or choice is None or (uri is not None and output is None):
        return None
    return ScanReportOrder(form, output, identity, choice)


def _choice(told: object) -> Choice | None:
    """The choice that an object tells; None if it is none."""
    if not isinstance(told, dict) or not set(told) <= set(Choice._fields):
        return None
    return Choice(**told) if all(isinstance(text, str) for text in told.values()) else None


async def export_scan(
    ls: ServerState, scan: Scan, wanted: ScanReportOrder, course: ScanProgress
) -> dict[str, Any]:
    """Make the report of a scan. Returns its `text`, or the `path` of the file written, the counts of
    `files`, `uses` and `findings`, and whether anything was found to have `changed` since. Raises TextError
    when the file cannot be written."""
    from mindport.scan.cache import Packing

    order = _order_now(ls, scan.order)
    language = order.folders[0].settings.language
    report = make_report(wanted.form, scan.target, language, _base(order))
    reporter = _Shown(report, order.shown_paths(), wanted.form, wanted.choice, language)
    entries = await analyse_files(ls, order, course, reporter, Packing(_packed, _unpacked))
    parts = {uri: entry for uri, entry in entries.by_uri.items() if uri in scan.files}
    changed = {uri: part.whole for uri, part in parts.items()} != {
        uri: file.summary for uri, file in scan.files.items()
    }
    chosen = [part.report for part in parts.values() if part.report is not None]
    write = partial(_composed, report, chosen, wanted.output)
    return await asyncio.get_running_loop().run_in_executor(None, write) | {"changed": changed}


def _composed(report: Report, parts: Sequence[FileReport], output: Path | None) -> dict[str, Any]:
    totals = Totals()
    texts = report.compose(parts, totals)
    made = {"text": "".join(texts)} if output is None else {"path": written(output, texts)}
    return {**made, "files": totals.files, "uses": totals.uses, "findings": totals.findings}


def _order_now(ls: ServerState, order: ScanRequest) -> ScanRequest:
    """The same order, with what is open now."""
    open_files = {document.path: document for document in ls.documents.snapshots()}
    named = [open_files.get(document.path) for document in order.documents]
    closed = [document.uri for document in order.documents if document.path not in open_files]
    paths = [*order.paths, *(path for path in map(file_of, closed) if path is not None)]
    documents = [document for document in named if document is not None]
    return replace(order, paths=paths, documents=documents, open_files=open_files)


def _base(order: ScanRequest) -> Path:
    """The folder from which addresses of files start: the one that holds all folders of the workspace."""
    folders = [str(folder.path) for folder in order.folders if folder.path is not None]
    try:
        return Path(os.path.commonpath(folders or [str(path.parent) for path in order.paths]))
    except ValueError:  # there are none, or they are on different drives
        return Path(folders[0]) if folders else Path.cwd()


class _Part(NamedTuple):
    """What becomes of a file: its part of the report (None: nothing of it is chosen), and the counts of all
    that was found in it."""

    report: FileReport | None
    whole: FileSummary


@dataclass(frozen=True)
class _Shown:
    """Makes the parts of a report, of what is chosen. Picklable."""

    report: Report
    paths: ShownPaths
    form: str
    choice: Choice
    language: Language

    def file(self, path: str, found: FileFindings) -> _Part:
        """The part of one file."""
        from mindport.report.problem import syntax_problems

        problems = syntax_problems(found, self.language)
        whole = summarise(found, found.diagnostics(), len(problems))
        if self.choice == EVERYTHING:
            return _Part(self.report.file(self._of(path), found), whole)
        chosen = self.choice.of(found, self.language) if self._fits(path) else None
        if chosen is None or not (chosen.findings or problems):
            return _Part(None, whole)
        return _Part(self.report.file(self._of(path), chosen), whole)

    def unreadable(self, path: str, error: TextError) -> _Part:
        """The part of a file that could not be looked at."""
        report = self.report.unreadable(self._of(path), error) if self._fits(path) else None
        return _Part(report, UNREADABLE)

    def _fits(self, path: str) -> bool:
        return self.choice.fits_file(self.paths.of(path))

    def _of(self, path: str) -> str:
        """The path as it is told: SARIF has addresses of files, which it makes from their whole paths."""
        return path if self.form == "sarif" else self.paths.of(path)


def _packed(part: _Part) -> bytes:
    """The counts in the first line, and then the part of the report, if there is one."""
    counts = [getattr(part.whole, each.name) for each in fields(part.whole)]
    report = b"" if part.report is None else pack(part.report)
    return json.dumps(counts).encode() + b"\n" + report


def _unpacked(content: bytes) -> _Part:
    """What `_packed` made bytes of. Raises ValueError if it made none such."""
    counts, _, report = content.partition(b"\n")
    try:
        whole = FileSummary(*json.loads(counts))
    except TypeError as error:
        raise ValueError(str(error)) from error
    return _Part(unpack(report) if report else None, whole)
