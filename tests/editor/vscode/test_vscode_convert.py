"""Converting with a look at the differences first, and completion with what MindSpore calls it."""

from __future__ import annotations

from pathlib import Path

import pytest
from editor_process import ALL_FIXED, TEXT
from vscode_workbench import Start, Workbench

CONVERT = "MindPort: Convert This File (Preview)"


@pytest.fixture(scope="module")
def window(start: Start, extensions: Path) -> Workbench:
    return start(extensions, files={"small.py": TEXT, "typed.py": "import torch\n\n\n"})


def preview(window: Workbench) -> None:
    """Ask for the conversion of the small file and wait for the differences."""
    window.open("small.py", 6, 22)
    window.wait_for_squiggles(2)
    window.command(CONVERT)
    window.page.wait_for_selector(".diff-editor, .monaco-diff-editor")
    window.until(
        "what would be written", lambda: "mint.Conv2d" in shown(window) or "mint.nn.Conv2d" in shown(window)
    )


def shown(window: Workbench) -> str:
    """What the right side of the differences shows."""
    return window.page.locator(".monaco-diff-editor .editor.modified .view-lines").first.inner_text()


def test_cancel_changes_nothing(window: Workbench) -> None:
    preview(window)
    assert window.path("small.py").read_bytes() == TEXT.encode()
    window.picture("convert-differences")
    window.click_message("Cancel")
    window.page.wait_for_selector(".monaco-diff-editor", state="detached")
    assert window.path("small.py").read_bytes() == TEXT.encode()


def test_apply_converts(window: Workbench) -> None:
    preview(window)
    window.click_message("Apply")
    window.page.wait_for_selector(".monaco-diff-editor", state="detached")
    window.open("small.py")
    if window.page.query_selector(".tab.active.dirty"):
        window.save("small.py")
    window.until("the converted file", lambda: window.path("small.py").read_bytes() == ALL_FIXED.encode())


def test_completion_offers_the_counterpart(window: Workbench) -> None:
    window.open("typed.py", 3, 1)
    window.page.keyboard.type("x = torch.rand")
    window.press("Control+Space")
    rows = window.page.locator(".suggest-widget.visible .monaco-list-row")
    detail = "torch.rand → mindspore.mint.rand"
    window.until(detail, lambda: any(detail in " ".join(row.split()) for row in rows.all_inner_texts()[:1]))
    window.picture("convert-completion")
    window.press("Enter")
    saved = window.save("typed.py").decode().splitlines()
    assert "x = mint.rand" in saved and "from mindspore import mint" in saved
