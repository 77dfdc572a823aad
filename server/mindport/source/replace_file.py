"""Writing a file whole: it holds what it held before, or all of the new content."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

USUAL_PERMISSIONS = 0o644
_LONGEST_PREFIX = 100
"""Of the file's name, as much goes into that of the temporary file beside it."""


def replace_file(path: Path, parts: Iterable[bytes], permissions: int = USUAL_PERMISSIONS) -> None:
    """Let the file at `path`, new or not, hold `parts` one after the other, in one step that succeeds or
    leaves it as it was. Raises OSError, and whatever making the parts raises."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:_LONGEST_PREFIX]}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(parts)
        temporary.chmod(permissions)
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
