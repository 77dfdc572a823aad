"""Which files a run is about, and where in the import system they are."""

from __future__ import annotations

import fnmatch
import os
import re
import stat
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from mindport.language import Text
from mindport.source.decode import MODULE, NOTEBOOK, SourceError, unreadable

_SUFFIXES = (MODULE, NOTEBOOK)
_PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg")
_REPOSITORY_FILES = (".git", "readme", "license", "licence", "requirements")
"""How the names of files begin (in lower case) that are at the top of a repository, not in a package."""
_ONCE_IN_A_REPOSITORY = (".git", "license", "licence", "requirements")
"""The same, of those that folders below it seldom have, too."""


class PathProblem(NamedTuple):
    """A path that was left out, and why."""

    path: Path
    error: SourceError


class Discovery(NamedTuple):
    """The files found, sorted, each once; and the paths that could not be read."""

    files: list[Path]
    problems: list[PathProblem]

    @property
    def total(self) -> int:
        """How many paths these are."""
        return len({*self.files, *(problem.path for problem in self.problems)})


class TooManyFilesError(SourceError):
    """There are more files than a search takes."""


_TOO_MANY = Text(
    "{path} has more than {limit} Python files; the rest are skipped. Exclude folders with the setting "
    "`exclude`, or raise `limit` (0: no limit).",
    "{path} 中的 Python 文件超过 {limit} 个，其余已跳过。可用设置 `exclude` 排除文件夹，或调高 `limit`（"
    "0 表示不限）。",
)
_NOT_OF_DISKS = ("/proc", "/sys", "/dev")
"""What is there are no files, though it looks so."""


def discover(paths: Iterable[Path], exclude: Sequence[str], limit: int = 0) -> Discovery:
    """The Python files that `paths` mean: files as they are, whatever their name, and the `*.py` and
    `*.ipynb` files of folders and their subfolders.

    `exclude` holds patterns as in a shell. A file or subfolder is left out when a pattern matches its name
    or its path relative to the folder of `paths` in which it was found (with `/` between the parts).
    Links are followed where they lead into a folder of `paths`; those that lead out are left out, unless
    they are given in `paths`. Folders that were searched already are not searched again. A file reached in
    several ways is taken once: as given in `paths`, else by its real path, else through a link. What
    cannot be read becomes a problem, and the search goes on. Pipes, sockets and devices are no files. With
    more files than `limit` (0: none), the search ends, and that is a problem (`TooManyFilesError`).
    """
    search = _Search(_exclusion(exclude), _is_python, limit)
    try:
        for path in paths:
            search.add(path)
        search.follow_links()
    except _LimitReachedError:
        pass  # told among the problems
    return Discovery(sorted(search.files.values()), search.problems)


def other_files(paths: Iterable[Path], exclude: Sequence[str]) -> list[Path]:
    """The files in the folders among `paths` that `discover` does not take because they are not Python's."""
    search = _Search(_exclusion(exclude), lambda name: not _is_python(name))
    for path in paths:
        if path.is_dir():
            search.add(path)
    search.follow_links()
    return sorted(search.files.values())


_SCRIPT: Final = re.compile(rb"#!.*\bpython[0-9.]*\s*\n")
"""The first line of a program that Python runs."""


def scripts(paths: Iterable[Path], exclude: Sequence[str]) -> list[Path]:
    """The files without an ending in the folders among `paths` that their first line lets Python run."""
    return [path for path in other_files(paths, exclude) if not path.suffix and _is_script(path)]


def _is_script(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return _SCRIPT.match(file.read(_LONGEST_FIRST_LINE)) is not None
    except OSError:
        return False


_LONGEST_FIRST_LINE: Final = 128


def package_root(path: Path) -> Path:
    """The folder that must be on `sys.path` for the module at `path` to have its full name.

    The first folder without `__init__.py` above the package that holds the file. A folder without
    `__init__.py` still belongs to a package above it in the same project, without a project to one a folder
    or two above; or, below the `src` of a project, to a namespace package, whose root is that `src`.
    """
    root = path.absolute().parent
    project = project_root(path)
    package = _package_around(root, project)
    while package is not None and package.parent != package:
        root = package.parent
        package = _package_around(root, project)
    source = None if project is None else project / "src"
    if source is not None and source in root.parents:
        between = root.relative_to(source).parts
        return source if all(part.isidentifier() for part in between) else root
    return root


def project_root(path: Path) -> Path | None:
    """The nearest folder above `path` that has a pyproject.toml, setup.py or setup.cfg; None without one."""
    for folder in path.absolute().parents:
        if any(os.path.isfile(folder / name) for name in _PROJECT_FILES):  # noqa: PTH113 - also where not allowed
            return folder
    return None


def import_roots(path: Path, folders: Folders | None = None) -> tuple[Path, ...]:
    """The folders in which an absolute import of the module at `path` is looked for, best first.

    Its package root, its own folder if that is no package (a script sees the files beside it), then `src` and
    the top of its project, or without one of its repository, where `python -m scripts.train` is run; last the
    outermost package around it where that is the top of a repository: an `__init__.py` is left there by
    mistake mostly, and what is run from there sees the files beside it; or where its `__init__.py` is empty
    and one of its modules is a program, which sees the files beside it, too. Who asks for many files at once
    does so with the same `folders`.
    """
    folders = folders or Folders()
    roots = [package_root(path)]
    own = path.absolute().parent
    if not _is_package(own):
        roots.append(own)
    project = project_root(path)
    if project is not None:
        roots.extend(folder for folder in (project / "src", project) if folder.is_dir())
    elif (repository := folders.repository(own)) is not None and not _is_package(repository):
        roots.append(repository)
    within = own.relative_to(roots[0]).parts
    if within and _is_looked_in(roots[0] / within[0], own, folders):
        roots.append(roots[0] / within[0])
    return tuple(dict.fromkeys(roots))


def _is_looked_in(outermost: Path, own: Path, folders: Folders) -> bool:
    if not _is_package(outermost):
        return False
    return folders.is_repository(outermost) or (outermost == own and _has_programs(own))


_PROGRAM: Final = re.compile(rb"^if +__name__ *== *['\"]__main__['\"]", re.MULTILINE)
_MOST_READ: Final = 50
"""Of so many modules it is looked at whether one is a program: who keeps programs has few beside them."""


def _has_programs(package: Path) -> bool:
    """Whether a package has an empty `__init__.py`, and a module that is run as a program."""
    try:
        if (package / "__init__.py").read_bytes().strip():
            return False
        modules = sorted(path for path in package.iterdir() if path.suffix == MODULE)
        return any(_PROGRAM.search(path.read_bytes()) for path in modules[:_MOST_READ])
    except OSError:
        return False


_MOST_FOLDERS: Final = 3
"""Where nothing says how far a project reaches, a package is looked for in so many folders: the own one, and
those around it."""


def _is_python(name: str) -> bool:
    return name.endswith(_SUFFIXES)


def _is_package(folder: Path) -> bool:
    return os.path.isfile(folder / "__init__.py")  # noqa: PTH113 - also where not allowed


class Folders:
    """What is in folders, each looked at once."""

    def __init__(self) -> None:
        self._repositories: dict[Path, bool] = {}

    def is_repository(self, folder: Path) -> bool:
        """Whether a folder has what the top of a repository has."""
        found = self._repositories.get(folder)
        if found is None:
            found = self._repositories[folder] = _has_one_of(folder, _REPOSITORY_FILES)
        return found

    def repository(self, folder: Path) -> Path | None:
        """The top of the repository that a folder is in, if that is one of few: the nearest with what is
        there alone, else the nearest that has as much as a `README`."""
        found = [each for each in (folder, *folder.parents)[:_MOST_FOLDERS] if self.is_repository(each)]
        sure = (each for each in found if _has_one_of(each, _ONCE_IN_A_REPOSITORY))
        return next(sure, next(iter(found), None))


def _has_one_of(folder: Path, beginnings: tuple[str, ...]) -> bool:
    """Whether the name of something in a folder begins so, in lower case."""
    try:
        return any(name.lower().startswith(beginnings) for name in os.listdir(folder))  # noqa: PTH208
    except OSError:
        return False


def _package_around(folder: Path, project: Path | None) -> Path | None:
    """`folder` or the nearest folder around it, below the top of the project, that is a package; without a
    project, one of few."""
    most = _MOST_FOLDERS if project is None else max(len(folder.parts) - len(project.parts), 0)
    below = (folder, *folder.parents)[:most]
    return next(filter(_is_package, below), None)


class _Link(NamedTuple):
    path: Path
    relative: str
    """The path relative to the folder given by the caller, as exclusion patterns see it."""


class _LimitReachedError(Exception):
    """No more files are taken."""


class _Search:
    """The state of one call of `discover`."""

    def __init__(
        self, exclusion: re.Pattern[str] | None, wanted: Callable[[str], bool], limit: int = 0
    ) -> None:
        self.files: dict[Path, Path] = {}
        """By real path."""
        self.problems: list[PathProblem] = []
        self._exclusion = exclusion
        self._wanted = wanted
        self._limit = limit
        self._tops: dict[str, Path] = {}
        """The folders that were given, by their real paths."""
        self._searched: set[str] = set()
        """The real paths of folders."""
        self._links: list[_Link] = []

    def add(self, path: Path) -> None:
        """Take a file, or the files of a folder except those behind links."""
        try:
            if path.is_dir():
                self._tops.setdefault(os.path.realpath(path), path)
                self._search_folder(path, "")
            else:
                path.stat()
                self.files[path.resolve()] = path  # what was given is taken, however many there are
        except OSError as error:
            self.problems.append(PathProblem(path, unreadable(path, error)))
        except ValueError:  # a NUL character in the path
            self.problems.append(PathProblem(path, unreadable(path, FileNotFoundError())))

    def follow_links(self) -> None:
        """Take the files behind the links met so far and behind those met on the way, unless they lead out
        of the folders that were given."""
        for link in self._links:  # grows meanwhile
            try:
                if not self._is_inside(link.path):
                    continue
                if link.path.is_dir():
                    self._search_folder(link.path, link.relative + "/")
                elif self._wanted(link.path.name) and stat.S_ISREG(link.path.stat().st_mode):
                    self._take(link.path.resolve(), link.path)
            except OSError as error:  # it leads nowhere, or in a circle
                self.problems.append(PathProblem(link.path, unreadable(link.path, error)))

    def _is_inside(self, link: Path) -> bool:
        real = os.path.realpath(link)
        return any(os.path.commonpath((real, top)) == top for top in self._tops)

    def _take(self, real: Path, path: Path) -> None:
        """Take a file that was found. Raises _LimitReachedError."""
        if real in self.files:
            return
        if self._limit and len(self.files) >= self._limit:
            top = next(iter(self._tops.values()))
            self.problems.append(PathProblem(top, TooManyFilesError(_TOO_MANY, path=top, limit=self._limit)))
            raise _LimitReachedError
        self.files[real] = path

    def _search_folder(self, top: Path, relative_top: str) -> None:
        """Take the files below `top`, whose own path for patterns is `relative_top` (empty, or with a slash
        at its end); put links aside."""
        waiting = [(top, relative_top)]
        while waiting:
            folder, prefix = waiting.pop()
            real = os.path.realpath(folder)
            if real in self._searched:
                continue
            self._searched.add(real)
            for entry in self._entries(folder):
                relative = prefix + entry.name
                path = folder / entry.name
                if self._is_excluded(entry.name, relative) and not _is_inner_package(path):
                    continue
                if entry.is_symlink():
                    self._links.append(_Link(path, relative))
                elif entry.is_dir(follow_symlinks=False):
                    if os.path.join(real, entry.name) not in _NOT_OF_DISKS:  # noqa: PTH118 - for every folder
                        waiting.append((path, relative + "/"))
                elif self._wanted(entry.name) and entry.is_file(follow_symlinks=False):
                    self._take(Path(real) / entry.name, path)

    def _entries(self, folder: Path) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self.problems.append(PathProblem(folder, unreadable(folder, error)))
            return []

    def _is_excluded(self, name: str, relative: str) -> bool:
        pattern = self._exclusion
        return pattern is not None and bool(pattern.match(name) or pattern.match(relative))


_WRITTEN_BY_TOOLS: Final = ("build", "dist")
"""Folders that tools write what they make into."""


def _is_inner_package(path: Path) -> bool:
    """Whether a folder that has such a name is a package within a package, which no tool writes."""
    return path.name in _WRITTEN_BY_TOOLS and all(_is_package(folder) for folder in (path, path.parent))


def _exclusion(patterns: Sequence[str]) -> re.Pattern[str] | None:
    """One expression for all patterns. `**/name` also means `name` at the top, `name/` means `name`."""
    plain = [pattern.removeprefix("./").rstrip("/") for pattern in patterns]
    plain += [pattern.removeprefix("**/") for pattern in plain if pattern.startswith("**/")]
    expressions = [fnmatch.translate(pattern) for pattern in plain if pattern]
    return re.compile("|".join(expressions)) if expressions else None
