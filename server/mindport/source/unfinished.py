"""Files that are being written beside those whose place they take, and what killed runs left of them.

Their names tell whose they are. Who writes one holds a lock on it, which ends with the process, so that a run
that tidies up can tell what is left over from what is being written, by whatever process.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from filecmp import cmp
from pathlib import Path
from typing import NamedTuple

if sys.platform != "win32":
    import fcntl

_UNFINISHED = ".mindport-unfinished"
_ORIGINAL = ".mindport-original"
_LONGEST_NAME = 200
"""So many bytes of the file's name go into the name of what is beside it."""
_OURS = re.compile(rf"\.(.+)\.[a-z0-9_]{{8}}({re.escape(_UNFINISHED)}|{re.escape(_ORIGINAL)})", re.DOTALL)


class Interrupted(NamedTuple):
    """A file that a run was writing into when it was killed, and the copy of what the file held before."""

    path: Path
    original: Path


def create_unfinished(path: Path) -> tuple[int, Path]:
    """A new file for what is to take the place of `path`: its descriptor and its path. Raises OSError."""
    return _create(path, _UNFINISHED)


def create_original(path: Path) -> tuple[int, Path]:
    """A new file for a copy of what `path` holds, before that is written into. Raises OSError."""
    return _create(path, _ORIGINAL)


def tidy(folder: Path) -> list[Interrupted]:
    """Remove what runs that were killed left in a folder. Copies of files that were being written into stay,
    where the file holds something else: they are the result."""
    return sorted(_tidied(folder))


def _tidied(folder: Path) -> Iterator[Interrupted]:
    try:
        with os.scandir(folder) as entries:
            found = [(folder / entry.name, _OURS.fullmatch(entry.name)) for entry in entries]
    except OSError:
        return  # it is not there, for instance
    for left, match in found:
        if match is None:
            continue
        path = folder / match[1] if match[2] == _ORIGINAL else None
        with suppress(OSError):
            if not _remove_left_over(left, path) and path is not None:
                yield Interrupted(path, left)


def _create(path: Path, suffix: str) -> tuple[int, Path]:
    start = path.name.encode("utf-8", "ignore")[:_LONGEST_NAME].decode("utf-8", "ignore")
    while True:
        handle, name = tempfile.mkstemp(prefix=f".{start}.", suffix=suffix, dir=path.parent)
        if _lock(handle):
            return handle, Path(name)
        os.close(handle)


def _lock(handle: int) -> bool:
    """Take the lock on a new file. Returns whether the file is still there: a run that tidies up may have
    been faster."""
    if sys.platform == "win32":  # a file that is open cannot be removed there
        return True
    with suppress(OSError):  # a file system without locks: nothing is tidied up there
        fcntl.flock(handle, fcntl.LOCK_EX)
    return os.fstat(handle).st_nlink > 0


def _remove_left_over(left: Path, path: Path | None) -> bool:
    """Remove a file of ours that nobody writes. A copy of what `path` held is removed only if `path` holds
    the same. Returns whether there is nothing to tell of it. Raises OSError."""
    if sys.platform == "win32":
        if path is not None and not _same(left, path):
            return False
        left.unlink()
        return True
    handle = os.open(left, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
            return True  # not ours, whatever its name
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if path is not None and not _same(left, path):
            return False
        left.unlink()
        return True
    finally:
        os.close(handle)


def _same(one: Path, other: Path) -> bool:
    return other.is_file() and cmp(one, other, shallow=False)
