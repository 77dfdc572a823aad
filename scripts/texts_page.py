"""Write docs/texts.md: every text that a user reads, in both languages, side by side.

    python scripts/texts_page.py [--check]

The texts are those of the server (each `Text` in its source), of the VS Code client (`package.nls.json`,
`l10n/`), and what the mapping data says in words. Nothing is run or imported: sources are read.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SERVER = ROOT / "server" / "mindport"
CLIENT = ROOT / "vscode-client"
MAPPING = ROOT / "mapping_data"
PAGE = ROOT / "docs" / "texts.md"
HEAD = """# Every text

What users read, in both languages, side by side: for whoever writes, reviews or translates. Written by
`python scripts/texts_page.py`; a test holds that it is up to date. Fields in braces are filled in when a
text is shown.
"""


class Row(NamedTuple):
    """A text in both languages."""

    english: str
    chinese: str


def _constant(node: ast.expr) -> str | None:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else None


def texts_in(source: str) -> Iterator[Row]:
    """The texts that a module of the server spells out, in its order."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Text":
            said = [_constant(argument) for argument in node.args]
            if len(said) == 2 and said[0] and said[1]:
                yield Row(said[0], said[1])


def of_server() -> Iterator[tuple[str, list[Row]]]:
    """The texts of each module of the server that has any."""
    for path in sorted(SERVER.rglob("*.py")):
        rows = list(dict.fromkeys(texts_in(path.read_text("utf-8"))))
        if rows:
            yield path.relative_to(SERVER).as_posix(), rows


def of_client() -> Iterator[tuple[str, list[Row]]]:
    """The texts of the VS Code client: those of its commands and settings, and those of its code."""
    english = json.loads((CLIENT / "package.nls.json").read_text("utf-8"))
    chinese = json.loads((CLIENT / "package.nls.zh-cn.json").read_text("utf-8"))
    yield "package.nls.json", [Row(english[key], chinese[key]) for key in english]
    bundle = json.loads((CLIENT / "l10n" / "bundle.l10n.zh-cn.json").read_text("utf-8"))
    yield "l10n", [Row(key, value) for key, value in bundle.items()]


def notes_in(value: Any) -> Iterator[Row]:
    """The notes in both languages within a piece of mapping data."""
    if isinstance(value, dict):
        if isinstance(value.get("en"), str) and isinstance(value.get("zh-cn"), str):
            yield Row(value["en"], value["zh-cn"])
            return
        value = list(value.values())
    for inner in value if isinstance(value, list) else ():
        yield from notes_in(inner)


def of_mapping_data() -> Iterator[tuple[str, list[Row]]]:
    """What the files of the mapping data say in words."""
    for path in sorted(MAPPING.rglob("*.json")):
        rows = list(dict.fromkeys(notes_in(json.loads(path.read_text("utf-8")))))
        if rows:
            yield path.relative_to(MAPPING).as_posix(), rows


def _cell(text: str) -> str:
    return text.strip().replace("|", "\\|").replace("\n", "<br>")


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for title, found in (
        ("Server", of_server()),
        ("VS Code client", of_client()),
        ("Mapping data", of_mapping_data()),
    ):
        parts.append(f"## {title}\n")
        for name, rows in found:
            lines = [f"### {name}", "", "| English | 中文 |", "|---|---|"]
            lines += [f"| {_cell(row.english)} | {_cell(row.chinese)} |" for row in rows]
            parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def main() -> int:
    """Write the page; with `--check`, only say whether it is up to date (else exit with 1)."""
    if "--check" in sys.argv[1:]:
        is_current = PAGE.exists() and PAGE.read_text("utf-8") == page()
        print(f"{PAGE} is {'up to date' if is_current else 'out of date: run scripts/texts_page.py'}")
        return int(not is_current)
    PAGE.write_text(page(), "utf-8")
    print(f"wrote {PAGE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
