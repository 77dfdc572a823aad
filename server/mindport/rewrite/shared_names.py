"""The imported names that a document reads, where only parts of it are converted: what the parts read becomes
MindSpore's, what is read elsewhere stays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from mindport.rewrite.import_removals import exports_all
from mindport.rewrite.spelling import stands_for

if TYPE_CHECKING:
    from mindport.index.definitions import ImportName
    from mindport.rewrite.import_removals import IsTaken
    from mindport.rewrite.whole import WholeFile
    from mindport.uses.analysis import Analysis

_STAR: Final = "*"


def is_converted(name: ImportName, whole: WholeFile) -> bool:
    """Whether an imported name is torch's, or one of another library that has a helper."""
    library = (name.module or name.name).partition(".")[0]
    if name.level or library in whole.own:
        return False
    return whole.program.needs_torch(library) or whole.program.helper(stands_for(name)) is not None


class SharedNames:
    """The imported names of one document of which parts are converted."""

    def __init__(self, analysis: Analysis, whole: WholeFile, is_taken: IsTaken) -> None:
        self._analysis = analysis
        self._whole = whole
        self._is_taken = is_taken
        self._spelled: Sequence[tuple[int, int]] = ()

    def reads(self, spelled: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, ImportName]]:
        """Where converted parts read a name whose import has to stay, for others read it, too; but for what
        stands in the spans `spelled`. With what imports it."""
        self._spelled = spelled
        by_name = {name.bound: name for name in self._imports()}
        for start, end, name in self._every_read():
            imported = by_name.get(name)
            if imported is None or not self._whole.converts(start) or self._is_spelled(start):
                continue
            if not self.is_only_converted(imported):
                yield start, end, imported

    def is_only_converted(self, name: ImportName) -> bool:
        """Whether converted parts read a name, and nobody else does."""
        if name.name == _STAR or name.bound not in self._left_inside:
            return False
        is_elsewhere = any(
            read == name.bound and not self._whole.converts(start) for start, _, read in self._every_read()
        )
        is_package = self._analysis.document.uri.endswith("__init__.py")
        return not (is_elsewhere or is_package or self._is_taken(name.bound, exports_all(self._analysis)))

    def helper(self, name: ImportName) -> str | None:
        """The helper that an imported name becomes."""
        helper = self._whole.program.helper(stands_for(name))
        return None if helper is None or "." in helper else helper

    @cached_property
    def _left_inside(self) -> frozenset[str]:
        """The names that converted parts read beside what findings are spelled by."""
        return frozenset(
            name
            for start, _, name in self._every_read()
            if self._whole.converts(start) and not self._is_spelled(start)
        )

    def _is_spelled(self, offset: int) -> bool:
        return any(start <= offset < end for start, end in self._spelled)

    def _imports(self) -> Iterable[ImportName]:
        for block in self._analysis.blocks:
            yield from (name for name in block.imports if is_converted(name, self._whole))

    def _every_read(self) -> Iterator[tuple[int, int, str]]:
        for block in self._analysis.blocks:
            for read in block.found.reads:
                yield block.start + read.start, block.start + read.end, read.name
