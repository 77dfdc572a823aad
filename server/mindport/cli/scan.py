"""`mindport scan`."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.cli.console import UsageError, has_colour, warning
from mindport.cli.options import settings_for
from mindport.cli.output import StandardOutput
from mindport.cli.progress import progress_of
from mindport.language import Language, Text
from mindport.report.formats import FORMATS, make_report

if TYPE_CHECKING:
    from mindport.app.report_file import ReportFile
    from mindport.report.summary import Totals
    from mindport.scan.scan import ScanEngine

ENGINES = ("local", "dask")

_UNKNOWN_FORMAT = Text(
    "The option --format cannot be {name}: it must be {formats}.",
    "选项 --format 不能为 {name}，应为 {formats}。",
)
_UNKNOWN_ENGINE = Text(
    "The option --engine cannot be {name}: it must be {engines}.",
    "选项 --engine 不能为 {name}，应为 {engines}。",
)
_SCHEDULER_WITHOUT_DASK = Text(
    "The option --scheduler is for --engine dask only.", "选项 --scheduler 仅适用于 --engine dask。"
)
_NO_FILES = Text("There are no Python files in: {paths}", "其中没有 Python 文件：{paths}")
_NOTHING_READ = Text("None of the files could be read.", "没有任何文件可以读取。")
_NOT_ALL_READ = Text(
    "{number} of {files} files could not be read; the report says why.",
    "{files} 个文件中有 {number} 个无法读取，原因见报告。",
)
_SCANNING = Text("Scanning", "正在扫描")


def scan(
    paths: Sequence[Path],
    form: str,
    output: Path | None,
    options: Mapping[str, object],
    language: Language,
    tell_findings: bool,
    use_cache: bool = True,
    engine: str = "local",
    scheduler: str | None = None,
) -> int:
    """Scan `paths` and write the report. `engine` is one of ENGINES, `scheduler` the address of dask's.

    Returns the exit code: 2 when something could not be read, 1 for findings with `tell_findings`, else 0.
    Raises UsageError, IndexFileError and OutputClosedError.
    """
    _check_format(form, language)
    _check_engine(engine, scheduler, language)
    settings, language = settings_for(paths, options, language)
    from mindport.app.report import ReportRun
    from mindport.catalog.target import Target
    from mindport.project.discover import discover

    files = discover(paths, settings.exclude, settings.limit)
    if not files.total:
        warning(_NO_FILES.render(language, paths=", ".join(map(str, paths))), language)
    target = Target(settings.target, settings.device, settings.style)
    report = make_report(form, target, language, Path.cwd(), output is None and has_colour(sys.stdout))
    run = ReportRun(report, settings, use_cache=use_cache)
    is_on_screen = output is None and sys.stdout.isatty()
    with (
        _engine(engine, scheduler, settings.jobs, language) as chosen,
        _output(output, form, language) as out,
        progress_of(files, is_on_screen, _SCANNING.render(language)) as progress,
    ):
        for text in run.texts(files, progress, chosen):
            out.write(text)
        out.flush()
    run.save()
    return _exit_code(run.totals, tell_findings, language)


def _check_format(form: str, language: Language) -> None:
    if form not in FORMATS:
        raise UsageError(_UNKNOWN_FORMAT.render(language, name=form, formats=" / ".join(FORMATS)))


def _check_engine(engine: str, scheduler: str | None, language: Language) -> None:
    if engine not in ENGINES:
        raise UsageError(_UNKNOWN_ENGINE.render(language, name=engine, engines=" / ".join(ENGINES)))
    if scheduler is not None and engine != "dask":
        raise UsageError(_SCHEDULER_WITHOUT_DASK.render(language))


@contextmanager
def _engine(name: str, scheduler: str | None, jobs: int, language: Language) -> Iterator[ScanEngine | None]:
    """The engine of that name; None is the usual one. Raises UsageError for what is wrong with it."""
    if name != "dask":
        yield None
        return
    from mindport.scan.dask_pool import EngineError, dask_engine

    gc.enable()  # its client and its cluster leave garbage behind all the time
    try:
        with dask_engine(scheduler, jobs) as engine:
            yield engine
    except EngineError as error:
        raise UsageError(error.render(language)) from error


@contextmanager
def _output(path: Path | None, form: str, language: Language) -> Iterator[StandardOutput | ReportFile]:
    """Where the report goes. Raises UsageError when the file cannot be written."""
    if path is None:
        yield StandardOutput(is_utf8=form != "text")
        return
    from mindport.app.report_file import ReportFile, ReportNotWrittenError

    try:
        with ReportFile(path) as file:
            yield file
    except ReportNotWrittenError as error:
        raise UsageError(error.render(language)) from error


def _exit_code(totals: Totals, tell_findings: bool, language: Language) -> int:
    if totals.unreadable:
        text = _NOTHING_READ if totals.unreadable == totals.files else _NOT_ALL_READ
        warning(text.render(language, number=totals.unreadable, files=totals.files), language)
        return 2
    return 1 if tell_findings and totals.findings else 0
