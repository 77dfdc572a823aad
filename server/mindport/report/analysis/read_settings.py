"""Which settings of a project something reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import TYPE_CHECKING, Final

from mindport.catalog.catalog import Catalog
from mindport.report.analysis.file_code import OF_SELF, last_part, spelled

if TYPE_CHECKING:
    from mindport.report.analysis.entries import FileAnalysis, RecipeEntry
    from mindport.report.analysis.project_files import ProjectFiles
    from mindport.report.analysis.training_parts import TrainingParts

_OPTION: Final = "option"
_ASSIGNED: Final = "assigned"


class ReadSettings:
    """Tells settings that something reads from those that are only there: in their file, in those that import
    it, or in what these import; anywhere, where modules are imported by their names. An option is read as an
    attribute, or by its name as a text; where a call is given all settings by their names, also as any other
    name; where it is only put into texts and paths, it is read for items that paths belong to. Of what is a
    constant, be it of a class, an attribute that an object has, or stands in a configuration file, every name
    counts."""

    def __init__(
        self,
        files: Sequence[FileAnalysis],
        entries: Sequence[RecipeEntry],
        project: ProjectFiles,
        training: TrainingParts,
    ) -> None:
        self._training = training
        self._files = {file.path: file for file in files}
        self._project = project
        self._by_functions = {
            one.value.rpartition(".")[2] for entry in entries for one in entry.parameters if one.is_read
        }
        self._is_opened = any(file.is_opened for file in files)
        self._is_anywhere = project.imports_by_name(files)
        self._counting = {item.name for item in Catalog.load().migration.recipe if item.counts}
        self._paths = {item.name for item in Catalog.load().migration.recipe if item.has_paths}
        self._around: dict[str, tuple[set[str], set[str]]] = {}
        self._values: dict[str, tuple[set[str], set[str]]] = {}

    def reads(self, entry: RecipeEntry) -> bool:
        """Whether an entry is no setting, or one that is read."""
        if entry.item in self._counting and self._only_counts_otherwise(entry):
            return False
        if entry.kind == _OPTION:
            name = entry.parameters[0].name
            if self._is_opened:
                return name in self._read_around(entry.path)[1]
            values, texts = self._read_for_values(entry.path)
            return name in values or (name in texts and entry.item in self._paths)
        if entry.kind != _ASSIGNED:
            return True
        target = entry.code.partition(" ")[0].rstrip(":")
        is_declared = bool(entry.classes) and last_part(entry.scope) == entry.classes[-1]
        if target.startswith(OF_SELF) and spelled(target.removeprefix(OF_SELF)) == entry.name:
            return self._is_opened or entry.name in self._read_around(entry.path)[1]
        is_constant = (not entry.scope or is_declared) and spelled(target) == entry.name
        if is_declared and is_constant:
            own = self._files[entry.path].read_plain if entry.path in self._files else ()
            is_read = entry.name in own or entry.name in self._read_around(entry.path)[0]
            return self._is_opened or is_read
        return not is_constant or entry.parameters[0].name in self._read_around(entry.path)[1]

    def _only_counts_otherwise(self, entry: RecipeEntry) -> bool:
        """Whether all that a setting is read for is how often loops go round that train nothing."""
        if entry.kind not in (_OPTION, _ASSIGNED) or not entry.parameters:
            return False
        name = entry.parameters[0].name
        near = [self._files[path] for path in set(self._near(entry.path)) if path in self._files]
        reading = [file for file in near if name in file.read_plain or name in file.read.get("", ())]
        functions = [(file.path, one) for file in reading for one in file.counted_to.get(name, ())]
        is_all = all(name in file.counted_to for file in reading)
        return bool(functions) and is_all and not any(self._training.is_training(*one) for one in functions)

    def reads_configured(self, entry: RecipeEntry) -> bool:
        """Whether a setting of a configuration file is read."""
        if self._is_opened:
            return True
        values, texts = self._read_for_values("")
        is_plain = any(entry.name in file.read_plain for file in self._files.values())
        if entry.name in texts and entry.name not in values and not is_plain:
            return entry.item in self._paths
        return entry.name in self._read_around("")[1]

    def _read_around(self, path: str) -> tuple[set[str], set[str]]:
        """The attributes and keys that may be read of what is set in a file (of none: anywhere), and these
        with all other names."""
        key = "" if self._is_anywhere else path
        if key not in self._around:
            files = [self._files[one] for one in self._near(key) if one in self._files]
            inside = {name for file in files for names in file.read.values() for name in names}
            inside |= self._by_functions
            self._around[key] = inside, inside | {name for file in files for name in file.read_plain}
        return self._around[key]

    def _read_for_values(self, path: str) -> tuple[set[str], set[str]]:
        """The attributes and keys that may be read of what is set in a file, also under other names, and
        those that are only put into texts."""
        key = "" if self._is_anywhere else path
        if key not in self._values:
            files = [self._files[one] for one in self._near(key) if one in self._files]
            names = {name for file in files for name in file.read_for_values} | self._by_functions
            kept = {pair for file in files for pair in file.kept}
            texts = {name for file in files for name in file.read_in_texts}
            self._values[key] = _with_kept(names, kept), _with_kept(texts, kept)
        return self._values[key]

    def _near(self, path: str) -> Iterator[str]:
        if not path:
            yield from self._files
            return
        near = {path}
        for one in self._files:
            imported = self._project.all_imported_by(one)
            if one == path or path in imported:
                near |= {one, *imported}
        yield from near


def _with_kept(names: set[str], kept: Set[tuple[str, str]]) -> set[str]:
    """Names with the settings that they are other names for, also through others."""
    found = set(names)
    while new := {setting for name, setting in kept if name in found} - found:
        found |= new
    return found
