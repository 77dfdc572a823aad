"""The report for people: every finding with the code it is about, and a summary at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mindport.language import CLAUSE, Text, joined
from mindport.report import words
from mindport.report.excerpt import excerpt
from mindport.report.problem import Problem, file_problem, syntax_problems
from mindport.report.report import FileReport, streamed
from mindport.report.summary import SEVERITIES, STATUSES, UNREADABLE, Totals, summarise

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.catalog.target import Target
    from mindport.language import Language
    from mindport.report.report import ReportOptions
    from mindport.source.document import DocumentPart
    from mindport.source.error import TextError
    from mindport.source.lines import LineIndex

_MOST_LINES = 4
"""Of code that spans more lines, the first ones are shown."""
_BOLD, _RED, _YELLOW, _BLUE, _CYAN = "1", "1;31", "1;33", "1;34", "36"
_COLOURS = {"error": _RED, "warning": _YELLOW, "information": _BLUE, "hint": _CYAN}
_FILE = Text("{findings} findings", "{findings} 项结果")
_ONE_FINDING = Text("1 finding", "1 项结果")
_RUN = Text(
    "Files: {files}; lines: {lines}; uses of torch APIs: {uses}; target: MindSpore {version} on {device}",
    "文件：{files}；行：{lines}；使用 torch 接口：{uses} 处；目标：{device} 上的 MindSpore {version}",
)
_FINDINGS = Text("Findings: {findings} ({counts})", "结果：{findings} 项（{counts}）")
_NO_FINDINGS = Text("No findings.", "没有结果。")
_FIXES = Text("[*] {number} can be fixed safely.", "[*] 其中 {number} 项可安全修复。")
_PROBLEMS = Text("Problems: {number}, see above.", "问题：{number} 个，见上文。")


@dataclass(frozen=True)
class TextReport:
    """The report as text; with `colour`, for a terminal."""

    target: Target
    language: Language
    colour: bool = False
    between: str = ""

    def compose(self, parts: Iterable[FileReport], totals: Totals) -> Iterator[str]:
        """The text of the report, piece by piece."""
        return streamed(self, parts, totals)

    def head(self) -> str:
        """Nothing."""
        return ""

    def file(self, path: str, found: FileFindings) -> FileReport:
        """The findings of one file; nothing, where there are none."""
        shown = found.diagnostics()
        problems = syntax_problems(found, self.language)
        parts = [self._finding(path, placed, found.document.part(placed.start)) for placed in shown]
        parts += [self._problem(path, problem) for problem in problems]
        if shown:
            parts.insert(0, self._title(path, len(shown)))
        return FileReport("".join(f"{part}\n\n" for part in parts), summarise(found, shown, len(problems)))

    def unreadable(self, path: str, error: TextError) -> FileReport:
        """Why a file could not be looked at."""
        return FileReport(self._problem(path, file_problem(error, self.language)) + "\n\n", UNREADABLE)

    def tail(self, totals: Totals) -> str:
        """The summary by status and severity."""
        device = words.DEVICES[self.target.device]
        numbers = {"files": totals.files, "lines": totals.lines, "uses": totals.uses}
        target = {"version": self.target.version, "device": device}
        lines = [self._paint(_BOLD, _RUN.render(self.language, **numbers, **target))]
        lines += self._statuses(totals)
        lines.append(self._counts(totals))
        if totals.safe_fixes:
            lines.append(_FIXES.render(self.language, number=totals.safe_fixes))
        if totals.problems:
            lines.append(_PROBLEMS.render(self.language, number=totals.problems))
        return "\n".join(lines) + "\n"

    def _title(self, path: str, number: int) -> str:
        count = (_ONE_FINDING if number == 1 else _FILE).render(self.language, findings=number)
        return f"{self._paint(_BOLD, _printable(path))} ({count})"

    def _finding(self, path: str, placed: PlacedFinding, part: DocumentPart) -> str:
        finding = placed.finding
        severity = finding.severity.value
        start, end = part.offset(placed.start), part.offset(placed.end)
        line, column = part.lines.code_point_position(start)
        colour = _COLOURS.get(severity, _BOLD)
        code = self._paint(colour, f"{words.SEVERITIES[severity].render(self.language)} {finding.code}")
        safe = " [*]" if finding.fix == "safe" else ""
        message = _indented(finding.message(self.language))
        title = f"{self._place(path, part.number, line, column)} {code}{safe} {message}"
        arrow = self._paint(_CYAN, f" → {finding.becomes}") if finding.becomes else ""
        return "\n".join([title, *self._excerpts(part.lines, start, end, colour, arrow)])

    def _excerpts(self, lines: LineIndex, start: int, end: int, colour: str, arrow: str) -> Iterator[str]:
        """The lines of code with markers; the arrow stands behind the last marker."""
        first, start_column = lines.position(start, "utf-32")
        last, end_column = lines.position(end, "utf-32")
        last_shown = min(last, first + _MOST_LINES - 1)
        margin = " " * len(str(last_shown + 1))
        bar = self._paint(_BLUE, "|")
        yield f"{margin} {bar}"
        for line in range(first, last_shown + 1):
            text = lines.line_bytes(line).decode()
            begins = start_column if line == first else len(text) - len(text.lstrip())
            part = excerpt(text, begins, end_column if line == last else len(text))
            number = self._paint(_BLUE, f"{line + 1:>{len(margin)}}")
            yield f"{number} {bar} {part.text}".rstrip()
            behind = arrow if line == last_shown else ""
            yield f"{margin} {bar} {' ' * part.start}{self._paint(colour, '^' * part.width)}{behind}"

    def _problem(self, path: str, problem: Problem) -> str:
        word = self._paint(_RED, words.PROBLEM.render(self.language))
        place = self._place(path, problem.cell, problem.line, problem.column)
        return f"{place} {word}: {_indented(problem.message)}"

    def _place(self, path: str, cell: int | None, line: int, column: int) -> str:
        in_cell = "" if cell is None else f":{words.CELL.render(self.language, number=cell)}"
        return f"{self._paint(_BOLD, _printable(path))}{in_cell}:{line}:{column}:"

    def _statuses(self, totals: Totals) -> Iterator[str]:
        present = [status for status in STATUSES if totals.by_status[status]]
        if not present:
            return
        digits = len(str(max(totals.by_status[status] for status in present)))
        for status in present:
            number = totals.by_status[status]
            share = f"{100 * number / totals.uses:5.1f} %"
            yield f"  {number:>{digits}}  {share}  {words.STATUSES[status].render(self.language)}"

    def _counts(self, totals: Totals) -> str:
        if not totals.findings:
            return _NO_FINDINGS.render(self.language)
        counts = [
            self._paint(_COLOURS[severity], f"{words.SEVERITIES[severity].render(self.language)} {number}")
            for severity in SEVERITIES
            if (number := totals.severities[severity])
        ]
        return _FINDINGS.render(
            self.language, findings=totals.findings, counts=joined(counts, CLAUSE, self.language)
        )

    def _paint(self, colour: str, text: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self.colour else text


def make(options: ReportOptions) -> TextReport:
    """The report for these options."""
    return TextReport(options.target, options.language, options.colour)


def _indented(message: str) -> str:
    return "\n  ".join(map(_printable, message.strip().splitlines()))


def _printable(text: str) -> str:
    """Names of files may hold anything, also what would control a terminal."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
