"""Fixes in notebooks: from the joined text to the cells, and into the file."""

from __future__ import annotations

import json

from findings import session
from mindport.rewrite.edit import edited_notebook
from mindport.source.notebook_file import NotebookFile


def fixed(*cells: str) -> list[str]:
    """The cells after all safe fixes; everything else of the file is checked to be the same."""
    content = {
        "nbformat": 4,
        "metadata": {},
        "cells": [{"cell_type": "code", "source": cell} for cell in cells],
    }
    file = NotebookFile.of(json.dumps(content).encode())
    document = file.document("/nowhere/a.ipynb")
    made = session()
    found = made.analyse("/nowhere/a.ipynb", document)
    after = json.loads(edited_notebook(file, document, made.fix_all(found)))
    again = [cell.pop("source") for cell in after["cells"]]
    assert after == {**content, "cells": [{"cell_type": "code"} for _ in cells]}
    return again


def test_one_namespace_and_the_import_in_the_first_cell_with_imports() -> None:
    assert fixed(
        "%matplotlib inline\nx = 1", "!pip install torch\nimport torch", "torch.sin(torch.cos(2))"
    ) == [
        "%matplotlib inline\nx = 1",
        "!pip install torch\nfrom mindspore import mint",
        "mint.sin(mint.cos(2))",
    ]


def test_import_at_the_end_of_its_cell() -> None:
    assert fixed("import os\nimport torch", "y = torch.sin(x)\nz = torch.foo") == [
        "import os\nimport torch\nfrom mindspore import mint",
        "y = mint.sin(x)\nz = torch.foo",
    ]


def test_cells_with_a_line_end() -> None:
    assert fixed("import torch\n", "torch.sin(x)\n") == ["from mindspore import mint\n", "mint.sin(x)\n"]


def test_magics_around_code() -> None:
    assert fixed("%%time\nimport torch\nx = torch.sin(1)\n%cd ..", "%%bash\nimport torch") == [
        "%%time\nfrom mindspore import mint\nx = mint.sin(1)\n%cd ..",
        "%%bash\nimport torch",
    ]


def test_an_unfinished_cell_spoils_no_other() -> None:
    assert fixed("import torch", "x = (1,", 'text = """', "torch.sin(x)") == [
        "from mindspore import mint",
        "x = (1,",
        'text = """',
        "mint.sin(x)",
    ]


def test_characters_of_many_bytes() -> None:
    assert fixed("# 火焰 😀\nimport torch", "!echo 火\n名 = '😀'; torch.sin(名)") == [
        "# 火焰 😀\nfrom mindspore import mint",
        "!echo 火\n名 = '😀'; mint.sin(名)",
    ]


def test_statements_that_share_a_line() -> None:
    assert fixed("x = 1\nimport torch; y = torch.sin(x)", "torch.cos(y)") == [
        "x = 1\nfrom mindspore import mint\ny = mint.sin(x)",
        "mint.cos(y)",
    ]


def test_a_magic_that_reads_a_name_keeps_its_import() -> None:
    for magic in ("%timeit torch.sin(1)", "!echo {torch.__version__}", "y = %time torch.sin(1)"):
        assert fixed("import torch\nx = torch.sin(1)", magic) == [
            "import torch\nfrom mindspore import mint\nx = mint.sin(1)",
            magic,
        ]
