"""Settings in the configuration files of a project: JSON and YAML."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from mindport.report.analysis.file_analysis import SettingEntry
from mindport.report.analysis.file_code import spelled

_ENDINGS: Final = (".json", ".yaml", ".yml")
_LARGEST: Final = 64_000
_MOST_FILES: Final = 200
_SKIPPED: Final = frozenset({"node_modules", "__pycache__", "venv", "env", "site-packages"})
_LINE: Final = re.compile(
    r"""^\s*(?:-\s+)?["']?(?P<name>[A-Za-z_][\w-]*)["']?\s*:\s*"""
    r"""(?P<value>-?[\d.][\d.eE+_-]*|true|false|null|"[^"]*"|'[^']*'|\[[^\[\]{}]*\])\s*,?\s*(?:\#.*)?$"""
)
"""A name and a literal in a line of its own, as both formats have it."""


def configured(roots: Sequence[str], base: str = "") -> list[SettingEntry]:
    """The settings in the files below the folders, with paths as those of the folders are given, or from
    `base`. What cannot be read is left out: nothing is lost but a value that is told."""
    found: list[SettingEntry] = []
    for path in (path for root in roots for path in _files(root)):
        shown = path.relative_to(base) if base and path.is_relative_to(base) else path
        found += [one.model_copy(update={"path": shown.as_posix()}) for one in _settings(path)]
    return found


def _files(root: str) -> Iterator[Path]:
    left = _MOST_FILES
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(one for one in folders if one not in _SKIPPED and not one.startswith("."))
        for name in sorted(names):
            path = Path(folder, name)
            if path.suffix in _ENDINGS and left > 0 and _is_small(path):
                left -= 1
                yield path


def _is_small(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size <= _LARGEST
    except OSError:
        return False


def _settings(path: Path) -> Iterator[SettingEntry]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return
    for number, line in enumerate(text.split("\n"), 1):
        match = _LINE.match(line)
        if match is not None:
            name, value = spelled(match["name"]), match["value"]
            yield SettingEntry(path=path.as_posix(), line=number, name=name, value=value, kind="configured")
