"""Which settings of a project something reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mindport.report.analysis.entries import FileAnalysis, RecipeEntry

_OPTION: Final = "option"


class ReadSettings:
    """Tells settings that something reads from those that are only there. An option is read as an attribute,
    or by its name as a text; where a call is given all settings by their names, also as any other name. Of
    what is a constant or stands in a configuration file, every name counts."""

    def __init__(self, files: Sequence[FileAnalysis], entries: Sequence[RecipeEntry]) -> None:
        self._inside = {name for file in files for names in file.read.values() for name in names}
        self._inside |= {
            one.value.rpartition(".")[2] for entry in entries for one in entry.parameters if one.is_read
        }
        self._all = self._inside | {name for file in files for name in file.read_plain}
        self._is_opened = any(file.is_opened for file in files)

    def reads(self, entry: RecipeEntry) -> bool:
        """Whether an entry is no setting, or one that is read."""
        if entry.kind == _OPTION:
            return entry.parameters[0].name in (self._all if self._is_opened else self._inside)
        is_constant = entry.kind == "assigned" and not entry.scope and entry.code.startswith(f"{entry.name} ")
        return not is_constant or entry.parameters[0].name in self._all

    def reads_configured(self, entry: RecipeEntry) -> bool:
        """Whether a setting of a configuration file is read."""
        return self._is_opened or entry.name in self._all
