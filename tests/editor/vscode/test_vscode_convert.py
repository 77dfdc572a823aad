"""Converting with a look at the differences first: a file, by a command and from the side bar, and the whole project.
And completion with what MindSpore calls it."""

from __future__ import annotations

from pathlib import Path

import pytest
from editor_process import ALL_FIXED, TEXT
from vscode_workbench import ACTION, PICK, Opened, Start, Workbench

CONVERT = "MindPort: Convert This File (Preview)"


PREVIEW = ".monaco-diff-editor"


@pytest.fixture(scope="module")
def opened(start: Start, extensions: Path) -> Opened:
    def with_findings() -> Workbench:
        files = {"small.py": TEXT, "beside.py": TEXT, "typed.py": "import torch\n\n\n"}
        window = start(extensions, files=files)
        window.open("small.py", 6, 30)
        window.wait_for_squiggles(2)
        return window

    return Opened(with_findings)


def preview(window: Workbench) -> None:
    """Ask for the conversion of the small file and wait for the differences."""
    window.open("small.py", 6, 22)
    window.wait_for_squiggles(2)
    window.attempt(
        "what would be written",
        lambda: window.command(CONVERT),
        lambda: "mint.Conv2d" in (text := shown(window)) or "mint.nn.Conv2d" in text,
    )


def shown(window: Workbench) -> str:
    """What the right side of the differences shows."""
    return window.page.locator(f"{PREVIEW} .editor.modified .view-lines").first.inner_text()


def is_closed(window: Workbench) -> bool:
    """Whether no differences are shown."""
    return window.page.locator(PREVIEW).count() == 0


def test_the_whole_project_is_shown_first(window: Workbench) -> None:
    window.open("small.py", 6, 30)
    window.command("Source Action...")
    title = "MindPort: Apply All Safe Fixes in the Project"
    titles = window.until("the source actions", lambda: title in (listed := window.actions()) and listed)
    window.page.locator(ACTION).nth(titles.index(title)).click()
    window.wait_for_message("no files changed yet. Files: 2.")
    window.picture("convert-project")
    window.click_message("Cancel", lambda: is_closed(window))
    assert {window.path(name).read_bytes() for name in ("small.py", "beside.py")} == {TEXT.encode()}


def test_cancel_changes_nothing(window: Workbench) -> None:
    preview(window)
    assert window.path("small.py").read_bytes() == TEXT.encode()
    window.picture("convert-differences")
    window.click_message("Cancel", lambda: is_closed(window))
    assert window.path("small.py").read_bytes() == TEXT.encode()


def test_apply_converts(window: Workbench) -> None:
    preview(window)
    window.click_message("Apply", lambda: is_closed(window))
    window.open("small.py")
    if window.is_changed():
        window.save("small.py")
    window.until("the converted file", lambda: window.path("small.py").read_bytes() == ALL_FIXED.encode())


def test_completion_offers_the_counterpart(window: Workbench) -> None:
    rows = window.page.locator(".suggest-widget.visible .monaco-list-row")
    detail = "torch.rand → mindspore.mint.rand"

    def write() -> None:
        window.open("typed.py", 3, 1)
        window.press("Shift+Control+End", "Delete")
        window.page.keyboard.type("x = torch.rand")
        window.press("Control+Space")

    window.attempt(
        detail,
        write,
        lambda: any(detail in " ".join(row.split()) for row in rows.all_inner_texts()[:1]),
    )
    window.picture("convert-completion")
    window.attempt("the name", lambda: window.press("Enter"), lambda: "mint.rand" in window.line())
    saved = window.save("typed.py").decode().splitlines()
    assert "x = mint.rand" in saved and "from mindspore import mint" in saved


def test_converting_from_the_side_bar(window: Workbench) -> None:
    window.command("MindPort: Scan Workspace")
    window.webview("torch.nn.Conv2d")
    row = window.page.locator(".tree-explorer-viewlet-tree-view .monaco-list-row", has_text="beside.py")
    row.click(button="right")
    window.page.locator(".monaco-menu .action-label", has_text="Convert (Preview)").first.hover()
    window.press("Enter")
    message = window.wait_for_message("no files changed yet. Files: 1.")
    assert "signature checked" in message
    assert window.page.locator(PICK).count() == 0
    window.click_message("Cancel", lambda: is_closed(window))
    assert window.path("beside.py").read_bytes() == TEXT.encode()
