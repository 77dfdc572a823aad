"""A notebook: the cells share their names, a cell has squiggles, hover and fixes, and is saved as it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from vscode_workbench import Opened, Start, Workbench

CELLS = ["import torch\n", "x = torch.randn(3, 4)\n", "# 模型 😀\nx.reshape(12)"]


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
    return Opened(lambda: start(extensions, files={"train.ipynb": notebook(CELLS)}))


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
    cells = json.loads(window.path("train.ipynb").read_text("utf-8"))["cells"]
    fixed = ["from mindspore import mint\n", "x = mint.randn(3, 4)\n", CELLS[2]]
    assert ["".join(cell["source"]) for cell in cells] == fixed
    before = json.loads(notebook(CELLS))["cells"]
    for kept in ("id", "metadata", "outputs"):
        assert [cell[kept] for cell in cells] == [cell[kept] for cell in before]
