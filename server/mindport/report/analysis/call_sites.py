"""The calls of a project's functions: what they give for a parameter."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from mindport.report.analysis.file_code import ALL, OF_SELF, WORD, last_part, spelled

if TYPE_CHECKING:
    from mindport.report.analysis.entries import CallEntry, FileAnalysis, FunctionEntry, SettingEntry
    from mindport.report.analysis.project_files import ProjectFiles

_INIT: Final = "__init__"
FROM_TABLE: Final = re.compile(r"(?P<table>[A-Za-z_]\w*)(?:(?P<keys>(?:\[[^\[\]]+\])+)|\.get\(.+\))$")
"""A function or class that is chosen from a dictionary to be called."""
OF_FUNCTION: Final = re.compile(r"(?:[A-Za-z_]\w*\.)?(?P<table>[A-Za-z_]\w*)\((?:[^()]|\([^()]*\))*\)")
"""What a function gives, which may be a class or function, to be called."""
_FROM_MODULE: Final = re.compile(
    r"getattr\((?P<module>[A-Za-z_]\w*),\s*(?P<key>.+)\)$"
    r"|(?P<owner>[A-Za-z_]\w*)\.__dict__\[(?P<other>.+)\]$"
)
"""What is chosen by its name from a module."""
_BEGUN: Final = re.compile(r"f?[\"'](?P<text>[A-Za-z_]\w*)(?:%s|\{|[\"']\s*\+)")
"""How a name is put together that begins with a text."""
_OTHER_NAME: Final = re.compile(r"([A-Za-z_][\w.]*)(?: if .+ else ([A-Za-z_][\w.]*))?")
"""A class or function that is given another name, or one of two."""
_CALLED: Final = "__call__"
"""The method that an object is called for."""
_MADE: Final = re.compile(r"(?:[A-Za-z_]\w*\.)*(?P<name>[A-Z]\w*)\(")
"""An expression that makes an object of a class."""
_OWN: Final = ("self", "super()")
_SUPER: Final = "super("
_OF_BASE: Final = ").__init__"
_DEEPEST: Final = 4
"""As many functions are followed that hand on what they are given by name."""


class CallSites:
    """Finds the calls of functions by their names. Where several functions or classes of the project have one
    name, those count that are in the same file, or in one that imports the name."""

    def __init__(
        self,
        files: Sequence[FileAnalysis],
        project: ProjectFiles,
        configured: Sequence[SettingEntry] = (),
    ) -> None:
        self._project = project
        self._functions: dict[tuple[str, str], FunctionEntry] = {}
        self._places: dict[str, set[str]] = {}
        self._calls: dict[str, list[CallEntry]] = {}
        self._importing: dict[str, set[str]] = {}
        for file in files:
            for function in file.functions:
                self._functions[file.path, function.name] = function
                self._places.setdefault(_called(function), set()).add(f"{file.path} {function.name}")
            for call in file.calls:
                self._calls.setdefault(call.name.rpartition(".")[2], []).append(call)
            for name in file.names:
                self._importing.setdefault(name.name, set()).add(file.path)
        self._bound = {(file.path, name.bound) for file in files for name in file.names}
        self._importing_by_name = {file.path for file in files if project.imports_by_name([file])}
        self._tables = {(file.path, name): file.tables for file in files for name, _, _ in file.tables}
        settings = [one for file in files for one in file.settings if one.kind in ("option", "key")]
        self._written: dict[str, list[SettingEntry]] = {}
        for one in [*settings, *configured]:
            if one.value:
                self._written.setdefault(one.name, []).append(one)
        self._words = {word for file in files for word in file.strings}
        self._words |= {one.value.strip("\"'") for one in configured}
        self._texts = {
            (one.path, one.name): one.source
            for file in files
            for one in file.settings
            if one.kind == "assigned" and not one.owner
        }
        self._kept = {
            (one.path, one.scope, one.name): one.source
            for file in files
            for one in file.settings
            if one.kind == "assigned"
            and not one.owner
            and (FROM_TABLE.match(one.source) or OF_FUNCTION.fullmatch(one.source))
        }
        self._other_names: dict[tuple[str, str, str], list[str]] = {}
        for one in [one for file in files for one in file.settings]:
            other = _OTHER_NAME.fullmatch(one.source) if one.kind == "assigned" and not one.owner else None
            if other is not None:
                names = self._other_names.setdefault((one.path, one.scope, one.name), [])
                names += [each for each in other.groups() if each and each not in names]
        self._bases = {one.name: one.bases for file in files for one in file.classes}
        self._objects = _objects(files)
        self._of_objects: dict[str, list[CallEntry]] = {}
        for call in [one for file in files for one in file.calls]:
            for owner in self._objects.get((call.path, spelled(call.written)), ()):
                if last_part(call.written) != owner:
                    self._of_objects.setdefault(owner, []).append(call)
            for chosen in self._chosen(call):
                self._calls.setdefault(chosen.name, []).append(chosen)
            for chosen in self._of_modules(call):
                self._calls.setdefault(chosen.name, []).append(chosen)
            if call.written.isidentifier():
                for chosen in self._meant(call):
                    self._calls.setdefault(chosen.name, []).append(chosen)
            elif call.written.endswith(_OF_BASE):
                for chosen in self._of_base(call):
                    self._calls.setdefault(chosen.name, []).append(chosen)

    def arguments_of(
        self, path: str, function: str, parameter: str
    ) -> Iterator[tuple[CallEntry, str | None]]:
        """The same as `arguments`, of a parameter by its name as settings are compared."""
        found = self._functions.get((path, function))
        names = [name for name, _ in found.parameters if spelled(name) == parameter] if found else []
        if names:
            yield from self.arguments(path, function, names[0])

    def arguments(self, path: str, function: str, parameter: str) -> Iterator[tuple[CallEntry, str | None]]:
        """The calls of a function, each with the source of what it gives for a parameter: empty where it
        leaves that out, None where it does not tell."""
        found = self._functions.get((path, function))
        if found is None:
            return
        for call in self._calls_of(found):
            yield from self._given(call, found, parameter, 0)

    def _given(
        self, call: CallEntry, function: FunctionEntry, parameter: str, depth: int
    ) -> Iterator[tuple[CallEntry, str | None]]:
        """What a call gives for a parameter; where its function hands on what that is given by name, what the
        calls of that give."""
        around = self._functions.get((call.path, call.scope))
        handed = f"**{around.others}" if around is not None and around.others else ""
        rest = [one for one in call.arguments if one[1] != handed]
        given = _given(replace(call, arguments=rest), function, parameter)
        if given != "" or len(rest) == len(call.arguments) or around is None:
            yield call, given
            return
        if parameter in [name for name, _ in around.parameters]:
            yield call, given
            return
        calls = self._calls_of(around) if depth < _DEEPEST else []
        if not calls:
            yield call, None
        others = replace(around, parameters=[*around.parameters, (parameter, "")])
        for one in calls:
            yield from self._given(one, others, parameter, depth + 1)

    def _chosen(self, call: CallEntry) -> Iterator[CallEntry]:
        """What a call may be of that is chosen from a dictionary of the project: a call of each in it."""
        kept = self._kept.get((call.path, call.scope, spelled(call.written)), call.written)
        in_table = FROM_TABLE.match(kept)
        found = in_table or OF_FUNCTION.fullmatch(kept)
        if found is None:
            return
        table, end = found["table"], "" if in_table is not None else "()"
        for path, name in [
            (call.path, f"{table}{end}"),
            *[(path, f"{one}{end}") for path, one in self._project.imported_as(table, call.path)],
        ]:
            for known, scope, names in self._tables.get((path, name), ()):
                is_around = path == call.path and f"{call.scope}.".startswith(f"{scope}.")
                if known == name and (is_around or not scope):
                    for one in names:
                        last = one.rpartition(".")[2]
                        yield replace(call, name=last, written=one, named_in=path)

    def _of_modules(self, call: CallEntry) -> Iterator[CallEntry]:
        """What a call may be of that is chosen by its name from a module of the project: a call of each
        function and class there which can be given the same, and has a name that is known to be asked for,
        or that begins as what is put together, or that stands in texts."""
        chosen = _FROM_MODULE.match(call.written) if call.name.endswith(f".{ALL}") else None
        if chosen is None or not call.arguments:
            return
        key = chosen["key"] or chosen["other"]
        begun = _BEGUN.match(self._texts.get((call.path, spelled(key)), key))
        files = self._project.module_files(chosen["module"] or chosen["owner"], call.path)
        files |= set[str]().union(*map(self._project.all_imported_by, files)) - {call.path}
        found = {
            (path, _called(function))
            for (path, _), function in self._functions.items()
            if path in files
            and function.name in (_called(function), f"{_called(function)}.{_INIT}")
            and _can_be_given(call, function)
        }
        asked = self._asked_for(key, call.path, 0)
        if begun is not None:
            found = {one for one in found if one[1].startswith(begun["text"])}
        elif any(name in asked for _, name in found):
            found = {one for one in found if one[1] in asked}
        else:
            is_open = not asked or "[" not in key
            found = {one for one in found if is_open and one[1] in self._words}
        for path, name in sorted(found):
            yield replace(call, name=name, written=name, named_in=path)

    def _asked_for(self, key: str, path: str, depth: int) -> set[str]:
        """The texts that a key may be, as far as options and configuration files say."""
        if key[:1] in "\"'":
            return {key.strip("\"'")}
        given = self._texts.get((path, spelled(key)), "")
        if key.isidentifier() and given and depth < _DEEPEST:
            return self._asked_for(given, path, depth + 1)
        names = WORD.findall(key)
        named = self._written.get(spelled(names[-1]), []) if names else []
        under = [one for one in named if len(names) > 1 and last_part(one.owner) == spelled(names[-2])]
        return {one.value.strip("\"'") for one in under or named}

    def _meant(self, call: CallEntry) -> Iterator[CallEntry]:
        """What a call is of where that has another name in its function, or is one of two."""
        scope = call.scope
        while (names := self._other_names.get((call.path, scope, spelled(call.written)))) is None and scope:
            scope = scope.rpartition(".")[0]
        for name in names or ():
            yield replace(call, name=last_part(name), written=name)

    def _of_base(self, call: CallEntry) -> Iterator[CallEntry]:
        """What makes the base's part of an object: a call of that class."""
        if call.written.startswith(_SUPER) and call.classes:
            for base in self._bases.get(call.classes[-1], ())[:1]:
                yield replace(call, name=base, written=base)

    def _calls_of(self, function: FunctionEntry) -> list[CallEntry]:
        name = _called(function)
        calls = [one for one in self._calls.get(name, []) if not self._is_of_library(one)]
        if name == _CALLED and function.classes:
            return self._of_objects.get(function.classes[-1], [])
        if not function.classes or function.name.endswith(_INIT):
            calls = [one for one in calls if not one.written.startswith(OF_SELF)]
        else:  # methods are called of something
            calls = [one for one in calls if one.written != name]
        if len(self._places[name]) == 1:
            return calls
        importing = self._importing.get(name, set())
        return [
            one
            for one in calls
            if (_place(one) in importing and one.written == name and self._may_be_of(one, function))
            or self._is_of_star(one, function)
            or self._is_of_module(one, function)
            or (_place(one) == function.path and (not function.classes or _is_of(one, function)))
            or self._may_be_method(one, function)
            or self._may_be_of_named(one, function)
        ]

    def _is_of_library(self, call: CallEntry) -> bool:
        """Whether what is called is a function of a module that the project does not have."""
        owner, dot, _ = call.written.partition(".")
        path = _place(call)
        if not dot or (path, owner) not in self._bound:
            return False
        return not self._project.is_module(owner, path) and not any(self._project.imported_as(owner, path))

    def _may_be_of(self, call: CallEntry, function: FunctionEntry) -> bool:
        """Whether a file imports the name from the function's file, or from none that is known."""
        places = [path for path, _ in self._project.imported_as(call.written, _place(call))]
        return function.path in places or not places

    def _is_of_star(self, call: CallEntry, function: FunctionEntry) -> bool:
        """Whether a file has the name from the function's file by a star import, and none of its own."""
        place = _place(call)
        if call.written != _called(function) or place not in self._importing.get(ALL, ()):
            return False
        if (place, function.name) in self._functions:
            return False
        return function.path in [path for path, _ in self._project.imported_as(call.written, place)]

    def _may_be_method(self, call: CallEntry, function: FunctionEntry) -> bool:
        """Whether what is called may be a method of an object: the caller's file imports the class's."""
        owner, _, _ = call.written.rpartition(".")
        if not function.classes or function.name.endswith(_INIT) or owner in _OWN:
            return False
        return bool(owner) and function.path in self._project.all_imported_by(call.path)

    def _may_be_of_named(self, call: CallEntry, function: FunctionEntry) -> bool:
        """Whether what is called may be of a module that is imported by its name."""
        owner, _, _ = call.written.rpartition(".")
        is_plain = not function.classes and "." not in function.name and owner.isidentifier()
        return is_plain and call.path in self._importing_by_name and (call.path, owner) not in self._bound

    def _is_of_module(self, call: CallEntry, function: FunctionEntry) -> bool:
        """Whether what is called is of the function's file, which the caller's has a name for."""
        module, _, name = call.written.rpartition(".")
        if name != _called(function) or not module.isidentifier() or function.classes:
            return False
        return function.path in self._project.module_files(module, _place(call))


def _objects(files: Sequence[FileAnalysis]) -> dict[tuple[str, str], set[str]]:
    """The names that objects have which something calls, by file and name, with their classes."""
    callable_ = {
        function.classes[-1]
        for file in files
        for function in file.functions
        if last_part(function.name) == _CALLED and function.classes
    }
    found: dict[tuple[str, str], set[str]] = {}
    for one in [one for file in files if callable_ for one in file.settings]:
        made = _MADE.match(one.source) if one.kind == "assigned" else None
        if made is not None and made["name"] in callable_:
            name = f"{one.owner}.{one.name}" if one.owner else one.name
            found.setdefault((one.path, name), set()).add(made["name"])
    return found


def _is_of(call: CallEntry, function: FunctionEntry) -> bool:
    """Whether a call in the same file may be of a method."""
    return function.name.endswith(_INIT) or function.classes == call.classes


def _place(call: CallEntry) -> str:
    """The file that has the name of what is called."""
    return call.named_in or call.path


def _called(function: FunctionEntry) -> str:
    """The name that a function is called by: that of the class, if it is what makes objects of it."""
    name = function.name.rpartition(".")[2]
    return function.classes[-1] if name == _INIT and function.classes else name


def _given(call: CallEntry, function: FunctionEntry, parameter: str) -> str | None:
    names = [name for name, _ in function.parameters]
    if parameter not in names:
        return None  # the receiver
    position = names.index(parameter)
    if 0 <= function.positional <= position:
        position = -1  # it is given by its name
    at = 0
    for name, value in call.arguments:
        if value.startswith("*") or value.endswith("…"):
            return None
        if name == parameter or (not name and at == position):
            return value
        at += not name
    return ""


def _can_be_given(call: CallEntry, function: FunctionEntry) -> bool:
    """Whether a function has what a call gives: the names, and as many without."""
    names = [name for name, _ in function.parameters]
    given = [name for name, _ in call.arguments if name]
    if any(value.startswith("*") for _, value in call.arguments):
        return False
    has_names = bool(function.others) or set(given) <= set(names)
    needed = [name for name, default in function.parameters if not default and name not in given]
    if len(needed) > len(call.arguments) - len(given):
        return False
    return has_names and len(call.arguments) - len(given) <= len(names) - len(set(given) & set(names))


@lru_cache(maxsize=65_536)
def is_literal(source: str) -> bool:
    """Whether an expression is written out."""
    try:
        ast.literal_eval(source)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return False
    return True
