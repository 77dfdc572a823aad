"""Where converted files go: to their own places, or into a folder that mirrors the tree."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.language import Text
from mindport.source.decode import unreadable
from mindport.source.error import TextError
from mindport.source.replace_file import replace_file
from mindport.source.unfinished import Interrupted, tidy

if TYPE_CHECKING:
    from mindport.app.convert_file import ConvertedFile

_WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH

_NOT_WRITTEN = Text("Cannot write {path}: {reason}", "无法写入 {path}：{reason}")
_READ_ONLY = Text(
    "Not written: {path} is read-only. Make it writable first.",
    "未写入：{path} 是只读文件。请先取消只读。",
)
_LEADS_OUTSIDE = Text(
    "Not changed: {path} is a link to a file outside the given paths. To convert that file, add its path.",
    "未修改：{path} 是链接，指向所给路径之外的文件。若要转换，请同时给出该文件的路径。",
)
_IS_SOURCE = Text(
    "Not written: {path} is one of the files to convert. Use --in-place to change it.",
    "未写入：{path} 本身就是待转换的文件。若要修改，请使用 --in-place。",
)
_EXISTS = Text(
    "Not written: {path} already exists. Use --force to overwrite it.",
    "未写入：{path} 已存在。若要覆盖，请使用 --force。",
)
_NO_FILE = Text(
    "Not written: {path} exists but is not a file.",
    "未写入：{path} 已存在，但不是文件。",
)


class NotWrittenError(TextError):
    """A file was not written. Everything is as it was before."""


class InPlace:
    """Writes converted files over their sources, behind links where they are links."""

    def __init__(self, given: Iterable[Path]) -> None:
        self._given = [path.resolve() for path in given]

    def target(self, path: Path) -> Path:
        """The file that is changed."""
        return path.resolve()

    def write(self, file: ConvertedFile) -> bool:
        """Write a file if it changes; says whether it was written. Raises NotWrittenError."""
        if file.rewritten is None:
            return False
        target = self.target(Path(file.path))
        if not file.is_helpers and not any(target.is_relative_to(given) for given in self._given):
            raise NotWrittenError(_LEADS_OUTSIDE, path=target)
        if not file.is_helpers or target.exists():
            _check_writable(target)
        _replace(target, file.rewritten.content)
        return True


class IntoFolder:
    """Writes all files, also those that do not change, into `folder`, at their places relative to `base`.
    `sources` are the files that are converted: none of them is ever written to."""

    def __init__(self, folder: Path, base: Path, sources: Collection[Path], force: bool) -> None:
        self._folder = folder
        self._base = base
        self._sources = {source.resolve() for source in sources}
        self._force = force

    def target(self, path: Path) -> Path:
        """Where the file goes."""
        return self._folder / os.path.relpath(path, self._base)

    def write(self, file: ConvertedFile) -> bool:
        """Write a file, as it is if it was not converted; says whether something was written: not, where the
        same is there already. Raises NotWrittenError, or SourceError if it cannot be read."""
        path = Path(file.path)
        target = self.target(path)
        content = file.rewritten.content if file.rewritten is not None else _content(path)
        if target.parent.resolve() / target.name in self._sources or target.resolve() in self._sources:
            raise NotWrittenError(_IS_SOURCE, path=target)
        if self._is_there(target, content):
            return False
        _replace(target, content, path if path.exists() else None)  # helpers have no source
        return True

    def _is_there(self, target: Path, content: bytes) -> bool:
        """Whether the file is there with this content. Raises NotWrittenError if another one is."""
        if not target.exists():
            return False
        if not target.is_file():
            raise NotWrittenError(_NO_FILE, path=target)
        with suppress(OSError):
            if target.read_bytes() == content:
                return True
        if not self._force:
            raise NotWrittenError(_EXISTS, path=target)
        _check_writable(target)
        return False


def tidied(destination: InPlace | IntoFolder, files: Iterable[Path]) -> list[Interrupted]:
    """Remove what runs that were killed left where these files go; see `tidy`."""
    folders = sorted({destination.target(file).parent for file in files})
    return [each for folder in folders for each in tidy(folder)]


def base_of(given: Sequence[Path]) -> Path:
    """The folder around all paths: of one folder, itself. Raises ValueError where there is none (on Windows,
    for paths on several drives)."""
    absolute = [Path(os.path.abspath(path)) for path in given]  # noqa: PTH100 - links stay, `..` goes
    return Path(os.path.commonpath([path if path.is_dir() else path.parent for path in absolute]))


def without_output(files: Iterable[Path], given: Iterable[Path], output: Path) -> list[Path]:
    """The files without those that an earlier run has put into `output`, a folder below one of `given`."""
    folder = output.resolve()
    meant = [path for path in (each.resolve() for each in given) if path.is_relative_to(folder)]
    kept = []
    for file in files:
        real = file.resolve()
        if not real.is_relative_to(folder) or any(real.is_relative_to(path) for path in meant):
            kept.append(file)
    return kept


def _content(path: Path) -> bytes:
    """Raises SourceError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error


def _check_writable(path: Path) -> None:
    """Replacing a file needs no permission to write to it: who took that away shall be heard all the same."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise _refused(path, error) from error
    if not mode & _WRITE_BITS or not os.access(path, os.W_OK):
        raise NotWrittenError(_READ_ONLY, path=path)


def _replace(target: Path, content: bytes, like: Path | None = None) -> None:
    """Write a file at once or not at all, with the permissions of the file `like`, if one is given. Raises
    NotWrittenError."""
    try:
        mode = None if like is None else stat.S_IMODE(like.stat().st_mode)
        target.parent.mkdir(parents=True, exist_ok=True)
        replace_file(target, [content], mode)
    except OSError as error:
        raise _refused(target, error) from error


def _refused(path: Path, error: OSError) -> NotWrittenError:
    return NotWrittenError(_NOT_WRITTEN, path=path, reason=error.strerror or str(error))
