"""`mindport.exportReport` of what a scan looked at."""

from __future__ import annotations

import csv
import io
import json

import pytest
from editor import Editor, capabilities
from lsprotocol import types
from pygls.exceptions import JsonRpcException

SCAN = "mindport.scanProject"
EXPORT = "mindport.exportReport"
TEXT = "import torch\nx = torch.sin(1)\n"


@pytest.fixture
def project(tmp_path):
    (tmp_path / "包").mkdir()
    (tmp_path / "包" / "a.py").write_text(TEXT, encoding="utf-8")
    (tmp_path / "b.py").write_text(TEXT * 2, encoding="utf-8")
    (tmp_path / "bad.py").write_bytes(b"\xff")
    return tmp_path


async def scanned(editor, *arguments):
    result = await editor.command(SCAN, *arguments)
    return {"scan": result["scan"]}, result


async def test_json_says_what_the_scan_says(editor, project):
    scan, result = await scanned(editor)
    made = await editor.command(EXPORT, "json", None, scan)
    report = json.loads(made["text"])
    assert report["summary"] == result["summary"] and report["target"] == result["target"]
    assert [file["path"] for file in report["files"]] == [file["path"] for file in result["files"]]
    assert (made["files"], made["uses"], made["changed"]) == (3, 6, False)


async def test_the_editor_s_text_and_chosen_files(editor, project):
    uri = (project / "包" / "a.py").as_uri()
    editor.open(uri, TEXT + "torch.cos(x)\n")
    scan, result = await scanned(editor, {"uris": [uri]})
    made = await editor.command(EXPORT, "json", None, scan)
    [file] = json.loads(made["text"])["files"]
    assert file["path"] == "包/a.py" and len(file["uses"]) == result["summary"]["uses"] == 3


@pytest.mark.parametrize("form", ["csv", "html", "sarif", "text"])
async def test_a_file_is_written(editor, project, form):
    scan, _ = await scanned(editor)
    target = project / f"报告.{form}"
    made = await editor.command(EXPORT, form, target.as_uri(), scan)
    text = target.read_text(encoding="utf-8")
    assert made["path"] == str(target) and made["findings"] == 3
    assert text.startswith(
        {"csv": "\ufefffile", "html": "<!DOCTYPE", "sarif": '{"$schema', "text": "b.py"}[form]
    )
    assert str(project) not in text.replace(project.as_uri(), "")
    assert not [path for path in project.iterdir() if path.name.startswith(".")]


async def test_what_has_changed_is_told(editor, project):
    scan, _ = await scanned(editor)
    (project / "b.py").write_text(TEXT)
    made = await editor.command(EXPORT, "json", None, scan)
    assert made["changed"] is True and made["uses"] == 4


async def test_several_folders_with_their_own_settings(tmp_path):
    folders = []
    for name, device in (("one", "cpu"), ("two", "ascend")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "pyproject.toml").write_text(f'[tool.mindport]\ndevice = "{device}"\n')
        (folder / "m.py").write_text("import torch\nx = torch.nn.Conv2d(1, 2, 3)\n")
        folders.append(types.WorkspaceFolder(folder.as_uri(), name))
    editor = await Editor.start(None, capabilities(), folders=folders)
    try:
        scan, _ = await scanned(editor)
        made = await editor.command(EXPORT, "csv", None, scan)
        rows = list(csv.DictReader(io.StringIO(made["text"].removeprefix("\ufeff"), newline="")))
        targets = {row["file"]: row["target"] for row in rows if row["api"] == "torch.nn.Conv2d"}
        assert set(targets) == {"one/m.py", "two/m.py"} and len(set(targets.values())) == 2
        sarif = json.loads((await editor.command(EXPORT, "sarif", None, scan))["text"])
        [run] = sarif["runs"]
        assert run["originalUriBaseIds"]["SRCROOT"]["uri"] == tmp_path.as_uri() + "/"
        assert [each["location"]["uri"] for each in run["artifacts"]] == ["one/m.py", "two/m.py"]
    finally:
        await editor.stop()


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        ({"search": "SIN mint"}, {"b.py": ["torch.sin"] * 2, "包/a.py": ["torch.sin"], "bad.py": []}),
        ({"file": "包 A.py"}, {"包/a.py": ["torch", "torch.sin"]}),
        ({"file": "a.py", "search": "torch.sin"}, {"包/a.py": ["torch.sin"]}),
        ({"status": "missing"}, {"bad.py": []}),
        ({"fix": "none"}, {"b.py": ["torch"] * 2, "包/a.py": ["torch"], "bad.py": []}),
        ({"search": "", "file": "", "status": "", "fix": ""}, None),
    ],
)
async def test_what_filters_leave(editor, project, only, expected):
    scan, _ = await scanned(editor)
    whole = json.loads((await editor.command(EXPORT, "json", None, scan))["text"])
    for _ in range(2):  # the second time from the cache
        made = await editor.command(EXPORT, "json", None, {**scan, "only": only})
        report = json.loads(made["text"])
        assert made["changed"] is False
        if expected is None:
            assert report == whole
            continue
        assert {f["path"]: [use["api"] for use in f["uses"]] for f in report["files"]} == expected
        assert report["summary"]["uses"] == made["uses"] == sum(map(len, expected.values()))
    (project / "b.py").write_text(TEXT * 3)
    assert (await editor.command(EXPORT, "json", None, {**scan, "only": only}))["changed"] is True


async def test_all_formats_of_what_filters_leave(editor, project):
    scan, _ = await scanned(editor)
    for form in ("csv", "html", "sarif", "text"):
        made = await editor.command(EXPORT, form, None, {**scan, "only": {"file": "包"}})
        assert made["findings"] == 1 and "b.py" not in made["text"]


@pytest.mark.parametrize("only", [1, None, ["a"], {"other": ""}, {"search": 1}])
async def test_filters_that_are_none(editor, project, only):
    scan, _ = await scanned(editor)
    with pytest.raises(JsonRpcException) as raised:
        await editor.command(EXPORT, "json", None, {**scan, "only": only})
    assert raised.value.code == -32602


async def test_a_scan_that_is_not_kept(editor, project):
    with pytest.raises(JsonRpcException, match="have expired") as raised:
        await editor.command(EXPORT, "html", None, {"scan": "x"})
    assert raised.value.code == -32803


async def test_a_file_that_cannot_be_written(editor, project):
    scan, _ = await scanned(editor)
    with pytest.raises(JsonRpcException, match="Cannot write"):
        await editor.command(EXPORT, "html", (project / "no" / "x.html").as_uri(), scan)
