"""Writing a file whole: it holds what it held before, or all of the new content.

The new content is written beside the file and flushed to disk, then takes its place in one step. It takes
over the owner, the permissions and the extended attributes of the file that was there. A file with several
hard links is written into instead, so that all of them stay one file, with a copy of what it held beside it
until that is done.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO

from mindport.source.unfinished import create_original, create_unfinished

_USUAL_PERMISSIONS = 0o644
_SPECIAL_PERMISSIONS = stat.S_ISUID | stat.S_ISGID
_AT_ONCE = 1024 * 1024
_OF_THE_CONTENT = ("security.ima", "security.evm")
"""Extended attributes that seal what a file holds: they would be wrong for anything else."""


def replace_file(path: Path, parts: Iterable[bytes], permissions: int | None = None) -> None:
    """Let the file at `path`, new or not, hold `parts` one after the other; see `Replacement`. Raises
    OSError, and whatever making the parts raises."""
    replacement = Replacement(path, permissions)
    try:
        replacement.file.writelines(parts)
        replacement.commit()
    finally:
        replacement.end()


class Replacement:
    """What is to take the place of the file at `path`, new or not, or of the one that it is a link to. It is
    written to `file`, takes the place with `commit`, and is gone with `end` unless it did.

    `permissions` are those that the file gets; without them it keeps its own. `is_flushed` says whether it
    must survive a power failure right after `commit`. All methods raise OSError.
    """

    def __init__(self, path: Path, permissions: int | None = None, is_flushed: bool = True) -> None:
        self._path = Path(os.path.realpath(path)) if path.is_symlink() else path
        self._permissions = permissions
        self._is_flushed = is_flushed
        handle, self._beside = create_unfinished(self._path)
        self._is_there = True
        self.file: IO[bytes] = os.fdopen(handle, "w+b")

    def commit(self) -> None:
        """Let the file hold what was written. Afterwards it is all there, or all as it was."""
        before = _status(self._path)
        self._flush(self.file)
        if before is not None and before.st_nlink > 1:
            self._write_into()
            if self._permissions is not None:
                self._path.chmod(self._permissions)
            return
        self._take_over(before)
        if sys.platform == "win32":  # what is open cannot be moved there
            self.file.close()
        self._beside.replace(self._path)
        self._is_there = False
        if self._is_flushed:
            _flush_folder(self._path.parent)

    def end(self) -> None:
        """Leave nothing behind."""
        with suppress(OSError):
            self.file.close()
        if self._is_there:
            self._is_there = False
            with suppress(OSError):
                self._beside.unlink()

    def _flush(self, file: IO[bytes]) -> None:
        file.flush()
        if self._is_flushed:
            os.fsync(file.fileno())

    def _take_over(self, before: os.stat_result | None) -> None:
        """Give the new file what belongs to the one that was there."""
        permissions = self._permissions
        if before is None:
            self._beside.chmod(_USUAL_PERMISSIONS if permissions is None else permissions)
            return
        has_owner = _copy_owner(before, self._beside)
        _copy_attributes(self._path, self._beside)
        mode = stat.S_IMODE(before.st_mode) if permissions is None else permissions
        self._beside.chmod(mode if has_owner else mode & ~_SPECIAL_PERMISSIONS)

    def _write_into(self) -> None:
        """Write into the file itself, with a copy of what it held beside it."""
        target = os.open(self._path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        try:
            handle, original = create_original(self._path)
            with os.fdopen(handle, "w+b") as copy:
                has_begun = False
                try:
                    with os.fdopen(os.dup(target), "rb") as held:
                        shutil.copyfileobj(held, copy)
                    self._flush(copy)
                    _flush_folder(self._path.parent)
                    has_begun = True
                    self._overwrite(target, self.file)
                except BaseException:
                    if has_begun:
                        self._overwrite(target, copy)  # where that fails as well, the copy stays
                    _remove(copy, original)
                    raise
                _remove(copy, original)
        finally:
            os.close(target)

    def _overwrite(self, target: int, source: IO[bytes]) -> None:
        source.seek(0)
        os.lseek(target, 0, os.SEEK_SET)
        length = 0
        while rest := source.read(_AT_ONCE):
            length += len(rest)
            while rest:
                rest = rest[os.write(target, rest) :]
        os.ftruncate(target, length)
        if self._is_flushed:
            os.fsync(target)


def _status(path: Path) -> os.stat_result | None:
    """The status of a file; None for what does not exist or is no file."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def _remove(file: IO[bytes], path: Path) -> None:
    if sys.platform == "win32":  # what is open cannot be removed there
        file.close()
    path.unlink()


def _copy_owner(before: os.stat_result, path: Path) -> bool:
    """Give a file its owner and group, as far as that is permitted. Returns whether it has them."""
    if sys.platform == "win32":
        return True
    now = path.stat()
    if (now.st_uid, now.st_gid) == (before.st_uid, before.st_gid):
        return True
    for owner in (before.st_uid, -1):
        with suppress(PermissionError):
            os.chown(path, owner, before.st_gid)
            return owner != -1 or now.st_uid == before.st_uid
    return False


def _copy_attributes(source: Path, path: Path) -> None:
    """Give a file the extended attributes of another one, access control lists among them, as far as that is
    permitted. Python can do that on Linux only."""
    if sys.platform != "linux":
        return
    with suppress(OSError):  # a file system without them
        for name in os.listxattr(source):
            if name not in _OF_THE_CONTENT:
                with suppress(OSError):
                    os.setxattr(path, name, os.getxattr(source, name))


def _flush_folder(folder: Path) -> None:
    """See to it that the names in a folder survive a power failure, where that can be asked for."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
