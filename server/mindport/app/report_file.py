"""The file that a report is written to."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from mindport.language import Text
from mindport.source.error import TextError
from mindport.source.replace_file import Replacement
from mindport.source.unfinished import tidy

if TYPE_CHECKING:
    from typing import IO

_NOT_WRITTEN = Text("Cannot write {path}: {reason}", "无法写入 {path}：{reason}")


class ReportNotWrittenError(TextError):
    """The file cannot be written; it is as it was before."""


class ReportFile:
    """A file in UTF-8, which is there only once it is complete. It is not flushed to disk: it can be made
    again. Raises ReportNotWrittenError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._replacement: Replacement | None = None
        self._file: IO[bytes]

    def __enter__(self) -> ReportFile:
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
        """Write a part."""
        try:
            self._file.write(text.encode(errors="backslashreplace"))
        except OSError as error:
            raise self._refused(error) from error

    def flush(self) -> None:
        """Nothing: the file is there once it is complete."""

    def _refused(self, error: OSError) -> ReportNotWrittenError:
        return ReportNotWrittenError(_NOT_WRITTEN, path=self._path, reason=error.strerror or str(error))


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
