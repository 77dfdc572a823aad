"""Reports: of files and folders, and of what an earlier scan was about."""

from __future__ import annotations

import json
import os.path
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mindport.app.report_file import ReportFile
from mindport.app.scan import analyse_request
from mindport.report.api_uses import EVERYTHING, ReportFilter
from mindport.report.formats import make_report
from mindport.report.report import FileReport, pack, unpack
from mindport.report.summary import UNREADABLE, FileSummary, Totals, summarise
from mindport.scan.cache import Packing, ScanCache, open_cache
from mindport.scan.scan import Progress, scan

if TYPE_CHECKING:
    from mindport.app.request import Request, ShownPaths
    from mindport.app.scan import Scan
    from mindport.assess.file_findings import FileFindings
    from mindport.language import Language
    from mindport.project.discover import Discovery
    from mindport.project.setting_table import Settings
    from mindport.report.report import Report
    from mindport.scan.scan import ScanEngine
    from mindport.scan.tasks import FileReporter
    from mindport.source.error import TextError


class ReportRun:
    """Looks at files and makes a report of what is found in them, counted in `totals`. `folder` is where the
    paths of files start, where that is not as they were given."""

    def __init__(
        self, report: Report, settings: Settings, *, folder: Path | None = None, use_cache: bool = True
    ) -> None:
        self.totals = Totals()
        self._report = report
        self._settings = settings
        self._reporter: FileReporter[FileReport] = report if folder is None else _FromFolder(report, folder)
        self._cache: ScanCache[FileReport] | None = None
        if use_cache:
            self._cache = open_cache(settings, self._reporter, Packing(pack, unpack))

    def texts(self, files: Discovery, progress: Progress, engine: ScanEngine | None = None) -> Iterator[str]:
        """The text of the report, piece by piece. Raises what `scan` raises."""
        progress.total = files.total
        jobs, cache = self._settings.jobs, self._cache
        entries = scan(
            files, self._settings, self._reporter, jobs, cache=cache, engine=engine, progress=progress
        )
        return self._report.compose(entries, self.totals)

    def save(self) -> None:
        """Keep for the next run what was found. To be called when the report is written, which shall not wait
        for it."""
        if self._cache is not None:
            self._cache.save()


def report_of_files(
    form: str, files: Discovery, settings: Settings, folder: Path, output: Path | None, progress: Progress
) -> dict[str, Any]:
    """Make a report of files, with paths from `folder`. Returns its `text`, or the `path` of the file
    written, and the counts of `files`, `uses` and `findings`. Raises TextError when the file cannot be
    written."""
    report = make_report(form, settings.ported_to, settings.language, folder)
    return _made(ReportRun(report, settings, folder=folder), files, settings, output, progress)


def analysis_run(
    form: str,
    settings: Settings,
    folders: Sequence[Path],
    *,
    folder: Path | None = None,
    use_cache: bool = True,
) -> ReportRun:
    """The run that makes the analysis of a project, in one of `ANALYSIS_FORMATS`, with the rules about graph
    mode. Its configuration files are in `folders`; `folder` is as for `ReportRun`."""
    from mindport.report.analysis.analysis_report import AnalysisReport

    settings = replace(settings, graphMode=True)
    searched = tuple(str(one) for one in folders if one.is_dir())
    report = AnalysisReport(
        settings.ported_to, settings.language, form, searched, settings.exclude, str(folder or "")
    )
    return ReportRun(report, settings, folder=folder, use_cache=use_cache)


def analysis_of_files(
    form: str, files: Discovery, settings: Settings, folder: Path, output: Path | None, progress: Progress
) -> dict[str, Any]:
    """Make the analysis of a project, with paths from its `folder`, where its configuration files are.
    Returns what `report_of_files` does. Raises TextError when the file cannot be written."""
    run = analysis_run(form, settings, [folder], folder=folder)
    return _made(run, files, settings, output, progress)


def _made(
    run: ReportRun, files: Discovery, settings: Settings, output: Path | None, progress: Progress
) -> dict[str, Any]:
    from mindport.scan.pool import Local

    texts = run.texts(files, progress, Local(settings.jobs, apart=True))
    made = _written(texts, output) | _counts(run.totals)
    run.save()
    return made


def report_of_scan(
    scan: Scan, request: Request, form: str, output: Path | None, chosen: ReportFilter, progress: Progress
) -> dict[str, Any]:
    """Make the report of a scan, of what its files are now: `request` is that of the scan, with what is open
    now. Returns what `report_of_files` does, and whether anything was found to have `changed` since. Raises
    TextError when the file cannot be written."""
    language = request.folders[0].settings.language
    report = make_report(form, scan.target, language, _base(request))
    reporter = _Filtered(report, request.shown_paths(), form, chosen, language)
    entries = analyse_request(request, reporter, progress, Packing(_packed, _unpacked))
    parts = {uri: entry for uri, entry in entries.by_uri.items() if uri in scan.files}
    before = {uri: file.summary for uri, file in scan.files.items()}
    changed = {uri: part.whole for uri, part in parts.items()} != before
    totals = Totals()
    texts = report.compose([part.report for part in parts.values() if part.report is not None], totals)
    return {**_written(texts, output), **_counts(totals), "changed": changed}


def _written(texts: Iterable[str], output: Path | None) -> dict[str, Any]:
    if output is None:
        return {"text": "".join(texts)}
    with ReportFile(output) as file:
        for text in texts:
            file.write(text)
    return {"path": str(output)}


def _counts(totals: Totals) -> dict[str, Any]:
    return {"files": totals.files, "uses": totals.uses, "findings": totals.findings}


def _base(request: Request) -> Path:
    """The folder from which addresses of files start: the one that holds all folders of the workspace."""
    folders = [str(folder.path) for folder in request.folders if folder.path is not None]
    try:
        return Path(os.path.commonpath(folders or [str(path.parent) for path in request.paths]))
    except ValueError:  # there are none, or they are on different drives
        return Path(folders[0]) if folders else Path.cwd()


@dataclass(frozen=True)
class _FromFolder:
    """Makes the parts of a report, with the paths of files as they are from a folder. Picklable."""

    report: Report
    folder: Path

    def file(self, path: str, found: FileFindings) -> FileReport:
        """The part of one file."""
        return self.report.file(self._short(path), found)

    def unreadable(self, path: str, error: TextError) -> FileReport:
        """The part of a file that could not be looked at."""
        return self.report.unreadable(self._short(path), error)

    def _short(self, path: str) -> str:
        file = Path(path)
        return file.relative_to(self.folder).as_posix() if file.is_relative_to(self.folder) else path


class _Part(NamedTuple):
    """What becomes of a file: its part of the report (None: nothing of it is chosen), and the counts of all
    that was found in it."""

    report: FileReport | None
    whole: FileSummary


@dataclass(frozen=True)
class _Filtered:
    """Makes the parts of a report, of what is chosen. Picklable."""

    report: Report
    paths: ShownPaths
    form: str
    chosen: ReportFilter
    language: Language

    def file(self, path: str, found: FileFindings) -> _Part:
        """The part of one file."""
        from mindport.report.problem import syntax_problems

        problems = syntax_problems(found, self.language)
        whole = summarise(found, found.diagnostics(), len(problems))
        if self.chosen == EVERYTHING:
            return _Part(self.report.file(self._of(path), found), whole)
        chosen = self.chosen.of(found, self.language) if self._fits(path) else None
        if chosen is None or not (chosen.findings or problems):
            return _Part(None, whole)
        return _Part(self.report.file(self._of(path), chosen), whole)

    def unreadable(self, path: str, error: TextError) -> _Part:
        """The part of a file that could not be looked at."""
        report = self.report.unreadable(self._of(path), error) if self._fits(path) else None
        return _Part(report, UNREADABLE)

    def _fits(self, path: str) -> bool:
        return self.chosen.fits_file(self.paths.of(path))

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
