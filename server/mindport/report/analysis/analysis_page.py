"""What the templates of the analysis are rendered with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mindport.catalog.catalog import Catalog
from mindport.language import Text
from mindport.report import words
from mindport.report.analysis.project_analysis import ProjectAnalysis
from mindport.report.analysis.readable import readable
from mindport.report.analysis.work import EFFORTS, work_of
from mindport.report.html_templates import HtmlRow
from mindport.report.summary import STATUSES

if TYPE_CHECKING:
    from mindport.language import Language

TEXTS: Mapping[str, Text] = {
    **words.PAGE,
    "analysis": Text("MindSpore migration analysis", "MindSpore 迁移分析"),
    "subtitle": Text("Analysis by MindPort", "MindPort 分析报告"),
    "effort": Text("Effort", "工作量"),
    "number": Text("Occurrences", "处数"),
    "first": Text("First location", "首个位置"),
    "apis": Text("API compliance", "接口符合度"),
    "convertible": Text(
        "{ready} of {uses} uses need no change or are converted safely ({share} %); {review} fixes need "
        "review.",
        "{uses} 处使用中有 {ready} 处无需修改或可安全转换（{share}%）；{review} 处修复需要检查。",
    ),
    "missing": Text("APIs without equivalent", "没有对应接口的 torch 接口"),
    "reason": Text("Why", "原因"),
    "none_missing": Text("Every API used has an equivalent.", "使用的接口均有对应接口。"),
    "functions": Text("Function compliance", "功能符合度"),
    "code": Text("Code", "代码"),
    "finding": Text("Finding", "结果"),
    "no_functions": Text(
        "Found nothing in the networks that prevents graph mode or fixed shapes.",
        "网络中未发现妨碍静态图模式或固定形状的代码。",
    ),
    "not_asked": Text(
        "Not checked in this report: run `mindport analyze`, or turn on the setting `graphMode`.",
        "本报告未检查：请运行 `mindport analyze`，或打开设置 `graphMode`。",
    ),
    "packages": Text("Packages built on PyTorch", "基于 PyTorch 的第三方包"),
    "package": Text("Package", "包"),
    "instead": Text("Alternative", "替代方案"),
    "no_packages": Text("None is imported.", "未导入此类包。"),
    "problems": Text("Code that could not be analyzed", "未能分析的代码"),
    "what": Text("What", "内容"),
    "where": Text("Where", "位置"),
    "nothing": Text("Nothing found.", "未发现。"),
    "only_code": Text("See the code below.", "见下方代码。"),
    "left_out": Text("Left out, as it does not train or is not used", "不做训练或未被使用，未计入"),
    "only_if": Text("only if", "仅当"),
    "code_of": Text(
        "The code, without what only logs, shows or checks:", "相关代码（略去日志、展示与检查）："
    ),
    "see": Text("see", "见"),
    "too_long": Text("Left out, as it would be too long", "过长，未列出"),
    "project": Text("Project", "项目"),
    "defaults": Text("left at their defaults", "取默认值"),
    "in_groups": Text("groups have their own", "参数组另有设定"),
}


def page_values(
    analysis: ProjectAnalysis, language: Language, *, is_for_graphs: bool = True, folder: str = ""
) -> dict[str, Any]:
    """What the templates are rendered with. `is_for_graphs`: rules about graph mode were asked, too; paths
    are shown from the `folder` of the project, if it has one."""
    from mindport.assess.rules import all_rules

    analysis = readable(analysis, folder)
    facts, ready = Catalog.load().migration, _ready(analysis)
    return {
        "a": analysis,
        "folder": folder,
        "t": {name: text.render(language) for name, text in TEXTS.items() if name != "convertible"},
        "convertible": TEXTS["convertible"].render(
            language,
            ready=ready,
            uses=analysis.uses,
            share=f"{100 * ready / max(1, analysis.uses):.0f}",
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
    return max(0, analysis.uses - analysis.review - (analysis.waits - analysis.waits_in_code) - missing)
