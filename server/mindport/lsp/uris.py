"""URIs of documents and the paths they mean."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from pygls.uris import to_fs_path

_MOST = 1024
"""Of so many URIs it is kept what they mean: every message has one."""


@lru_cache(maxsize=_MOST)
def file_of(uri: str) -> Path | None:
    """The file or folder that a URI means; None where there is none (`untitled:`, a notebook's cell)."""
    try:
        path = to_fs_path(uri)
    except ValueError:  # not a URI
        return None
    return Path(path) if path and "\0" not in path else None


def is_uri(text: str) -> bool:
    """Whether a text is a URI, of whatever kind."""
    try:
        to_fs_path(text)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=_MOST)
def path_of(uri: str) -> str:
    """What the engine calls the document: the path of its file, or else the URI itself."""
    file = file_of(uri)
    return uri if file is None else str(file)
