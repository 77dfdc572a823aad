"""The page of all texts is that of the sources, and every text is there in both languages."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "scripts" / "texts_page.py"
PAGE = ROOT / "docs" / "texts.md"


def test_the_page_is_up_to_date() -> None:
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_it_has_all_kinds_of_texts_in_both_languages() -> None:
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    texts = [row.split(" | ") for row in rows if not row.startswith("| English")]
    assert len(texts) > 2000
    assert all(len(cells) >= 2 and cells[0].strip("| ") and cells[1].strip("| ") for cells in texts)
    shown = PAGE.read_text("utf-8")
    for piece in (
        "Pass `*{torch}` as a single tuple",
        "No results match the filters.",
        "Rename `forward` to",
    ):
        assert piece in shown


def test_mapping_data_says_the_same_in_both_languages() -> None:
    """Names and code, and measured numbers: what differs there is a fact that one language lacks."""
    section = PAGE.read_text("utf-8").split("## Mapping data")[1]
    assert "### graph_mode/constructs.json" in section and "### curated/errors.json" in section
    rows = [
        line for line in section.splitlines() if line.startswith("| ") and not line.startswith("| English")
    ]
    texts = [re.split(r"(?<!\\) \| ", row.strip("| ")) for row in rows]
    assert len(texts) > 1500
    for facts in (r"`[^`]+`", r"\d+\.\d+(?:e-?\d+)?|\d+e-\d+"):
        apart = [row for row in texts if set(re.findall(facts, row[0])) != set(re.findall(facts, row[1]))]
        assert apart == []
