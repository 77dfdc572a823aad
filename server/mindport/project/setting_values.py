"""Which values settings can have, in the words of JSON Schema, and whether a value is one of them.

Checked by hand: loading a library for it would take longer than looking at a few files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

from mindport.language import LANGUAGES

Schema = Mapping[str, Any]

Device = Literal["ascend", "gpu", "cpu"]
Style = Literal["auto", "mint", "classic"]
SeverityLevel = Literal["error", "warning", "information", "hint", "off"]
DiagnosticsScope = Literal["openFiles", "workspace"]


def _one_of(values: tuple[str, ...]) -> Schema:
    return {"type": "string", "enum": list(values)}


_TEXT: Final[Schema] = {"type": "string"}
_CODE: Final = "^MP[0-9]{0,3}$"
"""The beginning of codes of findings: `MP`, `MP2`, `MP201`."""
_CODES: Final[Schema] = {"type": "array", "items": {"type": "string", "pattern": _CODE}}

SCHEMAS: Final[Mapping[str, Schema]] = {
    "target": _TEXT,
    "device": _one_of(get_args(Device)),
    "style": _one_of(get_args(Style)),
    "language": _one_of(LANGUAGES),
    "select": _CODES,
    "ignore": _CODES,
    "severity": {"type": "object", "patternProperties": {_CODE: _one_of(get_args(SeverityLevel))}},
    "exclude": {"type": "array", "items": _TEXT},
    "limit": {"type": "integer", "minimum": 0},
    "diagnostics": _one_of(get_args(DiagnosticsScope)),
    "completion": {"type": "boolean"},
    "python": _TEXT,
    "jobs": {"type": "integer", "minimum": 0},
}
"""Of each setting, what its value must be."""


def is_valid(schema: Schema, value: object) -> bool:
    """Whether a value, as JSON and TOML have it, is what the schema says. Lists may be tuples."""
    kind = schema["type"]
    if kind == "string":
        return isinstance(value, str) and _is_valid_text(schema, value)
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "integer":
        return type(value) is int and value >= schema["minimum"]
    if kind == "array":
        return isinstance(value, (list, tuple)) and all(is_valid(schema["items"], each) for each in value)
    (pattern, inner), *_ = schema["patternProperties"].items()
    key: Schema = {"type": "string", "pattern": pattern}
    return isinstance(value, Mapping) and all(
        is_valid(key, name) and is_valid(inner, each) for name, each in value.items()
    )


def _is_valid_text(schema: Schema, value: str) -> bool:
    pattern = schema.get("pattern")
    return value in schema.get("enum", (value,)) and (pattern is None or bool(re.fullmatch(pattern, value)))


def as_value(value: Any) -> Any:
    """A valid value as settings hold it: they cannot be changed."""
    return tuple(value) if isinstance(value, list) else value
