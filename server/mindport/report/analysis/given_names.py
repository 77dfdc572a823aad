"""What networks are given, and which of several is trained, where that is told by statements whose values are
not followed: the statements as they stand, with their conditions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from mindport.report.analysis.entries import (
    CodeLine,
    FileAnalysis,
    GivenParameter,
    RecipeEntry,
    SettingEntry,
    SourceEntry,
    entry_of,
)
from mindport.report.analysis.file_code import last_part
from mindport.report.analysis.function_code import in_short

if TYPE_CHECKING:
    from mindport.report.analysis.data_sources import DataSources
    from mindport.report.analysis.known_values import KnownValues

_NETWORK: Final = "network"
_OPTIMIZING: Final = frozenset({"optimizer", "groups"})
_PARAMETERS: Final = re.compile(r"(?<![\w.])(?P<name>(?:self\.)?[A-Za-z_]\w*)(?:\.module)?\.parameters\(")
_BASE: Final = re.compile(r"(?P<name>(?:self\.)?[A-Za-z_]\w*)(?:\[[^\]]*\])*")
"""A name, or an entry of what has it."""
_ATTRIBUTE: Final = re.compile(r"[\w.\[\]'\"()]+\.(?P<name>[A-Za-z_]\w*)")
_CHOSEN: Final = re.compile(r"[\w.]+(?:\[[^\]]+\]|\.get\([^()]+\))+(?:\([^()]*\))?")
"""What is taken out of a dictionary or list, and perhaps called."""
_TABLE: Final = re.compile(r"(?:\w+\.)*(?P<name>\w+)(?P<key>(?:\[[^\[\]]+\])+)")
"""What takes an entry out of a table."""
_DOTTED: Final = re.compile(r"(?<![\w.\"'])[A-Za-z_]\w*\.[\w.]+")
"""A name with its attributes."""
_LOADING: Final = re.compile(r"\bload\w*\(")
_PARSED: Final = ".parse_args()"
_SCHEDULE: Final = "schedule"
_DEFINED: Final = "def "
_NAMES: Final = re.compile(r"(?<![\w.\"'])[A-Za-z_][\w.]*(?!\()")
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_COMPUTING: Final = re.compile(r"[-+*/%]")
_COMPUTED: Final = re.compile(r"[\w\s+*/()-]+")
"""An expression of names and numbers."""
_MOST: Final = 4
"""As many statements of a name are told."""
_LONGEST: Final = 240


class GivenNames:
    """Looks up the statements that give names something."""

    def __init__(
        self,
        files: Sequence[FileAnalysis],
        sources: DataSources,
        values: KnownValues,
        entries: Sequence[RecipeEntry],
    ) -> None:
        self._sources = sources
        self._values = values
        self._entries = entries
        self._networks = {last_part(one.name) for one in entries if one.is_class and one.item == _NETWORK}
        self._statements = [(file.path, one) for file in files for one in file.statements]
        self._choosing = {
            target
            for file in files
            for each in file.statements
            if "{" in each.code and not self._networks.isdisjoint(_WORD.findall(each.code))
            for target in each.targets
        }
        self._of_functions: dict[str, list[SettingEntry]] = {}
        for file in files:
            own = {last_part(one) for one in file.defined}
            for each in file.settings:
                if each.kind == "assigned" and each.owner in own and each.value:
                    self._of_functions.setdefault(each.name, []).append(each)
        self._adjusted: dict[tuple[str, str, str], list[SourceEntry]] = {}
        self._begun: dict[tuple[str, str, str], SettingEntry] = {}
        for file in files:
            for change in file.adjusted:
                self._adjusted.setdefault((file.path, change.scope, change.targets[0]), []).append(change)
            for begun in file.settings if file.adjusted else ():
                if begun.kind == "assigned" and not begun.owner and begun.value:
                    self._begun.setdefault((file.path, begun.scope, begun.exact or begun.name), begun)
        self._attributes: dict[str, list[tuple[str, SourceEntry]]] = {}
        for file in files:
            for one in file.statements:
                for target in one.targets:
                    if target.startswith("self.") and not self._networks.intersection(one.classes):
                        self._attributes.setdefault(target, []).append((file.path, one))

    def completed(self, entry: RecipeEntry) -> RecipeEntry:
        """The making of a network with what it is given, where nothing else says that."""
        if entry.item != _NETWORK or entry.is_class:
            return entry
        given = [*self._chosen_name(entry), *[self._completed(one, entry) for one in entry.parameters]]
        return replace(entry, parameters=given)

    def _chosen_name(self, entry: RecipeEntry) -> Iterator[GivenParameter]:
        """What a name is of by which a network is made, where branches give it several classes."""
        name = entry.code.partition("(")[0]
        if not name.isidentifier() or name in self._networks:
            return
        found = [one for one in self._sources.statements(entry, name) if _gives(one, name)]
        if len(found) > 1 and all(one.condition for one in found):
            given = self._completed(GivenParameter(name="", value=name), entry)
            yield from [given] if given.known else []

    def _completed(self, one: GivenParameter, entry: RecipeEntry) -> GivenParameter:
        if one.known or one.is_default:
            return one
        name = _base_of(one.value)
        found = [each for each in self._sources.statements(entry, name) if _gives(each, name)] if name else []
        told = list(dict.fromkeys(self._told(each) for each in found))[:_MOST]
        text = " / ".join(told) + self._conditions(found, entry)
        at = CodeLine(path=entry.path, line=found[0].line) if found else None
        attribute = _ATTRIBUTE.fullmatch(found[0].code.partition(" = ")[2] if len(found) == 1 else one.value)
        if attribute is not None and (own := self._attribute(attribute["name"])) is not None:
            path, each = own
            value = each.code.partition(" = ")[2]
            inside = f"{attribute['name']} = {value}, {path}:{each.line}"
            text, at = (f"{text} ({inside})", at) if text else (value, CodeLine(path=path, line=each.line))
        elif attribute is not None and (of_functions := self._of_functions.get(attribute["name"], [])):
            inside = ", ".join(f"{each.owner}.{each.name} = {each.value}" for each in of_functions[:_MOST])
            text = f"{text} ({inside})" if text else inside
            at = at or CodeLine(path=of_functions[0].path, line=of_functions[0].line)
        if not text or text.endswith(_PARSED) or at is None or len(text) > _LONGEST * _MOST:
            return one
        return replace(one, known=text, at=at)

    def _conditions(self, found: Sequence[SourceEntry], entry: RecipeEntry) -> str:
        """What the names in the conditions of statements are."""
        names = dict.fromkeys(name for one in found for name in _DOTTED.findall(one.condition))
        asked = RecipeEntry(path=entry.path, line=entry.line, item="", name="", code="", scope=entry.scope)
        asked.classes = entry.classes
        asked.parameters = [GivenParameter(name="", value=name) for name in names]
        known = [one for one in self._values.explained(asked).parameters if one.known]
        return f" ({', '.join(f'{one.value} = {one.known}' for one in known)})" if known else ""

    def _told(self, one: SourceEntry) -> str:
        targets, _, value = one.code.partition(" = ")
        value = (one.code if "," in targets else value)[:_LONGEST]
        return f"{value} if {one.condition}" if one.condition else value

    def _attribute(self, name: str) -> tuple[str, SourceEntry] | None:
        """The one statement that gives objects of the project an attribute of that name."""
        found = self._attributes.get(f"self.{name}", [])
        return found[0] if len(found) == 1 else None

    def chosen_networks(self) -> Iterator[RecipeEntry]:
        """The statements that choose which network the optimizer is given, where nothing else tells them."""
        told = {(one.path, one.line) for one in self._entries if one.item == _NETWORK}
        for entry in [one for one in self._entries if one.item in _OPTIMIZING]:
            for name in dict.fromkeys(_PARAMETERS.findall(entry.code)):
                for path, one in self._given(entry, name):
                    value = one.code.partition(" = ")[2]
                    if _CHOSEN.fullmatch(value) is None or (path, one.line) in told:
                        continue
                    if self._is_loaded(entry, value):
                        continue
                    told.add((path, one.line))
                    names = dict.fromkeys(_NAMES.findall(value))
                    yield self._with_known(entry_of(one, path, _NETWORK, name, names))

        yield from self._chosen_classes(told)
        yield from self._classes_on_branches(told)

    def _chosen_classes(self, told: set[tuple[str, int]]) -> Iterator[RecipeEntry]:
        """The statements that take the class of a network out of a table, which nothing else tells."""
        for path, one in self._statements:
            table = _TABLE.fullmatch(one.code.partition(" = ")[2])
            if table is None or table["name"] not in self._choosing or (path, one.line) in told:
                continue
            name = one.targets[0] if one.targets else ""
            names = _NAMES.findall(table["key"])
            yield self._with_known(entry_of(one, path, _NETWORK, name, names))

    def _classes_on_branches(self, told: set[tuple[str, int]]) -> Iterator[RecipeEntry]:
        """The statements that give an attribute one of several classes of networks, each on its condition."""
        found: dict[tuple[str, str, str], list[SourceEntry]] = {}
        for path, one in self._statements:
            target, _, value = one.code.partition(" = ")
            if target.startswith("self.") and value in self._networks and one.condition:
                found.setdefault((path, one.scope, target), []).append(one)
        for (path, _, target), given in found.items():
            for one in given if len(given) > 1 else ():
                if (path, one.line) in told:
                    continue
                made = entry_of(one, path, _NETWORK, target)
                made.conditions = [GivenParameter(name="", value=in_short(one.condition))]
                yield self._values.explained(made)

    def _given(self, entry: RecipeEntry, name: str) -> Iterator[tuple[str, SourceEntry]]:
        """The statements that give a network its name where an optimizer is made, or where calls give it."""
        found = self._sources.statements(entry, name)
        yield from [(entry.path, one) for one in found]
        if not found:
            asked = replace(entry, parameters=[GivenParameter(name="", value=name)])
            for path, one in self._sources.of_entry(asked):
                table = one.code.partition(" = ")[2].partition("[")[0].rpartition(".")[2]
                if table in self._choosing:
                    yield path, one

    def _is_loaded(self, entry: RecipeEntry, value: str) -> bool:
        """Whether something is taken out of what a file has, such as a checkpoint."""
        base = _BASE.match(value)
        found = self._sources.statements(entry, base["name"]) if base is not None else []
        return any(_LOADING.search(one.code) is not None for one in found)

    def coefficients(self, item: str) -> Iterator[RecipeEntry]:
        """The numbers in what an item tells that a program changes in the course of the training."""
        if not self._adjusted:
            return
        told = {(one.path, one.line) for one in self._entries if one.item == item}
        for entry in [one for one in self._entries if one.item == item]:
            for where in dict.fromkeys(self._changed_in(entry)):
                path, scope, name = where
                begun = self._begun.get(where)
                lines = [(begun.line, f"{name} = {begun.value}", "")] if begun is not None else []
                lines += [(one.line, one.code, one.condition) for one in self._adjusted[where]]
                for line, code, condition in lines:
                    if (path, line) in told:
                        continue
                    told.add((path, line))
                    made = RecipeEntry(path=path, line=line, item=item, name=name, code=code, scope=scope)
                    made.conditions = [GivenParameter(name="", value=condition)] if condition else []
                    yield self._values.explained(made)

    def _changed_in(self, entry: RecipeEntry) -> Iterator[tuple[str, str, str]]:
        """The names that are changed so of those in an entry, or of those that its function is given for
        parameters."""
        for name in dict.fromkeys(_WORD.findall(entry.code)):
            places = [(entry.path, entry.scope, name)]
            for call, source in self._values.call_sites.arguments(entry.path, entry.scope, name):
                places.append((call.path, call.scope, source or ""))
            yield from [one for one in places if one in self._adjusted]

    def rates(self) -> Iterator[RecipeEntry]:
        """How it is computed what the project's functions of rates are given."""
        told = {(one.path, one.line) for one in self._entries if one.item == _SCHEDULE}
        for entry in [
            one for one in self._entries if one.item == _SCHEDULE and one.code.startswith(_DEFINED)
        ]:
            function = ".".join(filter(None, (entry.scope, entry.name)))
            for path, one in self._sources.of_arguments(entry.path, function):
                value = one.code.partition(" = ")[2]
                if (
                    (path, one.line) in told
                    or _COMPUTING.search(value) is None
                    or value.startswith(("'", '"'))
                ):
                    continue
                told.add((path, one.line))
                names = dict.fromkeys(_NAMES.findall(value))
                yield self._with_known(entry_of(one, path, _SCHEDULE, one.targets[0], names))

    def _with_known(self, entry: RecipeEntry) -> RecipeEntry:
        """An entry with the values of the names that it reads, as far as they are known."""
        explained = self._values.explained(entry)
        explained.parameters = [one for one in explained.parameters if one.known]
        return explained


def _base_of(value: str) -> str:
    """The name that something is, or an entry of, or that alone is computed with."""
    if value.startswith("*"):
        return ""
    base = _BASE.fullmatch(value)
    names = [base["name"]] if base is not None else list(dict.fromkeys(_NAMES.findall(value)))
    is_plain = base is not None or _COMPUTED.fullmatch(value) is not None
    return names[0] if is_plain and len(names) == 1 else ""


def _gives(one: SourceEntry, name: str) -> bool:
    """Whether a statement gives a name itself something, and no attribute of it."""
    targets = one.code.partition(" = ")[0]
    return re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", targets) is not None
