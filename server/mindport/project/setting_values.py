"""Whether a value is what a schema, in the words of JSON Schema, says.

Checked by hand: loading a library for it would take longer than looking at a few files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]


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
