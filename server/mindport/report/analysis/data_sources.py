"""Where the batches of a training come from: the statements that give what its loops go over, back through
names, parameters and attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from mindport.report.analysis.entries import FunctionCode, SourceEntry

if TYPE_CHECKING:
    from mindport.report.analysis.call_sites import CallSites
    from mindport.report.analysis.entries import FileAnalysis, RecipeEntry

_DEEPEST: Final = 6
"""As many names are followed, one to the next."""
_SELF: Final = "self."
_NAME: Final = re.compile(r"(?<![\w.\"'])(?:self\.)?[A-Za-z_]\w*")
_Node = tuple[str, str, str]
"""The path of a file, a function by its name with those around it, and a name there."""

_Asked = tuple[str, str, Sequence[str], str, int]
"""A name where it is read: the file, the function, the classes around, the name and the line."""


class DataSources:
    """Follows what loops that train go over."""

    def __init__(self, files: Sequence[FileAnalysis], call_sites: CallSites) -> None:
        self._call_sites = call_sites
        self._given: dict[_Node, list[SourceEntry]] = {}
        self._parameters = {
            (one.path, one.name): {name for name, _ in one.parameters}
            for file in files
            for one in file.functions
        }
        for file in files:
            for one in file.statements:
                for name in one.targets:
                    self._given.setdefault(
                        (file.path, self._place(one.scope, one.classes, name), name), []
                    ).append(one)

    @staticmethod
    def _place(scope: str, classes: Sequence[str], name: str) -> str:
        """Where a name is: attributes of an object are those of its class."""
        return f"{'.'.join(classes)}." if name.startswith(_SELF) else scope

    def of(self, step: FunctionCode) -> list[tuple[str, SourceEntry]]:
        """The statements that give what a step goes over, each with its file."""
        return self._followed([(step.path, step.name, step.classes, name, step.line) for name in step.given])

    def of_entry(self, entry: RecipeEntry) -> list[tuple[str, SourceEntry]]:
        """The statements that give what an entry is given."""
        names = {name for one in entry.parameters for name in _NAME.findall(one.value)}
        return self._followed([(entry.path, entry.scope, entry.classes, name, entry.line) for name in names])

    def of_arguments(self, path: str, function: str) -> list[tuple[str, SourceEntry]]:
        """The statements of the same functions that give what calls give for the parameters of a function."""
        found: dict[tuple[str, int], tuple[str, SourceEntry]] = {}
        for parameter in self._parameters.get((path, function), ()):
            for call, source in self._call_sites.arguments(path, function, parameter):
                names = _NAME.findall(source or "")
                given = self._followed(
                    [(call.path, call.scope, call.classes, name, call.line) for name in names]
                )
                found.update({(at, one.line): (at, one) for at, one in given if one.scope == call.scope})
        return [found[key] for key in sorted(found)]

    def statements(self, entry: RecipeEntry, name: str) -> Sequence[SourceEntry]:
        """The statements that give a name something where an entry stands."""
        node = (entry.path, self._place(entry.scope, entry.classes, name), name)
        return _before(self._statements(node), entry.scope, entry.line)

    def _followed(self, first: Sequence[_Asked]) -> list[tuple[str, SourceEntry]]:
        found: dict[tuple[str, int], tuple[str, SourceEntry]] = {}
        seen: set[_Node] = set()
        waiting = list(first)
        for _ in range(_DEEPEST):
            now, waiting = waiting, []
            for path, scope, classes, name, line in now:
                node = (path, self._place(scope, classes, name), name)
                if node in seen:
                    continue
                seen.add(node)
                for one in _before(self._statements(node), scope, line):
                    found[path, one.line] = (path, one)
                    waiting += [(path, one.scope, one.classes, each, one.line) for each in one.reads]
                waiting += list(self._of_parameter(path, scope, name))
        return [found[key] for key in sorted(found)]

    def _statements(self, node: _Node) -> list[SourceEntry]:
        path, scope, name = node
        while True:
            if (found := self._given.get((path, scope, name))) is not None or not scope:
                return found or []
            if name in self._parameters.get((path, scope), ()):
                return []
            scope = "" if scope.endswith(".") else scope.rpartition(".")[0]

    def _of_parameter(self, path: str, scope: str, name: str) -> Iterator[_Asked]:
        """The names in what calls give for a parameter."""
        if name in self._parameters.get((path, scope), ()):
            for call, source in self._call_sites.arguments(path, scope, name):
                for each in _NAME.findall(source or ""):
                    yield call.path, call.scope, call.classes, each, call.line


def _before(given: Sequence[SourceEntry], scope: str, line: int) -> Sequence[SourceEntry]:
    """The statements of a function that stand before a line, where any do."""
    return [one for one in given if one.scope == scope and one.line <= line] or given
