"""The report as one HTML page that needs nothing else: no network, no other file, no script to be read."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import mindport
from mindport.report import words
from mindport.report.api_uses import ApiUse, count_uses
from mindport.report.html_excerpt import Marked, marked
from mindport.report.html_texts import TEXTS
from mindport.report.problem import Problem, file_problem, syntax_problems
from mindport.report.report import FileReport
from mindport.report.summary import SEVERITIES, STATUSES, UNREADABLE, Totals, summarise

if TYPE_CHECKING:
    from jinja2 import Environment

    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.catalog.target import Target
    from mindport.language import Language
    from mindport.report.report import ReportOptions
    from mindport.source.document import Document
    from mindport.source.error import TextError

_TEMPLATES = Path(__file__).parent / "templates"
_TROUBLE_FIRST = ("missing", "differs", "unmapped", "not_needed", "equivalent")


class HtmlRow(NamedTuple):
    """A row of a chart: a name, a link within the page (or None), and counts by status."""

    name: str
    link: str | None
    counts: Counter[str]

    @property
    def total(self) -> int:
        """All uses."""
        return self.counts.total()


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
        return self._part(path, findings, problems, summary, count_uses(found, self.language))

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
        for part in parts:
            totals.add(part.summary)
            uses.update(part.uses)
            if part.text:
                sections.append(part.text)
            if part.summary.uses:
                link = f"#{_id(part.path)}" if part.text else None
                files.append(HtmlRow(part.path, link, Counter(part.summary.by_status)))
        yield self._render("head.html", **self._overview(totals, files, uses))
        yield from sections
        yield self._render("tail.html", rules=self._rules(uses), script=_script())

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
        text = _templates().get_template(template).render(**values)
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
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    templates = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["with_code"] = _with_code
    return templates


def _with_code(sentence: str) -> str:
    """A sentence as HTML: what stands between backticks is code."""
    from markupsafe import Markup

    parts = sentence.split("`")
    if len(parts) % 2 == 0:  # a backtick that is none of ours
        return sentence
    shown = [Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts)]
    return Markup("").join(shown)


@cache
def _script() -> str:
    return (_TEMPLATES / "report.js").read_text(encoding="utf-8")


def _hash(script: str) -> str:
    """The name under which the page's policy allows its one script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
