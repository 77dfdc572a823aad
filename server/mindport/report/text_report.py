"""The report for people: every finding with the code it is about, and a summary at the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mindport.language import Text
from mindport.report.excerpt import excerpt
from mindport.report.problem import Problem, file_problem, syntax_problems
from mindport.report.report import FileReport
from mindport.report.summary import SEVERITIES, STATUSES, UNREADABLE, Totals, summarise

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.catalog.target import Target
    from mindport.language import Language
    from mindport.source.error import TextError
    from mindport.source.lines import LineIndex

_MOST_LINES = 4
"""Of code that spans more lines, the first ones are shown."""
_BOLD, _RED, _YELLOW, _BLUE, _CYAN = "1", "1;31", "1;33", "1;34", "36"
_COLOURS = {"error": _RED, "warning": _YELLOW, "information": _BLUE, "hint": _CYAN}
_SEVERITIES = {
    "error": Text("error", "错误"),
    "warning": Text("warning", "警告"),
    "information": Text("information", "信息"),
    "hint": Text("hint", "提示"),
}
_STATUSES = {
    "equivalent": Text("equivalent", "等价"),
    "differs": Text("differs", "有差异"),
    "missing": Text("no counterpart", "无对应接口"),
    "not_needed": Text("not needed", "不需要"),
    "unmapped": Text("not known yet", "尚无数据"),
}
_DEVICES = {"ascend": "Ascend", "gpu": "GPU", "cpu": "CPU"}
_PROBLEM = Text("problem", "问题")
_FILE = Text("{findings} findings", "{findings} 项结果")
_ONE_FINDING = Text("1 finding", "1 项结果")
_RUN = Text(
    "{files} files, {lines} lines, {uses} uses of torch APIs; target: MindSpore {version}, {device}",
    "{files} 个文件，{lines} 行，{uses} 处使用 torch 接口；目标：MindSpore {version}，{device}",
)
_FINDINGS = Text("{findings} findings: {counts}", "{findings} 项结果：{counts}")
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

    def head(self) -> str:
        """Nothing."""
        return ""

    def file(self, path: str, found: FileFindings) -> FileReport:
        """The findings of one file; nothing, where there are none."""
        shown = found.diagnostics()
        problems = syntax_problems(found, self.language)
        parts = [self._finding(path, placed, found.document.lines) for placed in shown]
        parts += [self._problem(path, problem) for problem in problems]
        if shown:
            parts.insert(0, self._title(path, len(shown)))
        return FileReport("".join(f"{part}\n\n" for part in parts), summarise(found, shown, len(problems)))

    def unreadable(self, path: str, error: TextError) -> FileReport:
        """Why a file could not be looked at."""
        return FileReport(self._problem(path, file_problem(error, self.language)) + "\n\n", UNREADABLE)

    def tail(self, totals: Totals) -> str:
        """The summary by status and severity."""
        device = _DEVICES[self.target.device]
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

    def _finding(self, path: str, placed: PlacedFinding, lines: LineIndex) -> str:
        finding = placed.finding
        severity = finding.severity.value
        line, column = lines.code_point_position(placed.start)
        colour = _COLOURS.get(severity, _BOLD)
        code = self._paint(colour, f"{_SEVERITIES[severity].render(self.language)} {finding.code}")
        safe = " [*]" if finding.fix == "safe" else ""
        message = _indented(finding.message(self.language))
        title = f"{self._place(path, line, column)} {code}{safe} {message}"
        arrow = self._paint(_CYAN, f" → {', '.join(finding.targets)}") if finding.targets else ""
        return "\n".join([title, *self._excerpts(lines, placed.start, placed.end, colour, arrow)])

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
        word = self._paint(_RED, _PROBLEM.render(self.language))
        return f"{self._place(path, problem.line, problem.column)} {word}: {_indented(problem.message)}"

    def _place(self, path: str, line: int, column: int) -> str:
        return f"{self._paint(_BOLD, _printable(path))}:{line}:{column}:"

    def _statuses(self, totals: Totals) -> Iterator[str]:
        present = [status for status in STATUSES if totals.by_status[status]]
        if not present:
            return
        digits = len(str(max(totals.by_status[status] for status in present)))
        for status in present:
            number = totals.by_status[status]
            share = f"{100 * number / totals.uses:5.1f} %"
            yield f"  {number:>{digits}}  {share}  {_STATUSES[status].render(self.language)}"

    def _counts(self, totals: Totals) -> str:
        if not totals.findings:
            return _NO_FINDINGS.render(self.language)
        counts = [
            self._paint(_COLOURS[severity], f"{_SEVERITIES[severity].render(self.language)} {number}")
            for severity in SEVERITIES
            if (number := totals.severities[severity])
        ]
        separator = "，" if self.language == "zh-cn" else ", "
        return _FINDINGS.render(self.language, findings=totals.findings, counts=separator.join(counts))

    def _paint(self, colour: str, text: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self.colour else text


def _indented(message: str) -> str:
    return "\n  ".join(map(_printable, message.strip().splitlines()))


def _printable(text: str) -> str:
    """Names of files may hold anything, also what would control a terminal."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
