"""What functions do for those that call them, also in other files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from mindport.report.analysis.file_code import last_part

if TYPE_CHECKING:
    from mindport.report.analysis.entries import CallEntry, FileAnalysis, RecipeEntry
    from mindport.report.analysis.project_files import ProjectFiles

_SEVERAL_WORDS: Final = re.compile(r"[a-z]+(?:_[a-z\d]+)+")
"""A name that tells enough to be of the only methods that have it."""
_OBJECT: Final = "__call__"
"""The method that an object is called for."""
_Function = tuple[str, str]
"""The path of a function's file and its last name."""


class Reached:
    """Finds the functions that calls lead to, through imports: by their names in the file, as what the file
    imports, or in a file that it imports."""

    def __init__(self, files: Sequence[FileAnalysis], project: ProjectFiles) -> None:
        self._files = files
        self._project = project
        self._defined = {file.path: frozenset(map(last_part, file.defined)) for file in files}
        self._called = {file.path: _called_in(file) for file in files}
        self._methods = {file.path: _methods_of(file) for file in files}

    def entries(
        self,
        told: Sequence[RecipeEntry],
        of: Callable[[FileAnalysis], tuple[Sequence[str], Sequence[RecipeEntry]]],
    ) -> list[RecipeEntry]:
        """Of what functions of each file may do, what those do that are reached from the names of each file,
        each once, but for what is told."""
        known = {(one.path, one.line, one.item) for one in told}
        first = [one for file in self._files for name in of(file)[0] for one in self._meant(name, file.path)]
        found = self._through(first)
        new = {
            (one.path, one.line, one.code): one
            for file in self._files
            for one in of(file)[1]
            if (file.path, _named(one)) in found and (one.path, one.line, one.item) not in known
        }
        return list(new.values())

    def _through(self, first: Sequence[_Function]) -> set[_Function]:
        """These functions and what they call, also through others."""
        found, waiting = set(first), list(first)
        while waiting:
            path, function = waiting.pop()
            for name in self._called[path].get(function, ()):
                for one in self._meant(name, path):
                    if one not in found:
                        found.add(one)
                        waiting.append(one)
        return found

    def _meant(self, name: str, path: str) -> Iterator[_Function]:
        """The functions that a name may be of in a file."""
        if name in self._defined[path]:
            yield path, name
            yield from [(one, name) for one in self._overriding(name, path)]
            return
        imported = [one for one in self._project.imported_as(name, path) if one[1] in self._names_of(one[0])]
        near = self._project.imported_by(path) if not imported else ()
        here = [one for one in near if name in self._names_of(one)]
        yield from imported
        yield from [(one, name) for one in here]
        if not imported and not here and _SEVERAL_WORDS.fullmatch(name):
            only = [
                one for one, found in self._methods.items() if any(name in each for each in found.values())
            ]
            yield from [(one, name) for one in only if len(only) == 1]

    def _overriding(self, name: str, path: str) -> Iterator[str]:
        """The other files that have classes with a method of this name which derive from a class of the file
        that has one, too."""
        owners = {owner for owner, methods in self._methods[path].items() if name in methods}
        waiting = list(owners)
        while waiting:
            owner = waiting.pop()
            for file in self._files:
                for one in file.classes:
                    if owner in one.bases and one.name not in owners:
                        owners.add(one.name)
                        waiting.append(one.name)
                        if file.path != path and name in self._methods[file.path].get(one.name, ()):
                            yield file.path

    def _names_of(self, path: str) -> frozenset[str]:
        return self._defined.get(path, frozenset())


def _methods_of(file: FileAnalysis) -> Mapping[str, frozenset[str]]:
    """The methods with parameters that each class of a file has."""
    found: dict[str, set[str]] = {}
    for one in file.functions:
        if one.classes:
            found.setdefault(one.classes[-1], set()).add(last_part(one.name))
    return {name: frozenset(methods) for name, methods in found.items()}


def _called_in(file: FileAnalysis) -> Mapping[str, Sequence[str]]:
    """What each function of a file calls, or gives to what it calls, by the last names of both."""
    found: dict[str, list[str]] = {}
    for call in file.calls:
        given = [value for _, value in call.arguments if value.isidentifier()]
        found.setdefault(_named(call), []).extend([last_part(call.name), *given])
    return found


def _named(one: RecipeEntry | CallEntry) -> str:
    """The last name of what code runs in: of the class, where its objects are called."""
    name = last_part(one.scope)
    return one.classes[-1] if name == _OBJECT and one.classes else name
