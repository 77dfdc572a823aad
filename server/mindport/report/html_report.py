"""The report as one HTML page that needs nothing else: no network, no other file, no script to be read."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import mindport
from mindport.language import Text
from mindport.report import words
from mindport.report.api_uses import ApiUse, count_uses
from mindport.report.html_templates import TEMPLATES, HtmlRow, templates
from mindport.report.problem import Problem, file_problem, syntax_problems
from mindport.report.report import FileReport
from mindport.report.summary import SEVERITIES, STATUSES, UNREADABLE, Totals, summarise

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.catalog.target import Target
    from mindport.language import Language
    from mindport.report.report import ReportOptions
    from mindport.source.document import Document
    from mindport.source.error import TextError
    from mindport.source.lines import LineIndex

TEXTS: Mapping[str, Text] = {
    **words.PAGE,
    "title": Text("From PyTorch to MindSpore", "从 PyTorch 到 MindSpore"),
    "subtitle": Text("Migration report by MindPort", "MindPort 迁移报告"),
    "style": Text("Style", "风格"),
    "overview": Text("Overview", "概览"),
    "findings": Text("Findings", "结果"),
    "safe_fixes": Text("Safe fixes", "可安全修复"),
    "problems": Text("Problems", "问题"),
    "all_uses": Text("All uses by status", "全部使用处（按状态）"),
    "by_module": Text("Status by torch module", "按 torch 模块统计"),
    "by_file": Text("Status by file", "按文件统计"),
    "by_api": Text("API mapping", "接口映射"),
    "file": Text("File", "文件"),
    "becomes": Text("MindSpore", "MindSpore"),
    "status": Text("Status", "状态"),
    "versions": Text("Versions", "支持的版本"),
    "devices": Text("Devices", "支持的设备"),
    "differs": Text("Differences", "差异"),
    "number": Text("Uses", "次数"),
    "by_place": Text("Findings by file", "各文件的结果"),
    "no_findings": Text("There are no findings.", "没有结果。"),
    "safe": Text("safe fix", "可安全修复"),
    "review": Text("fix needs review", "修复需检查"),
    "rules": Text("Rules", "规则说明"),
    "filter": Text("Show only rows containing", "只显示包含以下内容的项"),
    "severity": Text("Severity", "级别"),
    "every": Text("all", "全部"),
    "sort_hint": Text("Click a column header to sort.", "点击列标题可排序。"),
    "open_all": Text("Expand all", "全部展开"),
    "close_all": Text("Collapse all", "全部折叠"),
    "contents": Text("Contents", "目录"),
    "problem": Text("problem", "问题"),
}


_TROUBLE_FIRST = ("missing", "differs", "unmapped", "not_needed", "equivalent")


class _Shown(NamedTuple):
    """A finding as the template shows it."""

    line: int
    column: int
    cell: int | None
    code: str | None
    severity: str
    status: str
    api: str
    targets: str
    fix: str
    message: str
    excerpt: Marked


@dataclass(frozen=True)
class HtmlReport:
    """The page. The sections of files are made with them, the overview when all are there."""

    target: Target
    language: Language

    def file(self, path: str, found: FileFindings) -> FileReport:
        """The section of one file; empty where there is nothing to tell."""
        shown = found.diagnostics()
        problems = syntax_problems(found, self.language)
        findings = [self._shown(placed, found.document) for placed in shown]
        summary = summarise(found, shown, len(problems))
        part = self._part(path, findings, problems, summary, count_uses(found, self.language))
        from mindport.report.analysis.file_analysis import analyse_file
        from mindport.report.analysis.json_form import to_json

        return part._replace(notes=to_json(analyse_file(path, found, self.language)))

    def unreadable(self, path: str, error: TextError) -> FileReport:
        """The section of a file that could not be looked at."""
        return self._part(path, [], [file_problem(error, self.language)], UNREADABLE, {})

    def _part(
        self,
        path: str,
        findings: Sequence[_Shown],
        problems: Sequence[Problem],
        summary: Any,
        uses: Mapping[ApiUse, int],
    ) -> FileReport:
        text = ""
        if findings or problems:
            text = self._render("file.html", path=path, id=_id(path), findings=findings, problems=problems)
        return FileReport(text, summary, path, uses)

    def _shown(self, placed: PlacedFinding, document: Document) -> _Shown:
        finding = placed.finding
        part = document.part(placed.start)
        start, end = part.offset(placed.start), part.offset(placed.end)
        line, column = part.lines.code_point_position(start)
        return _Shown(
            line,
            column,
            part.number,
            finding.code,
            finding.severity.value,
            finding.status,
            finding.use.api,
            ", ".join(finding.targets),
            finding.fix,
            finding.message(self.language),
            marked(part.lines, start, end),
        )

    def compose(self, parts: Iterable[FileReport], totals: Totals) -> Iterator[str]:
        """The page, piece by piece."""
        files: list[HtmlRow] = []
        sections: list[str] = []
        uses: Counter[ApiUse] = Counter()
        analyses: list[str] = []
        for part in parts:
            totals.add(part.summary)
            uses.update(part.uses)
            if part.notes:
                analyses.append(part.notes)
            if part.text:
                sections.append(part.text)
            if part.summary.uses:
                link = f"#{_id(part.path)}" if part.text else None
                files.append(HtmlRow(part.path, link, Counter(part.summary.by_status)))
        analysis = self._analysis(analyses, totals, uses)
        yield self._render("head.html", analysis=analysis, **self._overview(totals, files, uses))
        yield from sections
        yield self._render("tail.html", rules=self._rules(uses), script=_script())

    def _analysis(self, files: Sequence[str], totals: Totals, uses: Mapping[ApiUse, int]) -> str:
        """The first part of the page: what `mindport analyze` says."""
        from markupsafe import Markup

        from mindport.report.analysis.analysis_page import page_values
        from mindport.report.analysis.entries import FileAnalysis
        from mindport.report.analysis.json_form import from_json
        from mindport.report.analysis.project_analysis import analyse_project

        analysis = analyse_project([from_json(FileAnalysis, one) for one in files], totals, uses)
        values = page_values(analysis, self.language, is_for_graphs=False)
        return Markup(templates().get_template("analysis_body.html").render(**values))

    def _overview(
        self, totals: Totals, files: Sequence[HtmlRow], uses: Mapping[ApiUse, int]
    ) -> dict[str, Any]:
        by_module: dict[str, Counter[str]] = {}
        for use, number in uses.items():
            by_module.setdefault(use.module, Counter())[use.status] += number
        modules = [HtmlRow(name, None, counts) for name, counts in by_module.items()]
        return {
            "totals": totals,
            "target": self.target,
            "version": mindport.__version__,
            "device": words.DEVICES[self.target.device],
            "severities": {name: totals.severities[name] for name in SEVERITIES if totals.severities[name]},
            "all": HtmlRow("", None, totals.by_status),
            "modules": sorted(modules, key=lambda row: (-row.total, row.name)),
            "files": sorted(files, key=lambda row: (-row.total, row.name)),
            "uses": sorted(uses.items(), key=_by_trouble),
            "script_hash": _hash(_script()),
        }

    def _rules(self, uses: Mapping[ApiUse, int]) -> list[tuple[str, str]]:
        """The pages of all rules, as HTML."""
        from markdown_it import MarkdownIt

        from mindport.assess.rules import all_rules
        from mindport.report.rule_page import rule_page

        page = MarkdownIt("commonmark", {"html": False})
        return [(code, page.render(rule_page(rule, self.language))) for code, rule in all_rules().items()]

    def _render(self, template: str, **values: Any) -> str:
        texts = {name: text.render(self.language) for name, text in TEXTS.items()}
        statuses = {name: words.STATUSES[name].render(self.language) for name in STATUSES}
        severities = {name: text.render(self.language) for name, text in words.SEVERITIES.items()}
        language = {"t": texts, "status_words": statuses, "severity_words": severities}
        values |= language | {"lang": "zh-CN" if self.language == "zh-cn" else "en", "cell_word": self._cell}
        text = templates().get_template(template).render(**values)
        return text.encode(errors="replace").decode()  # names of files may be no valid Unicode

    def _cell(self, number: int) -> str:
        return words.CELL.render(self.language, number=number)


def make(options: ReportOptions) -> HtmlReport:
    """The report for these options."""
    return HtmlReport(options.target, options.language)


def _by_trouble(item: tuple[ApiUse, int]) -> tuple[int, int, ApiUse]:
    use, number = item
    return _TROUBLE_FIRST.index(use.status), -number, use


def _id(path: str) -> str:
    """The name of a file's section."""
    return "f" + hashlib.blake2b(path.encode(errors="surrogateescape"), digest_size=6).hexdigest()


@cache
def _script() -> str:
    return (TEMPLATES / "report.js").read_text(encoding="utf-8")


def _hash(script: str) -> str:
    """The name under which the page's policy allows its one script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


_BEFORE = 80
_WIDEST = 200
_CUT = "…"


class Marked(NamedTuple):
    """A line: what stands before the marked part, the marked part, and what stands behind it."""

    before: str
    marked: str
    after: str


def marked(lines: LineIndex, start: int, end: int) -> Marked:
    """The line of the byte `start` with `start`..`end` marked, without its indentation. Of a long line the
    part around `start` is kept."""
    line = lines.line_of(start)
    line_start, line_end = lines.line_start(line), lines.line_end(line)
    data = lines.data
    before = data[line_start:start].decode().lstrip()
    inside = data[start : min(end, line_end)].decode()
    after = data[min(end, line_end) : line_end].decode().rstrip()
    if len(before) > _BEFORE:
        before = _CUT + before[-_BEFORE:]
    if len(inside) > _WIDEST:
        inside, after = inside[:_WIDEST] + _CUT, ""
    room = _WIDEST - len(inside)
    return Marked(before, inside, after if len(after) <= room else after[:room] + _CUT)
