"""Notebooks: the cells share their names, a cell has squiggles, hover and fixes, and is saved as it was. And one is
converted that is closed at first, alone and with the files beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from editor_process import ALL_FIXED, TEXT
from test_vscode_convert import is_closed
from vscode_workbench import Opened, Start, Workbench

CELLS = ["import torch\n", "x = torch.randn(3, 4)\n", "# 模型 😀\nx.reshape(12)"]
CODE = ["from mindspore import mint\n", "x = mint.randn(3, 4)\n", CELLS[2]]


def notebook(cells: list[str]) -> str:
    """A notebook as Jupyter writes it."""
    code = [
        {
            "cell_type": "code",
            "execution_count": number,
            "id": f"cell{number}",
            "metadata": {"tags": ["kept"]},
            "outputs": [{"name": "stdout", "output_type": "stream", "text": ["kept\n"]}],
            "source": cell.splitlines(keepends=True),
        }
        for number, cell in enumerate(cells, 1)
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    whole = {"cells": code, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


@pytest.fixture(scope="module")
def opened(start: Start, extensions: Path) -> Opened:
    names = ("train.ipynb", "alone.ipynb", "pkg/inner.ipynb")
    files = {"pkg/small.py": TEXT, **dict.fromkeys(names, notebook(CELLS))}

    def with_findings() -> Workbench:
        window = start(extensions, files=files)
        window.open_notebook("train.ipynb", "randn")
        window.wait_for_squiggles()  # menus have the extension's entries once it is there
        return window

    return Opened(with_findings)


def check_cells(window: Workbench, name: str) -> None:
    """The notebook's code is converted on disk, and the rest is as it was: except that VS Code takes the number of
    its execution from an edited cell."""
    cells = json.loads(window.path(name).read_text("utf-8"))["cells"]
    before = json.loads(notebook(CELLS))["cells"]
    assert ["".join(cell["source"]) for cell in cells] == CODE
    for kept in ("id", "metadata", "outputs"):
        assert [cell[kept] for cell in cells] == [cell[kept] for cell in before]


def test_squiggles_in_cells(window: Workbench) -> None:
    window.open_notebook("train.ipynb", "randn")
    window.wait_for_squiggles()


def test_hover_in_a_cell(window: Workbench) -> None:
    window.open_notebook("train.ipynb", "randn")
    window.wait_for_squiggles()
    window.put_cursor_into("randn")
    assert "equivalent" in window.hover("mindspore.mint.randn(")


def test_a_fix_in_a_cell_is_saved(window: Workbench) -> None:
    window.open_notebook("train.ipynb", "randn")
    window.wait_for_squiggles()

    def open_fixes() -> None:
        window.put_cursor_into("randn")
        window.press("Control+.")

    window.apply("Replace with mindspore.mint.randn", open_fixes)
    window.save("train.ipynb")
    check_cells(window, "train.ipynb")


def compared(window: Workbench, part: str) -> str:
    """What the right side of the differences shows, once this is in it."""
    sides = window.page.locator(".monaco-diff-editor .editor.modified .view-lines")

    def text() -> str | None:
        every = "\n".join(sides.all_inner_texts()).replace("\u00a0", " ")
        return every if part in every else None

    return window.until(f"the differences with {part!r}", text)


def saved(window: Workbench, name: str) -> bytes:
    """The active file as it is on disk, saved if VS Code has not done so by itself."""
    if window.is_changed():
        window.save(name)
    return window.path(name).read_bytes()


def check_saved(window: Workbench, name: str) -> None:
    """The conversion is in the editor, and, once it is saved, on disk."""
    window.open_notebook(Path(name).name, "mint.randn")
    saved(window, name)
    check_cells(window, name)


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
    check_saved(window, "pkg/inner.ipynb")
    window.open("small.py")
    assert saved(window, "pkg/small.py") == ALL_FIXED.encode()
