"""What is left to do for a project, in the order in which to do it, and how much each is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from mindport.catalog.catalog import Catalog
from mindport.language import Text

if TYPE_CHECKING:
    from mindport.language import Language
    from mindport.report.analysis.entries import RecipeEntry
    from mindport.report.analysis.project_analysis import ProjectAnalysis

Effort = Literal["automatic", "small", "medium", "large"]
EFFORTS: Final[dict[Effort, Text]] = {
    "automatic": Text("automatic", "自动完成"),
    "small": Text("minutes each", "每处几分钟"),
    "medium": Text("up to an hour each", "每处一小时以内"),
    "large": Text("a day or more each", "每项一天或更久"),
}
"""The classes of effort, the least first."""

_PACKAGE = Text("Replace the package `{name}`. {instead}", "替换 `{name}` 包。{instead}")
_MISSING = Text("Replace or remove `{name}`. {reason}", "替换或删除 `{name}`。{reason}")
_HELPED = Text(
    "`{name}`: `mindport convert --whole` writes a helper that computes the same. {reason}",
    "`{name}`：`mindport convert --whole` 会写入计算结果相同的辅助函数。{reason}",
)
_WHOLE = Text(
    "Convert the whole program, with helpers for what has no equivalent: `mindport convert --whole PATH "
    "-o OUTPUT`. Or go step by step, as follows.",
    "转换整个程序，没有对应接口之处使用辅助函数：`mindport convert --whole PATH -o OUTPUT`。"
    "也可按以下步骤逐步进行。",
)
_CONVERT = Text(
    "Make the changes that preserve behavior: `mindport convert PATH -o OUTPUT`.",
    "完成不改变行为的修改：`mindport convert PATH -o OUTPUT`。",
)
_REVIEW = Text(
    "Apply the fixes that need review, and check each: `mindport convert PATH -o OUTPUT --unsafe`.",
    "应用需要检查的修复并逐一检查：`mindport convert PATH -o OUTPUT --unsafe`。",
)
_WAITS = Text(
    "Rewrite APIs whose equivalent behaves differently: `mindport scan PATH` shows where.",
    "改写对应接口行为不同之处：用 `mindport scan PATH` 查看位置。",
)
_RULE = Text("{name} ({code}): `mindport explain {code}`.", "{name}（{code}）：`mindport explain {code}`。")
_DISTRIBUTED = Text(
    "Start distributed training with `mindspore.communication.init` and `msrun`.",
    "使用 `mindspore.communication.init` 和 `msrun` 启动分布式训练。",
)
_VERIFY = Text(
    "Compare each network in both frameworks: `mindport verify model FILE::CLASS`.",
    "在两个框架中比较每个网络：`mindport verify model FILE::CLASS`。",
)
_TRAIN = Text(
    "Train a few steps in both frameworks with the same data and weights, and compare the losses.",
    "以相同的数据和权重在两个框架中训练若干步，并比较损失值。",
)


class Work(NamedTuple):
    """A piece of work: how often it has to be done, and the first place."""

    effort: Effort
    text: str
    number: int
    path: str = ""
    line: int = 0


def work_of(analysis: ProjectAnalysis, language: Language) -> list[Work]:
    """What is left to do: first what decides whether the project can be ported at all, then what is done for
    all at once, then place by place, and in the end what shows that it is right."""
    found = [
        *_packages(analysis, language),
        *_conversion(analysis, language),
        *_missing(analysis, language),
        *_functions(analysis, language),
    ]
    entries = next((one.entries for one in analysis.recipe if one.item == "network"), [])
    networks = _networks(entries)
    if networks:
        text = _VERIFY.render(language)
        found.append(Work("small", text, len(networks), networks[0].path, networks[0].line))
    if any(one.item == "optimizer" and one.entries for one in analysis.recipe):
        found.append(Work("medium", _TRAIN.render(language), 1))
    return found


def _networks(entries: Sequence[RecipeEntry]) -> list[RecipeEntry]:
    """The classes of networks, and the calls of others that give one: not options and values that belong to
    them."""
    classes = {one.name for one in entries if one.is_class}
    made = [(one, one.name.rpartition(".")[2]) for one in entries]
    return [one for one, name in made if one.is_class or (name not in classes and f"{name}(" in one.code)]


def _packages(analysis: ProjectAnalysis, language: Language) -> Iterator[Work]:
    instead = Catalog.load().migration.instead
    for package in analysis.packages:
        first = package.places[0]
        advice = instead[package.package].render(language)
        text = _PACKAGE.render(language, name=package.package, instead=advice)
        yield Work("large", text, 1, first.path, first.line)


def _missing(analysis: ProjectAnalysis, language: Language) -> Iterator[Work]:
    helpers = Catalog.load().helpers
    for api in analysis.missing:
        first = api.places[0]
        is_helped = helpers.of(api.api) is not None
        said = _HELPED if is_helped else _MISSING
        text = said.render(language, name=api.api, reason=api.reason).rstrip()
        yield Work("small" if is_helped else "medium", text, api.uses, first.path, first.line)


def _conversion(analysis: ProjectAnalysis, language: Language) -> Iterator[Work]:
    if analysis.uses:
        yield Work("automatic", _WHOLE.render(language), analysis.uses)
    steps: tuple[tuple[Effort, Text, int], ...] = (
        ("automatic", _CONVERT, analysis.safe),
        ("small", _REVIEW, analysis.review),
        ("medium", _WAITS, analysis.waits),
    )
    yield from [Work(effort, text.render(language), number) for effort, text, number in steps if number]


def _functions(analysis: ProjectAnalysis, language: Language) -> Iterator[Work]:
    from mindport.assess.rules import all_rules

    rules = all_rules()
    for rule in analysis.rules:
        name = rules[rule.code].name.render(language)
        first = rule.places[0]
        text = _RULE.render(language, name=name, code=rule.code)
        yield Work("medium", text, rule.number, first.path, first.line)
    for item in analysis.recipe:
        if item.item == "distributed" and item.entries:
            one = item.entries[0]
            yield Work("medium", _DISTRIBUTED.render(language), len(item.entries), one.path, one.line)
