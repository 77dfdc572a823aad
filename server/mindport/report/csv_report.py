"""The report as a table for spreadsheets: CSV (RFC 4180), in UTF-8 with a byte order mark."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mindport.language import Text
from mindport.report import words
from mindport.report.api_uses import devices, differs, versions
from mindport.report.problem import Problem, file_problem, syntax_problems
from mindport.report.report import FileReport, streamed
from mindport.report.summary import UNREADABLE, Totals, summarise

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.language import Language
    from mindport.report.report import ReportOptions
    from mindport.source.document import Document
    from mindport.source.error import TextError

_BYTE_ORDER_MARK = "\ufeff"
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet takes a cell that begins so for."""
_HEADER = (
    Text("file", "文件"),
    Text("cell", "单元格"),
    Text("line", "行"),
    Text("column", "列"),
    Text("api", "接口"),
    Text("kind", "用法"),
    Text("certainty", "确定程度"),
    Text("status", "状态"),
    Text("code", "代码"),
    Text("severity", "级别"),
    Text("target", "对应接口"),
    Text("versions", "支持的版本"),
    Text("devices", "支持的设备"),
    Text("what differs", "差异"),
    Text("fix", "修复"),
    Text("message", "说明"),
)


@dataclass(frozen=True)
class CsvReport:
    """One row for each use of a torch API, and for each place that could not be looked at."""

    language: Language
    between: str = ""

    def compose(self, parts: Iterable[FileReport], totals: Totals) -> Iterator[str]:
        """The text of the report, piece by piece."""
        return streamed(self, parts, totals)

    def head(self) -> str:
        """The names of the columns."""
        return _BYTE_ORDER_MARK + _rows([[text.render(self.language) for text in _HEADER]])

    def file(self, path: str, found: FileFindings) -> FileReport:
        """The rows of one file."""
        shown = found.diagnostics()
        visible = {id(placed) for placed in shown}
        rows = [self._use(path, placed, found.document, id(placed) in visible) for placed in found.findings]
        problems = syntax_problems(found, self.language)
        rows += [self._problem(path, problem) for problem in problems]
        return FileReport(_rows(rows), summarise(found, shown, len(problems)))

    def unreadable(self, path: str, error: TextError) -> FileReport:
        """One row."""
        return FileReport(_rows([self._problem(path, file_problem(error, self.language))]), UNREADABLE)

    def tail(self, totals: Totals) -> str:
        """Nothing."""
        return ""

    def _use(self, path: str, placed: PlacedFinding, document: Document, is_shown: bool) -> list[str]:
        finding = placed.finding
        start = placed.shift + finding.use.start
        part = document.part(start)
        line, column = part.lines.code_point_position(part.offset(start))
        row = [path, "" if part.number is None else str(part.number), str(line), str(column)]
        row += [finding.use.api, finding.use.kind, finding.use.certainty.value]
        row += [words.STATUSES[finding.status].render(self.language)]
        code = severity = message = ""
        if is_shown:
            code = finding.code or ""
            severity = words.SEVERITIES[finding.severity.value].render(self.language)
            message = finding.message(self.language)
        row += [code, severity, ", ".join(finding.targets), versions(finding), devices(finding)]
        row += [differs(finding, self.language)]
        return [*row, finding.fix if is_shown else "none", message]

    def _problem(self, path: str, problem: Problem) -> list[str]:
        place = ["" if problem.cell is None else str(problem.cell), str(problem.line), str(problem.column)]
        empty = [""] * (len(_HEADER) - len(place) - 3)
        status = words.PROBLEM.render(self.language)
        return [path, *place, *empty[:3], status, *empty[3:], problem.message]


def make(options: ReportOptions) -> CsvReport:
    """The report for these options."""
    return CsvReport(options.language)


def _rows(rows: Iterable[Sequence[str]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows([_inert(cell) for cell in row] for row in rows)
    return text.getvalue()


def _inert(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
