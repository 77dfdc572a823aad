"""Commands of the palette and the status bar, with what is typed and chosen in their lists, and the link of a hover to
a rule."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from editor_process import TEXT
from vscode_page import STEP
from vscode_workbench import PICK, Opened, Start, Workbench

HINT = "import torch\n\nx = torch.sin(torch.ones(3))\n"
NET = (
    "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self.fc = nn.Linear(3, 4)\n\n    def forward(self, x):\n        return self.fc(x)\n"
)
VERSIONS = "Choose a version, or type one"
ERROR = "AttributeError: 'Tensor' object has no attribute 'cuda'\n"


@pytest.fixture(scope="module")
def opened(start: Start, extensions: Path) -> Opened:
    files = {"small.py": TEXT, "hint.py": HINT, "error.txt": ERROR, "lens.py": NET, "command.py": NET}
    return Opened(lambda: start(extensions, files=files, settings={"mindport.logLevel": "debug"}))


def test_a_version_that_is_typed(window: Workbench) -> None:
    window.open("hint.py")
    window.click_status("MindSpore 2.10", VERSIONS)
    window.type_in_list("9.9")
    assert "2.10, 2.9" in window.wait_for_message("MindSpore 9.9 is not supported")
    window.click_status("MindSpore 2.10", VERSIONS)
    window.type_in_list("2.10.0")
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


def test_the_hover_over_a_hint_leads_to_the_page_of_its_rule(window: Workbench) -> None:
    def follow() -> None:
        window.open("hint.py", 3, 12)
        window.wait_for_squiggles()
        window.hover("MP101")
        window.page.locator(".monaco-hover:not(.hidden) a", has_text="MP101").first.click()

    page = window.attempt("the page", follow, lambda: window.frame("MP101", STEP).locator("h1").inner_text())
    assert "MP101" in page


def test_a_selected_error_is_explained(window: Workbench) -> None:
    def explain() -> None:
        window.open("error.txt")
        window.press("Control+A")
        window.command("MindPort: Explain a MindSpore Error", closes="")

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
    window.until("the document", lambda: "MindPort extension" in window.newest_text())


def test_the_project_is_analyzed(window: Workbench) -> None:
    window.command("MindPort: Analyze Project")
    page = window.page.locator("iframe.webview").last.content_frame.frame_locator("iframe")
    title = page.get_by_role("heading", name="Training setup")
    window.until("the analysis, as a page", lambda: title.count() > 0)


def is_converted(window: Workbench, name: str) -> bool:
    """Whether the class was converted, and saved: VS Code does so where an edit makes a file, too."""
    return b"def construct(self, x)" in window.path(name).read_bytes()


def test_a_report_of_a_problem_is_begun(window: Workbench) -> None:
    window.command("MindPort: Report an Issue")
    window.until("the report", lambda: "What I expected" in window.newest_text())
    window.wait_for_message("remove private details")
    window.picture("commands-issue")


def test_a_class_is_converted_by_the_line_above_it(window: Workbench) -> None:
    window.open("lens.py", 4, 8)
    lens = window.page.locator(".codelens-decoration a", has_text="Convert to MindSpore")
    window.until("the line above the class", lens.count)
    window.picture("commands-lens")
    window.attempt("the class of MindSpore", lens.first.click, lambda: is_converted(window, "lens.py"))


def test_a_class_is_converted_by_a_command(window: Workbench) -> None:
    window.open("command.py", 4, 8)
    window.wait_for_squiggles()
    window.command("MindPort: Convert This Class or Function")
    window.until("a change", lambda: window.is_changed() or is_converted(window, "command.py"))
    assert b"def construct(self, x)" in window.save("command.py")


def test_messages_are_lines_in_the_output(window: Workbench) -> None:
    window.open("hint.py", 3, 12)
    window.command("MindPort: Show Output")
    log = window.page.locator(".output-view-container .view-lines, .output-view .view-lines")

    def lines() -> str:
        return log.first.inner_text().replace("\xa0", " ") if log.count() else ""

    window.until("a line for a message", lambda: " ms" in lines() and "→ textDocument/" in lines())
    window.picture("commands-log")
    assert '{"' not in lines()


def test_a_new_project(window: Workbench) -> None:
    """Made from the palette: which network, where, and by what name."""
    window.open("model.py")
    window.status("MindSpore 2.10")
    networks = window.attempt(
        "the networks",
        lambda: window.command("MindPort: New MindSpore Project…"),
        lambda: len(window.picks()) > 1 and window.picks(),
    )
    assert any("cnn" in one for one in networks), networks
    window.picture("new-project-networks")
    window.type_in_list("cnn")
    here = window.page.locator(f"{PICK} .monaco-button", has_text="Create the Project Here")
    window.until("where to make it", here.count)
    window.until(
        "that the folder that is open is proposed", lambda: window.chosen().rstrip("/") == str(window.folder)
    )
    window.picture("new-project-place")
    name = window.page.locator(PICK, has_text="Name of the new project")
    window.attempt("its name", here.click, name.count)
    window.type_in_list("leaves")
    window.wait_for_message("Project created in")
    window.picture("new-project-made")
    made = {str(path.relative_to(window.path("leaves"))) for path in window.path("leaves").rglob("*.py")}
    assert made, "files of the project"
    assert not [path for path in window.path("leaves").rglob("*.py") if b"import torch" in path.read_bytes()]
    window.open("leaves/" + sorted(made)[0])
