"""How sure a value, and a use of it, is."""

from __future__ import annotations

from enum import Enum


class Certainty(Enum):
    """How sure a use is; see `docs/resolution.md`."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"

    __hash__ = object.__hash__  # there is one object of each; Enum's own hash is made in Python
