"""How the files of a project hang together: which import which."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from mindport.report.analysis.file_code import ALL, ImportedAs, last_part
from mindport.source.decode import PACKAGE_FILE

if TYPE_CHECKING:
    from mindport.report.analysis.entries import CallEntry, FileAnalysis

_IMPORTING: Final = (
    "__import__",
    "import_module",
    "iter_modules",
    "walk_packages",
    "load_source",
    "spec_from_file_location",
)
"""How functions end that import modules by their names."""
_MODULE: Final = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
"""The name of a module that is no relative one."""


class ProjectFiles:
    """Finds the files that imports lead to, by the paths of all files."""

    def __init__(self, files: Sequence[FileAnalysis]) -> None:
        self._paths = frozenset(file.path for file in files)
        self._names = {file.path: file.names for file in files}
        self._defining = frozenset(file.path for file in files if file.defined or file.settings)
        self._parts = {part for file in files for part in PurePath(file.path).with_suffix("").parts}
        self._functions = {(file.path, one.name): one for file in files for one in file.functions}
        self._calls: dict[str, list[CallEntry]] = {}
        for one in [one for file in files for one in file.calls]:
            self._calls.setdefault(last_part(one.written), []).append(one)
        self._imported: dict[str, Sequence[str]] = {}
        self._all_imported: dict[str, set[str]] = {}
        self._modules: dict[tuple[str, str], frozenset[str]] = {}
        self._by_end: dict[str, list[str]] = {}
        for path in self._paths:
            place = PurePath(path)
            end = place.parent.name if place.name == PACKAGE_FILE else place.stem
            self._by_end.setdefault(end, []).append(path)

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

    def imported_by(self, path: str) -> Sequence[str]:
        """The files that a file imports."""
        if path not in self._imported:
            self._imported[path] = tuple(dict.fromkeys(self._imports(path)))
        return self._imported[path]

    def _imports(self, path: str) -> Iterator[str]:
        for one in self._names.get(path, ()):
            yield from self._of(one, path)
            if one.name not in ("", ALL):
                inside = f"{one.module}.{one.name}" if one.module else one.name
                yield from self._of(one._replace(module=inside, name=""), path)

    def files_of(self, imported: ImportedAs, path: str) -> Sequence[str]:
        """The files that may be the module of an import."""
        return self._of(imported, path)

    def is_module(self, name: str, path: str) -> bool:
        """Whether a file has a name for a file or package of the project."""
        return bool(self.module_files(name, path))

    def module_files(self, name: str, path: str) -> set[str]:
        """The files that a file has a name for as a module, be it through others."""
        if (name, path) not in self._modules:
            places = [(path, name), *self.imported_as(name, path)]
            found = {file for at, wanted in places for file in self._own_modules(wanted, at)}
            self._modules[name, path] = frozenset(found)
        return set(self._modules[name, path])

    def _own_modules(self, name: str, path: str) -> Iterator[str]:
        for one in self._names.get(path, ()):
            if one.bound == name:
                inside = ".".join(filter(None, (one.module, one.name)))
                yield from self._of(one._replace(module=inside, name=""), path)

    def imports_by_name(self, files: Sequence[FileAnalysis]) -> bool:
        """Whether modules are imported by their names in one of these files."""
        found = [one for file in files for one in file.calls if one.name.endswith(_IMPORTING)]
        return any(not self._is_of_library(one) for one in found)

    def _is_of_library(self, call: CallEntry) -> bool:
        """Whether a call imports modules by texts that are none of the project's: it, or all calls of its
        function give these."""
        name = call.arguments[0][1] if call.arguments else ""
        texts = [name]
        if name.isidentifier():
            function = self._functions.get((call.path, call.scope))
            given = [one for one, _ in function.parameters] if function is not None else []
            calls = self._calls.get(call.scope, ()) if name in given else ()
            at = given.index(name) if name in given else 0
            texts = [value for one in calls for value in _given_at(one, name, at)]
        return bool(texts) and all(map(self._is_other_module, texts))

    def _is_other_module(self, text: str) -> bool:
        """Whether a text that is written out names a module of which the project has nothing."""
        is_text = text[:1] in "\"'" and bool(_MODULE.fullmatch(text.strip("\"'")))
        return is_text and text.strip("\"'").partition(".")[0] not in self._parts

    def all_imported_by(self, path: str) -> set[str]:
        """The files that a file imports, be it through others."""
        if path not in self._all_imported:
            self._all_imported[path] = self._imported_through(path)
        return self._all_imported[path]

    def _imported_through(self, path: str) -> set[str]:
        found: set[str] = set()
        waiting = [path]
        while waiting:
            for one in self.imported_by(waiting.pop()):
                if one not in found:
                    found.add(one)
                    waiting.append(one)
        return found

    def _of(self, imported: ImportedAs, path: str) -> list[str]:
        """The files that may be the module of an import, which is never the file itself: of the folders
        above, the nearest that has one."""
        folder = PurePath(path).parent
        parts = imported.module.split(".") if imported.module else []
        wanted = [PurePath(*parts, PACKAGE_FILE)]
        if parts:
            wanted.append(PurePath(*parts[:-1], f"{parts[-1]}.py"))
        if imported.level:
            above = [folder, *folder.parents][min(imported.level - 1, len(folder.parents)) :][:1]
        else:
            above = [folder, *folder.parents]
        for one in above:
            found = [(one / end).as_posix() for end in wanted]
            known = [end for end in found if end in self._paths and end != path]
            if known and any(self._has_something(one) for one in known):
                return known
            if known:
                others = self._somewhere(parts) if parts else []
                return [*known, *[one for one in others if one not in known]]
        return self._somewhere(parts) if parts and not imported.level else []

    def _has_something(self, path: str) -> bool:
        """Whether a file is more than the mark of a package: it imports or defines something."""
        return bool(self._names.get(path)) or path in self._defining

    def _somewhere(self, parts: Sequence[str]) -> list[str]:
        """The files whose paths end as a module has it: code may put their folder on Python's path."""
        ends = {"/" + PurePath(*parts[:-1], f"{parts[-1]}.py").as_posix()}
        ends.add("/" + PurePath(*parts, PACKAGE_FILE).as_posix())
        return sorted(path for path in self._by_end.get(parts[-1], ()) if path.endswith(tuple(ends)))


def _given_at(call: CallEntry, name: str, at: int) -> list[str]:
    """What a call gives for a parameter, by its name or place; what is no text where that is not seen."""
    named = [value for one, value in call.arguments if one == name]
    plain = [value for one, value in call.arguments if not one]
    return named or plain[at : at + 1] or [""]
