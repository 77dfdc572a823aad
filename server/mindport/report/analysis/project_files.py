"""How the files of a project hang together: which import which, and which programs train."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, TypeVar

from mindport.report.analysis.file_code import ALL, BoundName

if TYPE_CHECKING:
    from mindport.report.analysis.file_analysis import CallEntry, CodeLine, FileAnalysis, RecipeEntry

_INIT: Final = "__init__.py"
_SELF: Final = "self."
_Line = TypeVar("_Line", bound="CodeLine")
_Function = tuple[str, str]
"""The path of a function's file and its last name; the name of what is run at the top level is empty."""


class ProjectFiles:
    """Finds the files that imports lead to, by the paths of all files."""

    def __init__(self, files: Sequence[FileAnalysis]) -> None:
        self._paths = frozenset(file.path for file in files)
        self._names = {file.path: file.names for file in files}

    def imported_as(self, name: str, path: str) -> Iterator[tuple[str, str]]:
        """The files that a file has a name of by its imports, be it through others, with the name there."""
        seen: set[tuple[str, str]] = set()
        waiting = [(path, name)]
        while waiting:
            at, wanted = waiting.pop(0)
            if (at, wanted) in seen:
                continue
            seen.add((at, wanted))
            for one in self._names.get(at, ()):
                if one.bound in (wanted, ALL) and one.name:
                    found = [
                        (source, wanted if one.name == ALL else one.name) for source in self._of(one, at)
                    ]
                    yield from found
                    waiting += found

    def imported_by(self, path: str) -> Iterator[str]:
        """The files that a file imports."""
        for one in self._names.get(path, ()):
            yield from self._of(one, path)
            if one.name not in ("", ALL):
                inside = f"{one.module}.{one.name}" if one.module else one.name
                yield from self._of(one._replace(module=inside, name=""), path)

    def _of(self, imported: BoundName, path: str) -> list[str]:
        """The files that may be the module of an import: of the folders above, the nearest that has one."""
        folder = PurePath(path).parent
        parts = imported.module.split(".") if imported.module else []
        wanted = [PurePath(*parts, _INIT)]
        if parts:
            wanted.append(PurePath(*parts[:-1], f"{parts[-1]}.py"))
        if imported.level:
            above = [folder, *folder.parents][min(imported.level - 1, len(folder.parents)) :][:1]
        else:
            above = [folder, *folder.parents]
        for one in above:
            found = [(one / end).as_posix() for end in wanted]
            known = [end for end in found if end in self._paths]
            if known:
                return known
        return []


def training_parts(files: Sequence[FileAnalysis], project: ProjectFiles) -> list[FileAnalysis]:
    """The files of a project without the programs that do not train, where others do: what evaluates,
    shows, converts or tries something out; and without the functions that nothing names. Of such a file
    that others import, only what runs as a program is left out."""
    training = _training(files)
    if not any(file.is_program and (file.path, "") in training for file in files):
        return list(files)
    imported = {one for file in files for one in project.imported_by(file.path) if one != file.path}
    parts = []
    for file in files:
        if not file.is_program or (file.path, "") in training:
            parts.append(file)
        elif file.path in imported:
            parts.append(_without_main(file))
    mentioned = {name for file in parts for name in file.mentioned}
    return [_without_functions(file, set(file.free) - mentioned) for file in parts]


def _without_functions(file: FileAnalysis, functions: set[str]) -> FileAnalysis:
    """A file without these functions, which nobody calls, as far as the recipe goes."""

    def rest(found: Sequence[RecipeEntry]) -> list[RecipeEntry]:
        return [one for one in found if functions.isdisjoint((one.scope.partition(".")[0], _defined(one)))]

    if not functions:
        return file
    update = {"recipe": rest(file.recipe), "hints": rest(file.hints), "made": rest(file.made)}
    return file.model_copy(update=update)


def _defined(entry: RecipeEntry) -> str:
    """The function of the module that an entry is."""
    return entry.name if entry.code.startswith("def ") and not entry.scope else ""


def _without_main(file: FileAnalysis) -> FileAnalysis:
    """A file without what it does as a program."""

    def rest(found: Sequence[_Line]) -> list[_Line]:
        return [one for one in found if not any(start <= one.line <= end for start, end in file.main)]

    update: dict[str, object] = {
        "recipe": rest(file.recipe),
        "hints": rest(file.hints),
        "made": rest(file.made),
        "settings": rest(file.settings),
        "calls": rest(file.calls),
    }
    return file.model_copy(update=update)


def _training(files: Sequence[FileAnalysis]) -> set[_Function]:
    """The functions that take gradients, and those that call such, by their names."""
    defined = {(file.path, name.rpartition(".")[2]) for file in files for name in file.defined}
    calls = [(call, _around(call)) for file in files for call in file.calls]
    found = {(file.path, name) for file in files for name in file.training}
    names = {name for _, name in found}
    is_changed = True
    while is_changed:
        is_changed = False
        for call, around in calls:
            name = call.name.rpartition(".")[2]
            if around in found or name not in names:
                continue
            is_here = (call.path, name) in defined and call.written.removeprefix(_SELF) == name
            if (call.path, name) in found or not is_here:
                found.add(around)
                names.add(around[1])
                is_changed = True
    return found


def _around(call: CallEntry) -> _Function:
    """The function that a call stands in; a class stands for what makes objects of it."""
    name = call.scope.rpartition(".")[2]
    return call.path, (call.classes[-1] if name == "__init__" and call.classes else name)
