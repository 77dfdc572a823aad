"""Code actions about more than one place, fixes to review, and fixes that cannot be made."""

from __future__ import annotations

import pytest
from editor import capabilities, text_document
from lsprotocol import types

TEXT = """import torch

层 = torch.nn.Linear(3, 4)  # 😀
a = torch.nn.Linear(3, 4), torch.cat([x, y])
b = torch.nn.Linear(in_features=3, out_features=4)
c = torch.nn.Dropout(0.5)
d = torch.nn.Dropout(0.5)
"""
LOSING = "import torch\n\nx = torch.nn.Conv2d(3, 3, 3,  # three\n    device=None)\n"


@pytest.fixture
def uri(tmp_path):
    return (tmp_path / "model.py").as_uri()


def annotating(**changes):
    """The abilities of an editor that lets the user confirm edits."""
    support = types.ChangeAnnotationsSupportOptions(groups_on_label=True)
    edits = types.WorkspaceEditClientCapabilities(document_changes=True, change_annotation_support=support)
    return capabilities(
        workspace=types.WorkspaceClientCapabilities(workspace_edit=edits, configuration=True), **changes
    )


async def titled(editor, uri, piece, beginning):
    """The actions at a piece of the text whose titles begin so."""
    actions = await editor.actions(uri, editor.range_of(uri, piece), ["quickfix"])
    return [action for action in actions if action.title.startswith(beginning)]


async def test_the_same_fix_for_all_of_its_kind(editor, uri):
    editor.open(uri, TEXT)
    [action] = await titled(editor, uri, "nn.Linear", "Fix all")
    assert action.title == "Fix all 3 uses of torch.nn.Linear in this file"
    assert action.is_preferred is None and action.edit is None
    editor.apply((await editor.resolved(action)).edit)
    assert editor.texts[uri].count("mint.nn.Linear(") == 3
    assert "torch.cat" in editor.texts[uri] and "层 = mint.nn.Linear(3, 4)  # 😀\n" in editor.texts[uri]
    assert await titled(editor, uri, "cat", "Fix all") == []  # there is but one


async def test_nothing_of_a_kind_that_has_to_be_reviewed(editor, uri):
    editor.open(uri, TEXT)
    assert await titled(editor, uri, "nn.Dropout", "Replace") != []
    assert await titled(editor, uri, "nn.Dropout", "Fix all") == []


async def test_in_chinese(start, uri):
    editor = await start(settings={"language": "zh-cn"}, abilities=annotating())
    editor.open(uri, TEXT)
    [action] = await titled(editor, uri, "nn.Linear", "修复此文件中")
    assert "torch.nn.Linear" in action.title and " 3 " in action.title


@pytest.mark.parametrize("resolve", [True, False])
async def test_a_fix_to_review_is_made_at_once_and_says_what_to_check(start, uri, resolve):
    editor = await start(abilities=annotating(text_document=text_document(resolve=resolve)))
    editor.open(uri, TEXT)
    [action] = await titled(editor, uri, "nn.Dropout", "Replace")
    assert "(check: " in action.title and action.is_preferred is None
    resolved = await editor.resolved(action)
    assert resolved.edit.change_annotations is None
    editor.apply(resolved.edit)
    assert "c = mint.nn.Dropout(0.5)\nd = torch.nn.Dropout(0.5)\n" in editor.texts[uri]
    await editor.command(resolved.command.command, *resolved.command.arguments)
    assert (await editor.messages())[0].startswith("Check whether this matters here: ")


async def test_what_a_receiver_is_has_to_be_checked(start, uri):
    editor = await start(abilities=annotating())
    editor.open(uri, "def f(anything, a, b):\n    return anything.transpose(a, b)\n")
    [action] = await titled(editor, uri, "transpose", "Replace")
    assert action.title.endswith("(check: is this a Tensor?)")
    assert "this is a torch.Tensor" in action.command.arguments[0]


async def test_a_safe_fix_says_nothing(start, uri):
    editor = await start(abilities=annotating())
    editor.open(uri, TEXT)
    [action] = await titled(editor, uri, "nn.Linear", "Replace")
    edit = (await editor.resolved(action)).edit
    assert edit.change_annotations is None and action.command is None
    assert all(isinstance(each, types.TextEdit) for each in edit.document_changes[0].edits)


async def test_a_fix_that_cannot_be_made(start, editor, uri):
    """Dropping an argument would take a comment along."""
    editor.open(uri, LOSING)
    found = await titled(editor, uri, "nn.Conv2d", "Replace")
    simple = await start(abilities=capabilities(text_document=text_document(resolve=False)))
    simple.open(uri, LOSING)
    assert found and await titled(simple, uri, "nn.Conv2d", "Replace") == []
    resolved = await editor.resolved(found[0])
    assert not resolved.edit.document_changes[0].edits
    assert "nothing was changed" in (await editor.messages())[0]


@pytest.mark.parametrize("kind", ["quickfix", "source.fixAll.mindport"])
async def test_an_import_that_another_file_takes_stays(editor, uri, tmp_path, kind):
    (tmp_path / "user.py").write_text("from model import *\n\ny = torch.abs(1)\n", encoding="utf-8")
    editor.open(uri, "import torch\n\nx = torch.abs(1)\n")
    action = (await editor.actions(uri, editor.range_of(uri, "torch.abs"), [kind]))[0]
    editor.apply((await editor.resolved(action)).edit)
    assert editor.texts[uri] == "import torch\nfrom mindspore import mint\n\nx = mint.abs(1)\n"


async def test_the_import_stands_before_a_use_on_its_line(editor, uri):
    editor.open(uri, "x = 1\nimport torch; y = torch.abs(x)")
    action = (await editor.actions(uri, editor.range_of(uri, "torch.abs"), ["quickfix"]))[0]
    editor.apply((await editor.resolved(action)).edit)
    assert editor.texts[uri] == "x = 1\nfrom mindspore import mint\ny = mint.abs(x)"
