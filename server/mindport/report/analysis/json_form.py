"""Dataclasses as JSON and back: what is kept of files and goes between processes.

pydantic would do the same, but its compiled part is a third of what the package for VS Code brings, and takes
a fifth of a second to import.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

_Kind = TypeVar("_Kind")
_Reader = Callable[[Any], Any]


def to_json(value: object, indent: int | None = None) -> str:
    """A dataclass as JSON, all it holds included: an object with its fields in their order; tuples are
    lists."""
    separators = (",", ":") if indent is None else None
    return json.dumps(value, ensure_ascii=False, default=vars, indent=indent, separators=separators)


def from_json(kind: type[_Kind], text: str) -> _Kind:
    """What `to_json` made of a dataclass of this kind. Raises ValueError where the text is no JSON, and
    TypeError where fields are missing or unknown."""
    wanted: Any = kind
    read = _reader(wanted)
    assert read is not None
    made: _Kind = read(json.loads(text))
    return made


@cache
def _reader(kind: Any) -> _Reader | None:
    """What makes a value of a type from what JSON has for it; None where that is the same."""
    if isinstance(kind, type) and is_dataclass(kind):
        return _dataclass_reader(kind)
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_make"):
        return lambda value: kind._make(value)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is tuple:
        return _tuple_reader(parts)
    of_one = _reader(parts[-1 if parts[-1] is not NoneType else 0]) if parts else None
    if of_one is None:
        return None
    read: _Reader = of_one
    if NoneType in parts:
        return lambda value: None if value is None else read(value)
    if origin is list:
        return lambda value: [read(one) for one in value]
    return lambda value: {key: read(one) for key, one in value.items()}


def _dataclass_reader(kind: type) -> _Reader:
    readers = [(name, _reader(hint)) for name, hint in get_type_hints(kind).items()]
    changed = [(name, reader) for name, reader in readers if reader is not None]

    def made(value: dict[str, Any]) -> Any:
        for name, reader in changed:
            value[name] = reader(value[name])
        return kind(**value)

    return made


def _tuple_reader(parts: tuple[Any, ...]) -> _Reader:
    if parts[-1] is Ellipsis:
        inner = _reader(parts[0])
        return tuple if inner is None else lambda value: tuple([inner(one) for one in value])
    readers = [_reader(part) for part in parts]
    if not any(readers):
        return tuple
    return lambda value: tuple(
        [one if reader is None else reader(one) for reader, one in zip(readers, value, strict=True)]
    )
