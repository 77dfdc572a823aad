"""A project for MindSpore, made from the palette: which network, where, and by what name."""

from __future__ import annotations

from pathlib import Path

from vscode_workbench import PICK, Start, Workbench


def type_it(window: Workbench, text: str) -> None:
    """Type into the open box, in place of what is there."""
    window.page.locator(f"{PICK} input.input").fill(text)


def test_a_new_project(start: Start, extensions: Path) -> None:
    window = start(extensions)
    window.open("model.py")
    window.status("MindSpore 2.10")
    networks = window.attempt(
        "the networks",
        lambda: window.command("MindPort: New MindSpore Project…"),
        lambda: len(window.picks()) > 1 and window.picks(),
    )
    assert any("cnn" in one for one in networks), networks
    window.picture("new-project-networks")
    type_it(window, "cnn")
    window.press("Enter")
    here = window.page.locator(f"{PICK} .monaco-button", has_text="Create the Project Here")
    window.until("where to make it", here.count)
    window.until(
        "that the folder that is open is proposed", lambda: window.chosen().rstrip("/") == str(window.folder)
    )
    window.picture("new-project-place")
    name = window.page.locator(PICK, has_text="Name of the new project")
    window.attempt("its name", here.click, name.count)
    type_it(window, "leaves")
    window.press("Enter")
    window.wait_for_message("Project created in")
    window.picture("new-project-made")
    made = {str(path.relative_to(window.path("leaves"))) for path in window.path("leaves").rglob("*.py")}
    assert made, "files of the project"
    assert not [path for path in window.path("leaves").rglob("*.py") if b"import torch" in path.read_bytes()]
    window.open("leaves/" + sorted(made)[0])
