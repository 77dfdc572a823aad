"""The report of the files of a scan: the same files with the settings of then, as they are now."""

from __future__ import annotations

import asyncio
import os.path
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mindport.lsp.project_scan import Course, look_at_files
from mindport.lsp.reports import output_of, written
from mindport.lsp.scan_order import ShownPaths
from mindport.lsp.scan_results import scan_named
from mindport.lsp.uris import file_of
from mindport.report.formats import FORMATS, make_report
from mindport.report.report import FileReport, pack, unpack

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.lsp.scan_order import ScanOrder
    from mindport.lsp.scans import Scan
    from mindport.lsp.server import MindportServer
    from mindport.report.report import Report
    from mindport.source.error import TextError

_NUMBER_OF_ARGUMENTS = 3


class ScanReportOrder(NamedTuple):
    """A report that is asked for: its format, the file to write (None: it is returned), and the identity of
    the scan."""

    form: str
    output: Path | None
    scan: str


def scan_report_order(arguments: Sequence[Any]) -> ScanReportOrder | None:
    """The order that the arguments of `mindport.exportReport` mean; None if they name no scan, or cannot be
    used."""
    if len(arguments) != _NUMBER_OF_ARGUMENTS or arguments[0] not in FORMATS:
        return None
    form, uri, about = arguments
    identity, output = scan_named(about), output_of(uri)
    if identity is None or (uri is not None and output is None):
        return None
    return ScanReportOrder(form, output, identity)


async def export_scan(
    ls: MindportServer, scan: Scan, form: str, output: Path | None, course: Course
) -> dict[str, Any]:
    """Make the report of a scan. Returns its `text`, or the `path` of the file written, the counts of
    `files`, `uses` and `findings`, and whether anything was found to have `changed` since. Raises TextError
    when the file cannot be written."""
    from mindport.project.cache import Packing

    order = _order_now(ls, scan.order)
    language = order.folders[0].settings.language
    report = make_report(form, scan.target, language, _base(order))
    # SARIF has addresses of files, which it makes from their whole paths.
    shown = None if form == "sarif" else order.shown_paths()
    entries = await look_at_files(ls, order, course, _Shown(report, shown), Packing(pack, unpack))
    parts = {uri: entry for uri, entry in entries.by_uri.items() if uri in scan.files}
    changed = {uri: part.summary for uri, part in parts.items()} != {
        uri: file.summary for uri, file in scan.files.items()
    }
    write = partial(_composed, report, list(parts.values()), output)
    return await asyncio.get_running_loop().run_in_executor(None, write) | {"changed": changed}


def _composed(report: Report, parts: Sequence[FileReport], output: Path | None) -> dict[str, Any]:
    from mindport.report.summary import Totals

    totals = Totals()
    texts = report.compose(parts, totals)
    made = {"text": "".join(texts)} if output is None else {"path": written(output, texts)}
    return {**made, "files": totals.files, "uses": totals.uses, "findings": totals.findings}


def _order_now(ls: MindportServer, order: ScanOrder) -> ScanOrder:
    """The same order, with what is open now."""
    open_files = {document.path: document for document in ls.documents.snapshots()}
    named = [open_files.get(document.path) for document in order.documents]
    closed = [document.uri for document in order.documents if document.path not in open_files]
    paths = [*order.paths, *(path for path in map(file_of, closed) if path is not None)]
    documents = [document for document in named if document is not None]
    return replace(order, paths=paths, documents=documents, open_files=open_files)


def _base(order: ScanOrder) -> Path:
    """The folder from which addresses of files start: the one that holds all folders of the workspace."""
    folders = [str(folder.path) for folder in order.folders if folder.path is not None]
    try:
        return Path(os.path.commonpath(folders or [str(path.parent) for path in order.paths]))
    except ValueError:  # there are none, or they are on different drives
        return Path(folders[0]) if folders else Path.cwd()


@dataclass(frozen=True)
class _Shown:
    """Makes the parts of a report, with the paths of files as they are shown, or as they are. Picklable."""

    report: Report
    paths: ShownPaths | None

    def file(self, path: str, found: FileFindings) -> FileReport:
        """The part of one file."""
        return self.report.file(self._of(path), found)

    def unreadable(self, path: str, error: TextError) -> FileReport:
        """The part of a file that could not be looked at."""
        return self.report.unreadable(self._of(path), error)

    def _of(self, path: str) -> str:
        return path if self.paths is None else self.paths.of(path)
