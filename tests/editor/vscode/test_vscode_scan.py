"""Scans from the menus and commands: the files in the side bar, the panel with its tables, a jump from it to the
code, and the reports that it writes: of what its filters leave, or of everything in spite of them. And problems of
files that nobody has opened, as soon as the setting `diagnostics` is `workspace`: of so many files that a process of
its own looks at them."""

from __future__ import annotations

import codecs
import csv
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
from vscode_page import STEP
from vscode_workbench import PICK, Opened, Start, Workbench

PANEL = "torch.nn.Conv2d"
MISSING = "import torch\n\nfound = torch.lobpcg(given)\n"
MANY = 40
TREE = ".tree-explorer-viewlet-tree-view"


@pytest.fixture(scope="module")
def opened(start: Start, extensions: Path) -> Opened:
    def open_window() -> Workbench:
        window = start(extensions, files={"layers/norm.py": "import torch\n\nx = torch.hypot(a, b)\n"})
        window.open("model.py")
        window.wait_for_squiggles()
        return window

    return Opened(open_window)


def scan(window: Workbench) -> None:
    """Have the whole project scanned; the panel shows the results."""
    window.command("MindPort: Scan Workspace")
    assert "torch.randint" in window.webview(PANEL)


def tree(window: Workbench) -> list[str]:
    """The rows of the files in the side bar."""
    rows = window.page.locator(f"{TREE} .monaco-list-row").all_inner_texts()
    return [" ".join(row.split()) for row in rows]


def test_a_file_from_the_menu_of_the_explorer(window: Workbench) -> None:
    window.menu("data.py", "MindPort: Scan")
    assert "torch.randint" in window.webview("torch.utils.data.DataLoader")


def test_this_file_from_the_commands(window: Workbench) -> None:
    window.open("train.py")
    window.command("MindPort: Scan This File")
    assert "Files: 1" in window.webview("torch.utils.data.DataLoader")


def test_a_folder_from_the_menu_of_the_explorer(window: Workbench) -> None:
    window.menu("layers", "MindPort: Scan")
    window.webview("torch.hypot")


def test_the_workspace(window: Workbench) -> None:
    scan(window)


def test_the_files_in_the_side_bar(window: Workbench) -> None:
    scan(window)
    rows = window.until(
        "model.py in the tree", lambda: any("model.py" in row for row in tree(window)) and tree(window)
    )
    assert "layers✓ 1" in rows and any(re.match(r"model\.py✗ \d+ ≠ \d+ ✓ \d+", row) for row in rows)
    assert {"data", "train"} <= {row.split(".py")[0] for row in rows}


def test_a_jump_from_the_panel_to_the_code(window: Workbench) -> None:
    scan(window)

    def jump() -> None:
        window.command("MindPort: Show Results")
        frame = window.frame(PANEL)
        place = frame.locator("button.file:visible", has_text="model.py")
        if not place.count():
            frame.locator("tr", has_text=PANEL).first.click()
        place.first.click()

    window.attempt(
        "the line in model.py", jump, lambda: window.is_active("model.py") and "Conv2d" in window.line()
    )


@pytest.mark.parametrize("format", ["CSV", "HTML", "JSON", "SARIF"])
def test_a_report(window: Workbench, format: str) -> None:
    name = f"mindport-report.{format.lower()}"
    scan(window)

    def export() -> None:
        window.command("MindPort: Show Results")
        window.frame(PANEL).get_by_role("button", name=format, exact=True).click()
        window.until("where to save", lambda: window.chosen().endswith(name), STEP)
        window.press("Enter")

    window.attempt("the report", export, window.path(name).exists)
    window.wait_for_message(name)
    told = window.path(name).read_bytes()
    command = [sys.executable, "-m", "mindport", "scan", "--format", format.lower(), str(window.folder)]
    expected = subprocess.run(command, capture_output=True, check=False, env=window.server.environment).stdout
    assert PANEL.encode() in told and PANEL.encode() in expected
    assert told.count(b"\n") == expected.count(b"\n")
    assert told.startswith(codecs.BOM_UTF8) == (format == "CSV")


def search(window: Workbench, words: str) -> None:
    """Have the project scanned and type into the panel's search; it is there when fewer rows are counted."""
    window.command("MindPort: Scan Workspace")
    window.frame(PANEL)
    window.command("MindPort: Show Results")
    window.frame(PANEL).locator("[data-filter=search]").fill(words)
    window.frame("APIs: 3 of ")


def exported(window: Workbench, answer: str, name: str) -> set[str]:
    """The APIs in the report that is written when this is answered."""
    window.path(name).unlink(missing_ok=True)
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


def test_problems_of_files_that_are_not_open(window: Workbench) -> None:
    window.path("many").mkdir(exist_ok=True)
    for number in range(MANY):
        window.path(f"many/file{number}.py").write_text(MISSING)
    window.open("model.py")
    window.wait_for_squiggles()
    window.command("View: Focus Problems")
    assert not any("file0.py" in row for row in window.problems())
    window.server.configure({"mindport.diagnostics": "workspace"})
    window.until("files that are not open", lambda: any("file0.py" in row for row in window.problems()))
    window.picture("workspace-problems")
    window.path("many/file0.py").write_text("import math\n")
    window.until("what has changed", lambda: not any("file0.py" in row for row in window.problems()))
    assert any("file1.py" in row for row in window.problems())
