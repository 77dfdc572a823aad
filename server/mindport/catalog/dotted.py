"""Telling dotted names from other expressions without parsing them."""

from __future__ import annotations

import keyword
import re

CONSTANTS = frozenset({"True", "False", "None"})
_KEYWORDS = frozenset(keyword.kwlist) - CONSTANTS
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def is_dotted_name(source: str) -> bool:
    """Whether an expression of Python is a name, or attributes of a name; also True, False and None."""
    return _DOTTED.fullmatch(source) is not None and source not in _KEYWORDS
