"""Edits: what a rewrite proposes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Applicability = Literal["safe", "review"]


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace the bytes `start`..`end` (absolute UTF-8 offsets in the document) by `new_text`."""

    start: int
    end: int
    new_text: str


def applied(data: bytes, edits: Iterable[Edit]) -> bytes:
    """A text (UTF-8) with edits made. They are sorted and do not overlap."""
    parts: list[bytes] = []
    end = 0
    for edit in edits:
        parts += [data[end : edit.start], edit.new_text.encode()]
        end = edit.end
    return b"".join([*parts, data[end:]])
