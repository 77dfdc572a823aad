"""Changing several files, all or none."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from mindport.source.replace_file import replace_file
from mindport.source.unfinished import tidy


class FileChange(NamedTuple):
    """What a file holds before and afterwards; None where it does not exist."""

    path: Path
    before: bytes | None
    after: bytes | None


class ChangedMeanwhileError(Exception):
    """A file is not any more what it was when the changes were planned. Its argument is the path."""


def read(path: Path) -> bytes | None:
    """What a file holds; None where it does not exist. Raises OSError where it cannot be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def carry_out(changes: Sequence[FileChange]) -> None:
    """Make all changes. Folders are made where needed, and removed where a file that goes leaves them empty.

    Where one fails, those made before are undone, and the error is raised: OSError, or ChangedMeanwhileError.
    """
    made: list[FileChange] = []
    folders: list[Path] = []
    for folder in {change.path.parent for change in changes}:
        tidy(folder)
    try:
        for change in changes:
            if read(change.path) != change.before:
                raise ChangedMeanwhileError(change.path)
            folders += _make_folders(change.path.parent)
            _put(change.path, change.after)
            made.append(change)
    except BaseException:
        for change in reversed(made):
            _make_folders(change.path.parent)
            _put(change.path, change.before)
        for folder in reversed(folders):
            with suppress(OSError):
                folder.rmdir()
        raise


def remove_empty(folder: Path) -> None:
    """Remove a folder if it is there and nothing is in it."""
    with suppress(OSError):
        folder.rmdir()


def _make_folders(folder: Path) -> list[Path]:
    """Make a folder and those above it; the ones that are new, from the top."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir()
    return missing[::-1]


def _put(path: Path, content: bytes | None) -> None:
    """Let a file hold `content`, in one step that succeeds or leaves it as it was."""
    if content is None:
        path.unlink(missing_ok=True)
        return
    replace_file(path, [content])
