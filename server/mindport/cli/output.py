"""Where the results of a command are written."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from mindport.cli.console import UsageError
from mindport.language import Language, Text
from mindport.source.replace_file import Replacement
from mindport.source.unfinished import tidy

if TYPE_CHECKING:
    from typing import IO

_NOT_WRITTEN = Text("Cannot write {path}: {reason}", "无法写入 {path}：{reason}")


class OutputClosedError(Exception):
    """Nobody reads standard output any more (`mindport ... | head`)."""


class OutputFailedError(Exception):
    """Standard output cannot be written; the message is the reason (a full disk, for instance)."""


class StandardOutput:
    """Results on standard output, in UTF-8 if `is_utf8`, else as the terminal wants them."""

    def __init__(self, is_utf8: bool) -> None:
        self._bytes = getattr(sys.stdout, "buffer", None) if is_utf8 else None

    def __enter__(self) -> StandardOutput:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def write(self, text: str) -> None:
        """Write a part. Raises OutputClosedError, OutputFailedError."""
        with _told_as_closed():
            if self._bytes is not None:
                self._bytes.write(text.encode())
            else:
                sys.stdout.write(text)

    def flush(self) -> None:
        """See to it that all of it is out. Raises OutputClosedError, OutputFailedError."""
        with _told_as_closed():
            (self._bytes or sys.stdout).flush()


@contextmanager
def _told_as_closed() -> Iterator[None]:
    """The library for command lines ends the run itself at a BrokenPipeError: it must not see one."""
    try:
        yield
    except BrokenPipeError as error:
        raise OutputClosedError from error
    except OSError as error:
        raise OutputFailedError(error.strerror or str(error)) from error


class FileOutput:
    """Results in a file, in UTF-8. The file is there only once it is complete. It is not flushed to disk: it
    can be made again."""

    def __init__(self, path: Path, language: Language) -> None:
        self._path = path
        self._language = language
        self._replacement: Replacement | None = None
        self._file: IO[bytes]

    def __enter__(self) -> FileOutput:
        """Raises UsageError when the file cannot be written."""
        try:
            if self._path.exists() and not self._path.is_file():  # such as /dev/null
                self._file = self._path.open("wb")
            else:
                tidy(self._path.parent)
                permissions = None if self._path.exists() else 0o666 & ~_umask()
                self._replacement = Replacement(self._path, permissions, is_flushed=False)
                self._file = self._replacement.file
        except OSError as error:
            raise self._refused(error) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raises UsageError when the file cannot be written."""
        try:
            if self._replacement is None:
                self._file.close()
            elif kind is None:
                with _freed_later(self._path):
                    self._replacement.commit()
        except OSError as failure:
            raise self._refused(failure) from failure
        finally:
            if self._replacement is not None:
                self._replacement.end()

    def write(self, text: str) -> None:
        """Write a part. Raises UsageError when that fails."""
        try:
            self._file.write(text.encode(errors="backslashreplace"))
        except OSError as error:
            raise self._refused(error) from error

    def flush(self) -> None:
        """Nothing: the file is there once it is complete."""

    def _refused(self, error: OSError) -> UsageError:
        reason = error.strerror or str(error)
        return UsageError(_NOT_WRITTEN.render(self._language, path=self._path, reason=reason))


@contextmanager
def _freed_later(path: Path) -> Iterator[None]:
    """Let the file that is replaced meanwhile be freed by a thread. It takes 12 ms for 8 MB on some file
    systems, and nobody need wait for it."""
    try:
        replaced = os.open(path, os.O_RDONLY) if os.name == "posix" else None
    except OSError:
        replaced = None  # there is none, for instance
    try:
        yield
    finally:
        if replaced is not None:
            threading.Thread(target=os.close, args=(replaced,)).start()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
