"""A scan whose command line is plain, without the library for command lines: loading that takes longer than
looking at a few files.

What is not plain (help, `--format=json`, an option that is not known, a value that is missing) is left to the
library, which says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mindport.cli.options import codes
from mindport.language import Language

DEFAULTS: Final[Mapping[str, Any]] = {
    "form": "text",
    "output": None,
    "target": None,
    "device": None,
    "style": None,
    "select": None,
    "ignore": None,
    "chosen": None,
    "jobs": None,
    "limit": None,
    "engine": "local",
    "scheduler": None,
    "no_cache": False,
    "exit_code": False,
}
"""The parameters of the command beside its paths, with their defaults."""
OPTIONS: Final[Mapping[str, str]] = {
    "--format": "form",
    "--output": "output",
    "-o": "output",
    "--target": "target",
    "--device": "device",
    "--style": "style",
    "--select": "select",
    "--ignore": "ignore",
    "--language": "chosen",
    "--jobs": "jobs",
    "--limit": "limit",
    "--engine": "engine",
    "--scheduler": "scheduler",
}
"""The options that have a value, with their parameters."""
FLAGS: Final[Mapping[str, str]] = {"--no-cache": "no_cache", "--exit-code": "exit_code"}
REPEATED: Final = ("select", "ignore")
NUMBERS: Final = ("jobs", "limit")


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
            found[FLAGS[argument]] = True
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

    options: dict[str, object] = {name: given[name] for name in ("target", "device", "style", *NUMBERS)}
    options |= {name: codes(given[name]) for name in REPEATED}
    options["language"] = given["chosen"]
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
