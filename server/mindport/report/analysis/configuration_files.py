"""Settings in the configuration files of a project: JSON and YAML, INI and TOML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import Final

from mindport.catalog.catalog import Catalog
from mindport.project.discover import other_files
from mindport.report.analysis.entries import SettingEntry
from mindport.report.analysis.file_code import spelled

CONFIGURING: Final = (".json", ".yaml", ".yml", ".cfg", ".conf", ".ini", ".toml")
"""The endings of configuration files."""
_OF_SECTIONS: Final = frozenset({".cfg", ".conf", ".ini", ".toml"})
"""The endings of files that may have sections with names and values in lines of their own."""
_OF_TOOLS: Final = frozenset(
    {"setup.cfg", "tox.ini", "pytest.ini", "mypy.ini", "pyproject.toml", "ruff.toml", "docker-compose.yml"}
    | {"environment.yml", "environment.yaml", "conda.yml", "conda.yaml", "mkdocs.yml"}
)
"""Files that set up tools and environments, and no training."""
_ENVIRONMENT: Final = re.compile(r"(?:^|[-_.])(?:conda|env|environment)(?:[-_.]|$)")
"""The names of files that say what an environment has."""
_LARGEST: Final = 64_000
_MOST_FILES: Final = 200
_NAME: Final = r"""^(?P<indent>\s*)(?:-\s+)?["']?(?P<name>[A-Za-z_][\w-]*)["']?\s*:\s*"""
_LINE: Final = re.compile(
    _NAME
    + r"""(?P<value>-?[\d.][\d.eE+_-]*|true|false|null|"[^"]*"|'[^']*'|\[[^\[\]{}]*\]|\([^()]*\))"""
    + r"""\s*,?\s*(?:\#.*)?$"""
)
"""A name and a literal in a line of its own, as both formats have it."""
_PLAIN: Final = re.compile(_NAME + r"(?P<value>[A-Za-z_./~][^#:{}\[\]&*!|>%@`,]*?)\s*(?:\s\#.*)?$")
"""A name and a text without quotes, as YAML has it."""
_OPENING: Final = re.compile(_NAME + r"\{?\s*(?:\#.*)?$")
"""A name with settings of its own, in the lines below."""
_ITEM: Final = re.compile(r"""^(?P<indent>\s*)-\s+(?P<value>[\w.+-]+|"[^"]*"|'[^']*')\s*(?:\#.*)?$""")
"""An item of a list in a line of its own, as YAML has it."""
_SECTION: Final = re.compile(r"^\[(?P<name>[A-Za-z_][\w.-]*)\]\s*(?:[#;].*)?$")
"""The head of a section, as INI and TOML have it."""
_GIVEN: Final = re.compile(
    r"""^\s*(?P<name>[A-Za-z_][\w-]*)\s*=\s*(?P<value>"[^"]*"|'[^']*'|[^#;]*[^#;\s])\s*(?:[#;].*)?$"""
)
"""A name and its value in a section."""
KINDS: Final = ("name", "type")
"""Settings that say which of several their parent is."""


def configured(folders: Sequence[str], exclude: Sequence[str], base: str) -> list[SettingEntry]:
    """The settings in the files below the folders, but those that are to exclude, with paths as those of the
    folders are given, or from `base`. What cannot be read is left out: nothing is lost but a value that is
    told."""
    found: list[SettingEntry] = []
    for path in _files(folders, exclude):
        shown = path.relative_to(base) if base and path.is_relative_to(base) else path
        found += _settings(path, shown.as_posix())
    return found


def _files(folders: Sequence[str], exclude: Sequence[str]) -> list[Path]:
    above = set(map(Path, folders))
    others = [one for one in other_files(map(Path, folders), exclude) if not _is_left_out(one, above)]
    able = [path for path in others if path.suffix in CONFIGURING and not _is_of_tools(path.name)]
    return [path for path in able if _is_small(path)][:_MOST_FILES]


def _is_left_out(path: Path, folders: Set[Path]) -> bool:
    """Whether the name of a file below one of the folders begins with a dot, or that of a folder that it is
    in, as those of what runs checks do, or whether such a folder is no longer in use or has what runs wrote,
    by its name."""
    if path.name.startswith("."):
        return True
    facts = Catalog.load().migration
    for folder in path.parents:
        if folder in folders:
            break
        if folder.name.startswith("."):
            return True
        if facts.is_set_aside(folder.name) or facts.is_written(folder.name):
            return True
    return False


def _is_of_tools(name: str) -> bool:
    """Whether a file sets up tools or an environment, by its name."""
    return name in _OF_TOOLS or _ENVIRONMENT.search(name) is not None


def _is_small(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size <= _LARGEST
    except OSError:
        return False


def _settings(path: Path, shown: str) -> Iterator[SettingEntry]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return
    lines = text.split("\n")
    sections = [found["name"] for line in lines if (found := _SECTION.match(line)) is not None]
    if path.suffix in _OF_SECTIONS and sections:
        if len(set(sections)) == len(sections):
            yield from _of_sections(lines, shown)
        return  # sections of one name are blocks of a network, as darknet has them
    parents: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        opening = _OPENING.match(line)
        match = _LINE.match(line) or (_PLAIN.match(line) if path.suffix != CONFIGURING[0] else None)
        found = match or opening
        if found is None:
            continue
        indent = len(found["indent"])
        while parents and parents[-1][0] >= indent:
            parents.pop()
        name = spelled(found["name"])
        if match is None:
            listed = _listed(lines[number:], indent)
            if listed:
                owner = ".".join(name for _, name in parents)
                yield SettingEntry(
                    path=shown, line=number, name=name, value=listed, kind="configured", owner=owner
                )
            parents.append((indent, name))
            continue
        owner = ".".join(name for _, name in parents)
        if name in KINDS and parents:
            name = parents[-1][1]
        yield SettingEntry(
            path=shown, line=number, name=name, value=match["value"], kind="configured", owner=owner
        )


def _of_sections(lines: Sequence[str], shown: str) -> Iterator[SettingEntry]:
    """The settings of a file with sections, each with the name of its section as the owner."""
    owner = ""
    for number, line in enumerate(lines, 1):
        section = _SECTION.match(line)
        given = _GIVEN.match(line)
        if section is not None:
            owner = spelled(section["name"])
        elif given is not None:
            name, value = spelled(given["name"]), given["value"]
            yield SettingEntry(
                path=shown, line=number, name=name, value=value, kind="configured", owner=owner
            )


def _listed(lines: Sequence[str], indent: int) -> str:
    """The list that a name is given, an item in each of the lines below it; empty where there is none."""
    items = []
    for line in lines:
        found = _ITEM.match(line)
        if found is None or len(found["indent"]) < indent:
            break
        items.append(found["value"])
    return f"[{', '.join(items)}]" if items else ""
