"""How much of a project a process may keep in memory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mindport.scan.tasks import ScanFile, file_size

LEAST_BYTES_KEPT: Final = 8 * 1024 * 1024
"""So much source is kept on every machine."""
_MEMORY_OF_A_BYTE: Final = 50
"""A process takes about so many bytes of memory for each byte of source that it keeps."""
_SHARE: Final = 4
"""All processes of a scan together fill a part of the memory, one of so many. What they load because it is
imported comes on top."""
_LIMITS: Final = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Where Linux says how much a container may have; each is a number, or a word where there is no limit."""


def are_large(files: Sequence[ScanFile]) -> bool:
    """Whether a process may be unable to keep what is known of all files."""
    return sum(file_size(file.path) for file in files) > LEAST_BYTES_KEPT


def bytes_kept(processes: int) -> int:
    """How much source each of so many processes may keep."""
    return max(LEAST_BYTES_KEPT, memory() // _SHARE // _MEMORY_OF_A_BYTE // processes)


def memory() -> int:
    """The memory of this machine, or of the container, in bytes; 0 where it cannot be told."""
    try:
        physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows has none
        return 0
    return min([physical, *filter(None, map(_limit, _LIMITS))])


def _limit(path: str) -> int:
    """A limit of memory; 0 where there is none."""
    try:
        text = Path(path).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return 0
    return int(text) if text.isdigit() else 0
