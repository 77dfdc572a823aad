"""Wherever people are told which formats of reports there are, all of `report/formats.py` are named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mindport.report.formats import FORMATS

ROOT = Path(__file__).parents[2]
DEFAULT = "text"
"""The format of `mindport scan` without `--format`. It is for terminals: the editor's menu has no use for it."""
IN_PAGES = set(FORMATS) - {DEFAULT}
LISTS = {
    "README.md": (r"--format ([\w, ]+), -o FILE", IN_PAGES),
    "README.zh-CN.md": (r"--format ([\w、 或]+)，-o FILE", IN_PAGES),
    "docs/protocol.md": (r"Arguments: a format \(([\w`, ]+), see \[reports\.md\]", set(FORMATS)),
    "vscode-client/src/panel/results.ts": (r"const FORMATS = \[([\w', ]+)\]", IN_PAGES),
    "vscode-client/src/exportReport.ts": (r"const NAMES\b[^{]*\{ ([\w:', ]+) \}", IN_PAGES),
}
"""By file, where the list is, and what it has to name."""


@pytest.mark.parametrize("path", LISTS)
def test_a_list_names_every_format(path: str) -> None:
    place, wanted = LISTS[path]
    [listed] = re.findall(place, (ROOT / path).read_text("utf-8"))
    words = set(re.findall(r"[a-z]+", listed)) - {"or"}
    assert words == wanted


def test_reports_page_has_a_row_for_every_format() -> None:
    page = (ROOT / "docs" / "reports.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.M) == list(FORMATS)
