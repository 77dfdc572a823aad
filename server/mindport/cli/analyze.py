"""`mindport analyze`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from mindport.cli.arguments import Arguments, Command, Given
from mindport.cli.console import warning
from mindport.cli.options import settings_for
from mindport.cli.output import NO_CACHE, OUTPUT, check_format, discovered, write_report
from mindport.language import Language, Text
from mindport.project.setting_table import SETTINGS
from mindport.report.formats import ANALYSIS_FORMATS

_ABOUT = Text(
    "Analyze a project before porting: work plan, APIs, functions, packages and training setup.",
    "在迁移之前分析项目：工作清单、接口、功能、第三方包以及训练配置。",
)
_FORMAT = Text("Output format: markdown, html or json.", "输出格式：markdown、html 或 json。")
_NOT_ALL_READ = Text(
    "{number} of {files} files could not be analyzed completely; the report says why.",
    "{files} 个文件中有 {number} 个未能完整分析，原因见报告。",
)
_ANALYZING = Text("Analyzing", "正在分析")


def _add_arguments(arguments: Arguments) -> None:
    arguments.paths()
    arguments.option("--format", metavar="FORMAT", text=_FORMAT, default="markdown")
    arguments.option("--output", "-o", metavar="FILE", text=OUTPUT, kind=Path)
    arguments.flag("--no-cache", NO_CACHE)
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
    """Analyze the project in `paths`. `form` is one of ANALYSIS_FORMATS.

    Returns the exit code: 2 when something could not be read, else 0. Raises UsageError, IndexFileError and
    OutputClosedError.
    """
    check_format(form, ANALYSIS_FORMATS, language)
    settings, language = settings_for(paths, options, language)
    from mindport.app.report import analysis_run
    from mindport.project.discover import scripts

    files = discovered([*paths, *scripts(paths, settings.exclude)], settings, language)
    run = analysis_run(form, settings, paths, use_cache=use_cache)
    write_report(run, files, output, _ANALYZING, language)
    if run.totals.unreadable:
        text = _NOT_ALL_READ.render(language, number=run.totals.unreadable, files=run.totals.files)
        warning(text, language)
        return 2
    return 0
