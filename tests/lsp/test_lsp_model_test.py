""" "Create a test that compares this class in both frameworks": a new file, made when the action is chosen."""

from __future__ import annotations

import pytest
from editor import capabilities
from lsprotocol import types

KIND = "refactor.mindport.modelTest"
TITLE = "Create a test that compares this class in both frameworks"
NET = """import torch
from torch import nn


def register(made):
    return made


@register
class TinyUNet(nn.Module):
    def __init__(self, channels, depth: int, *, width, size=3, **others):
        super().__init__()
        self.layer = nn.Linear(channels, depth)

    def forward(self, x, mask: torch.Tensor, scale=1.0):
        return torch.relu(self.layer(x)) * mask


class Table:
    rows = torch.ones(3)


class Plain(nn.Module):
    @torch.no_grad()
    def forward(self, x: torch.Tensor):
        return torch.relu(x)
"""


@pytest.fixture
async def editor(start, tmp_path):
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").touch()
    edits = types.WorkspaceEditClientCapabilities(
        document_changes=True, resource_operations=[types.ResourceOperationKind.Create]
    )
    workspace = types.WorkspaceClientCapabilities(workspace_edit=edits, configuration=True)
    started = await start(abilities=capabilities(workspace=workspace), settings={"device": "cpu"})
    started.nets = (package / "nets.py").as_uri()
    started.open(started.nets, NET)
    return started


async def offered(editor, piece):
    return await editor.actions(editor.nets, editor.range_of(editor.nets, piece), [KIND])


async def made(editor, piece):
    [action] = await offered(editor, piece)
    assert action.title == TITLE and action.edit is None
    created, written = (await editor.resolved(action)).edit.document_changes
    assert created.kind == "create" and written.text_document.uri == created.uri
    return created.uri, written.edits[0].new_text


async def test_a_test_for_a_class(editor, tmp_path):
    uri, text = await made(editor, "@register")
    assert uri == (tmp_path / "test_tiny_u_net_in_mindspore.py").as_uri()
    compile(text, "test", "exec")
    assert 'joinpath("pkg/nets.py")' in text
    assert "def test_tiny_u_net_in_mindspore() -> None:" in text
    built = 'check_model(FILE, "TinyUNet(channels=..., depth=..., width=...)"'
    assert f'{built}, "float32[2,3,32,32]", "float32[2,3,32,32]")' in text
    assert text.count("# TODO(mindport): ") == 1


async def test_a_test_lies_with_the_others_and_takes_no_place(editor, tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_plain_in_mindspore.py").touch()
    uri, text = await made(editor, "class Plain")
    assert uri == (tmp_path / "tests" / "test_plain_in_mindspore_2.py").as_uri()
    assert 'joinpath("../pkg/nets.py")' in text
    assert 'check_model(FILE, "Plain()", "float32[2,3,32,32]")' in text


@pytest.mark.parametrize("piece", ["class Table", "def register", "import torch"])
async def test_what_is_no_model_has_none(editor, piece):
    assert await offered(editor, piece) == []
