"""What is looked at: files, folders and documents that are open, and for each the settings of its folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.project.discover import Discovery
    from mindport.project.setting_table import Settings


Made = TypeVar("Made")


class Folder(NamedTuple):
    """A folder of the workspace with the settings in force for it. `path` is None where there are none."""

    path: Path | None
    settings: Settings


class Analyse(Protocol):
    """Looks at a document. Findings belong to the thread of the session that they are of."""

    def __call__(self, make: Callable[[FileFindings], Made]) -> Made:
        """What `make`, called on that thread, makes of what is found. Raises TextError where the document
        cannot be looked at."""
        ...


class OpenDocument(NamedTuple):
    """A document, or a notebook, that is open in an editor: its URI, what it is called, its text as it is now
    (None for a notebook), and what looks at it."""

    uri: str
    path: str
    text: bytes | None
    analyse: Analyse


class RequestPart(NamedTuple):
    """The files that share settings: those on disk, and those that are open."""

    settings: Settings
    files: Discovery
    documents: Sequence[OpenDocument]

    @property
    def total(self) -> int:
        """How many entries come of it."""
        return self.files.total + len(self.documents)


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
class Request:
    """These files and folders, and these documents that are open, are to be looked at. Whatever else is in
    `open_files` is taken from there, by path. There is at least one of `folders`."""

    folders: Sequence[Folder]
    paths: Sequence[Path]
    documents: Sequence[OpenDocument]
    open_files: Mapping[str, OpenDocument]

    def parts(self) -> list[RequestPart]:
        """Find the files. Takes long for many; on any thread."""
        roots: dict[int, list[Path]] = {}
        for root in self._roots():
            roots.setdefault(self._folder_of(root), []).append(root)
        named: dict[int, dict[str, OpenDocument]] = {}
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

    def _part(self, number: int, roots: Sequence[Path], named: Mapping[str, OpenDocument]) -> RequestPart:
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
        return RequestPart(settings, Discovery(closed, found.problems), list(documents.values()))


def innermost(folders: Sequence[Path | None], path: Path) -> int:
    """The number of the innermost folder that is `path` or is around it; else of the first one."""
    around = [
        (len(folder.parts), -number)
        for number, folder in enumerate(folders)
        if folder is not None and path.is_relative_to(folder)
    ]
    return -max(around)[1] if around else 0
