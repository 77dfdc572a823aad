"""The values that names have, as far as the code and configuration files tell."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import cached_property
from pathlib import PurePath
from typing import Final, NamedTuple

from mindport.catalog.argument_form import is_dotted_name
from mindport.catalog.catalog import Catalog
from mindport.report.analysis.call_sites import CallSites, is_literal
from mindport.report.analysis.computed_values import UnknownError, truth_of, value_of_expression
from mindport.report.analysis.configuration_files import KINDS
from mindport.report.analysis.entries import (
    CallEntry,
    CodeLine,
    FileAnalysis,
    GivenParameter,
    LossCall,
    RecipeEntry,
    ReturnEntry,
    SettingEntry,
)
from mindport.report.analysis.file_code import WORD, ImportedAs, dotted_keys, last_part, spelled
from mindport.report.analysis.project_files import ProjectFiles

_MOST_VALUES: Final = 3
"""As many values of a name are told, where several places give it one."""
_DEEPEST: Final = 8
"""As many names are followed, one to the next."""
_LONGEST: Final = 100
"""The longest expression that is told as what a name is."""
_DOTTED: Final = re.compile(
    r"""(?<![\w.\"'])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\s*(?:"[\w.]+"|'[\w.]+')\s*\])*(?![\w.(\"'\[]|=(?!=))"""
)
"""A name in an expression that is not called, with attributes and keys."""
_LONGEST_CHOICE: Final = 160
"""The longest text of several values with their conditions."""
_SHORT: Final = 60
"""The longest expression that the names in it are told of."""
_GROWING: Final = (".append", ".extend", ".insert")
_TAKING_ALL: Final = frozenset({"self.__dict__.update", "vars(self).update"})
"""How an object takes all that it is given as its attributes."""
_LAMBDA: Final = re.compile(r"\blambda\b([^:]*):")
_FOR_EACH: Final = re.compile(r"\bfor\s+([\w, ()]+?)\s+in\b")
_MADE: Final = re.compile(r"(?:[A-Za-z_]\w*\.)*(?P<name>[A-Z]\w*)\(")
"""An expression that makes an object of a class."""
HOLDING: Final = frozenset({"dict", "OrderedDict", "UserDict", "Namespace", "SimpleNamespace"})
"""The bases of classes whose objects keep what they are given under its names."""
_WRAPPING: Final = re.compile(r"(?:DataParallel|\bDDP)\(")
"""What gives an object that calls the one it is given."""
_BEGINNINGS: Final = frozenset({"", "None", "[]", "{}", "()", "list()", "dict()"})
"""What names are given first, to be given something else."""
_NONE: Final = frozenset({"-1", "0", "''", '""'})
"""Values that stand for none, but for `None` itself, which says so."""
_NOTHING: Final = "None"
_IS_GIVEN: Final = re.compile(r"(?P<name>[A-Za-z_]\w*)(?: is not None| != None)")
"""A condition that asks whether something is given."""
_MAIN: Final = "main"
_ATTRIBUTE: Final = re.compile(r"""[.'"]\s*([A-Za-z_]\w*)""")
_OF_TENSORS: Final = frozenset(
    {"data", "weight", "bias", "grad", "shape", "device", "dtype", "requires_grad"}
)
"""Attributes of Tensors and layers, which are no settings but where they are read of settings."""
_WRITTEN: Final = ("option", "configured")
"""How settings are given that have a value, or none."""
_PART: Final = re.compile(r"(?P<owner>[\w.]+)\[(?P<position>\d+)\]")
"""One of the values that a name has."""
_GIVEN: Final = re.compile(r"(?P<function>[\w.]+)\(\)\[(?P<position>\d+)\]")
"""One of the values that a function gives."""
_MOVED: Final = re.compile(r"(?:\w+\.)?(?P<name>\w+)\.(?:cuda|cpu|to|float|double|half|long)\([^()]*\)")
"""The same in another place or type."""
_TORCH: Final = "torch"
_CALLED_BY_OTHERS: Final = frozenset({"forward", "__call__", "__getitem__"})
"""The methods that are called without their names."""
_FORWARD: Final = "forward"
_OF_MODULE: Final = re.compile(r"\((?:[\w.]+\.)?Module\)")
"""The head of a class that derives from torch's module."""
_SELF: Final = "self"
_SCHEDULE: Final = "schedule"
_GROUP: Final = "group"
_DICTIONARY: Final = "dict"
_ALL_OPTIONS: Final = re.compile(r"^\*\*(?:vars\(|.*parse_args\()")
"""How a call is given all options by their names."""
_MORE: Final = "…"
_PARSED: Final = (".parse_args()", ".parse()")
"""How what gives all options ends."""
_Asked = frozenset[tuple[str, str, str]]
"""The names that have been followed, each with its file and function."""


class _Place(NamedTuple):
    """Where a name is read."""

    path: str
    line: int
    scope: str
    classes: tuple[str, ...]


class KnownValues:
    """Looks up what names are: a name in its function and those around it, then where it is imported from, a
    parameter by what calls give for it, `self.x` in its class and the bases of that, what is an attribute of
    anything else (`args.x`), or a key of it, in the module of that name, among options, configuration files,
    and attributes and keys that are set. Of a name that is given an expression in one place alone, that is
    told."""

    def __init__(
        self, files: Sequence[FileAnalysis], project: ProjectFiles, configured: Sequence[SettingEntry] = ()
    ) -> None:
        self._by_name: dict[str, list[SettingEntry]] = {}
        self._by_file: dict[tuple[str, str], list[SettingEntry]] = {}
        for one in [*[one for file in files for one in file.settings], *configured]:
            self._by_name.setdefault(one.name, []).append(one)
            self._by_file.setdefault((one.path, one.name), []).append(one)
        self._all_configured = configured
        self._names_in_files: dict[str, set[str]] = {}
        for one in configured:
            self._names_in_files.setdefault(one.path, set()).add(one.name)
        self._project = project
        self._facts = Catalog.load().migration
        self._bases = {one.name: one.bases for file in files for one in file.classes}
        self.call_sites = CallSites(files, project, configured)
        self._returns: dict[tuple[str, str], list[ReturnEntry]] = {}
        for file in files:
            for given in file.returned:
                self._returns.setdefault((file.path, given.name), []).append(given)
        self._libraries = {
            (file.path, one.bound)
            for file in files
            for one in file.names
            if _is_library(one) and not project.is_module(one.bound, file.path)
        }
        self._evaluations = {(file.path, one) for file in files for one in file.evaluations}
        self._branches = {file.path: file.branches for file in files}
        self._loops = {file.path: file.loops for file in files}
        self._schedule = next(one for one in self._facts.recipe if one.name == _SCHEDULE)
        self._conditions = {
            (file.path, line): condition for file in files for line, condition in file.conditions
        }
        self._in_place_of_none = {file.path: file.in_place_of_none for file in files}
        self._open_classes = {
            call.classes[-1]
            for file in files
            for call in file.calls
            if call.written in _TAKING_ALL and call.classes
        }
        calls = [call for file in files for call in file.calls if call.name.endswith(_GROWING)]
        self._grown_attributes = {
            (one.classes[-1], spelled(last_part(one.written.rpartition(".")[0])))
            for one in calls
            if one.classes and one.written.startswith(f"{_SELF}.") and one.written.count(".") == 2
        }
        self._layers = {
            one.name for file in files for one in file.classes if _OF_MODULE.search(one.code) is not None
        }
        self._changed = {name for file in files for name in file.changed}
        self._rebound = {(file.path, name) for file in files for name in file.rebound}
        self._never_kept = {
            (file.path, spelled(last_part(name)), _number(value))
            for file in files
            for name, value in file.replaced
        }
        imported = {one.name for file in files for one in file.names}
        self._defaults = {(file.path, name) for file in files for name in file.default_names}
        self._defaults = {one for one in self._defaults if one[1] not in imported}
        self._texts = [value for file in files for one in file.calls for _, value in one.arguments]
        self._grown = {(one.path, one.scope, one.written.rpartition(".")[0]) for one in calls}

    def holds(self, entry: RecipeEntry) -> bool:
        """Whether an entry is in force: the default value of a parameter is not, where all calls give it, nor
        that of a class of settings, where all configuration files do."""
        if entry.kind == "assigned" and entry.classes and last_part(entry.scope) == entry.classes[-1]:
            return not self._is_configured(entry)
        if entry.kind == "assigned" and not entry.scope:
            is_other = self._is_replaced(entry) or self._is_read_over(entry)
            return not (is_other or self.is_unused_default(entry.path, entry.code.partition("=")[0].strip()))
        if entry.kind == "option":
            name = entry.parameters[0].name
            here = self._by_file.get((entry.path, name), [])
            options = [one for one in here if one.kind == "option" and one.line == entry.line]
            return not any(self._replaces(one, options) for one in here)
        if entry.kind != "parameter":
            return True
        name = entry.parameters[0].name
        given = list(self.call_sites.arguments_of(entry.path, entry.scope, name))
        return not given or any(
            not source and not (source is None and self._configured(call, name)) for call, source in given
        )

    def is_unused_default(self, path: str, name: str) -> bool:
        """Whether a name of a module only is the default of parameters for which all calls give something."""
        if (path, name) not in self._defaults:
            return False
        all_of_file = [one for (at, _), found in self._by_file.items() if at == path for one in found]
        given = [
            [source for _, source in self.call_sites.arguments_of(path, one.scope, one.name)]
            for one in all_of_file
            if one.kind == "parameter" and one.source == name
        ]
        return any(given) and all(source for sources in given for source in sources)

    def never_holds(self, entry: RecipeEntry) -> bool:
        """Whether an entry is only told where a parameter is given that no call gives, or on a condition that
        constants never meet."""
        if any(self.truth(one.value, entry) is False for one in entry.conditions):
            return True
        asked = [_IS_GIVEN.fullmatch(one.value) for one in entry.conditions]
        return any(self._is_never_given(one["name"], entry) for one in asked if one is not None)

    def truth(self, condition: str, at: RecipeEntry, *, is_anywhere: bool = False) -> bool | None:
        """Whether a condition holds where an entry stands, or `anywhere` in its function, by constants that
        nothing changes; None where that is not known."""
        place = _Place(at.path, at.line, at.scope, at.classes)
        scopes = [one for one in _scopes(at.scope) if one and (is_anywhere or one != at.scope)]

        def value_of(name: str) -> object:
            if any((at.path, f"{scope}.{name}") in self._rebound for scope in scopes):
                raise UnknownError
            return self._constant(name, place, 0)

        return truth_of(condition, value_of)

    def _constant(self, name: str, place: _Place, depth: int) -> object:
        """The value of a name that nothing changes: no option, nor what is counted."""
        if name.isidentifier() and self._is_given_nothing(name, place):
            return None
        found = self._values(name, place, frozenset())
        if not found or depth > _DEEPEST or last_part(name) in self._changed:
            raise UnknownError
        if not all(self._is_constant_value(one) for one in found):
            raise UnknownError
        values = [value_of_expression(one.value, _unknown) for one in found]
        if any(value != values[0] for value in values):
            raise UnknownError
        return values[0]

    def _is_constant_value(self, one: SettingEntry) -> bool:
        if one.kind == "parameter":
            calls = self.call_sites.arguments_of(one.path, one.scope, one.name)
            return last_part(one.scope) not in _CALLED_BY_OTHERS and any(True for _ in calls)
        others = [each for each in self._by_name.get(one.name, ()) if each.owner not in ("", _SELF)]
        is_set = any(each.kind == "assigned" for each in others)
        return one.kind in ("assigned", "keyword") and is_literal(one.value) and not is_set

    def _is_never_given(self, name: str, entry: RecipeEntry) -> bool:
        return self._is_given_nothing(name, _Place(entry.path, entry.line, entry.scope, entry.classes))

    def _is_given_nothing(self, name: str, place: _Place) -> bool:
        """Whether a parameter of a function is None in all calls that are seen, and nothing else there."""
        here = [
            one
            for one in self._by_file.get((place.path, spelled(name)), [])
            if one.scope == place.scope and not one.owner
        ]
        if len(here) != 1 or here[0].kind != "parameter" or here[0].value != _NOTHING:
            return False
        given = [source for _, source in self.call_sites.arguments(place.path, place.scope, name)]
        return bool(given) and all(source in ("", _NOTHING) for source in given)

    def _replaces(self, one: SettingEntry, options: Sequence[SettingEntry]) -> bool:
        """Whether a program gives an option another value, whatever its default is, before the training."""
        own = [option for option in options if option.path == one.path]
        if one.kind != "assigned" or not one.owner or one.owner == _SELF or len(own) != 1:
            return False
        is_first = one.scope in ("", _MAIN, own[0].scope)
        around = self._around(one.path, one.line)
        if own[0].value in _NONE and one.line in self._in_place_of_none.get(one.path, ()):
            around.discard(max(around))
            is_first = True
        is_sure = around <= self._around(one.path, own[0].line)
        copied = self._copied.get((one.path, one.scope, spelled(one.name)), one.line + 1)
        return is_first and is_sure and copied > one.line

    @cached_property
    def _read_always(self) -> set[str]:
        """The configuration files that programs read whose names are written out: what these have replaces
        what the program has."""
        texts = {PurePath(text.strip("\"'")).name for text in self._texts if is_literal(text)}
        paths = {one.path for one in self._all_configured}
        return {one for one in paths if PurePath(one).name in texts} if len(paths) == 1 else set()

    @cached_property
    def _copied(self) -> dict[tuple[str, str, str], int]:
        """The attributes and keys in what names of a function are given, each with the first line."""
        lines: dict[tuple[str, str, str], int] = {}
        for one in [one for given in self._by_name.values() for one in given if one.kind == "assigned"]:
            for name in _ATTRIBUTE.findall(one.source):
                key = (one.path, one.scope, spelled(name))
                lines[key] = min(one.line, lines.get(key, one.line))
        return lines

    def _is_replaced(self, entry: RecipeEntry) -> bool:
        """Whether a constant of a module is always given another value by a program."""
        stem = PurePath(entry.path).stem
        given = self._by_name.get(spelled(entry.name), [])
        return any(
            one.path != entry.path
            and last_part(one.owner) == stem
            and one.kind == "assigned"
            and not self._around(one.path, one.line)
            and entry.code.partition("=")[0].strip() == entry.name
            for one in given
        )

    def _is_read_over(self, entry: RecipeEntry) -> bool:
        """Whether a module gives an attribute of its settings a value which a file that programs read always
        replaces."""
        owner, dot, name = entry.code.partition("=")[0].strip().rpartition(".")
        named = self._by_name.get(spelled(name), []) if dot else []
        return any(
            one.kind == "configured"
            and one.path in self._read_always
            and last_part(one.owner).lower() == last_part(owner).lower()
            for one in named
        )

    def _is_configured(self, entry: RecipeEntry) -> bool:
        """Whether the configuration files that have several names of a class all have this one."""
        own = self._declared.get((entry.path, entry.scope), frozenset())
        files = [names for names in self._names_in_files.values() if len(names & own) > 1]
        return bool(files) and all(entry.parameters[0].name in names for names in files)

    @cached_property
    def _declared(self) -> dict[tuple[str, str], frozenset[str]]:
        """The names that classes give values, each class with its file."""
        found: dict[tuple[str, str], set[str]] = {}
        for one in [one for given in self._by_name.values() for one in given]:
            if one.kind == "assigned" and not one.owner and one.classes:
                found.setdefault((one.path, one.scope), set()).add(one.name)
        return {where: frozenset(names) for where, names in found.items()}

    def explained(self, entry: RecipeEntry) -> RecipeEntry:
        """An entry with what the names in it are known to be."""
        place = _Place(entry.path, entry.line, entry.scope, entry.classes)
        given = [self._explained(one, place) for one in entry.parameters]
        given = [one for one in given if one.known or not one.is_read]
        conditions = [self._explained(one, place) for one in entry.conditions]
        return replace(entry, parameters=given, conditions=conditions)

    def _explained(self, parameter: GivenParameter, place: _Place) -> GivenParameter:
        value = parameter.value
        if parameter.is_default or parameter.known:
            return parameter
        if value.startswith("**") and (unpacked := self._unpacked(last_part(dotted_keys(value[2:])))):
            return _with_known(parameter, _as_pairs(unpacked), [one for one, _ in unpacked])
        if is_dotted_name(dotted_keys(value)):
            found = self._values(value, place, frozenset())
            text = self._alternatives_of(found, place) + self._computed_of(found)
            return _with_known(parameter, text + self._inside(found), found)
        named = [(name, self._values(name, place, frozenset())) for name in _names_in(value)]
        told = [(name, self._alternatives_of(found, place), found) for name, found in named if found]
        read: list[SettingEntry] = []
        computed = self._computed(value, place, read)
        if not told:
            return _with_known(parameter, computed, read) if computed and read else parameter
        *others, last = told
        known = [f"{name} = {text} ({_line(found).place})" for name, text, found in others]
        parts = [*([f"{computed}, with"] if computed else []), ", ".join([*known, f"{last[0]} = {last[1]}"])]
        return _with_known(parameter, " ".join(parts), last[2])

    def _alternatives_of(self, found: Sequence[SettingEntry], place: _Place) -> str:
        """The values that a name may have, each with the condition that its place stands on, but for those
        that constants never meet."""
        plain = _distinct(found)
        if len(plain) == 1 or _MORE in plain:
            return " / ".join(plain)
        kept = [one for one in found if not self._never_runs(one)] or list(found)
        here = self._conditions.get((place.path, place.line), "")
        texts = [self._with_condition(one, here) for one in kept]
        text, without = " / ".join(dict.fromkeys(texts)), _distinct(kept)
        return text if len(without) > 1 and len(text) <= _LONGEST_CHOICE else " / ".join(without)

    def _condition_of(self, one: SettingEntry) -> str:
        """What a name is given its value on."""
        return self._conditions.get((one.path, one.line), "") if one.kind == "assigned" else ""

    def _never_runs(self, one: SettingEntry) -> bool:
        condition = self._condition_of(one)
        at = RecipeEntry(path=one.path, line=one.line, item="", name="", code="", scope=one.scope)
        at.classes = one.classes
        return bool(condition) and self.truth(condition, at) is False

    def _with_condition(self, one: SettingEntry, here: str) -> str:
        condition = self._condition_of(one)
        if not condition or here.startswith(condition):
            return one.value
        value = f"({one.value})" if " if " in one.value else one.value
        return f"{value} if {condition.removeprefix(f'{here} and ')}"

    def _computed(self, value: str, place: _Place, read: list[SettingEntry]) -> str:
        """What an expression comes to, where all that it is computed from is known; what that is, is added
        to what is `read`."""
        try:
            found = value_of_expression(value, lambda name: self._value_of(name, place, read, 0))
        except UnknownError:
            return ""
        text = repr(found)
        return text if len(text) <= _SHORT and not isinstance(found, bool | None) else ""

    def _value_of(self, name: str, place: _Place, read: list[SettingEntry], depth: int) -> object:
        """What a name is, as a value of Python."""
        found = self._values(name, place, frozenset())
        if len(_distinct(found)) != 1 or not found[0].value or depth > _DEEPEST:
            raise UnknownError
        if self._is_filled(name, found[0]):
            raise UnknownError
        there = _place_of(found[0])
        value = value_of_expression(found[0].value, lambda each: self._value_of(each, there, read, depth + 1))
        read.append(found[0])
        return value

    def _is_filled(self, name: str, one: SettingEntry) -> bool:
        """Whether a name begins as a list or table that gets entries later."""
        return one.value.startswith(("[", "{")) and last_part(name) in self._changed

    def _computed_of(self, found: Sequence[SettingEntry]) -> str:
        """What the one expression that a name is comes to."""
        if len(found) != 1 or not found[0].name or is_literal(found[0].value):
            return ""
        text = self._computed(found[0].value, _place_of(found[0]), [])
        return f" = {text}" if text and text != found[0].value else ""

    def _modules(self, name: str, place: _Place) -> set[str]:
        """The files of the module that a name is bound to, or of those that it is given on branches."""
        found = self._project.module_files(name, place.path)
        own = self._by_file.get((place.path, spelled(name)), []) if not found else []
        given = [one.source for one in own if one.kind == "assigned" and not one.owner]
        if given and all(map(str.isidentifier, given)):
            files = [self._project.module_files(one, place.path) for one in given]
            return {path for paths in files for path in paths} if all(files) else set()
        return found

    def _unpacked(self, name: str) -> list[tuple[SettingEntry, str]]:
        """What configuration files have in what has a name, each with the names that it is under there."""
        found = []
        for one in self._all_configured:
            _, is_within, inside = f".{one.owner}.".partition(f".{name}.")
            if is_within and one.value:
                found.append((one, inside))
        return found

    def _inside(self, found: Sequence[SettingEntry]) -> str:
        """What the names in the one expression that a name is are, where all of them are known."""
        if (
            len(found) != 1
            or not found[0].name
            or len(found[0].value) > _LONGEST
            or is_literal(found[0].value)
        ):
            return ""
        names = _names_in(found[0].value)
        told = [(name, self._values(name, _place_of(found[0]), frozenset())) for name in names]
        if not told or not all(_is_one(values) for _, values in told):
            return ""
        if any(self._is_filled(name, values[0]) for name, values in told):
            return ""
        known = [f"{name} = {values[0].value}" for name, values in told]
        return f" ({', '.join(known)})"

    def _values(self, written: str, place: _Place, seen: _Asked) -> list[SettingEntry]:
        dotted = dotted_keys(written)
        asked = (dotted, place.path, place.scope)
        if asked in seen or len(seen) > _DEEPEST:
            return []
        seen |= {asked}
        owner, _, last = dotted.rpartition(".")
        if owner and (place.path, owner.partition(".")[0]) in self._libraries:
            return []
        if not owner:
            here = self._by_file.get((place.path, spelled(last)), [])
            return self._plain(last, [one for one in here if not _is_at(one, place)], place, seen)
        candidates = [one for one in self._by_name.get(spelled(last), []) if not _is_at(one, place)]
        if owner.startswith(f"{_SELF}."):  # what an object has itself is no entry of what it has
            others = [one for one in candidates if place.classes not in (one.classes, ())]
            candidates = [one for one in candidates if one.owner != _SELF or one in others]
        if (kinds := self._kinds(owner, last)) and not any(one.kind == "key" for one in candidates):
            return kinds
        if owner == _SELF:
            own = self._own(candidates, place, seen)
            is_open = not own and self._open_classes.intersection(place.classes[-1:])
            return self._told([one for one in candidates if one.kind in _WRITTEN], seen) if is_open else own
        is_setting = self._facts.is_setting(f"{owner}.{last}")
        if (last in _OF_TENSORS or self._facts.has_own_attributes(owner)) and not is_setting:
            candidates = [one for one in candidates if one.kind not in _WRITTEN]
            if last in _OF_TENSORS or not candidates:
                return []
        if candidates and not is_setting and self._is_other_object(owner, place, seen):
            candidates = [one for one in candidates if one.kind not in _WRITTEN]
        of_class = self._class_of(owner, place, seen) if candidates else ""
        if of_class and not any(one.path == place.path and one.owner == owner for one in candidates):
            own = self._own(candidates, place._replace(classes=(of_class,)), seen)
            if own or not is_setting:
                return own
        if not is_setting and owner != _SELF:
            others = [one for one in candidates if one.path != place.path and self._is_of_network(one)]
            candidates = [one for one in candidates if one not in others]
        for chosen in self._choices(owner, candidates, place):
            if chosen:
                found = self._told(chosen, seen)
                is_own = all(_is_told(one) or self._is_of(one, owner, place) for one in chosen)
                return found if is_own else []
        return []

    def _is_of_network(self, one: SettingEntry) -> bool:
        """Whether a class gives a name a value that is a layer or network: others' names are none of its."""
        waiting, known = list(one.classes[-1:]) if _is_declared(one) else [], set[str]()
        while waiting:
            name = waiting.pop()
            if name in known:
                continue
            known.add(name)
            waiting += self._bases.get(name, ())
        return not self._layers.isdisjoint(known)

    def _kinds(self, owner: str, last: str) -> list[SettingEntry]:
        """Which of several a part of the settings is, in configuration files."""
        part = spelled(last_part(owner))
        named = self._by_name.get(part, []) if spelled(last) in KINDS and "." in owner else []
        return [one for one in named if one.kind == "configured" and last_part(one.owner) == part]

    def made_of(self, name: str, path: str, at: LossCall) -> list[str] | None:
        """The classes of the project that a name is an object of where a call stands; None where it is not
        known what it is."""
        place = _Place(path, at.line, at.scope, at.classes)
        found = self._values(name, place, frozenset()) or self._all_made(name, place)
        if not found or any(not one.value for one in found):
            return None
        if any(_WRAPPING.search(one.value) for one in found):
            return None
        made = [each for one in found for each in WORD.findall(one.value) if each in self._bases]
        is_known = all(_MADE.match(one.value) for one in found)
        return made if made or is_known else None

    def _all_made(self, name: str, place: _Place) -> list[SettingEntry]:
        """What a plain name is given in its function or at the top level, be it in many places, where all of
        them make objects."""
        own = [
            one
            for one in self._by_file.get((place.path, spelled(name)), [])
            if not one.owner and one.kind == "assigned" and one.scope in (place.scope, "")
        ]
        made = [replace(one, value=one.source) for one in own if one.source]
        return made if all(_MADE.match(one.value) for one in made) and len(made) == len(own) else []

    def _is_other_object(self, owner: str, place: _Place, seen: _Asked) -> bool:
        """Whether a name is bound to what gives no settings, as far as that is seen: its attributes are its
        own, whatever options have their names."""
        of_self = owner.startswith(f"{_SELF}.")
        name = owner.removeprefix(f"{_SELF}.")
        if not name.isidentifier() or len(seen) > _DEEPEST:
            return False
        named = [one for one in self._by_name.get(spelled(name), []) if one.path == place.path]
        if of_self:
            own = [one for one in named if one.owner == _SELF and one.classes[-1:] == place.classes[-1:]]
            return bool(own) and all(self._gives_no_settings(one, seen) for one in own)
        own = [one for one in named if not one.owner and one.kind in ("assigned", "parameter")]
        here = next((found for scope in _scopes(place.scope) if (found := _in_scope(own, scope))), [])
        return bool(here) and all(self._gives_no_settings(one, seen) for one in here)

    def _gives_no_settings(self, one: SettingEntry, seen: _Asked) -> bool:
        """Whether what is assigned is no setting, by how it is written."""
        if one.kind != "assigned" or not one.source or self._facts.may_give_settings(one.source):
            return False
        if _GIVEN.fullmatch(one.source) is not None:
            return False
        if any(map(self._facts.keeps_settings, WORD.findall(one.source))):
            return False
        if self._facts.is_setting(f"{one.source}.x"):
            return False
        seen |= {(one.source, one.path, one.scope)}
        is_name = one.source.isidentifier()
        return not is_name or self._is_other_object(one.source, _place_of(one), seen)

    def _class_of(self, owner: str, place: _Place, seen: _Asked) -> str:
        """The class of the project that a name is an object of, where it is made in one place."""
        asked = (owner, place.path, place.scope)
        if "." in owner or asked in seen or len(seen) > _DEEPEST:
            return ""
        named = [one for one in self._by_name.get(spelled(owner), []) if not _is_at(one, place)]
        found = self._plain(owner, named, place, seen | {asked})
        made = _MADE.match(found[0].value) if len(found) == 1 else None
        name = made["name"] if made is not None else ""
        return name if name in self._bases and HOLDING.isdisjoint(self._bases[name]) else ""

    def _is_of(self, one: SettingEntry, owner: str, place: _Place) -> bool:
        """Whether what is computed is what an attribute of an object is: the settings of the project are one
        object, whatever functions call them; others are told apart by their names."""
        if self._facts.is_setting(f"{owner}.x") or one.kind in ("option", "configured"):
            return True
        if not (one.owner or one.scope) and owner.isidentifier() and one.path in self._modules(owner, place):
            return True
        return one.owner == owner and one.path == place.path

    def _told(self, chosen: list[SettingEntry], seen: _Asked) -> list[SettingEntry]:
        """What settings say that a name is: the values, where all are literals; of one alone also that which
        its name is, or its expression."""
        is_none = _is_none(chosen) and (chosen[0].exact or chosen[0].name) not in self._changed
        if all(_is_told(one) for one in chosen) or is_none:
            return chosen
        literal = [one for one in chosen if _is_told(one)]
        computed = [one for one in chosen if not one.value and (one.source or one.kind not in _WRITTEN)]
        if len(computed) != 1 or not computed[0].source:
            return [*literal, *found] if (found := self._followed(self._alternatives(computed), seen)) else []
        one = computed[0]
        if (given := _GIVEN.fullmatch(one.source)) is not None:
            found = self._returned(given, one, seen)
            return [*literal, *found] if found else []
        if (part := _PART.fullmatch(one.source)) is not None and (found := self._part(part, one, seen)):
            return [*literal, *found]
        if is_dotted_name(dotted_keys(one.source)):
            followed = self._values(one.source, _place_of(one), seen)
            return [*literal, *followed] if followed else []
        if len(_distinct(literal)) > 1:
            return []
        if len(one.source) > _LONGEST or one.source.endswith(_PARSED) or one.source in _BEGINNINGS:
            return []
        return [*literal, replace(one, value=one.source)]

    def _followed(self, found: list[SettingEntry], seen: _Asked) -> list[SettingEntry]:
        """What several names are, where each is one value that is written out; else these."""
        if not all(is_dotted_name(dotted_keys(one.value)) for one in found):
            return found
        values = [self._values(one.value, _place_of(one), seen) for one in found]
        return [each[0] for each in values] if all(map(_is_one, values)) else found

    def _alternatives(self, computed: Sequence[SettingEntry]) -> list[SettingEntry]:
        """What several places compute a plain name to be, where each runs on a condition of its own."""
        sources = {one.source for one in computed}
        branches = [self._around(one.path, one.line) for one in computed]
        is_apart = len({min(around, default=None) for around in branches}) == len(computed)
        is_plain = all(not one.owner and one.scope == computed[0].scope for one in computed)
        is_top = all(not (one.owner or one.scope) for one in computed)
        is_of_modules = is_top and len({one.path for one in computed}) == len(computed)
        is_short = all(0 < len(source) <= _LONGEST and not _GIVEN.fullmatch(source) for source in sources)
        is_chosen = is_of_modules or (is_apart and is_plain and all(branches))
        if len(sources) > _MOST_VALUES or not (is_chosen and is_short):
            return []
        return [replace(one, value=one.source) for one in computed]

    def _are_alternatives(self, found: Sequence[SettingEntry]) -> bool:
        """Whether several values are written out, each on another branch of one `if`."""
        innermost = [max(self._around(one.path, one.line), default=None) for one in found]
        branches = {branch for branch in innermost if branch is not None}
        is_one_if = len({branch[2] for branch in branches}) == 1
        return 1 < len(found) == len(branches) and is_one_if and all(map(_is_told, found))

    def _part(self, part: re.Match[str], one: SettingEntry, seen: _Asked) -> list[SettingEntry]:
        """What one of several values is that a name has, where these are written out."""
        found = self._values(part["owner"], _place_of(one), seen)
        elements = _elements(found[0].value) if len(found) == 1 else []
        at = int(part["position"])
        if at >= len(elements):
            return []
        source = elements[at]
        if is_dotted_name(dotted_keys(source)):
            return self._values(source, _place_of(found[0]), seen)
        return [replace(found[0], value=source, name="")]

    def _returned(self, given: re.Match[str], one: SettingEntry, seen: _Asked) -> list[SettingEntry]:
        """What one of several values is that a function of the project gives, at each place where it does."""
        owner, _, last = given["function"].rpartition(".")
        if not owner:
            places = [(one.path, last), *self._project.imported_as(last, one.path)]
        elif owner == _SELF:
            places = [(one.path, f"{name}.{last}") for name in one.classes[-1:]]
        else:
            places = [(path, last) for path in self._project.module_files(owner, one.path)]
        returns = next((self._returns[place] for place in places if place in self._returns), [])
        parts = [self._part_returned(found, int(given["position"]), last, seen) for found in returns]
        return [value for part in parts for value in part] if all(parts) else []

    def _part_returned(self, found: ReturnEntry, at: int, name: str, seen: _Asked) -> list[SettingEntry]:
        """What one of the values is that a `return` gives."""
        if at >= len(found.values):
            return []
        source = found.values[at]
        place = _Place(found.path, found.line, found.name, found.classes)
        if is_literal(source) or not is_dotted_name(dotted_keys(source)):
            value = SettingEntry(
                path=found.path,
                line=found.line,
                cell=found.cell,
                scope=found.name,
                classes=found.classes,
                name=name,
                value=source if len(source) <= _LONGEST else "",
                kind="assigned",
            )
            return [value] if value.value else []
        return self._values(source, place, seen)

    def _plain(
        self,
        name: str,
        candidates: Sequence[SettingEntry],
        place: _Place,
        seen: _Asked,
    ) -> list[SettingEntry]:
        """What a name is that is no attribute: in its function, in those around it, in what it is imported
        from."""
        own = [
            one
            for one in candidates
            if one.path == place.path
            and not one.owner
            and one.kind in ("assigned", "parameter")
            and (one.exact or one.name) == name
        ]
        own = [one for one in own if not _is_moved(one)] or own
        for scope in _scopes(place.scope):
            here = [one for one in own if one.scope == scope]
            if here and scope == place.scope:
                outer = any(one.scope in _scopes(scope) and one.scope != scope for one in own)
                if outer and all(self._is_elsewhere(one.line, place) for one in here):
                    continue  # it has the value that it has around the function
                here = self._reaching(here, place)
            if here:
                given = [one for one in here if one.kind == "parameter"]
                if not given and (place.path, scope, name) in self._grown:
                    return [_with_more(one) for one in self._told(here, seen)]
                if not given:
                    return self._told(here, seen)
                return self._given(given[0], name, seen) if len(here) == 1 else []
        for path, imported in self._project.imported_as(name, place.path):
            there = [
                one
                for one in self._by_name.get(spelled(imported), [])
                if one.path == path
                and not one.scope
                and not one.owner
                and one.kind == "assigned"
                and (one.exact or one.name) == imported
            ]
            if there:
                return self._told(there, seen)
        return []

    def _reaching(self, found: Sequence[SettingEntry], place: _Place) -> list[SettingEntry]:
        """What a name of a function may still be at a place of it, of all that it is given there: not what is
        replaced before, comes later but in a loop, or is given where another branch of an `if` runs."""
        around = self._around(place.path, place.line)
        able = [one for one in found if not self._is_elsewhere(one.line, place) and self._may_be(one, place)]
        sure = [
            one.line
            for one in able
            if one.line < place.line
            and one.kind != "parameter"
            and self._around(one.path, one.line) <= around
        ]
        last = max(sure, default=0)
        reaching = [one for one in able if one.line >= last and not self._is_renewed(one.line, last, place)]
        return reaching or list(found)

    def _may_be(self, one: SettingEntry, place: _Place) -> bool:
        return one.line <= place.line or self._is_repeated(one.line, place)

    def _is_repeated(self, line: int, place: _Place) -> bool:
        """Whether a loop goes through both a line and a place."""
        loops = self._loops.get(place.path, ())
        return any(first <= place.line <= last and first <= line <= last for first, last in loops)

    def _is_renewed(self, line: int, last: int, place: _Place) -> bool:
        """Whether what comes later in a loop is always replaced before the place in the next round."""
        loops = self._loops.get(place.path, ())
        around = [(first, end) for first, end in loops if first <= place.line <= end]
        if any(first <= last <= end < place.line for first, end in loops):
            return False  # a loop before the place may have no round
        both = [first for first, end in around if first <= line <= end]
        return line > place.line and max(both, default=last + 1) <= last

    def _is_elsewhere(self, line: int, place: _Place) -> bool:
        """Whether a line runs where a place does not, nor later."""
        if self._is_repeated(line, place):
            return False
        others = {branch[2]: branch for branch in self._around(place.path, place.line)}
        here = self._around(place.path, line)
        return any(others.get(branch[2], branch) != branch for branch in here)

    def _around(self, path: str, line: int) -> set[tuple[int, int, int]]:
        """The branches that a line is in."""
        return {one for one in self._branches.get(path, ()) if one[0] <= line <= one[1]}

    def _is_in_loop(self, place: _Place) -> bool:
        return any(first <= place.line <= last for first, last in self._loops.get(place.path, ()))

    def _given(self, parameter: SettingEntry, name: str, seen: _Asked) -> list[SettingEntry]:
        """What calls give for a parameter: where some leave it out, or none is seen, also its default."""
        found: list[SettingEntry] = []
        is_left_out = True
        calls = list(self.call_sites.arguments(parameter.path, parameter.scope, name))
        if last_part(parameter.scope) == _FORWARD and all(
            one.written.startswith(f"{_SELF}.") for one, _ in calls
        ):
            return []  # the object is called itself, mostly
        training = [
            one
            for one in calls
            if not self._facts.only_evaluates(last_part(one[0].scope))
            and (one[0].path, one[0].scope) not in self._evaluations
        ]
        for call, source in training or calls:
            is_left_out = False
            if source is None:
                values = self._configured(call, name)
                if not values:
                    return []
                found += values
                continue
            if not source:
                found += self._left_out(parameter, seen)
                continue
            place = _Place(call.path, call.line, call.scope, call.classes)
            if is_literal(source):
                values = [_setting(call, source)]
            elif is_dotted_name(dotted_keys(source)):
                values = [] if self._is_section(source) else self._values(source, place, seen)
            else:
                values = [_setting(call, source, name)] if len(source) <= _LONGEST else []
            if not values:
                return []
            found += values
        if is_left_out:
            found += self._left_out(parameter, seen)
        if all(one.value in _BEGINNINGS for one in found) or any(not one.value for one in found):
            return []
        return found

    def _is_section(self, source: str) -> bool:
        """Whether a configuration file has several settings under a key: that is no value."""
        last = last_part(dotted_keys(source))
        return "[" in source and any(last_part(one.owner) == last for one in self._all_configured)

    def _left_out(self, parameter: SettingEntry, seen: _Asked) -> list[SettingEntry]:
        """What a parameter is that a call leaves out: its default, be it a name of the module, or the option
        of a decorator."""
        here = self._by_file.get((parameter.path, parameter.name), ())
        options = [one for one in here if one.kind == "option" and one.value]
        if options and not parameter.value:
            return options
        if not parameter.value and is_dotted_name(parameter.source):
            outside = _Place(parameter.path, parameter.line, "", ())
            return self._values(parameter.source, outside, seen) or [parameter]
        return [parameter]

    def _configured(self, call: CallEntry, name: str) -> list[SettingEntry]:
        """What configuration files have under a name, for a call that is given all of something by its
        names."""
        named = [
            one for one in self._by_name.get(spelled(name), []) if one.kind == "configured" and one.value
        ]
        found: list[SettingEntry] = []
        if any(_ALL_OPTIONS.search(value) for _, value in call.arguments):
            here = self._by_file.get((call.path, spelled(name)), [])
            for options in (here, self._by_name.get(spelled(name), [])):
                if found := [one for one in options if one.kind == "option" and one.value]:
                    return found
            return []
        for given in [value[2:] for _, value in call.arguments if value.startswith("**")] if named else ():
            last = last_part(dotted_keys(given))
            under = [one for one in named if last_part(one.owner) == last]
            found += under or [one for one in named if not one.owner and given.isidentifier()]
        return found

    def _own(self, candidates: Sequence[SettingEntry], place: _Place, seen: _Asked) -> list[SettingEntry]:
        """What an attribute of `self` is: what methods assign to it, else its class, else the bases."""
        own = [one for one in candidates if one.kind == "assigned" and one.classes]
        waiting, known = list(place.classes[-1:]), set[str]()
        while waiting:
            name = waiting.pop(0)
            if name in known:
                continue
            known.add(name)
            of_class = [one for one in own if one.classes[-1] == name]
            of_class = [one for one in of_class if not _is_moved(one)] or of_class
            assigned = [one for one in of_class if one.owner == _SELF]
            declared = [one for one in of_class if not one.owner and one.scope.rpartition(".")[2] == name]
            for found in (assigned, declared):
                here = [one for one in found if one.path == place.path]
                if here or found:
                    told = self._told(here or found, seen)
                    is_grown = (name, (here or found)[0].name) in self._grown_attributes
                    return [_with_more(one) for one in told] if is_grown else told
            waiting += self._bases.get(name, [])
        return []

    def _sets_rates(self, one: SettingEntry) -> bool:
        """Whether a name is given something in a function that sets learning rates, by its name."""
        return bool(one.scope) and self._schedule.has_function(last_part(one.scope))

    def _is_made_with(self, one: SettingEntry, modules: Set[str]) -> bool:
        """Whether a name is given to what keeps settings, be it by a module of these, or stands in a
        configuration file."""
        if one.kind == "keyword":
            is_of_module = not one.scope and not one.owner and one.path in modules
            return is_of_module or self._facts.keeps_settings(one.callee)
        return one.kind == "configured"

    def _choices(
        self, owner: str, candidates: Sequence[SettingEntry], place: _Place
    ) -> Iterator[list[SettingEntry]]:
        """What an attribute may be, the nearest first."""
        last = owner.rpartition(".")[2]
        candidates = [one for one in candidates if owner == _SELF or not _is_same_of_self(one)]
        within = owner.count(".") + (not owner.startswith(f"{_SELF}.")) > 1
        same = [one for one in candidates if one.owner.rpartition(".")[2].lower() == last.lower()]
        if owner != _SELF and any(one.kind == "assigned" for one in same):
            candidates = [one for one in candidates if one.kind != "assigned" or one.owner != _SELF]
        if within and any(one.kind in ("assigned", "configured", "key") for one in same):
            candidates = same  # cfg.TRAIN.LR is none of cfg.TEST
        options = [one for one in candidates if one.kind == "option"]
        options = [one for one in options if (one.path, one.name, _number(one.value)) not in self._never_kept]
        changed = [
            one
            for one in candidates
            if one.kind == "assigned" and one.owner.rpartition(".")[2] == last and _GROUP not in one.source
        ]
        changed = [one for one in changed if one.scope == place.scope or not self._sets_rates(one)]
        if any(one.path == place.path for one in options):
            changed = [one for one in changed if one.path == place.path]
        inside = [one for one in changed if (one.path, one.scope) == (place.path, place.scope)]
        reaching = self._reaching(inside, place) if inside else []
        others = [one for one in inside if one not in reaching or self._is_elsewhere(one.line, place)]
        changed = [one for one in changed if one not in others]
        replacing = [one for one in changed if self._replaces(one, options)]
        if replacing and not any(one in inside and one.line > place.line for one in replacing):
            options = [one for one in options if one.path != replacing[0].path]
            if all(map(_is_told, changed)):
                yield changed
        if any(not _is_told(one) for one in changed):
            here = [one for one in changed if one.path == place.path] or changed
            own = [one for one in options if one.path == here[0].path]
            own = own if own or replacing else options
            if not own and not replacing:
                modules = self._modules(owner, place) if owner.isidentifier() else set()
                places = {place.path, *[one.path for one in here]}
                imported = {path for each in places for path, _ in self._project.imported_as(last, each)}
                own = [one for one in candidates if self._is_made_with(one, modules | imported)]
                own = own if _is_computed_of_itself(here) else []
            yield [*[one for one in own if _is_told(one)], *here]
        yield [
            one for one in candidates if one.kind == "key" and (one.path, one.owner) == (place.path, owner)
        ]
        modules = self._modules(owner, place) if owner.isidentifier() else set()
        yield [one for one in candidates if not one.scope and not one.owner and one.path in modules]
        yield [one for one in candidates if not one.scope and PurePath(one.path).stem == last]
        if not any(map(_is_told, options)) and self._are_alternatives(changed):
            yield changed
        yield [one for one in options if one.path == place.path]
        around = self._around(place.path, place.line)
        always = [
            one for one in changed if one.path == place.path and self._around(one.path, one.line) <= around
        ]
        before = [one for one in always if one.scope != place.scope or one.line < place.line]
        yield [one for one in (before or always if self._is_in_loop(place) else before) if one.owner == owner]
        yield options
        kept = [one for one in candidates if one.kind == "key" or _is_kept(one)]
        configured = [one for one in candidates if one.kind == "configured"]
        configured += [
            one for one in candidates if one.kind == "keyword" and self._facts.keeps_settings(one.callee)
        ]
        if configured and all(one.path in self._read_always for one in configured):
            yield configured
        yield [*[one for one in kept if configured and one.kind == "assigned" and one in same], *configured]
        if self._facts.is_setting(f"{owner}.x"):
            yield [one for one in kept if _is_declared(one) and self._facts.keeps_settings(one.classes[-1])]
        yield [one for one in kept if one.path == place.path]
        yield kept
        if self._facts.is_setting(f"{owner}.x"):
            made = [one for one in candidates if one.kind == "keyword" and one.callee == _DICTIONARY]
            yield [one for one in made if one.path == place.path]
            yield made
            constants = [one for one in candidates if _is_constant(one)]
            yield constants if len({one.path for one in constants}) == 1 else []


def _with_known(parameter: GivenParameter, known: str, found: Sequence[SettingEntry]) -> GivenParameter:
    return replace(parameter, known=known, at=_line(found)) if found else parameter


def _as_pairs(found: Sequence[tuple[SettingEntry, str]]) -> str:
    """Settings with their names and values, each name once."""
    values: dict[str, list[SettingEntry]] = {}
    for one, inside in found:
        values.setdefault(f"{inside}{one.name}", []).append(one)
    return ", ".join(f"{name} = {' / '.join(_distinct(given))}" for name, given in values.items())


def _elements(source: str) -> list[str]:
    """The values in a tuple or list that is written out."""
    try:
        tree = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []
    if not isinstance(tree, (ast.Tuple, ast.List)) or any(isinstance(one, ast.Starred) for one in tree.elts):
        return []
    return [ast.unparse(one) for one in tree.elts]


def _is_one(found: Sequence[SettingEntry]) -> bool:
    """Whether there is one value, which is written out."""
    return bool(found) and is_literal(found[0].value) and len(_distinct(found)) == 1


def _with_more(one: SettingEntry) -> SettingEntry:
    """A list that gets more items later."""
    return replace(one, value=f"{one.value}, {_MORE}") if one.value else one


def _line(found: Sequence[SettingEntry]) -> CodeLine:
    """The line of the first of several values."""
    return CodeLine(path=found[0].path, line=found[0].line, cell=found[0].cell)


def _setting(call: CallEntry, value: str, name: str = "") -> SettingEntry:
    """What a call gives, as a setting at its line, with the name of what that is given for if the names in
    the value are to be told."""
    return SettingEntry(
        path=call.path,
        line=call.line,
        cell=call.cell,
        scope=call.scope,
        classes=call.classes,
        name=name,
        value=value,
        kind="keyword",
    )


def _place_of(one: SettingEntry) -> _Place:
    return _Place(one.path, one.line, one.scope, one.classes)


def _names_in(expression: str) -> list[str]:
    """The names in an expression, each once, but for the parameters of a `lambda`."""
    own = {name for names in _LAMBDA.findall(expression) for name in WORD.findall(names)}
    own |= {name for names in _FOR_EACH.findall(expression) for name in WORD.findall(names)}
    found = [name for name in _DOTTED.findall(expression) if name.partition(".")[0] not in own]
    return list(dict.fromkeys(found))


def _scopes(scope: str) -> Iterator[str]:
    """A function, and those around it."""
    while True:
        yield scope
        if not scope:
            return
        scope = scope.rpartition(".")[0]


def _in_scope(found: Sequence[SettingEntry], scope: str) -> list[SettingEntry]:
    return [one for one in found if one.scope == scope]


def _is_told(one: SettingEntry) -> bool:
    """Whether a value says what the name is: None is mostly replaced by something, what is empty filled."""
    return one.value not in _BEGINNINGS and one.kind != "parameter"


def _is_none(found: Sequence[SettingEntry]) -> bool:
    """Whether a name is a constant of a module that stands for none."""
    one = found[0] if len(found) == 1 else None
    return one is not None and one.value == "None" and one.kind == "assigned" and not (one.scope or one.owner)


def _is_kept(one: SettingEntry) -> bool:
    """Whether a name is an attribute of something that is no `self`, or of a class."""
    is_group = _GROUP in one.owner  # of the parameters of an optimizer, which is given other values later
    is_owned = bool(one.owner) and one.owner != _SELF and not is_group
    is_local = not one.owner and one.scope.rpartition(".")[2] not in one.classes
    return one.kind == "assigned" and (is_owned or (bool(one.classes) and not is_local))


def _is_same_of_self(one: SettingEntry) -> bool:
    """Whether an object keeps what has the same name elsewhere."""
    return one.owner == _SELF and spelled(last_part(dotted_keys(one.source))) == one.name


def _is_declared(one: SettingEntry) -> bool:
    """Whether a class gives a name a value."""
    return not one.owner and bool(one.classes) and last_part(one.scope) == one.classes[-1]


def _is_constant(one: SettingEntry) -> bool:
    """Whether a module gives a name in capital letters a value."""
    return one.kind == "assigned" and not (one.scope or one.owner) and one.exact.isupper()


def _is_computed_of_itself(found: Sequence[SettingEntry]) -> bool:
    """Whether what attributes are given is computed from what they were."""
    return all(f".{one.name}" in one.source.lower() or f'["{one.name}"]' in one.source for one in found)


def _is_at(one: SettingEntry, place: _Place) -> bool:
    return (one.path, one.line) == (place.path, place.line) and one.kind not in ("option", "parameter")


def _distinct(found: Sequence[SettingEntry]) -> list[str]:
    """The values, each once, the first of them; numbers that are spelled in several ways count as one."""
    told: dict[object, str] = {}
    for one in found:
        told.setdefault(_number(one.value), one.value)
    values = list(told.values())
    return values if len(values) <= _MOST_VALUES else [*values[:_MOST_VALUES], _MORE]


def _number(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text.strip("\"'")


def _is_library(imported: ImportedAs) -> bool:
    """Whether a name is bound to a module as a whole, or to one of torch."""
    return not imported.level and (not imported.name or imported.module.partition(".")[0] == _TORCH)


def _unknown(name: str) -> object:
    raise UnknownError(name)


def _is_moved(one: SettingEntry) -> bool:
    """Whether an attribute is given what it has, in another place or type."""
    moved = _MOVED.fullmatch(one.source)
    return moved is not None and spelled(moved["name"]) == one.name
