"""Comments that suppress findings: `# mindport: ignore` (with codes in brackets or without), and
`# mindport: ignore-file`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mindport.source.document import Document

COMMENT = re.compile(rb"#[ \t]*mindport:[ \t]*(ignore-file|ignore)[ \t]*(?:\[([^\]\r\n]*)\])?")
"""The form of a suppression: what it ignores, and the codes in brackets."""


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The suppressions of a document: `lines` maps a line (from 0) to the codes, or beginnings of codes,
    ignored there; an empty tuple means all."""

    whole_file: bool = False
    lines: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def covers(self, line: int, code: str) -> bool:
        """Whether findings with this code are ignored on a line."""
        codes = self.lines.get(line)
        return codes is not None and (not codes or code.startswith(codes))

    @classmethod
    def of(cls, document: Document) -> Suppressions:
        """The suppressions in the comments of a document."""
        if b"mindport:" not in document.data:
            return cls()
        whole_file = False
        lines: dict[int, tuple[str, ...]] = {}
        for match in COMMENT.finditer(document.data):
            node = document.node_at(match.start())
            if node is None or node.type != "comment":
                continue
            if match[1] == b"ignore-file":
                whole_file = True
            else:
                texts = (match[2] or b"").decode("utf-8", "replace").split(",")
                lines[document.lines.line_of(match.start())] = tuple(t.strip() for t in texts if t.strip())
        return cls(whole_file, lines)
