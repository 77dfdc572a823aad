"""The version number, which stands in several files, and the changelog's section of a release.

python scripts/release.py check                 all places have one version
python scripts/release.py check --tag v0.2.0    and it is this one, and the changelog has a section for it
python scripts/release.py set 0.2.0             writes it everywhere, and names the changelog's section
python scripts/release.py notes                 prints the changelog's section of the version
"""

from __future__ import annotations

import argparse
import datetime
import re
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
CHANGELOG = "CHANGELOG.md"
VERSION = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")


class Place(NamedTuple):
    """Where the version stands: what is before it and what is after it, as patterns."""

    file: str
    before: str
    after: str = '"'

    def pattern(self) -> re.Pattern[str]:
        return re.compile(f"(?m)({self.before})({VERSION.pattern})({self.after})")


PLACES = (
    Place("server/mindport/__init__.py", r'^__version__ = "'),
    Place("pyproject.toml", r'^\[project\]\nname = "mindport"\nversion = "'),
    Place("vscode-client/package.json", r'^  "version": "'),
    Place("vscode-client/package-lock.json", r'\A\{\n  "name": "mindport",\n  "version": "'),
    Place("vscode-client/package-lock.json", r'^    "": \{\n      "name": "mindport",\n      "version": "'),
    Place("pycharm-bridge/plugin/build.gradle.kts", r'^version = "'),
)


class ReleaseError(Exception):
    """Something about a release does not fit."""


def versions(root: Path) -> dict[Place, str]:
    """The version at each place. Raises ReleaseError where there is none."""
    found = {}
    for place in PLACES:
        match = place.pattern().search((root / place.file).read_text("utf-8"))
        if match is None:
            raise ReleaseError(f"{place.file}: no version where it should be")
        found[place] = match[2]
    return found


def version(root: Path) -> str:
    """The one version. Raises ReleaseError when there are several."""
    found = versions(root)
    if len(set(found.values())) > 1:
        places = "\n".join(f"  {place.file}: {number}" for place, number in found.items())
        raise ReleaseError(f"the versions differ:\n{places}")
    return next(iter(found.values()))


def check(root: Path, tag: str | None) -> str:
    """The one version, which is also that of the tag and has a section. Raises ReleaseError."""
    number = version(root)
    if tag is not None:
        if tag != f"v{number}":
            raise ReleaseError(f"the tag is {tag}, the version {number}")
        notes(root, number)
    return number


def notes(root: Path, number: str) -> str:
    """The changelog's section of a version. Raises ReleaseError when there is none, or nothing in it."""
    text = (root / CHANGELOG).read_text("utf-8")
    section = re.search(rf"(?ms)^## \[{re.escape(number)}\][^\n]*\n(.*?)(?=^## \[|\Z)", text)
    if section is None or not section[1].strip():
        raise ReleaseError(f"{CHANGELOG}: no section for {number}")
    return section[1].strip() + "\n"


def set_version(root: Path, number: str, day: str) -> None:
    """Write the version to all places; what is unreleased becomes the section of this version."""
    if VERSION.fullmatch(number) is None:
        raise ReleaseError(f"not a version: {number}")
    versions(root)
    for place in PLACES:
        text = (root / place.file).read_text("utf-8")
        changed = place.pattern().sub(rf"\g<1>{number}\g<3>", text, count=1)
        (root / place.file).write_text(changed, "utf-8", newline="\n")
    text = (root / CHANGELOG).read_text("utf-8")
    if f"## [{number}]" not in text:
        heading = "## [Unreleased]\n"
        changed = text.replace(heading, f"{heading}\n## [{number}] - {day}\n", 1)
        if changed == text:
            raise ReleaseError(f"{CHANGELOG}: no section [Unreleased]")
        (root / CHANGELOG).write_text(changed, "utf-8", newline="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check").add_argument("--tag")
    commands.add_parser("set").add_argument("version")
    commands.add_parser("notes")
    arguments = parser.parse_args()
    try:
        if arguments.command == "check":
            print(check(ROOT, arguments.tag))
        elif arguments.command == "set":
            today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
            set_version(ROOT, arguments.version, today)
        else:
            sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
            print(notes(ROOT, version(ROOT)), end="")
    except ReleaseError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
