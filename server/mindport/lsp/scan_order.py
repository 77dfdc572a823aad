"""What a scan is about: its files, and for each the settings of its folder and where its text is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mindport.lsp.folders import Folder, innermost

if TYPE_CHECKING:
    from mindport.lsp.documents import Snapshot
    from mindport.project.discover import Discovery
    from mindport.project.setting_table import Settings


class ScanPart(NamedTuple):
    """The files that share settings: those on disk, and those that are open in the editor."""

    settings: Settings
    files: Discovery
    documents: Sequence[Snapshot]


@dataclass(frozen=True)
class ShownPaths:
    """How people know files: by their path in their folder of the workspace, with the folder's name in front
    where there are several; with `/` between the parts."""

    folders: tuple[Path | None, ...]

    def of(self, path: str) -> str:
        """The path of a file, as it is shown."""
        folder = self.folders[innermost(self.folders, Path(path))]
        if folder is None or not Path(path).is_relative_to(folder):
            return path
        inside = Path(path).relative_to(folder)
        return (inside if len(self.folders) == 1 else Path(folder.name) / inside).as_posix()


@dataclass(frozen=True)
class ScanRequest:
    """A scan that is asked for: of these files and folders, and of these documents that are open. Whatever
    else of it is in `open_files` is taken from there, by path."""

    folders: Sequence[Folder]
    paths: Sequence[Path]
    documents: Sequence[Snapshot]
    open_files: Mapping[str, Snapshot]

    def parts(self) -> list[ScanPart]:
        """Find the files. Takes long for many; on any thread."""
        roots: dict[int, list[Path]] = {}
        for root in self._roots():
            roots.setdefault(self._folder_of(root), []).append(root)
        named: dict[int, dict[str, Snapshot]] = {}
        for document in self.documents:
            named.setdefault(self._folder_of(Path(document.path)), {})[document.path] = document
        return [
            self._part(number, roots.get(number, ()), named.get(number, {}))
            for number in sorted({*roots, *named})
        ]

    def shown_paths(self) -> ShownPaths:
        """How its files are called."""
        return ShownPaths(tuple(folder.path for folder in self.folders))

    def _roots(self) -> Iterable[Path]:
        """Where to search: in each folder with its own settings, those inside another one's, too."""
        known = [folder.path for folder in self.folders if folder.path is not None]
        for path in self.paths:
            yield path
            yield from (folder for folder in known if path in folder.parents)

    def _folder_of(self, path: Path) -> int:
        return innermost([folder.path for folder in self.folders], path)

    def _part(self, number: int, roots: Sequence[Path], named: Mapping[str, Snapshot]) -> ScanPart:
        from mindport.project.discover import Discovery, discover

        settings = self.folders[number].settings
        found = discover(roots, settings.exclude, settings.limit)
        documents = dict(named)
        closed = []
        for file in found.files:
            path = str(file)
            if self._folder_of(file) != number:
                continue  # another part's
            if path in self.open_files:
                documents.setdefault(path, self.open_files[path])
            elif path not in documents:
                closed.append(file)
        return ScanPart(settings, Discovery(closed, found.problems), list(documents.values()))
