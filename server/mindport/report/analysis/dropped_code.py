"""Code that never runs as constants decide: branches, and the functions that only these call."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from functools import cached_property
from typing import Final

from mindport.report.analysis.entries import FileAnalysis, FunctionCode, RecipeEntry
from mindport.report.analysis.file_code import WORD, last_part
from mindport.report.analysis.function_code import without_branches
from mindport.report.analysis.known_values import KnownValues

_DEFINED: Final = "def "
_Function = tuple[str, str]
"""The path of a function's file, and its name with what it stands in."""


class DroppedCode:
    """Finds the branches of functions whose conditions constants never meet, and the functions that nothing
    else names."""

    def __init__(self, files: Sequence[FileAnalysis], values: KnownValues) -> None:
        self._files = files
        self._values = values

    def without_branches(self, one: FunctionCode) -> FunctionCode:
        """The code of a function without branches that never run."""
        at = RecipeEntry(path=one.path, line=one.line, item="", name="", code="", scope=one.name)
        at.classes = one.classes
        code = without_branches(one.code, lambda text: self._values.truth(text, at, is_anywhere=True))
        return one if code == one.code else replace(one, code=code)

    def is_dropped(self, entry: RecipeEntry) -> bool:
        """Whether an entry stands in a function that only such branches call, or is that."""
        scope = entry.scope
        if entry.code.startswith(_DEFINED):
            scope = f"{scope}.{entry.name}" if scope else entry.name
        return self.is_of_dropped(entry.path, scope)

    def is_of_dropped(self, path: str, function: str) -> bool:
        """Whether a function, or one around it, is called by nothing that runs."""
        while function:
            if (path, function) in self._functions:
                return True
            function = function.rpartition(".")[0]
        return False

    @cached_property
    def _functions(self) -> Set[_Function]:
        """The functions that only code names which never runs."""
        whole = {(one.path, one.name): one for file in self._files for one in file.code if not one.kind}
        dropped: set[str] = set()
        named: dict[_Function, set[str]] = {}
        for file in self._files:
            for each in file.references:
                words = {last_part(name) for name in each.names} | set(each.texts)
                named.setdefault((file.path, each.name), set()).update(words)
            if not file.references:  # such as notebooks
                named[file.path, ""] = {last_part(one.written) for one in file.calls}
        for where, one in whole.items():
            if (less := self.without_branches(one)) is not one and where in named:
                gone = set(WORD.findall(one.code)) - set(WORD.findall(less.code))
                inside = [key for key in named if key[0] == where[0] and _is_within(key[1], where[1])]
                for key in inside:
                    named[key] -= gone
                dropped |= gone
        found: set[_Function] = set()
        while True:
            alive = {word for where, words in named.items() if where not in found for word in words}
            more = {
                where
                for where in whole
                if where not in found and last_part(where[1]) in dropped - alive - _own_words(where, named)
            }
            if not more:
                return found
            found |= more
            dropped |= {word for where in more for word in named.get(where, ())}


def _own_words(where: _Function, named: dict[_Function, set[str]]) -> set[str]:
    """Nothing, where a function is known by what it names: else it may be called by anything."""
    return set() if where in named else {last_part(where[1])}


def _is_within(function: str, around: str) -> bool:
    return function == around or function.startswith(f"{around}.")
