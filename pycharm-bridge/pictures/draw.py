"""Draws the dialogs of the instructions, schematically: `python draw.py` writes the SVG files beside it."""

from __future__ import annotations

from html import escape
from pathlib import Path

WIDTH, ROW, LEFT = 720, 34, 24
NOTE = "Schematic drawing, not a screenshot · 示意图，并非截图"
Row = tuple[str, str, bool]
"""A label, what stands in its field, and whether it is what has to be clicked or typed."""
DIALOGS: dict[str, tuple[str, list[Row]]] = {
    "1-plugin": (
        "Settings › Plugins › Marketplace",
        [("Search", "LSP4IJ", True), ("LSP4IJ — Red Hat", "[ Install ]", True), ("", "[ OK ]", False)],
    ),
    "2-language-servers": (
        "Settings › Languages & Frameworks › Language Servers",
        [("[ + ]  New Language Server", "", True), ("(servers that are there already)", "", False)],
    ),
    "3-new-language-server": (
        "New Language Server",
        [
            ("Template", "Import from custom template…   →  the folder lsp4ij", True),
            ("Name", "MindPort (PyTorch to MindSpore)", False),
            ("Command", "mindport serve --stdio", False),
            ("Mappings", "Python → python;  *.py, *.pyi → python", False),
            ("", "[ OK ]", True),
        ],
    ),
    "4-configuration": (
        "Language Servers › MindPort › Configuration",
        [
            ("Server › Configuration", '{ "mindport": { "device": "cpu", "language": "zh-cn" } }', True),
            ("Server › Installer", "[ Run installation ]   if mindport is not installed yet", False),
            ("", "[ Apply ]", True),
        ],
    ),
}


def draw(title: str, rows: list[Row]) -> str:
    """One dialog: numbered marks are on what has to be clicked or typed."""
    height = 96 + ROW * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}">',
        '<g font-family="sans-serif" font-size="14">',
        f'<rect width="{WIDTH}" height="{height}" rx="6" fill="#f7f8fa" stroke="#9aa1ad"/>',
        f'<rect width="{WIDTH}" height="36" rx="6" fill="#dfe3ea"/>',
        f'<text x="{LEFT}" y="24" font-weight="bold">{escape(title)}</text>',
    ]
    number = 0
    for index, (label, field, is_marked) in enumerate(rows):
        y = 56 + ROW * index
        parts.append(f'<text x="{LEFT + 26}" y="{y + 17}">{escape(label)}</text>')
        if field:
            parts.append(f'<rect x="260" y="{y}" width="430" height="26" fill="#fff" stroke="#9aa1ad"/>')
            parts.append(f'<text x="270" y="{y + 18}">{escape(field)}</text>')
        if is_marked:
            number += 1
            parts.append(f'<circle cx="{LEFT + 8}" cy="{y + 12}" r="10" fill="#c7402d"/>')
            middle = f'<text x="{LEFT + 8}" y="{y + 17}" fill="#fff" text-anchor="middle">'
            parts.append(f"{middle}{number}</text>")
    parts.append(f'<text x="{LEFT}" y="{height - 14}" font-size="12" fill="#666">{NOTE}</text>')
    return "\n".join([*parts, "</g>", "</svg>", ""])


if __name__ == "__main__":
    for name, (title, rows) in DIALOGS.items():
        (Path(__file__).parent / f"{name}.svg").write_text(draw(title, rows), encoding="utf-8")
