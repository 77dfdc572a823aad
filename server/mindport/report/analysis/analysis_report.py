"""The analysis of a project as a report: as JSON, as Markdown, and as an HTML page."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import mindport
from mindport.catalog.catalog import Catalog
from mindport.language import Text
from mindport.report import words
from mindport.report.analysis.configuration_files import configured
from mindport.report.analysis.file_analysis import FileAnalysis, analyse_file
from mindport.report.analysis.project_analysis import Counts, ProjectAnalysis, analyse_project
from mindport.report.analysis.work import EFFORTS, work_of
from mindport.report.api_uses import ApiUse, count_uses
from mindport.report.html_report import HtmlRow, templates
from mindport.report.report import FileReport
from mindport.report.summary import STATUSES, UNREADABLE, Totals, summarise

if TYPE_CHECKING:
    from jinja2 import Environment

    from mindport.assess.file_findings import FileFindings
    from mindport.catalog.target import Target
    from mindport.language import Language
    from mindport.source.error import TextError

SCHEMA: Final = 1
"""The number of the form of the JSON; it changes when a program that reads it would have to."""

TEXTS: Mapping[str, Text] = {
    "analysis": Text("Analysis for porting to MindSpore", "迁移到 MindSpore 的分析"),
    "subtitle": Text("Analysis by mindport", "mindport 分析报告"),
    "target": Text("Target", "目标"),
    "device": Text("Device", "设备"),
    "files": Text("Files", "文件"),
    "lines": Text("Lines", "代码行"),
    "uses": Text("Uses of torch", "torch 使用处"),
    "work": Text("What to do", "工作清单"),
    "effort": Text("Effort", "工作量"),
    "number": Text("Places", "处数"),
    "first": Text("First at", "首个位置"),
    "apis": Text("API compliance", "接口符合度"),
    "convertible": Text(
        "{ready} of {uses} uses need no change or are converted safely ({share} %); "
        "{review} fixes need a check.",
        "{uses} 处使用中有 {ready} 处无需修改或可安全转换（{share}%）；{review} 处修复需要检查。",
    ),
    "module": Text("Module", "模块"),
    "share": Text("Share", "占比"),
    "total": Text("Total", "合计"),
    "missing": Text("APIs without counterpart", "没有对应接口的 torch 接口"),
    "api": Text("torch API", "torch 接口"),
    "reason": Text("Why", "原因"),
    "none_missing": Text("Every API that is used has a counterpart.", "所用接口均有对应接口。"),
    "functions": Text("Function compliance", "功能符合度"),
    "code": Text("Code", "代码"),
    "finding": Text("What was found", "结果"),
    "no_functions": Text(
        "Nothing in the networks stands in the way of graph mode or of a fixed shape.",
        "网络中未发现不利于图模式或固定 shape 的代码。",
    ),
    "not_asked": Text(
        "Not looked into here: run `mindport analyze`, or turn on the setting `graphMode`.",
        "此报告未检查：请运行 `mindport analyze`，或启用设置 `graphMode`。",
    ),
    "packages": Text("Packages that carry torch code", "依赖 torch 的第三方包"),
    "package": Text("Package", "包"),
    "instead": Text("What to use instead", "替代方案"),
    "no_packages": Text("No such package is imported.", "未导入此类包。"),
    "recipe": Text("Training recipe", "训练配置"),
    "what": Text("What", "内容"),
    "where": Text("Where", "位置"),
    "nothing": Text("Nothing found.", "未发现。"),
    "defaults": Text("left at their defaults", "取默认值"),
    "made_by": Text("Made by mindport", "生成工具：mindport"),
}


@dataclass(frozen=True)
class AnalysisReport:
    """The analysis. What is said of a file is made with it, the rest when all are there: also the settings in
    configuration files below the `folders`."""

    target: Target
    language: Language
    form: str
    folders: tuple[str, ...] = ()

    def file(self, path: str, found: FileFindings) -> FileReport:
        """What a file contributes, as JSON."""
        part = analyse_file(path, found, self.language)
        summary = summarise(found, found.diagnostics(), 0)
        return FileReport(part.model_dump_json(), summary, path, count_uses(found, self.language))

    def unreadable(self, path: str, error: TextError) -> FileReport:
        """A file that could not be looked at contributes nothing."""
        return FileReport("", UNREADABLE, path)

    def compose(self, parts: Iterable[FileReport], totals: Totals) -> Iterator[str]:
        """The text of the analysis."""
        files: list[FileAnalysis] = []
        uses: Counter[ApiUse] = Counter()
        for part in parts:
            totals.add(part.summary)
            uses.update(part.uses)
            if part.text:
                files.append(FileAnalysis.model_validate_json(part.text))
        analysis = put_together(files, totals, uses, self.folders)
        if self.form == "json":
            yield self._json(analysis)
        else:
            template = "analysis.md" if self.form == "markdown" else "analysis.html"
            values = page_values(analysis, self.language)
            page = _environment(self.form).get_template(template)
            text = page.render(**values, target=self.target, version=mindport.__version__)
            yield text.encode(errors="replace").decode()  # names of files may be no valid Unicode

    def _json(self, analysis: ProjectAnalysis) -> str:
        target = {"version": self.target.version, "device": self.target.device, "style": self.target.style}
        work = [one._asdict() for one in work_of(analysis, self.language)]
        entry = {"schema": SCHEMA, "target": target, **analysis.model_dump(), "work": work}
        text = json.dumps(entry, ensure_ascii=False, indent=2)
        return text.encode(errors="backslashreplace").decode() + "\n"


def put_together(
    files: list[FileAnalysis], totals: Totals, uses: Mapping[ApiUse, int], folders: Sequence[str] = ()
) -> ProjectAnalysis:
    """The analysis of all files that were looked at, and of configuration files below the `folders`."""
    items = Catalog.load().migration.recipe
    counts = Counts(
        files=totals.files, lines=totals.lines, uses=totals.uses, by_status=dict(totals.by_status)
    )
    return analyse_project(files, counts, uses, items, configured(folders))


def page_values(
    analysis: ProjectAnalysis, language: Language, *, is_for_graphs: bool = True
) -> dict[str, Any]:
    """What the templates are rendered with. `is_for_graphs`: rules about graph mode were asked, too."""
    from mindport.assess.rules import all_rules

    facts = Catalog.load().migration
    return {
        "a": analysis,
        "t": {name: text.render(language) for name, text in TEXTS.items() if name != "convertible"},
        "convertible": TEXTS["convertible"].render(
            language,
            ready=_ready(analysis),
            uses=analysis.uses,
            share=f"{100 * _ready(analysis) / max(1, analysis.uses):.0f}",
            review=analysis.review,
        ),
        "no_functions": TEXTS["no_functions" if is_for_graphs else "not_asked"].render(language),
        "work": work_of(analysis, language),
        "efforts": {name: text.render(language) for name, text in EFFORTS.items()},
        "status_words": {name: words.STATUSES[name].render(language) for name in STATUSES},
        "device": words.DEVICES,
        "all": HtmlRow("", None, Counter(analysis.by_status)),
        "modules": [HtmlRow(one.module, None, Counter(one.by_status)) for one in analysis.modules],
        "rule_names": {code: rule.name.render(language) for code, rule in all_rules().items()},
        "instead": {name: text.render(language) for name, text in facts.instead.items()},
        "titles": {item.name: item.title.render(language) for item in facts.recipe},
        "lang": "zh-CN" if language == "zh-cn" else "en",
    }


def _ready(analysis: ProjectAnalysis) -> int:
    """The uses that need no change, or get a safe fix."""
    missing = sum(one.uses for one in analysis.missing)
    return max(0, analysis.uses - analysis.review - analysis.waits - missing)


@cache
def _environment(form: str) -> Environment:
    found = templates()
    return found if form == "html" else found.overlay(autoescape=False)
