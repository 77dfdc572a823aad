"""Errors that MindSpore raises, with their causes and remedies. The table is
`mapping_data/curated/errors.json`.

Uses the standard library only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from mindport.catalog.jsonl import read_json
from mindport.language import Text

_NUMBERED = re.compile(r"_\d+$")


class KnownError(NamedTuple):
    """An error that is known: the part of the text that shows it, why it happens and what helps. `api` is the
    torch API whose page says more, if there is one."""

    shown: str
    start: int
    cause: Text
    remedy: Text
    api: str | None


def read_errors(source_dir: Path) -> str:
    """The table in a folder of mapping data, as the index keeps it."""
    path = source_dir / "curated" / "errors.json"
    entries = read_json(path) if path.exists() else []
    kept = [[each["pattern"], each["cause"], each["remedy"], each.get("api")] for each in entries]
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def errors_in(text: str, table: str) -> list[KnownError]:
    """The known errors that a message or traceback shows, each kind once, in the order of the text. `table`
    is what the index keeps."""
    return sorted(_found(text, table), key=lambda error: error.start)


def _found(text: str, table: str) -> Iterator[KnownError]:
    for pattern, cause, remedy, api in json.loads(table or "[]"):
        found = re.search(pattern, text)
        if found is not None:
            values = _values(found)
            name = None if api is None else api.format_map(values)
            yield KnownError(found[0], found.start(), _filled(cause, values), _filled(remedy, values), name)


def _values(found: re.Match[str]) -> Mapping[str, str]:
    """The named groups; `name_2` stands for `name` in another alternative of the pattern."""
    given = {name: value for name, value in found.groupdict().items() if value is not None}
    values = dict.fromkeys(found.re.groupindex, "")
    for name, value in given.items():
        values[_NUMBERED.sub("", name)] = value
    return values


def _filled(text: Mapping[str, str], values: Mapping[str, str]) -> Text:
    english, chinese = (_escaped(text[language].format_map(values)) for language in ("en", "zh-cn"))
    return Text(english, chinese)


def _escaped(text: str) -> str:
    """A text of which braces are no places for values."""
    return text.replace("{", "{{").replace("}", "}}")
