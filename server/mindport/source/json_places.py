"""Where the values of a JSON text are, so that one can be replaced and all else stays as it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, NamedTuple

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class JsonPlace(NamedTuple):
    """The text `start`..`end` (in characters) of one value."""

    start: int
    end: int


def members(text: str, start: int) -> Iterator[tuple[str, JsonPlace]]:
    """The members of the object that begins at `start`, in a text that is valid JSON."""
    position = _skip(text, start + 1)
    while text[position] != "}":
        name, position = scanstring(text, position + 1, False)
        place = _value(text, _skip(text, _skip(text, position) + 1))
        yield name, place
        position = _after_comma(text, place.end)


def items(text: str, start: int) -> Iterator[JsonPlace]:
    """The items of the array that begins at `start`, in a text that is valid JSON."""
    position = _skip(text, start + 1)
    while text[position] != "]":
        place = _value(text, position)
        yield place
        position = _after_comma(text, place.end)


def value(text: str, place: JsonPlace) -> Any:
    """The value at a place."""
    return _DECODER.raw_decode(text, place.start)[0]


def outermost(text: str) -> int:
    """Where the value that is the whole text begins."""
    return _skip(text, 0)


def _value(text: str, start: int) -> JsonPlace:
    return JsonPlace(start, _DECODER.raw_decode(text, start)[1])


def _after_comma(text: str, position: int) -> int:
    position = _skip(text, position)
    return _skip(text, position + 1) if text[position] == "," else position


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position
