"""A report of what the panel's filters leave, or of everything in spite of them."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from vscode_workbench import PICK, Start, Workbench

PANEL = "torch.nn.Conv2d"


@pytest.fixture(scope="module")
def window(start: Start, extensions: Path) -> Workbench:
    window = start(extensions)
    window.open("model.py")
    window.wait_for_squiggles()
    window.command("MindPort: Scan Workspace")
    return window


def search(window: Workbench, words: str) -> None:
    """Type into the panel's search; it is there when fewer rows are counted."""
    window.command("MindPort: Show Results")
    window.frame(PANEL).locator("[data-filter=search]").fill(words)
    window.frame("APIs: 3 of ")


def exported(window: Workbench, answer: str, name: str) -> set[str]:
    """The APIs in the report that is written when this is answered."""
    window.frame(PANEL).get_by_role("button", name="CSV", exact=True).click()
    window.page.locator(f"{PICK} .monaco-list-row", has_text=answer).click()
    window.until("where to save", lambda: window.chosen().endswith(name))
    window.picture(f"filtered-{name}")
    window.press("Enter")
    window.wait_for_message(name)
    window.until("the report", window.path(name).exists)
    rows = csv.DictReader(io.StringIO(window.path(name).read_text("utf-8-sig"), newline=""))
    return {row["api"] for row in rows}


def test_what_the_filters_leave(window: Workbench) -> None:
    search(window, "conv2d")
    assert exported(window, "Filtered results only", "mindport-report-filtered.csv") == {
        PANEL,
        f"{PANEL}.bias",
        f"{PANEL}.weight",
    }


def test_everything_all_the_same(window: Workbench) -> None:
    search(window, "conv2d")
    apis = exported(window, "All results of the scan", "mindport-report.csv")
    assert PANEL in apis and "torch.utils.data.DataLoader" in apis
