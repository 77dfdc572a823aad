"""`mindport.scanResults`."""

from __future__ import annotations

import json

import pytest
from pygls.exceptions import JsonRpcException

SCAN = "mindport.scanProject"
RESULTS = "mindport.scanResults"
TEXT = "import torch\nx = torch.sin(1)\n层 = '😀', torch.nn.Conv2d(3, 4, 5)\n"
CELLS = ["# text", "import torch\n", "y = 1\ntorch.sin(y)\n"]


@pytest.fixture
def files(tmp_path):
    (tmp_path / "包").mkdir()
    (tmp_path / "包" / "a.py").write_text(TEXT, encoding="utf-8")
    cells = [
        {"cell_type": "code", "id": str(n), "metadata": {}, "outputs": [], "source": text}
        for n, text in enumerate(CELLS)
    ]
    cells[0] = {"cell_type": "markdown", "id": "0", "metadata": {}, "source": CELLS[0]}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    (tmp_path / "n.ipynb").write_text(json.dumps(notebook))
    (tmp_path / "bad.py").write_bytes(b"\xff")
    return tmp_path


def plain(value):
    """A result as plain JSON: the test's client makes objects of it."""
    return json.loads(json.dumps(value, default=lambda each: each._asdict()))


async def test_rows_and_places(editor, files):
    scan = await editor.command(SCAN)
    made = plain(await editor.command(RESULTS, {"scan": scan["scan"]}))
    assert made["scan"] == scan["scan"] and made["target"]["version"] == "2.10"
    assert made["files"] == [{"uri": each["uri"], "path": each["path"]} for each in scan["files"]]
    assert [each["path"] for each in made["files"]] == ["bad.py", "n.ipynb", "包/a.py"]
    assert sum(table["uses"] for table in made["tables"]) == scan["summary"]["uses"]
    [layer] = [row for row in made["rows"] if row["api"] == "torch.nn.Conv2d"]
    assert layer["places"] == [[2, 0, 2, 10, 0, 25]]
    assert layer["link"].startswith("https://www.mindspore.cn/docs/en/r2.10.0/")
    [sine] = [row for row in made["rows"] if row["api"] == "torch.sin"]
    assert sine["places"] == [[1, 3, 1, 0, 0, 9], [2, 0, 1, 4, 0, 13]]
    [problem] = made["problems"]
    assert problem["file"] == 0 and "UTF-8" in problem["message"]


async def test_the_editor_s_text(editor, files):
    editor.open((files / "包" / "a.py").as_uri(), "\n" + TEXT)
    scan = await editor.command(SCAN, {"uris": [(files / "包").as_uri()]})
    made = plain(await editor.command(RESULTS, {"scan": scan["scan"]}))
    assert [row["places"] for row in made["rows"] if row["api"] == "torch.sin"] == [[[0, 0, 2, 4, 0, 13]]]


async def test_a_scan_that_is_not_kept(editor, files):
    first = await editor.command(SCAN)
    for _ in range(3):
        await editor.command(SCAN)
    for identity in (first["scan"], "x"):
        with pytest.raises(JsonRpcException, match="have expired") as raised:
            await editor.command(RESULTS, {"scan": identity})
        assert raised.value.code == -32803


@pytest.mark.parametrize(
    "arguments",
    [[], [None], ["x"], [{"scan": 1}], [{"scan": ""}], [{"scan": "x", "more": 1}], [{"scan": "x"}, 1]],
)
async def test_wrong_arguments(editor, arguments):
    with pytest.raises(JsonRpcException, match=r"mindport\.scanResults takes an object") as raised:
        await editor.command(RESULTS, *arguments)
    assert raised.value.code == -32602
