"""`mindport.scanProject`: what is looked at, with which settings and texts, and how it is told."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from editor import Editor, capabilities
from lsprotocol import types
from pygls.exceptions import JsonRpcException

SCAN = "mindport.scanProject"
TEXT = "import torch\nx = torch.sin(1)\ny = torch.nn.Conv2d(3, 4, 5)\n"
NOTEBOOK = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {},
    "cells": [{"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "source": "import torch\n"}],
}


@pytest.fixture
def project(tmp_path):
    (tmp_path / "包").mkdir()
    (tmp_path / "old").mkdir()
    (tmp_path / "pyproject.toml").write_text('[tool.mindport]\nexclude = ["old"]\ndevice = "cpu"\n')
    for name in ("b.py", "包/a.py", "old/c.py"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    (tmp_path / "n.ipynb").write_text(json.dumps(NOTEBOOK))
    (tmp_path / "bad.py").write_bytes(b"\xff")
    return tmp_path


def by_path(result):
    return {file["path"]: file for file in result["files"]}


def command_line(folder, *options):
    command = [sys.executable, "-m", "mindport", "scan", ".", "--format", "json", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert done.returncode in (0, 2)  # 2: a file cannot be read
    return json.loads(done.stdout)


async def test_the_workspace_as_the_command_line_sees_it(project, start):
    editor = await start()
    result = await editor.command(SCAN)
    expected = command_line(project)
    assert result["statuses"]["missing"] == "no equivalent" and len(result["statuses"]) == 5
    assert result["target"] == expected["target"] and result["summary"] == expected["summary"]
    assert result["cancelled"] is False and isinstance(result["scan"], str)
    files = by_path(result)
    assert list(files) == [file["path"] for file in expected["files"]]
    assert list(files) == ["b.py", "bad.py", "n.ipynb", "包/a.py"]
    for file in expected["files"]:
        entry = files[file["path"]]
        assert entry["uri"] == (project / file["path"]).as_uri()
        statuses = [use["status"] for use in file["uses"]]
        assert entry["counts"] == {status: statuses.count(status) for status in dict.fromkeys(statuses)}
        shown = [use["status"] for use in file["uses"] if use["code"] is not None]
        assert entry["findings"] == {status: shown.count(status) for status in dict.fromkeys(shown)}
        assert len(entry["problems"]) == len(file["problems"])
    assert "UTF-8" in files["bad.py"]["problems"][0]["message"]
    again = await editor.command(SCAN)  # from the cache
    assert again["scan"] != result["scan"]
    assert again | {"scan": 0} == result | {"scan": 0}


async def test_open_documents_are_as_in_the_editor(project, editor):
    uri = (project / "b.py").as_uri()
    editor.open(uri, "import torch\n")
    editor.replace(uri, 0, 0, "# 你好 😀\nimport torch\ntorch.cos(1)\n")
    editor.open("untitled:new", TEXT)
    result = await editor.command(SCAN, {"uris": [project.as_uri(), "untitled:new"]})
    files = by_path(result)
    assert sum(files["b.py"]["counts"].values()) == 3
    assert sum(files["包/a.py"]["counts"].values()) == 3
    assert sum(files["untitled:new"]["counts"].values()) == 3
    assert result["summary"]["uses"] == sum(sum(file["counts"].values()) for file in result["files"])


async def test_files_and_folders_by_name(project, editor):
    uris = [(project / name).as_uri() for name in ("包", "old/c.py", "n.ipynb")]
    result = await editor.command(SCAN, {"uris": uris})
    assert list(by_path(result)) == ["n.ipynb", "old/c.py", "包/a.py"]  # what is named is not left out


async def test_a_file_that_is_not_there_is_named(project, editor):
    uris = [(project / name).as_uri() for name in ("gone.py", "b.py")]
    files = by_path(await editor.command(SCAN, {"uris": uris}))
    assert files["gone.py"]["counts"] == {} and files["b.py"]["problems"] == []
    [problem] = files["gone.py"]["problems"]
    assert "no such file" in problem["message"].lower() and "gone.py" in problem["message"]


async def test_each_folder_has_its_own_settings(tmp_path):
    folders = []
    for name, wanted in (("one", 'ignore = ["MP"]'), ("one/inner", 'exclude = ["a.py"]'), ("two", "")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "pyproject.toml").write_text(f"[tool.mindport]\n{wanted}\n")
        for file in ("a.py", "b.py"):
            (folder / file).write_text(TEXT)
        folders.append(types.WorkspaceFolder(folder.as_uri(), name))
    editor = await Editor.start(None, capabilities(), folders=folders)
    everything = by_path(await editor.command(SCAN))
    findings = {path: bool(file["findings"]) for path, file in everything.items()}
    outer = {"one/a.py": False, "one/b.py": False}
    assert findings == {"inner/b.py": True, **outer, "two/a.py": True, "two/b.py": True}
    one = by_path(await editor.command(SCAN, {"uris": [folders[0].uri]}))
    assert one == {path: file for path, file in everything.items() if not path.startswith("two")}
    await editor.stop()


@pytest.mark.parametrize(
    "arguments",
    [
        [1],
        [[]],
        [{}, 1],
        [{"uris": []}],
        [{"uris": "file:///a"}],
        [{"uris": [1]}],
        [{"uris": ["untitled:not-open"]}],
        [{"keep": 1}],
        [{"folders": []}],
    ],
)
async def test_wrong_arguments(editor, arguments):
    with pytest.raises(
        JsonRpcException, match=r"mindport\.scanProject takes nothing, or an object"
    ) as raised:
        await editor.command(SCAN, *arguments)
    assert raised.value.code == -32602


async def test_without_a_folder(start):
    editor = await start(root=None)
    with pytest.raises(JsonRpcException, match="No folder is open") as raised:
        await editor.command(SCAN)
    assert raised.value.code == -32803


async def test_nothing_to_scan(tmp_path, editor):
    result = await editor.command(SCAN, token="t")
    assert result["files"] == [] and result["cancelled"] is False
    assert result["summary"] == {"files": 0, "lines": 0, "uses": 0, "by_status": {}}


async def test_progress_has_a_percentage(tmp_path, editor):
    for number in range(40):  # so many that other processes look at them
        (tmp_path / f"m{number}.py").write_text(TEXT)
    result = await editor.command(SCAN, token="t")
    assert len(result["files"]) == 40
    values = editor.client.progress_reports["t"]
    assert values[0].kind == "begin" and values[0].cancellable and values[0].percentage == 0
    reading = [value for value in values[1:-1] if value.message.startswith("reading")]
    total = values[-2].message.partition("/")[2]
    assert values[1:-1][: len(reading)] == reading and reading[0].message == f"reading files: 0 of {total}"
    assert {value.percentage for value in reading} == {0}
    percentages = [value.percentage for value in values[1 + len(reading) : -1]]
    assert percentages == sorted(set(percentages)) and percentages[-1] == 100 and len(percentages) > 10
    assert values[-1].kind == "end"
