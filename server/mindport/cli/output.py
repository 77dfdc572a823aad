"""Where the results of a command are written."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


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
    """Told apart from errors of files, which are OSErrors too."""
    try:
        yield
    except BrokenPipeError as error:
        raise OutputClosedError from error
    except OSError as error:
        raise OutputFailedError(error.strerror or str(error)) from error
