"""What is chosen beside the code: from the menu of the side bar, a version that is typed, a search without result."""

from __future__ import annotations

from pathlib import Path

import pytest
from editor_process import TEXT
from vscode_workbench import ACTION, PICK, Start, Workbench


@pytest.fixture(scope="module")
def window(start: Start, extensions: Path) -> Workbench:
    window = start(extensions, files={"small.py": TEXT})
    window.open("small.py", 6, 30)
    window.wait_for_squiggles(2)
    return window


def test_a_version_that_is_typed(window: Workbench) -> None:
    window.click_status("MindSpore 2.10")
    window.type_in_list("Choose a version, or type one", "9.9")
    window.press("Enter")
    assert "2.10, 2.9" in window.wait_for_message("mindport does not know MindSpore 9.9")
    window.click_status("MindSpore 2.10")
    window.type_in_list("Choose a version, or type one", "2.10.0")
    window.press("Enter")
    window.until("the devices", lambda: window.box() == "Choose the device")
    window.press("Escape")


def test_a_search_without_result(window: Workbench) -> None:
    window.command("MindPort: Search for an API")
    window.type_in_list("Name of a PyTorch or MindSpore API", "zzzzqqqq")
    window.until("that nothing was found", lambda: window.picks() == ["Nothing was found."])
    window.press("Escape")


def test_the_whole_project_is_shown_first(window: Workbench) -> None:
    window.open("small.py", 6, 30)
    titles = window.source_actions("Source Action...")
    title = "mindport: apply all safe fixes of the project"
    window.page.locator(f"{ACTION}").nth(titles.index(title)).click()
    window.wait_for_message("nothing is changed before you apply it. Files: 4.")
    window.picture("choices-project")
    window.click_message("Cancel")
    assert window.path("small.py").read_bytes() == TEXT.encode()


def test_converting_from_the_side_bar(window: Workbench) -> None:
    window.command("MindPort: Scan Workspace")
    window.webview("torch.nn.Conv2d")
    row = window.page.locator(".tree-explorer-viewlet-tree-view .monaco-list-row", has_text="small.py")
    row.click(button="right")
    window.page.locator(".monaco-menu .action-label", has_text="Convert (Preview)").first.hover()
    window.press("Enter")
    message = window.wait_for_message("nothing is changed before you apply it. Files: 1.")
    assert "changed and bound" in message
    assert window.page.locator(f"{PICK}").count() == 0
    window.click_message("Cancel")
    assert window.path("small.py").read_bytes() == TEXT.encode()
