"""`mindport.exportReport` and `mindport.analyzeProject`."""

from __future__ import annotations

import json

import pytest
from pygls.exceptions import JsonRpcException

TEXT = "import torch\nx = torch.sin(1)\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "a.py").write_text(TEXT)
    (tmp_path / "b.py").write_text(TEXT * 2)
    return tmp_path


async def test_the_report_of_the_workspace(editor, files):
    made = await editor.command("mindport.exportReport", "json")
    assert [entry["path"] for entry in json.loads(made["text"])["files"]] == ["b.py", "pkg/a.py"]
    assert (made["files"], made["uses"]) == (2, 6)


@pytest.mark.parametrize(
    ("form", "beginning"),
    [("html", "<!DOCTYPE"), ("csv", "\ufefffile"), ("sarif", '{"$schema'), ("text", "b.py")],
)
async def test_a_file_is_written(editor, files, form, beginning):
    target = files / f"报告.{form}"
    made = await editor.command("mindport.exportReport", form, target.as_uri())
    assert made["path"] == str(target) and made["findings"] == 3
    text = target.read_text(encoding="utf-8")
    assert text.startswith(beginning)
    assert "pkg/a.py" in text and str(files) not in text.replace(files.as_uri(), "")
    assert not [path for path in files.iterdir() if path.name.startswith(".")]


async def test_chosen_paths(editor, files):
    made = await editor.command("mindport.exportReport", "json", None, [(files / "pkg").as_uri()])
    assert [entry["path"] for entry in json.loads(made["text"])["files"]] == ["pkg/a.py"]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["pdf"],
        ["html", 3],
        ["html", "untitled:x"],
        ["html", None, "file:///a"],
        ["html", None, None, 1],
        [["html"]],
        ["html", 3, {"scan": "x"}],
        ["html", None, {"scan": 1}],
    ],
)
async def test_wrong_arguments(editor, arguments):
    with pytest.raises(JsonRpcException, match=r"mindport\.exportReport takes a format") as raised:
        await editor.command("mindport.exportReport", *arguments)
    assert raised.value.code == -32602


async def test_a_file_that_cannot_be_written(editor, files):
    with pytest.raises(JsonRpcException, match="Cannot write") as raised:
        await editor.command("mindport.exportReport", "html", (files / "no" / "x.html").as_uri())
    assert raised.value.code == -32803


async def test_the_analysis_of_the_workspace(editor, files):
    (files / "conf.json").write_text('{\n  "seed": 3\n}\n')
    (files / "b.py").write_text("import torch\ntorch.manual_seed(conf.seed)\n")
    made = await editor.command("mindport.analyzeProject", "json")
    seeds = next(item for item in json.loads(made["text"])["recipe"] if item["item"] == "seed")["entries"]
    assert [(entry["path"], entry["line"]) for entry in seeds] == [("b.py", 2), ("conf.json", 2)]
    assert seeds[0]["parameters"][0]["known"] == "3"
    assert made["files"] == 2
    target = files / "analysis.html"
    written = await editor.command("mindport.analyzeProject", "html", target.as_uri(), [files.as_uri()])
    assert written["path"] == str(target)
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE")


@pytest.mark.parametrize("arguments", [[], ["csv"], ["html", 3], ["html", None, {"scan": "x"}]])
async def test_wrong_arguments_of_an_analysis(editor, arguments):
    with pytest.raises(JsonRpcException, match=r"mindport\.analyzeProject takes a format") as raised:
        await editor.command("mindport.analyzeProject", *arguments)
    assert raised.value.code == -32602
