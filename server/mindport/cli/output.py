"""Where the results of a command are written, and how far it is."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mindport.cli.console import UsageError, warning
from mindport.language import LIST, Language, Text, joined

if TYPE_CHECKING:
    from pathlib import Path

    from mindport.app.report import ReportRun
    from mindport.app.report_file import ReportFile
    from mindport.project.discover import Discovery
    from mindport.project.setting_table import Settings
    from mindport.scan.scan import Progress, ScanEngine


OUTPUT = Text("Write to this file instead of standard output.", "写入该文件，而不是标准输出。")
NO_CACHE = Text("Ignore and do not write the cache.", "不读取也不写入缓存。")
_UNKNOWN_FORMAT = Text(
    "Invalid value {name} for --format: expected {formats}.",
    "选项 --format 的值 {name} 无效，应为 {formats}。",
)
_NO_FILES = Text("No Python files in: {paths}", "没有找到 Python 文件：{paths}")


class OutputClosedError(Exception):
    """Nobody reads standard output any more (`mindport ... | head`)."""


class OutputFailedError(Exception):
    """Standard output cannot be written; the message is the reason (a full disk, for instance)."""


class StandardOutput:
    """Results on standard output, in UTF-8 if `is_utf8`, else as the terminal wants them."""

    def __init__(self, is_utf8: bool) -> None:
        self._bytes = getattr(sys.stdout, "buffer", None) if is_utf8 else None

    def __enter__(self) -> StandardOutput:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def write(self, text: str) -> None:
        """Write a part. Raises OutputClosedError, OutputFailedError."""
        with _told_as_closed():
            if self._bytes is not None:
                self._bytes.write(text.encode())
            else:
                sys.stdout.write(text)

    def flush(self) -> None:
        """See to it that all of it is out. Raises OutputClosedError, OutputFailedError."""
        with _told_as_closed():
            (self._bytes or sys.stdout).flush()


@contextmanager
def _told_as_closed() -> Iterator[None]:
    """Told apart from errors of files, which are OSErrors too."""
    try:
        yield
    except BrokenPipeError as error:
        raise OutputClosedError from error
    except OSError as error:
        raise OutputFailedError(error.strerror or str(error)) from error


_FILES_WORTH_A_BAR = 40
_READING = Text("Reading", "正在读取")


@contextmanager
def progress_of(files: Discovery, is_on_screen: bool, label: str, language: Language) -> Iterator[Progress]:
    """A bar on standard error for long runs; none where the results themselves appear on the terminal."""
    from mindport.scan.scan import Progress

    if files.total < _FILES_WORTH_A_BAR or is_on_screen or not sys.stderr.isatty():
        yield Progress()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # Without a thread of its own, which would forbid to fork.
    bar = Bar(*columns, console=Console(file=sys.stderr), transient=True, auto_refresh=False)
    task = bar.add_task(label, total=files.total)

    def tell(number: int, total: int) -> None:
        bar.update(task, completed=number, total=total, description=label)
        bar.refresh()

    def tell_reading(number: int, total: int) -> None:
        bar.update(task, completed=number, total=total, description=_READING.render(language))
        bar.refresh()

    with bar:
        yield Progress(tell, tell_reading)


@contextmanager
def _opened(path: Path | None, is_utf8: bool, language: Language) -> Iterator[StandardOutput | ReportFile]:
    """Where a report goes: a file, else standard output, in UTF-8 if `is_utf8`. Raises UsageError when the
    file cannot be written."""
    if path is None:
        yield StandardOutput(is_utf8)
        return
    from mindport.app.report_file import ReportFile, ReportNotWrittenError

    try:
        with ReportFile(path) as file:
            yield file
    except ReportNotWrittenError as error:
        raise UsageError(error.render(language)) from error


def check_format(form: str, formats: Sequence[str], language: Language) -> None:
    """Raise UsageError for a report in another form than those there are."""
    if form not in formats:
        raise UsageError(_UNKNOWN_FORMAT.render(language, name=form, formats=" / ".join(formats)))


def discovered(paths: Sequence[Path], settings: Settings, language: Language) -> Discovery:
    """The files that a report is about. Tells if there are none."""
    from mindport.project.discover import discover

    files = discover(paths, settings.exclude, settings.limit)
    if not files.total:
        warning(_NO_FILES.render(language, paths=joined(map(str, paths), LIST, language)), language)
    return files


def write_report(
    run: ReportRun,
    files: Discovery,
    output: Path | None,
    doing: Text,
    language: Language,
    *,
    is_utf8: bool = True,
    engine: ScanEngine | None = None,
) -> None:
    """Make a report and write it, to standard output unless a file is given, telling on a terminal how far it
    is. Raises UsageError, OutputClosedError."""
    is_on_screen = output is None and sys.stdout.isatty()
    with (
        _opened(output, is_utf8, language) as out,
        progress_of(files, is_on_screen, doing.render(language), language) as progress,
    ):
        for text in run.texts(files, progress, engine):
            out.write(text)
        out.flush()
    run.save()
