"""Several folders in one workspace, each with settings of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from editor import Editor, capabilities, text_document, until
from lsprotocol import types

TEXT = "import torch\nx = torch.ones(3)\nm = torch.nn.Conv2d(3, 4, 5)\n"


@pytest.fixture
def projects(tmp_path: Path) -> list[Path]:
    """Two projects beside each other that want different things."""
    settings = ['device = "ascend"\n', 'device = "cpu"\nignore = ["MP"]\n']
    for name, wanted in zip(("one", "two 二"), settings, strict=True):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "pyproject.toml").write_text(f"[tool.mindport]\n{wanted}", "utf-8")
        (folder / "layers.py").write_text(
            f"from torch.nn import {'Conv2d' if name == 'one' else 'Linear'} as Layer\n"
        )
    return [tmp_path / "one", tmp_path / "two 二"]


def workspace(*folders: Path) -> list[types.WorkspaceFolder]:
    return [types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders]


async def start(folders: list[Path], **changes: object) -> Editor:
    return await Editor.start(None, capabilities(**changes), folders=workspace(*folders))


async def test_each_folder_has_the_settings_of_its_own_pyproject(projects: list[Path]) -> None:
    editor = await start(projects)
    uris = [(folder / "model.py").as_uri() for folder in projects]
    for uri in uris:
        editor.open(uri, TEXT)
    one, two = [await editor.diagnostics(uri) for uri in uris]
    assert [each.code for each in one] == ["MP202", "MP101"]
    assert two == []  # all is ignored there
    hovers = [await editor.hover(uri, editor.range_of(uri, "ones").start) for uri in uris]
    pages = [hover.contents.value for hover in hovers if isinstance(hover.contents, types.MarkupContent)]
    assert "Ascend" in pages[0] and "CPU" in pages[1]
    fixed = [await editor.actions(uri, editor.range_of(uri, "torch.ones")) for uri in uris]
    assert fixed[0] and not fixed[1]
    await editor.stop()


async def test_imports_stay_inside_a_folder(projects: list[Path]) -> None:
    (projects[1] / "pyproject.toml").unlink()
    editor = await start(projects)
    apis = []
    for folder in projects:
        uri = (folder / "model.py").as_uri()
        editor.open(uri, "from layers import Layer\nlayer = Layer(3, 4)\n")
        apis.append([each.data["api"] for each in await editor.diagnostics(uri)])
    assert apis == [["torch.nn.Conv2d"], ["torch.nn.Linear"]]
    await editor.stop()


async def test_the_innermost_folder_decides(projects: list[Path]) -> None:
    inner = projects[0] / "vendored"
    inner.mkdir()
    (inner / "pyproject.toml").write_text('[tool.mindport]\nselect = ["MP9"]\n')
    editor = await start([projects[0], inner])
    outside, inside = (projects[0] / "a.py").as_uri(), (inner / "a.py").as_uri()
    editor.open(outside, TEXT)
    editor.open(inside, TEXT)
    assert len(await editor.diagnostics(outside)) == 2
    assert await editor.diagnostics(inside) == []
    await editor.stop()


async def test_the_editor_is_asked_for_each_folder(projects: list[Path]) -> None:
    editor = await start(projects)
    asked: list[str | None] = []
    said: dict[str | None, object] = {}

    async def answer(params: types.ConfigurationParams) -> list[object]:
        asked.extend(item.scope_uri for item in params.items)
        return [said.get(item.scope_uri) for item in params.items]

    editor.client.protocol.fm.features.pop(types.WORKSPACE_CONFIGURATION)
    editor.client.feature(types.WORKSPACE_CONFIGURATION)(answer)
    uri = (projects[0] / "model.py").as_uri()
    editor.open(uri, TEXT)
    assert len(await editor.diagnostics(uri)) == 2
    asked.clear()
    said[projects[0].as_uri()] = {"ignore": ["MP"]}
    seen = len(editor.published)
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    assert await editor.publication(lambda params: params.uri == uri, skip=seen) == []
    assert asked == [folder.as_uri() for folder in projects]
    await editor.stop()


async def test_folders_come_and_go(projects: list[Path]) -> None:
    editor = await start(projects[:1])
    uri = (projects[1] / "model.py").as_uri()
    editor.open(uri, TEXT)
    assert len(await editor.diagnostics(uri)) == 2  # the first folder's settings, for want of its own

    async def change(removed: list[Path], added: list[Path]) -> list[types.Diagnostic]:
        seen = len(editor.published)
        event = types.WorkspaceFoldersChangeEvent(workspace(*added), workspace(*removed))
        editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
        return await editor.publication(lambda params: params.uri == uri, skip=seen)

    assert await change([], [projects[1]]) == []
    assert len(await change([projects[1]], [])) == 2
    assert await change([projects[0]], [projects[1]]) == []
    folders = editor.capabilities.workspace.workspace_folders if editor.capabilities.workspace else None
    assert folders is not None and folders.supported and folders.change_notifications
    await editor.stop()


async def test_a_command_sets_the_target_of_all_folders(projects: list[Path]) -> None:
    editor = await start(projects, text_document=text_document())
    uris = [(folder / "model.py").as_uri() for folder in projects]
    for uri in uris:
        editor.open(uri, TEXT)
        await editor.diagnostics(uri)
    seen = len(editor.published)
    assert (await editor.command("mindport.setTarget", {"device": "gpu"}))["device"] == "gpu"
    await until(lambda: {each.uri for each in editor.published[seen:]} == set(uris))
    for uri in uris:
        hover = await editor.hover(uri, editor.range_of(uri, "ones").start)
        assert isinstance(hover.contents, types.MarkupContent) and "GPU" in hover.contents.value
    await editor.stop()
