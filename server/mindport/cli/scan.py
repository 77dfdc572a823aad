"""`mindport scan`."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.cli.arguments import Arguments, Command, Given
from mindport.cli.console import UsageError, has_colour, warning
from mindport.cli.options import settings_for
from mindport.cli.output import NO_CACHE, OUTPUT, check_format, discovered, write_report
from mindport.language import Language, Text
from mindport.project.setting_table import SETTINGS
from mindport.report.formats import FORMAT_NAMES, FORMATS

if TYPE_CHECKING:
    from mindport.report.summary import Totals
    from mindport.scan.scan import ScanEngine

ENGINES = ("local", "dask")

_ABOUT = Text(
    "Find torch APIs in files and folders, and show their MindSpore equivalents.",
    "在文件和文件夹中查找 torch 接口的使用，并说明各自的对应接口。",
)
_FORMAT = Text(f"The form of the report: {FORMAT_NAMES.en}.", f"报告格式：{FORMAT_NAMES.zh_cn}。")
_ENGINE = Text(
    "local, or dask: workers of dask.distributed (pip install 'mindport[dask]').",
    "local 或 dask：使用 dask.distributed 的工作进程（pip install 'mindport[dask]'）。",
)
_SCHEDULER = Text(
    "Address of the dask scheduler, such as tcp://HOST:8786; if omitted, a cluster on this machine.",
    "dask 调度器的地址，例如 tcp://HOST:8786；未指定时在本机启动集群。",
)
_EXIT_CODE = Text("Exit with 1 if there are findings.", "有结果时以 1 退出。")
_UNKNOWN_ENGINE = Text(
    "Invalid value {name} for --engine: expected {engines}.",
    "选项 --engine 的值 {name} 无效，应为 {engines}。",
)
_SCHEDULER_WITHOUT_DASK = Text("--scheduler requires --engine dask.", "--scheduler 仅适用于 --engine dask。")
_NOTHING_READ = Text("None of the files could be read.", "所有文件均无法读取。")
_NOT_ALL_READ = Text(
    "{number} of {files} files could not be read; the report says why.",
    "{files} 个文件中有 {number} 个无法读取，原因见报告。",
)
_SCANNING = Text("Scanning", "正在扫描")


def _add_arguments(arguments: Arguments) -> None:
    arguments.paths()
    arguments.option("--format", metavar="FORMAT", text=_FORMAT, default="text")
    arguments.option("--output", "-o", metavar="FILE", text=OUTPUT, kind=Path)
    arguments.option("--engine", metavar="ENGINE", text=_ENGINE, default="local")
    arguments.option("--scheduler", metavar="ADDRESS", text=_SCHEDULER)
    arguments.flag("--no-cache", NO_CACHE)
    arguments.flag("--exit-code", _EXIT_CODE)
    arguments.settings(*SETTINGS)


def _run(given: Given, language: Language) -> int:
    return scan(
        given.paths,
        given.format,
        given.output,
        given.settings,
        language,
        given.exit_code,
        not given.no_cache,
        given.engine,
        given.scheduler,
    )


COMMANDS = (Command("scan", _ABOUT, _add_arguments, _run),)


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
    check_format(form, FORMATS, language)
    _check_engine(engine, scheduler, language)
    settings, language = settings_for(paths, options, language)
    from mindport.app.report import ReportRun
    from mindport.report.formats import make_report

    files = discovered(paths, settings, language)
    target = settings.ported_to
    report = make_report(form, target, language, Path.cwd(), output is None and has_colour(sys.stdout))
    run = ReportRun(report, settings, use_cache=use_cache)
    with _engine(engine, scheduler, settings.jobs, language) as chosen:
        write_report(run, files, output, _SCANNING, language, is_utf8=form != "text", engine=chosen)
    return _exit_code(run.totals, tell_findings, language)


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


def _exit_code(totals: Totals, tell_findings: bool, language: Language) -> int:
    if totals.unreadable:
        text = _NOTHING_READ if totals.unreadable == totals.files else _NOT_ALL_READ
        warning(text.render(language, number=totals.unreadable, files=totals.files), language)
        return 2
    return 1 if tell_findings and totals.findings else 0
