"""Converting a notebook, which is closed at first, alone and with the files beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from editor_process import ALL_FIXED, TEXT
from test_vscode_convert import is_closed
from test_vscode_notebook import CELLS, notebook
from vscode_workbench import Start, Workbench

CODE = ["from mindspore import mint\n", "x = mint.randn(3, 4)\n", "# 模型 😀\nx.reshape(12)"]


@pytest.fixture(scope="module")
def window(start: Start, extensions: Path) -> Workbench:
    files = {"pkg/train.ipynb": notebook(CELLS), "pkg/small.py": TEXT, "alone.ipynb": notebook(CELLS)}
    window = start(extensions, files=files)
    window.open("data.py")
    window.wait_for_squiggles()  # menus have the extension's entries once it is there
    return window


def compared(window: Workbench, part: str) -> str:
    """What the right side of the differences shows, once this is in it."""
    sides = window.page.locator(".monaco-diff-editor .editor.modified .view-lines")

    def text() -> str | None:
        every = "\n".join(sides.all_inner_texts()).replace("\u00a0", " ")
        return every if part in every else None

    return window.until(f"the differences with {part!r}", text)


def saved(window: Workbench, name: str) -> bytes:
    """The active file as it is on disk, saved if VS Code has not done so by itself."""
    if window.page.query_selector(".tab.active.dirty"):
        window.save(name)
    return window.path(name).read_bytes()


def check_saved(window: Workbench, name: str) -> None:
    """The notebook's code is converted, and the rest is as it was: except that VS Code takes the number of its
    execution from an edited cell."""
    window.open_notebook(Path(name).name, "mint.randn")
    saved(window, name)
    cells = json.loads(window.path(name).read_text("utf-8"))["cells"]
    before = json.loads(notebook(CELLS))["cells"]
    assert ["".join(cell["source"]) for cell in cells] == CODE
    for kept in ("id", "metadata", "outputs"):
        assert [cell[kept] for cell in cells] == [cell[kept] for cell in before]


def test_one_from_the_explorer(window: Workbench) -> None:
    window.menu("alone.ipynb", "MindPort: Convert (Preview)")
    assert "# %% cell 2" in compared(window, "mint.randn(3, 4)")
    window.picture("convert-notebook-differences")
    window.click_message("Apply", lambda: is_closed(window))
    window.picture("convert-notebook-applied")
    check_saved(window, "alone.ipynb")


def test_a_folder_with_files_and_notebooks(window: Workbench) -> None:
    window.menu("pkg", "MindPort: Convert (Preview)")
    compared(window, "mint.randn(3, 4)")
    compared(window, "mint.nn.Conv2d")
    window.picture("convert-notebook-folder")
    window.click_message("Apply", lambda: is_closed(window))
    check_saved(window, "pkg/train.ipynb")
    window.open("small.py")
    assert saved(window, "pkg/small.py") == ALL_FIXED.encode()
