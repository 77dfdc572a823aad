"""Names of PyTorch's APIs that are values in configuration files: programs import them by their texts
(`_target_: torch.optim.Adam`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.catalog.helper_table import HELPERS_MODULE

if TYPE_CHECKING:
    from mindport.rewrite.whole import WholeProgram

SUFFIXES: Final = frozenset({".cfg", ".ini", ".json", ".toml", ".yaml", ".yml"})
"""The ends of the names of configuration files."""
MOST_BYTES: Final = 1_000_000
"""What is larger is data, and no configuration."""
_VALUE: Final = re.compile(
    rb"""(?:[:=\[{,]|^[ \t]*-)[ \t]*(?P<quote>["']?)"""
    rb"""(?P<name>torch(?:\.[A-Za-z_]\w*)+)(?P=quote)(?=[ \t]*(?:[,\]}\r\n]|[ \t]#|\Z))""",
    re.MULTILINE,
)
_COMMENT: Final = re.compile(rb"[ \t]*[#;]")


class Renamed(NamedTuple):
    """A configuration file with other names, and the helpers that it names."""

    content: bytes
    helpers: frozenset[str]
    number: int
    """How many names are others."""


def renamed(content: bytes, program: WholeProgram, module: str) -> Renamed:
    """A configuration file with the names of what takes the place of PyTorch's APIs, where there is something
    for each use of them; `module` is the dotted name that the program imports its helpers by."""
    helpers: set[str] = set()
    number = 0
    prefix = f"{HELPERS_MODULE}."

    def other(match: re.Match[bytes]) -> bytes:
        nonlocal number
        line_start = content.rfind(b"\n", 0, match.start()) + 1
        target = program.stand_in(match["name"].decode())
        if target is None or _COMMENT.match(content, line_start):
            return match[0]
        if target.startswith(prefix):
            helpers.add(target.removeprefix(prefix))
            target = f"{module}.{target.removeprefix(prefix)}"
        number += 1
        before, _, behind = match[0].partition(match["name"])
        return before + target.encode() + behind

    return Renamed(_VALUE.sub(other, content), frozenset(helpers), number)
