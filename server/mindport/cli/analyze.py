"""`mindport analyze`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from mindport.cli.arguments import Arguments, Command, Given
from mindport.cli.console import UsageError, warning
from mindport.cli.options import settings_for
from mindport.language import Language, Text
from mindport.project.setting_table import SETTINGS

FORMS = ("markdown", "html", "json")

_ABOUT = Text(
    "Analyze a project before you port it: what to do in which order, its APIs, functions, packages, and "
    "how it trains.",
    "在迁移之前分析项目：工作清单、接口、功能、第三方包以及训练配置。",
)
_FORMAT = Text("Output format: markdown, html or json.", "输出格式：markdown、html 或 json。")
_OUTPUT = Text("Write to this file instead of standard output.", "写入该文件，而不是标准输出。")
_NO_CACHE = Text("Ignore and do not write the cache.", "重新分析所有文件，且不保留缓存。")
_UNKNOWN_FORMAT = Text(
    "The option --format cannot be {name}: it must be {formats}.",
    "选项 --format 不能为 {name}，应为 {formats}。",
)
_NO_FILES = Text("There are no Python files in: {paths}", "其中没有 Python 文件：{paths}")
_NOT_ALL_READ = Text(
    "{number} of {files} files could not be read; `mindport scan` says why.",
    "{files} 个文件中有 {number} 个无法读取，原因见 `mindport scan`。",
)
_ANALYZING = Text("Analyzing", "正在分析")


def _add_arguments(arguments: Arguments) -> None:
    arguments.paths()
    arguments.option("--format", metavar="FORMAT", text=_FORMAT, default="markdown")
    arguments.option("--output", "-o", metavar="FILE", text=_OUTPUT, kind=Path)
    arguments.flag("--no-cache", _NO_CACHE)
    arguments.settings(*SETTINGS)


def _run(given: Given, language: Language) -> int:
    return analyze(given.paths, given.format, given.output, given.settings, language, not given.no_cache)


COMMANDS = (Command("analyze", _ABOUT, _add_arguments, _run),)


def analyze(
    paths: Sequence[Path],
    form: str,
    output: Path | None,
    options: Mapping[str, object],
    language: Language,
    use_cache: bool = True,
) -> int:
    """Analyze the project in `paths`. `form` is one of FORMS.

    Returns the exit code: 2 when something could not be read, else 0. Raises UsageError, IndexFileError and
    OutputClosedError.
    """
    if form not in FORMS:
        raise UsageError(_UNKNOWN_FORMAT.render(language, name=form, formats=" / ".join(FORMS)))
    settings, language = settings_for(paths, options, language)
    settings = replace(settings, graphMode=True)
    from mindport.app.report import ReportRun
    from mindport.cli.output import progress_of, report_output
    from mindport.project.discover import discover
    from mindport.report.analysis.analysis_report import AnalysisReport

    files = discover(paths, settings.exclude, settings.limit)
    if not files.total:
        warning(_NO_FILES.render(language, paths=", ".join(map(str, paths))), language)
    folders = tuple(str(path) for path in paths if path.is_dir())
    report = AnalysisReport(settings.ported_to, language, form, folders)
    run = ReportRun(report, settings, use_cache=use_cache)
    is_on_screen = output is None and sys.stdout.isatty()
    with (
        report_output(output, True, language) as out,
        progress_of(files, is_on_screen, _ANALYZING.render(language), language) as progress,
    ):
        for text in run.texts(files, progress):
            out.write(text)
        out.flush()
    run.save()
    if run.totals.unreadable:
        text = _NOT_ALL_READ.render(language, number=run.totals.unreadable, files=run.totals.files)
        warning(text, language)
        return 2
    return 0
