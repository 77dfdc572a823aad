"""What is chosen beside the code: from the menu of the side bar, a version that is typed, a search without result."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from editor_process import TEXT
from test_vscode_convert import is_closed
from vscode_workbench import ACTION, PICK, Start, Workbench

VERSIONS = "Choose a version, or type one"


@pytest.fixture(scope="module")
def window(start: Start, extensions: Path) -> Workbench:
    window = start(extensions, files={"small.py": TEXT})
    window.open("small.py", 6, 30)
    window.wait_for_squiggles(2)
    return window


def type_in_list(window: Workbench, text: str) -> None:
    """Type into the open list, and choose that."""
    window.page.locator(f"{PICK} input.input").fill(text)
    window.press("Enter")


def test_a_version_that_is_typed(window: Workbench) -> None:
    window.click_status("MindSpore 2.10", VERSIONS)
    type_in_list(window, "9.9")
    assert "2.10, 2.9" in window.wait_for_message("MindSpore 9.9 is not supported")
    window.click_status("MindSpore 2.10", VERSIONS)
    type_in_list(window, "2.10.0")
    window.until("the devices", lambda: window.box() == "Choose the device")
    window.press("Escape")


def test_a_search_without_result(window: Workbench) -> None:
    window.ask(
        "MindPort: Search for an API",
        "Name of a PyTorch or MindSpore API",
        "zzzzqqqq",
        re.compile("^Nothing found.$"),
    )
    window.press("Escape")


def test_the_whole_project_is_shown_first(window: Workbench) -> None:
    window.open("small.py", 6, 30)
    window.command("Source Action...")
    title = "MindPort: Apply All Safe Fixes in the Project"
    titles = window.until("the source actions", lambda: title in (listed := window.actions()) and listed)
    window.page.locator(ACTION).nth(titles.index(title)).click()
    window.wait_for_message("no files changed yet. Files: 1.")
    window.picture("choices-project")
    window.click_message("Cancel", lambda: is_closed(window))
    assert window.path("small.py").read_bytes() == TEXT.encode()


def test_converting_from_the_side_bar(window: Workbench) -> None:
    window.command("MindPort: Scan Workspace")
    window.webview("torch.nn.Conv2d")
    row = window.page.locator(".tree-explorer-viewlet-tree-view .monaco-list-row", has_text="small.py")
    row.click(button="right")
    window.page.locator(".monaco-menu .action-label", has_text="Convert (Preview)").first.hover()
    window.press("Enter")
    message = window.wait_for_message("no files changed yet. Files: 1.")
    assert "signature checked" in message
    assert window.page.locator(f"{PICK}").count() == 0
    window.click_message("Cancel", lambda: is_closed(window))
    assert window.path("small.py").read_bytes() == TEXT.encode()
