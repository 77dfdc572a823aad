"""The commands `mindport.exportReport` and `mindport.analyzeProject`; `docs/protocol.md` describes their
arguments and results."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mindport.language import Text
from mindport.lsp.commands import wait_until_ready, wrong_arguments
from mindport.lsp.progress import Steps, with_progress
from mindport.lsp.requests import request_now, run_apart
from mindport.lsp.scan_results import kept_scan, scan_named
from mindport.lsp.uris import file_of
from mindport.report.formats import ANALYSIS_FORMATS, FORMAT_NAMES, FORMATS

if TYPE_CHECKING:
    from mindport.app.scan import Scan
    from mindport.lsp.state import ServerState
    from mindport.report.api_uses import ReportFilter
    from mindport.scan.scan import Progress

_MOST_ARGUMENTS = 3
_EXPORT = "mindport.exportReport"
_AN_EXPORT = Text(
    f"a format ({FORMAT_NAMES.en}), then, if wanted, the URI of the file to write (or null) and a "
    'list of URIs of files and folders, or an object with "scan" and, if wanted, "only"',
    f"格式（{FORMAT_NAMES.zh_cn}），以及可选的输出文件 URI（或 null）和由文件、文件夹 URI 组成的列表"
    '，或含有 "scan"（及可选的 "only"）的对象',
)
_ANALYZE = "mindport.analyzeProject"
_AN_ANALYSIS = Text(
    "a format (markdown, html or json), then, optionally, the URI of the file to write (or null) and a "
    "list of URIs of files and folders",
    "格式（markdown、html 或 json），以及可选的输出文件 URI（或 null）和由文件、文件夹 URI 组成的列表",
)
_ANALYZING = Text("MindPort: analyzing the project", "MindPort：正在分析项目")
_EXPORTING = Text("MindPort: creating the report", "MindPort：正在生成报告")


def register(server: ServerState) -> None:
    """Tell the server of the commands."""
    server.command(_EXPORT)(export_report)
    server.command(_ANALYZE)(analyze_project)


class _FilesReport(NamedTuple):
    """A report that is asked for: its format, the file to write (None: it is returned), the files and folders
    it is about, and the folder from which its paths start."""

    form: str
    output: Path | None
    paths: Sequence[Path]
    folder: Path
    is_analysis: bool = False


class _ScanReport(NamedTuple):
    """A report that is asked for: its format, the file to write (None: it is returned), the identity of the
    scan, and what of it is wanted."""

    form: str
    output: Path | None
    scan: str
    wanted: ReportFilter


def export_report(ls: ServerState, arguments: Sequence[Any], token: Any) -> Awaitable[Any]:
    """`mindport.exportReport`: the report of files and folders, or of a scan; it is written or returned."""
    of_scan = _scan_report(arguments)
    of_files = _files_report(arguments, ls.client.folders) if of_scan is None else None
    steps = Steps(ls)
    if of_scan is not None:
        work = _report_of_scan(ls, of_scan, kept_scan(ls, of_scan.scan), steps)
    elif of_files is not None:
        work = _report_of_files(ls, of_files, steps)
    else:
        raise wrong_arguments(ls, _EXPORT, _AN_EXPORT)
    return with_progress(ls, work, _EXPORTING, token, steps)


def analyze_project(ls: ServerState, arguments: Sequence[Any], token: Any) -> Awaitable[Any]:
    """`mindport.analyzeProject`: the analysis of files and folders; it is written or returned."""
    asked = _files_report(arguments, ls.client.folders, ANALYSIS_FORMATS)
    if asked is None:
        raise wrong_arguments(ls, _ANALYZE, _AN_ANALYSIS)
    steps = Steps(ls)
    return with_progress(ls, _report_of_files(ls, asked, steps), _ANALYZING, token, steps)


def _files_report(
    arguments: Sequence[Any], folders: Sequence[Path], forms: Sequence[str] = FORMATS
) -> _FilesReport | None:
    """What the arguments mean about files and folders; None if they cannot be used. `folders` are those of
    the workspace."""
    form, output, uris = [*arguments, *[None] * _MOST_ARGUMENTS][:_MOST_ARGUMENTS]
    if len(arguments) > _MOST_ARGUMENTS or form not in forms:
        return None
    target = _output(output)
    if output is not None and target is None:
        return None
    if uris is not None and not (isinstance(uris, list) and all(isinstance(uri, str) for uri in uris)):
        return None
    paths = [file_of(uri) for uri in uris] if uris else list(folders)
    known = tuple(path for path in paths if path is not None)
    if not known or len(known) < len(paths):
        return None
    folder = folders[0] if folders else (known[0] if known[0].is_dir() else known[0].parent)
    return _FilesReport(form, target, known, folder, forms is ANALYSIS_FORMATS)


def _scan_report(arguments: Sequence[Any]) -> _ScanReport | None:
    """What the arguments mean about a scan; None if they name none, or cannot be used."""
    if len(arguments) != _MOST_ARGUMENTS or arguments[0] not in FORMATS:
        return None
    form, uri, about = arguments
    told = dict(about) if isinstance(about, dict) else {}
    wanted, output = _filter(told.pop("only", {})), _output(uri)
    identity = scan_named(told)
    if identity is None or wanted is None or (uri is not None and output is None):
        return None
    return _ScanReport(form, output, identity, wanted)


def _filter(told: object) -> ReportFilter | None:
    """The filter that an object tells; None if it is none."""
    from mindport.report.api_uses import ReportFilter

    if not isinstance(told, dict) or not set(told) <= set(ReportFilter._fields):
        return None
    return ReportFilter(**told) if all(isinstance(text, str) for text in told.values()) else None


def _output(argument: object) -> Path | None:
    """The file that an argument names; None if it names none."""
    return file_of(argument) if isinstance(argument, str) else None


async def _report_of_scan(ls: ServerState, asked: _ScanReport, scan: Scan, steps: Steps) -> Any:
    await wait_until_ready(ls)
    request = request_now(ls, scan.request)

    def run(progress: Progress) -> dict[str, Any]:
        from mindport.app.report import report_of_scan

        return report_of_scan(scan, request, asked.form, asked.output, asked.wanted, progress)

    return await run_apart(ls, steps, run)


async def _report_of_files(ls: ServerState, asked: _FilesReport, steps: Steps) -> Any:
    await wait_until_ready(ls)
    settings = ls.engine.session.settings

    def run(progress: Progress) -> dict[str, Any]:
        from mindport.app.report import analysis_of_files, report_of_files
        from mindport.project.discover import discover

        files = discover(asked.paths, settings.exclude, settings.limit)
        make = analysis_of_files if asked.is_analysis else report_of_files
        return make(asked.form, files, settings, asked.folder, asked.output, progress)

    return await run_apart(ls, steps, run)
