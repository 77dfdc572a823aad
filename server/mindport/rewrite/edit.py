"""Edits and fixes: what a rewrite proposes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mindport.language import Text

Applicability = Literal["safe", "review"]


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace the bytes `start`..`end` (absolute UTF-8 offsets in the document) by `new_text`."""

    start: int
    end: int
    new_text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that belong together. They do not overlap and are sorted."""

    title: Text
    applicability: Applicability
    edits: tuple[Edit, ...]
