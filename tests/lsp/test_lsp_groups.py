""" "Convert this class and what it needs": a code action over several files, whose edits are made when it is chosen."""

from __future__ import annotations

import pytest
from editor import capabilities
from lsprotocol import types
from pygls.exceptions import JsonRpcException

KIND = "refactor.rewrite.mindport.convertGroup"
NETS = """import torch
from torch import nn


class Head(nn.Module):
    def forward(self, x):
        return torch.relu(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = Head()


class Other(nn.Module):
    def forward(self, x):
        return torch.relu(x)


SIZE = 3
"""
BUILD = "from nets import Net\n\n\ndef build(norm=None):\n    return Net()\n"


def abilities(creates: bool = True):
    operations = [types.ResourceOperationKind.Create] if creates else []
    edits = types.WorkspaceEditClientCapabilities(document_changes=True, resource_operations=operations)
    return capabilities(workspace=types.WorkspaceClientCapabilities(workspace_edit=edits, configuration=True))


@pytest.fixture
async def editor(start, tmp_path):
    (tmp_path / "build.py").write_text(BUILD, encoding="utf-8")
    started = await start(abilities=abilities(), settings={"device": "cpu", "style": "classic"})
    started.nets = (tmp_path / "nets.py").as_uri()
    return started


async def offered(editor, uri, piece):
    return await editor.actions(uri, editor.range_of(uri, piece), [KIND])


async def test_a_class_is_converted_with_what_it_needs(editor, tmp_path):
    """An open text counts as it is open; a class that nothing joins stays."""
    editor.open(editor.nets, NETS)
    [action] = await offered(editor, editor.nets, "class Net")
    assert action.title == "Convert this class and what it needs" and action.edit is None
    changes = list((await editor.resolved(action)).edit.document_changes)
    made, written, *others = changes
    assert isinstance(made, types.CreateFile) and made.uri == (tmp_path / "mindport_helpers.py").as_uri()
    assert written.text_document.uri == made.uri and "class Module" in written.edits[0].new_text
    assert {one.text_document.uri for one in others} == {editor.nets}
    editor.apply(types.WorkspaceEdit(document_changes=others))
    text = editor.texts[editor.nets]
    assert "class Head(helpers.Module)" in text and "class Net(helpers.Module)" in text
    assert text.count("def construct") == 1 and "from torch import nn" in text
    assert text.partition("class Other")[2] == NETS.partition("class Other")[2]


async def test_helpers_that_are_there_are_added_to(editor, tmp_path):
    helpers = tmp_path / "mindport_helpers.py"
    helpers.write_text('"""Mine."""\n\nimport math\n\n\ndef mine():\n    return math.pi\n', encoding="utf-8")
    editor.open(editor.nets, NETS)
    [action] = await offered(editor, editor.nets, "class Other")
    changes = list((await editor.resolved(action)).edit.document_changes)
    assert all(isinstance(one, types.TextDocumentEdit) for one in changes)
    [edits] = [one.edits for one in changes if one.text_document.uri == helpers.as_uri()]
    assert "def mine():" in edits[0].new_text and "class Module" in edits[0].new_text
    compile(edits[0].new_text, "helpers", "exec")


async def test_files_that_only_build_it_belong_to_it(editor, tmp_path):
    """The function changes nothing by itself, yet something of what it needs does."""
    editor.open(editor.nets, NETS)
    uri = (tmp_path / "build.py").as_uri()
    editor.open(
        uri,
        BUILD.replace("norm=None", "norm=nn.LayerNorm").replace(
            "from nets", "from torch import nn\nfrom nets"
        ),
    )
    [action] = await offered(editor, uri, "def build")
    assert action.title == "Convert this function and what it needs"
    changes = (await editor.resolved(action)).edit.document_changes
    changed = {one.text_document.uri for one in changes if isinstance(one, types.TextDocumentEdit)}
    assert {uri, editor.nets} < changed


async def test_it_is_offered_where_something_can_be_converted(editor):
    editor.open(editor.nets, NETS + "\n\ndef plain(x):\n    return x\n")
    for piece in ("SIZE", "return torch", "def plain", "import torch"):
        assert await offered(editor, editor.nets, piece) == []
    quick = await editor.actions(editor.nets, editor.range_of(editor.nets, "class Net"), ["quickfix"])
    assert KIND not in {action.kind for action in quick}


async def test_a_change_since_is_told(editor):
    editor.open(editor.nets, NETS)
    [action] = await offered(editor, editor.nets, "class Net")
    editor.replace(editor.nets, 0, 0, "import os\n")
    with pytest.raises(JsonRpcException):
        await editor.resolved(action)


async def test_an_editor_that_makes_no_files_is_not_offered_it(start, tmp_path):
    editor = await start(abilities=abilities(False))
    uri = (tmp_path / "nets.py").as_uri()
    editor.open(uri, NETS)
    assert await offered(editor, uri, "class Net") == []


async def test_in_chinese(start, tmp_path):
    editor = await start(abilities=abilities(), settings={"language": "zh-cn", "device": "cpu"})
    uri = (tmp_path / "nets.py").as_uri()
    editor.open(uri, NETS)
    [action] = await offered(editor, uri, "class Net")
    assert action.title == "转换此类及其所需的代码"
