"""What a use means for the chosen target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from mindport.language import Text
from mindport.resolve.use import Use

Status = Literal["equivalent", "differs", "missing", "not_needed", "unmapped"]


class Severity(Enum):
    """As in the Language Server Protocol, plus none for a use that yields no diagnostic."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Finding:
    """A use, assessed. `start`..`end` (relative to the block, as in `Use`) is what the squiggle covers:
    the callee, or one argument where the finding is about that argument."""

    use: Use
    status: Status
    code: str | None
    severity: Severity
    targets: tuple[str, ...]
    start: int
    end: int
    text: Text
    """The sentence, with the fields of `values` still open."""
    values: Mapping[str, str] = field(default_factory=dict)
