"""What people are told about the groups of a program: a section for each, or a line for all."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.catalog.catalog import Catalog
from mindport.language import LIST, Text, joined
from mindport.rewrite.groups import ConversionGroup, ConversionPlan, largest_first

if TYPE_CHECKING:
    from mindport.language import Language

_MOST_NAMES = 12
_HEADING = Text(
    "{number}. {units} definitions and statements in {files} files: {verdict}",
    "{number}. {files} 个文件中的 {units} 个定义和语句：{verdict}",
)
_SAFE = Text("safe to convert", "可安全转换")
_PROVEN_BUT_USED = Text("safe, but used elsewhere", "可安全转换，但在别处使用")
_PROVEN_BUT_SETTINGS = Text(
    "safe, but PyTorch settings can only be removed together with all code that uses it",
    "可安全转换，但 PyTorch 的设置只能与所有使用它的代码一起删除",
)
_HELPED = Text("can be converted with helpers: review the result", "可借助辅助模块转换：请检查结果")
_LEFT = Text(
    "can be converted, but {missing} uses are left to you", "可以转换，但有 {missing} 处需您自行处理"
)
_COUNTS = Text(
    "   findings: {findings}; safe: {proven}; with helpers or need review: {helped}; left to you: {missing}",
    "   结果：{findings}；安全：{proven}；借助辅助模块或需检查：{helped}；需自行处理：{missing}",
)
_USERS = Text("   used outside the given paths: {names}", "   在所给路径之外使用：{names}")
_LIBRARIES = Text("   libraries not converted: {names}", "   未转换的库：{names}")
_LINE = Text("line {line}", "第 {line} 行")
_MORE = Text("and {number} more", "以及另外 {number} 个")
_TOTAL = Text(
    "Groups to convert together: {groups}; safe to convert: {safe}",
    "须一起转换的组：{groups}；可安全转换：{safe}",
)
_CONVERTED = Text(
    "Groups to convert together: {groups}; converted: {number}; `--list-groups` shows them",
    "须一起转换的组：{groups}；已转换：{number}；`--list-groups` 可列出它们",
)


@dataclass(frozen=True)
class GroupText:
    """Makes the texts of the groups of a plan."""

    plan: ConversionPlan
    language: Language

    def every_group(self) -> str:
        """A section for each group, and how many there are."""
        lines: list[str] = []
        for number, group in enumerate(largest_first(self.plan.groups), start=1):
            lines += [*self._section(number, group), ""]
        safe = sum(group.is_safe for group in self.plan.groups)
        total = _TOTAL.render(self.language, groups=len(self.plan.groups), safe=safe)
        return "\n".join([*lines, total]) + "\n"

    def summary(self, chosen: Collection[ConversionGroup]) -> str:
        """How many groups were chosen; empty, where there is none at all."""
        if not self.plan.groups:
            return ""
        values = {"number": len(chosen), "groups": len(self.plan.groups)}
        return _CONVERTED.render(self.language, **values) + "\n"

    def _section(self, number: int, group: ConversionGroup) -> Iterator[str]:
        paths = sorted({key.path for key in group.units})
        values = {"number": number, "units": len(group.units), "files": len(paths)}
        yield _HEADING.render(self.language, **values, verdict=self._verdict(group))
        tally = group.tally
        counts = {"findings": tally.findings, "proven": tally.proven, "helped": tally.helped}
        yield _COUNTS.render(self.language, **counts, missing=tally.missing + tally.unknown)
        for path in paths[:_MOST_NAMES]:
            yield f"   {_shown(path)}: {self._names(group, path)}"
        if len(paths) > _MOST_NAMES:
            yield "   " + _MORE.render(self.language, number=len(paths) - _MOST_NAMES)
        if group.users:
            yield _USERS.render(self.language, names=self._listed([_shown(user) for user in group.users]))
        others = [one for one in group.libraries if one not in Catalog.load().helpers.libraries]
        if others:
            yield _LIBRARIES.render(self.language, names=self._listed(others))

    def _verdict(self, group: ConversionGroup) -> str:
        left = group.tally.missing + group.tally.unknown
        if group.is_safe:
            return _SAFE.render(self.language)
        if left:
            return _LEFT.render(self.language, missing=left)
        if not group.tally.is_proven or group.libraries:
            return _HELPED.render(self.language)
        return (_PROVEN_BUT_SETTINGS if group.is_closed else _PROVEN_BUT_USED).render(self.language)

    def _names(self, group: ConversionGroup, path: str) -> str:
        units = [self.plan.unit(key) for key in group.units if key.path == path]
        return self._listed([unit.name or _LINE.render(self.language, line=unit.line) for unit in units])

    def _listed(self, names: list[str]) -> str:
        more = len(names) - _MOST_NAMES
        listed = names if more <= 0 else [*names[:_MOST_NAMES], _MORE.render(self.language, number=more)]
        return joined(listed, LIST, self.language)


def _shown(path: str) -> str:
    """A path relative to the folder that the command runs in, if it is in there."""
    here, file = Path.cwd(), Path(path)
    return str(file.relative_to(here)) if file.is_relative_to(here) else path
