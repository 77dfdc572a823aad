"""The values that names have, as far as the code and configuration files tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Final

from mindport.catalog.argument_form import is_dotted_name
from mindport.report.analysis.file_analysis import CodeLine, GivenParameter, RecipeEntry, SettingEntry
from mindport.report.analysis.file_code import spelled

_MOST_VALUES: Final = 3
"""As many values of a name are told, where several places give it one."""
_DOTTED: Final = re.compile(r"(?<![\w.\"'])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?![\w.(\"'])")
_SELF: Final = "self"
_GROUP: Final = "group"


class KnownValues:
    """Looks up what names are: a name in its function and those around it, `self.x` in its class, what is an
    attribute of anything else (`args.x`) in the module of that name, among options, configuration files, and
    attributes and keys that are set. Nothing is told of a name that is also given what is no literal, or more
    than a few values."""

    def __init__(self, settings: Sequence[SettingEntry]) -> None:
        self._by_name: dict[str, list[SettingEntry]] = {}
        for one in settings:
            self._by_name.setdefault(one.name, []).append(one)

    def explained(self, entry: RecipeEntry) -> RecipeEntry:
        """An entry with the values of the names that its parameters are given."""
        parameters = [one if one.is_default else self._explained(one, entry) for one in entry.parameters]
        return entry.model_copy(update={"parameters": parameters})

    def _explained(self, parameter: GivenParameter, entry: RecipeEntry) -> GivenParameter:
        value = parameter.value
        if is_dotted_name(value):
            found = self._values(value, entry)
            known = " / ".join(_distinct(found))
        else:
            named = {name: self._values(name, entry) for name in dict.fromkeys(_DOTTED.findall(value))}
            told = {name: values for name, values in named.items() if values}
            found = [one for values in told.values() for one in values]
            known = ", ".join(f"{name} = {' / '.join(_distinct(values))}" for name, values in told.items())
        if not found:
            return parameter
        at = CodeLine(path=found[0].path, line=found[0].line, cell=found[0].cell)
        return parameter.model_copy(update={"known": known, "at": at})

    def _values(self, dotted: str, entry: RecipeEntry) -> list[SettingEntry]:
        owner, _, last = dotted.rpartition(".")
        candidates = [one for one in self._by_name.get(spelled(last), []) if not _is_at(one, entry)]
        for chosen in self._choices(owner, candidates, entry):
            if chosen:
                if all(_is_told(one) for one in chosen) and len(_distinct(chosen)) <= _MOST_VALUES:
                    return chosen
                source = chosen[0].source if len(chosen) == 1 else ""
                is_followed = owner == _SELF or "." in source  # a constant that is an option
                return self._values(source, entry) if is_followed and source not in ("", dotted) else []
        return []

    def _choices(
        self, owner: str, candidates: Sequence[SettingEntry], entry: RecipeEntry
    ) -> Iterator[list[SettingEntry]]:
        """What a name may be, the nearest first."""
        here = [one for one in candidates if one.path == entry.path]
        if not owner:
            yield from _in_scopes([one for one in here if one.kind in ("assigned", "parameter")], entry.scope)
            return
        if owner == _SELF:
            own = [one for one in here if one.kind == "assigned" and one.owner == _SELF]
            yield [one for one in own if one.classes == entry.classes]
            return
        last = owner.rpartition(".")[2]
        changed = [
            one for one in candidates if one.kind == "assigned" and one.owner.rpartition(".")[2] == last
        ]
        if any(not _is_told(one) for one in changed):
            yield changed
        yield [
            one for one in candidates if not one.scope and PurePath(one.path).stem == owner.rpartition(".")[2]
        ]
        options = [one for one in candidates if one.kind == "option"]
        yield [one for one in options if one.path == entry.path]
        yield options
        yield [one for one in candidates if one.kind == "configured"]
        kept = [one for one in candidates if one.kind == "key" or _is_kept(one)]
        yield [one for one in kept if one.path == entry.path]
        yield kept


def _is_told(one: SettingEntry) -> bool:
    """Whether a value says what the name is: callers may give a parameter another, and None is mostly
    replaced by something."""
    return one.value not in ("", "None") and one.kind != "parameter"


def _in_scopes(found: Sequence[SettingEntry], scope: str) -> Iterator[list[SettingEntry]]:
    """The values that a name has in a function, then in those around it. Parameters with default values stand
    in the scope around their function, whose name is not known; they count there."""
    own = [one for one in found if not one.owner]
    while True:
        yield [one for one in own if one.scope == scope]
        if not scope:
            return
        scope = scope.rpartition(".")[0]


def _is_kept(one: SettingEntry) -> bool:
    """Whether a name is an attribute of something that is no `self`, or of a class."""
    is_group = _GROUP in one.owner  # of the parameters of an optimizer, which is given other values later
    is_owned = bool(one.owner) and one.owner != _SELF and not is_group
    return one.kind == "assigned" and (is_owned or bool(one.classes))


def _is_at(one: SettingEntry, entry: RecipeEntry) -> bool:
    return (one.path, one.line) == (entry.path, entry.line) and one.kind != "option"


def _distinct(found: Sequence[SettingEntry]) -> list[str]:
    """The values, each once; numbers that are spelled in several ways count as one."""
    told: dict[object, str] = {}
    for one in found:
        told.setdefault(_number(one.value), one.value)
    return list(told.values())


def _number(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text.strip("\"'")
