"""Commands of the palette that are about the file or the program at hand, and the link of a hover to a rule."""

from __future__ import annotations

from pathlib import Path

import pytest
from editor_process import TEXT
from vscode_page import STEP
from vscode_workbench import Opened, Start, Workbench

HINT = "import torch\n\nx = torch.sin(torch.ones(3))\n"
ERROR = "AttributeError: 'Tensor' object has no attribute 'cuda'\n"


@pytest.fixture(scope="module")
def opened(start: Start, extensions: Path) -> Opened:
    files = {"small.py": TEXT, "hint.py": HINT, "error.txt": ERROR}
    return Opened(lambda: start(extensions, files=files))


def test_the_hover_over_a_hint_leads_to_the_page_of_its_rule(window: Workbench) -> None:
    def follow() -> None:
        window.open("hint.py", 3, 12)
        window.hover("MP101")
        window.page.locator(".monaco-hover:not(.hidden) a", has_text="MP101").first.click()

    page = window.attempt("the page", follow, lambda: window.frame("MP101", STEP).locator("h1").inner_text())
    assert "MP101" in page


def test_a_selected_error_is_explained(window: Workbench) -> None:
    def explain() -> None:
        window.open("error.txt")
        window.press("Control+A")
        window.command("MindPort: Explain an Error of MindSpore")

    page = window.attempt(
        "the page", explain, lambda: window.frame("torch.Tensor.cuda", STEP).locator("body").inner_text()
    )
    assert "Tensor has no cuda" in page.replace("`", "")


def test_fix_all_by_its_command(window: Workbench) -> None:
    window.open("small.py")
    window.wait_for_squiggles()
    window.command("MindPort: Fix All in This File")
    window.until("a change", window.is_changed)
    assert b"mindspore" in window.save("small.py")


def test_debug_information_opens_in_a_document(window: Workbench) -> None:
    window.command("MindPort: Show Debug Information")
    shown = window.page.locator(".editor-instance .view-lines")
    window.until("the document", lambda: "MindPort extension" in shown.last.inner_text().replace("\xa0", " "))
