"""How grave a finding is."""

from __future__ import annotations

from enum import Enum


class Severity(Enum):
    """As in the Language Server Protocol, plus none for a use that yields no diagnostic."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"
    NONE = "none"

    __hash__ = object.__hash__  # there is one object of each; Enum's own hash is made in Python
