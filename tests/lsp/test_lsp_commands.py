"""The server's commands: results, and arguments that cannot be used."""

from __future__ import annotations

import pytest
from editor import until
from lsprotocol import types
from pygls.exceptions import JsonRpcException

TEXT = "import torch\nfrom torch import nn\n\nlayer = nn.Linear(3, 4)\nx = torch.randn(3)\n"


@pytest.fixture
def uri(tmp_path):
    return (tmp_path / "model.py").as_uri()


async def fails(editor, name, *arguments):
    with pytest.raises(JsonRpcException) as caught:
        await editor.command(name, *arguments)
    return caught.value


def uses(report):
    return [(use["api"], use["start"]["line"], use["start"]["column"]) for use in report["uses"]]


EXPECTED = [("torch.nn.Linear", 4, 9), ("torch.randn", 5, 5)]


async def test_the_commands_are_announced(editor):
    provider = editor.capabilities.execute_command_provider
    assert set(provider.commands) >= {
        "mindport.scanFile",
        "mindport.explain",
        "mindport.debugInformation",
        "mindport.explainError",
        "mindport.newProject",
        "mindport.searchApi",
        "mindport.setTarget",
        "mindport.target",
    }
    assert provider.work_done_progress is True


async def test_scan_a_file_that_is_not_open(editor, uri, tmp_path):
    (tmp_path / "model.py").write_bytes(TEXT.replace("\n", "\r\n").encode())
    report = await editor.command("mindport.scanFile", uri)
    assert report["path"] == str(tmp_path / "model.py")
    assert [use for use in uses(report) if use in EXPECTED] == EXPECTED
    assert report["problems"] == []


async def test_scan_what_is_open_not_what_is_on_disk(editor, uri, tmp_path):
    (tmp_path / "model.py").write_text("nothing = 1\n")
    editor.open(uri, TEXT)
    assert [
        use for use in uses(await editor.command("mindport.scanFile", uri)) if use in EXPECTED
    ] == EXPECTED
    editor.open("untitled:a", TEXT)
    report = await editor.command("mindport.scanFile", "untitled:a")
    assert report["path"] == "untitled:a" and uses(report)


async def test_scan_shows_progress_if_asked(editor, uri, tmp_path):
    (tmp_path / "model.py").write_text(TEXT)
    editor.client.progress_reports["my token"] = []
    await editor.command("mindport.scanFile", uri, token="my token")
    await until(lambda: len(editor.client.progress_reports["my token"]) == 2)
    kinds = [report.kind for report in editor.client.progress_reports["my token"]]
    assert kinds == ["begin", "end"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "No such file"),
        (b"\0\1\2", "NUL"),
        (b"x = '\xff'\n", "UTF-8"),
        (b"# coding: no-such-encoding\n", "no-such-encoding"),
    ],
)
async def test_a_file_that_cannot_be_read_is_said_to_be_so(editor, uri, tmp_path, content, reason):
    if content is not None:
        (tmp_path / "model.py").write_bytes(content)
    error = await fails(editor, "mindport.scanFile", uri)
    assert error.code == -32803 and reason in error.message
    assert editor.client.messages == []


async def test_a_folder_is_no_file(editor, tmp_path):
    assert "folder" in (await fails(editor, "mindport.scanFile", tmp_path.as_uri())).message
    assert "untitled:x" in (await fails(editor, "mindport.scanFile", "untitled:x")).message


async def test_scan_a_file_with_a_cookie(editor, uri, tmp_path):
    text = "# -*- coding: gbk -*-\nimport torch\n名 = '卷积'; x = torch.randn(3)\n"
    (tmp_path / "model.py").write_bytes(text.encode("gbk"))
    report = await editor.command("mindport.scanFile", uri)
    assert ("torch.randn", 3, 15) in uses(report)


async def test_explain(editor):
    assert "mindspore.mint.nn.Linear" in await editor.command("mindport.explain", "torch.nn.Linear")
    assert await editor.command("mindport.explain", "nn.Linear") == await editor.command(
        "mindport.explain", "torch.nn.Linear"
    )
    assert "# MP201" in await editor.command("mindport.explain", "mp201")
    assert "torch.nn.Lineear" in await editor.command("mindport.explain", "torch.nn.Lineear")


async def test_search(editor):
    found = await editor.command("mindport.searchApi", "conv2d", 5)
    assert 0 < len(found) <= 5
    assert all(set(result) == {"name", "counterparts", "text", "score"} for result in found)
    assert any(result["name"].endswith("onv2d") for result in found)
    assert len(await editor.command("mindport.searchApi", "conv")) <= 20


async def test_set_the_target(editor, uri):
    editor.open(uri, TEXT)
    before = await editor.diagnostics(uri)
    assert "mindspore.mint.randn" in before[1].message
    seen = len(editor.published)
    target = await editor.command("mindport.setTarget", {"style": "classic", "device": "cpu"})
    assert target == {"target": "2.10", "device": "cpu", "style": "classic"}
    found = await editor.publication(lambda params: params.uri == uri, skip=seen)
    assert "mindspore.mint.randn" not in found[1].message

    seen = len(editor.published)  # other settings leave it, the same setting in the editor takes it back
    editor.client.set_configuration({"ignore": ["MP9"]}, section="mindport")
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    found = await editor.publication(lambda params: params.uri == uri, skip=seen)
    assert "mindspore.mint.randn" not in found[1].message
    seen = len(editor.published)
    editor.client.set_configuration({"style": "mint", "device": "ascend"}, section="mindport")
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    assert await editor.publication(lambda params: params.uri == uri, skip=seen) == before


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("mindport.scanFile", ()),
        ("mindport.scanFile", (5,)),
        ("mindport.scanFile", ("a", "b")),
        ("mindport.explain", ()),
        ("mindport.explainError", ()),
        ("mindport.explain", ("",)),
        ("mindport.searchApi", ("relu", 0)),
        ("mindport.searchApi", ("relu", "many")),
        ("mindport.searchApi", ("relu", True)),
        ("mindport.setTarget", ()),
        ("mindport.setTarget", ("2.9",)),
        ("mindport.setTarget", ({},)),
        ("mindport.setTarget", ({"language": "zh-cn"},)),
        ("mindport.setTarget", ({"target": "9.9"},)),
        ("mindport.setTarget", ({"device": "tpu"},)),
        ("mindport.target", ("2.9",)),
        ("mindport.noSuchCommand", ()),
    ],
)
async def test_arguments_that_cannot_be_used(editor, command, arguments):
    error = await fails(editor, command, *arguments)
    assert error.code == -32602 and "mind" in error.message.lower()
    assert editor.client.messages == []


async def test_refusals_in_chinese(start):
    editor = await start(settings={"language": "zh-cn"})
    assert "应为" in (await fails(editor, "mindport.setTarget", {"device": "tpu"})).message
    assert "不支持 MindSpore 9.9" in (await fails(editor, "mindport.setTarget", {"target": "9.9"})).message


async def test_the_target_and_what_may_be_chosen(editor):
    before = await editor.command("mindport.target")
    assert (before["target"], before["device"]) == ("2.10", "ascend")
    assert before["is_default"]
    assert before["versions"][:2] == ["2.10", "2.9"] and set(before["devices"]) == {"ascend", "gpu", "cpu"}
    await editor.command("mindport.setTarget", {"target": before["versions"][1], "device": "cpu"})
    after = await editor.command("mindport.target")
    assert (after["target"], after["device"]) == ("2.9", "cpu")


async def test_explain_an_error(editor, tmp_path):
    (tmp_path / "net.py").write_text("import torch\n\ntorch.svd(torch.eye(2))\n", encoding="utf-8")
    page = await editor.command(
        "mindport.explainError",
        f"  File \"{tmp_path / 'net.py'}\", line 3\nAttributeError: 'Tensor' object has no attribute 'cuda'",
    )
    assert "has no `cuda`" in page and "net.py:3: `torch.svd`" in page
    assert "Unknown error" in await editor.command("mindport.explainError", "KeyError: 3")


async def test_debug_information(editor, tmp_path):
    text = await editor.command("mindport.debugInformation")
    assert "mindport  " in text and "target" in text and str(tmp_path) in text


async def test_a_new_project(editor, tmp_path):
    models = await editor.command("mindport.newProject")
    assert {"name": "cnn", "text": "Classifies images with a convolutional network."} in models
    wanted = {"folder": (tmp_path / "project").as_uri(), "model": "cnn"}
    files = await editor.command("mindport.newProject", wanted)
    assert (tmp_path / "project" / "train.py").as_uri() in files
    assert "not an empty folder" in str(await fails(editor, "mindport.newProject", wanted))


async def test_where_classes_of_pytorch_begin(editor, tmp_path):
    text = (
        "import torch\nfrom torch import nn\n\n\n@final\nclass 甲(\n    Mixin,\n    nn.Module,\n):\n"
        "    class Inner(nn.Sequential):\n        pass\n\n\nclass Other:\n    pass\n\n\nclass Last(甲):\n    pass\n"
    )
    (tmp_path / "net.py").write_text(text, encoding="utf-8")
    uri = (tmp_path / "net.py").as_uri()
    places = await editor.command("mindport.torchClasses", uri)
    assert [(one["line"], one["character"]) for one in places] == [(5, 0), (9, 4)]
