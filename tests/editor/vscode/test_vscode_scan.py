"""Scans from the menus and commands: the files in the side bar, the panel with its tables, a jump from it to the
code, and the reports that it writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from vscode_workbench import Start, Workbench

PANEL = "torch.nn.Conv2d"


@pytest.fixture(scope="module")
def window(start: Start, extensions: Path) -> Workbench:
    window = start(extensions, files={"layers/norm.py": "import torch\n\nx = torch.hypot(a, b)\n"})
    window.open("model.py")
    window.wait_for_squiggles()
    return window


def test_a_file_from_the_menu_of_the_explorer(window: Workbench) -> None:
    window.menu("data.py", "MindPort: Scan")
    assert "torch.randint" in window.webview("torch.utils.data.DataLoader")


def test_this_file_from_the_commands(window: Workbench) -> None:
    window.open("train.py")
    window.command("MindPort: Scan This File")
    assert "Files: 1" in window.webview("torch.nn.utils.clip_grad_norm_")


def test_a_folder_from_the_menu_of_the_explorer(window: Workbench) -> None:
    window.press("Control+Shift+E")
    window.menu("layers", "MindPort: Scan")
    window.webview("torch.hypot")


def test_the_workspace(window: Workbench) -> None:
    window.command("MindPort: Scan Workspace")
    assert "torch.randint" in window.webview(PANEL)


def test_the_files_in_the_side_bar(window: Workbench) -> None:
    rows = window.page.locator(".tree-explorer-viewlet-tree-view .monaco-list-row")
    window.until("model.py in the tree", lambda: any("model.py" in row for row in rows.all_inner_texts()))
    assert {"data", "train"} <= {row.split(".py")[0].strip() for row in rows.all_inner_texts()}


def test_a_jump_from_the_panel_to_the_code(window: Workbench) -> None:
    window.command("MindPort: Show Results")
    window.webview(PANEL)
    frame = window.frame(PANEL)
    frame.locator("tr", has_text=PANEL).first.click()
    frame.locator("a, button", has_text="model.py").first.click()
    window.page.wait_for_selector('.tab.active[data-resource-name="model.py"]')
    window.until("the line", lambda: "Conv2d" in window.line())


@pytest.mark.parametrize("format", ["CSV", "HTML"])
def test_a_report(window: Workbench, format: str) -> None:
    name = f"mindport-report.{format.lower()}"
    window.command("MindPort: Show Results")
    window.webview(PANEL)
    window.frame(PANEL).get_by_role("button", name=format, exact=True).click()
    window.until("where to save", lambda: window.chosen().endswith(name))
    window.press("Enter")
    window.wait_for_message(name)
    window.until("the report", window.path(name).exists)
    told = window.path(name).read_bytes()
    command = [sys.executable, "-m", "mindport", "scan", "--format", format.lower(), str(window.folder)]
    expected = subprocess.run(command, capture_output=True, check=False, env=window.server.environment).stdout
    assert PANEL.encode() in told and PANEL.encode() in expected
    assert told.count(b"\n") == expected.count(b"\n")
