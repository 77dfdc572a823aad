"""Reports that the client asks for: as `mindport scan` makes them, of files as they are on disk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mindport.language import Text
from mindport.lsp.uris import file_of
from mindport.report.formats import FORMATS, make_report
from mindport.source.error import TextError
from mindport.source.replace_file import replace_file
from mindport.source.unfinished import tidy

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.project.setting_table import Settings
    from mindport.report.report import FileReport, Report

_MOST_ARGUMENTS = 3
_NOT_WRITTEN = Text("Cannot write {path}: {reason}", "无法写入 {path}：{reason}")


class Order(NamedTuple):
    """A report that is asked for: its format, the file to write (None: it is returned), the files and folders
    it is about, and the folder from which its paths start."""

    form: str
    output: Path | None
    paths: tuple[Path, ...]
    folder: Path


def order_of(arguments: Sequence[Any], folders: Sequence[Path]) -> Order | None:
    """The order that a command's arguments mean; None if they cannot be used. `folders` are those of the
    workspace."""
    form, output, uris = [*arguments, *[None] * _MOST_ARGUMENTS][:_MOST_ARGUMENTS]
    if len(arguments) > _MOST_ARGUMENTS or form not in FORMATS:
        return None
    target = output_of(output)
    if output is not None and target is None:
        return None
    if uris is not None and not (isinstance(uris, list) and all(isinstance(uri, str) for uri in uris)):
        return None
    paths = [file_of(uri) for uri in uris] if uris else list(folders)
    known = tuple(path for path in paths if path is not None)
    if not known or len(known) < len(paths):
        return None
    folder = folders[0] if folders else (known[0] if known[0].is_dir() else known[0].parent)
    return Order(form, target, known, folder)


def output_of(argument: object) -> Path | None:
    """The file that an argument names; None if it names none."""
    return file_of(argument) if isinstance(argument, str) else None


def export(order: Order, settings: Settings) -> dict[str, Any]:
    """Make a report. Returns its `text`, or the `path` of the file written, and the counts of `files`, `uses`
    and `findings`. Raises TextError when the file cannot be written."""
    from mindport.catalog.target import Target
    from mindport.project.discover import discover
    from mindport.report.summary import Totals
    from mindport.scan.scan import scan

    target = Target(settings.target, settings.device, settings.style)
    report = make_report(order.form, target, settings.language, order.folder)
    totals = Totals()
    reporter = _FromFolder(report, order.folder)
    files = discover(order.paths, settings.exclude, settings.limit)
    parts = scan(files, settings, reporter, settings.jobs)
    texts = report.compose(parts, totals)
    made = {"text": "".join(texts)} if order.output is None else {"path": written(order.output, texts)}
    return {**made, "files": totals.files, "uses": totals.uses, "findings": totals.findings}


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


def written(path: Path, texts: Iterable[str]) -> str:
    """Write a file, which appears once it is complete. Returns its path. Raises TextError."""
    tidy(path.parent)
    try:
        replace_file(path, (text.encode(errors="backslashreplace") for text in texts))
    except OSError as error:
        raise TextError(_NOT_WRITTEN, path=path, reason=error.strerror or str(error)) from error
    return str(path)
