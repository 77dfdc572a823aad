"""What the groups of weights that an optimizer is given have instead of its defaults."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mindport.report.analysis.code_facts import is_of_weights
from mindport.report.analysis.entries import CodeLine, GivenParameter, RecipeEntry
from mindport.report.analysis.trees import nodes

_GROUPS: Final = "groups"
_OPTIMIZERS: Final = "torch.optim."
_PARAMS: Final = "params"
_Group = tuple[RecipeEntry, dict[str, str]]
"""Where a group stands, and what it is given."""


def with_groups(entries: Sequence[RecipeEntry]) -> list[RecipeEntry]:
    """The entries, where defaults of optimizers are told with what groups have instead: those that they are
    given as they stand, else those of the same file, else all."""
    groups = [(one, each) for one in entries if one.item == _GROUPS for each in _groups_in(one.code)]
    return [_with_own(one, groups) if one.name.startswith(_OPTIMIZERS) else one for one in entries]


def _with_own(entry: RecipeEntry, groups: Sequence[_Group]) -> RecipeEntry:
    first = next((one for one in entry.parameters if not one.is_default), None)
    if first is None or is_of_weights(first.value):
        return entry
    own = [(entry, one) for one in _groups_in(first.value)]
    meant = own or [one for one in groups if one[0].path == entry.path] or groups
    told = [_told(one, meant) for one in entry.parameters]
    return replace(entry, parameters=told)


def _told(parameter: GivenParameter, groups: Sequence[_Group]) -> GivenParameter:
    """A default with what groups have instead of it."""
    given = [(at, group[parameter.name]) for at, group in groups if parameter.name in group]
    if not parameter.is_default or not given:
        return parameter
    at = CodeLine(path=given[0][0].path, line=given[0][0].line, cell=given[0][0].cell)
    values = list(dict.fromkeys(value for _, value in given))
    return replace(parameter, known=" / ".join(values), at=at)


def _groups_in(code: str) -> list[dict[str, str]]:
    """The groups that are written out in code, each with what it is given."""
    try:
        tree = ast.parse(code.strip())
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []
    found = [_written_out(one) for one in nodes(tree) if isinstance(one, ast.Dict)]
    return [one for one in found if _PARAMS in one]


def _written_out(node: ast.Dict) -> dict[str, str]:
    pairs = zip(node.keys, node.values, strict=True)
    return {str(key.value): ast.unparse(value) for key, value in pairs if isinstance(key, ast.Constant)}
