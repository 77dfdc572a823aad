"""From what the graph compiler says of converted code to the line of the code that it was converted from."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final, NamedTuple

_PLACE: Final = re.compile(r"In file (?P<path>[^\n]+?):(?P<line>\d+)")
"""How MindSpore 2.10 names places: `# 0 In file /path/net.py:21~24, 8~16`, the innermost last."""


class SourceLine(NamedTuple):
    """A line (from 1) of a file, and what stands there."""

    path: str
    line: int
    text: str


def source_line(said: str, original: Path, converted: Path) -> SourceLine | None:
    """The line of the `original` program that an error about the `converted` one is about: the innermost of
    those that it names which were converted from one. None, where it names none."""
    for match in reversed(list(_PLACE.finditer(said))):
        path = Path(match["path"])
        if not path.is_relative_to(converted):
            continue
        inside = path.relative_to(converted)
        before, after = original / inside, converted / inside
        if before.is_file() and after.is_file():
            return _origin(before, after, inside, int(match["line"]))
    return None


def _origin(before: Path, after: Path, inside: Path, line: int) -> SourceLine | None:
    old = before.read_text(encoding="utf-8", errors="replace").splitlines()
    new = after.read_text(encoding="utf-8", errors="replace").splitlines()
    for _, old_start, old_end, new_start, new_end in SequenceMatcher(None, old, new, False).get_opcodes():
        if new_start <= line - 1 < new_end and old_end > old_start:
            at = min(old_start + line - 1 - new_start, old_end - 1)
            return SourceLine(inside.as_posix(), at + 1, old[at].strip())
    return None
