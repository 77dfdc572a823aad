"""The analysis of a project as it is shown to people: nothing twice, and with short paths and values."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from mindport.report.analysis.entries import GivenParameter, RecipeEntry, ShownCode
from mindport.report.analysis.function_code import parsed
from mindport.report.analysis.json_form import from_json, to_json
from mindport.report.analysis.project_analysis import ProjectAnalysis, RecipeCount

_DEFINED: Final = "def "
_MAKING: Final = frozenset({"network", "optimizer", "schedule", "loader"})
"""The items whose entries say what is made, wherever they stand."""
_VALUE: Final = re.compile(r"(?<!\w)\d|[\"']|\b(?:True|False)\b")
"""What stands in a value that tells more than names do."""
_LONGEST: Final = 300
"""The longest value that is shown whole."""


def readable(analysis: ProjectAnalysis, folder: str) -> ProjectAnalysis:
    """The analysis with paths from the project's folder, without the entries that are statements of functions
    which the item shows, but those that say more than these, and without those of data sets that the options
    do not choose, where these are only named."""
    if folder:
        prefix = re.escape(folder.replace("\\", "/").rstrip("/") + "/")
        text = re.sub(rf"(?<![\w./-]){prefix}", "", to_json(analysis))
        analysis = from_json(ProjectAnalysis, text)
    return replace(analysis, recipe=[_without_told(one) for one in analysis.recipe])


def _without_told(item: RecipeCount) -> RecipeCount:
    if item.item in _MAKING:
        return item
    shown = {(one.path, line): one for one in item.functions if one.code for line in one.lines}
    left_out = {(one.path, line) for one in item.functions if one.is_left_out for line in one.lines}
    texts = {id(one): _packed(one.code) for one in item.functions}
    kept = []
    for entry in item.entries:
        if (entry.path, entry.line) in left_out:
            continue
        around = shown.get((entry.path, entry.line))
        if (
            around is not None
            and _packed(entry.code) in texts[id(around)]
            and not _says_more(entry, around, shown)
        ):
            continue
        kept.append(replace(entry, parameters=[_cut(one) for one in entry.parameters]))
    return replace(item, entries=kept)


def _says_more(entry: RecipeEntry, around: ShownCode, lines: Mapping[tuple[str, int], ShownCode]) -> bool:
    """Whether an entry has values that the code does not show: parameters that are left at their defaults,
    and what is known of names elsewhere, if there is a number or text in it, or it is of none of the
    `lines` that the item shows."""
    if entry.is_class or entry.code.startswith(_DEFINED) or any(one.is_default for one in entry.parameters):
        return True
    told = {(one.value, one.known) for one in around.known}
    known = [one for one in _all(entry) if one.known and (one.value, one.known) not in told]
    known = [one for one in known if f" in {one.known}:" not in around.code]
    known = [
        one
        for one in known
        if _VALUE.search(one.known) or one.at is None or (one.at.path, one.at.line) not in lines
    ]
    return any(
        one.at is None or one.at.path != around.path or one.at.line not in around.lines for one in known
    )


def _all(entry: RecipeEntry) -> Sequence[GivenParameter]:
    return [*entry.parameters, *entry.conditions]


def _cut(one: GivenParameter) -> GivenParameter:
    """A value that is not too long: else up to an argument."""
    if len(one.known) <= _LONGEST:
        return one
    known = one.known[:_LONGEST]
    at = max(known.rfind(", "), known.rfind(" / "))
    return replace(one, known=f"{known[: at + 1] if at > 0 else known}…")


def _packed(code: str) -> str:
    """Code in one form, without spaces."""
    tree = parsed(code)
    return "".join((ast.unparse(tree) if tree is not None else code).split())
