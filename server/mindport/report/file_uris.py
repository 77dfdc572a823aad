"""Paths of files as URIs: relative to a folder where they are below it."""

from __future__ import annotations

import os.path
from pathlib import Path
from urllib.parse import quote


def relative_uri(path: str, folder: str) -> str | None:
    """The URI of `path` (absolute, or relative to `folder`) relative to `folder`; None if it is not below."""
    absolute = os.path.normpath(Path(folder) / path)
    try:
        relative = Path(absolute).relative_to(os.path.normpath(folder))
    except ValueError:
        return None
    return _quoted(relative.as_posix())


def file_uri(path: str, folder: str) -> str:
    """The `file:` URI of `path` (absolute, or relative to `folder`)."""
    absolute = Path(os.path.normpath(Path(folder) / path)).as_posix()
    return f"file://{'' if absolute.startswith('/') else '/'}{_quoted(absolute)}"


def _quoted(path: str) -> str:
    """A name that is not valid Unicode is quoted by the bytes that it stands for."""
    return quote(path.encode(errors="surrogateescape"), safe="/:")
