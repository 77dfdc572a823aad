"""A scan whose command line is plain, without the library for command lines: loading that takes longer than
looking at a few files.

What is not plain (help, `--format=json`, an option that is not known, a value that is missing) is left to the
library, which says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mindport.cli.options import as_settings
from mindport.language import Language
from mindport.project.setting_table import SETTINGS

_KINDS: Final = {name: setting.schema["type"] for name, setting in SETTINGS.items()}
DEFAULTS: Final[Mapping[str, Any]] = {
    "form": "text",
    "output": None,
    "engine": "local",
    "scheduler": None,
    "no_cache": False,
    "exit_code": False,
    **dict.fromkeys(SETTINGS),
}
"""The parameters of the command beside its paths, with their defaults."""
OPTIONS: Final[Mapping[str, str]] = {
    "--format": "form",
    "--output": "output",
    "-o": "output",
    "--engine": "engine",
    "--scheduler": "scheduler",
    **{f"--{name}": name for name, kind in _KINDS.items() if kind != "boolean"},
}
"""The options that have a value, with their parameters."""
FLAGS: Final[Mapping[str, tuple[str, bool]]] = {
    "--no-cache": ("no_cache", True),
    "--exit-code": ("exit_code", True),
    **{f"--{name}": (name, True) for name, kind in _KINDS.items() if kind == "boolean"},
    **{f"--no-{name}": (name, False) for name, kind in _KINDS.items() if kind == "boolean"},
}
"""The options without one, with what they set."""
REPEATED: Final = frozenset(name for name, kind in _KINDS.items() if kind in ("array", "object"))
NUMBERS: Final = frozenset(name for name, kind in _KINDS.items() if kind == "integer")


def plain_scan(arguments: Sequence[str]) -> dict[str, Any] | None:
    """The parameters of `mindport scan` with these arguments, where these are plain; else None."""
    if arguments[:1] != ["scan"]:
        return None
    found: dict[str, Any] = {"paths": [], **DEFAULTS}
    waiting = list(reversed(arguments[1:]))
    while waiting:
        argument = waiting.pop()
        if not argument.startswith("-"):
            found["paths"].append(Path(argument))
        elif argument in FLAGS:
            name, value = FLAGS[argument]
            found[name] = value
        elif argument in OPTIONS and waiting and not waiting[-1].startswith("-"):
            _set(found, OPTIONS[argument], waiting.pop())
        else:
            return None
    numbers_are = not any(isinstance(found[name], str) for name in NUMBERS)
    is_plain = found["paths"] and all(found["paths"]) and numbers_are
    return found if is_plain else None


def _set(found: dict[str, Any], name: str, value: str) -> None:
    if name in REPEATED:
        found[name] = [*(found[name] or ()), value]
    elif name == "output":
        found[name] = Path(value)
    elif name in NUMBERS and value.isascii() and value.isdecimal():
        found[name] = int(value)
    else:
        found[name] = value


def run_scan(given: Mapping[str, Any], language: Language) -> int:
    """Scan as these parameters say; see `mindport.cli.scan.scan`."""
    from mindport.cli.scan import scan

    options = as_settings({name: given[name] for name in SETTINGS})
    return scan(
        given["paths"],
        given["form"],
        given["output"],
        options,
        language,
        given["exit_code"],
        not given["no_cache"],
        given["engine"],
        given["scheduler"],
    )
