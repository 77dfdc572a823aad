"""What calls in other files give to a function shows where the function is: files that are not open are looked
for in the background, open ones count as they are in the editor."""

from __future__ import annotations

from pathlib import Path

import pytest
from editor import capabilities, until
from lsprotocol import types
from mindport.project.discover import discover
from mindport.project.setting_table import Settings
from mindport.scan.scan import scan

LAYERS = "import torch\ndef make(width, act):\n    torch.cos(width)\n    return act()\n"
GIVER = "from torch import nn\nfrom .layers import make\nmake(3, nn.GELU)\n"
GELU = {"torch.cos", "torch.nn.GELU"}
ALONE = {"torch.cos"}
SHOWN = GELU | {"torch.nn.SiLU"}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "pkg"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "layers.py").write_text(LAYERS)
    (folder / "giver.py").write_text(GIVER)
    return folder


@pytest.fixture
async def editor(start, package):
    watching = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
    workspace = types.WorkspaceClientCapabilities(configuration=True, did_change_watched_files=watching)
    return await start(abilities=capabilities(workspace=workspace))


class Uses:
    """The reporter of a scan that says which APIs a file uses."""

    def file(self, path, found):
        return Path(path).name, {placed.finding.use.api for placed in found.findings}

    def unreadable(self, path, error):
        raise AssertionError(error)


def shown(editor, path):
    """The APIs that the latest diagnostics of a file are about."""
    uri = path.as_uri()
    items = next((each.diagnostics for each in reversed(editor.published) if each.uri == uri), ())
    return {each.data["api"] for each in items if each.data["api"] in SHOWN}


async def shows(editor, path, *apis):
    await until(lambda: shown(editor, path) == set(apis))


def tell(editor, path, kind):
    events = [types.FileEvent(path.as_uri(), kind)]
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))


async def test_a_file_that_is_not_open_gives_something(editor, package):
    layers = package / "layers.py"
    editor.open(layers.as_uri(), LAYERS)
    await shows(editor, layers, *GELU)
    by_scan = dict(scan(discover([package], []), Settings(), Uses()))
    assert by_scan["layers.py"] & SHOWN == GELU


async def test_an_edit_of_the_caller_shows_where_the_function_is(editor, package):
    layers, giver = package / "layers.py", (package / "giver.py").as_uri()
    editor.open(layers.as_uri(), LAYERS)
    editor.open(giver, GIVER)
    await shows(editor, layers, *GELU)
    editor.replace(giver, GIVER.index("GELU"), GIVER.index("GELU") + 4, "SiLU")
    await shows(editor, layers, "torch.cos", "torch.nn.SiLU")
    editor.close(giver)
    await shows(editor, layers, *GELU)  # as it is on disk


async def test_what_happens_to_a_caller_on_disk_shows(editor, package):
    layers, giver = package / "layers.py", package / "giver.py"
    editor.open(layers.as_uri(), LAYERS)
    await shows(editor, layers, *GELU)
    giver.write_text(GIVER.replace("nn.GELU", "nn.SiLU, 'x'"))
    tell(editor, giver, types.FileChangeType.Changed)
    await shows(editor, layers, "torch.cos", "torch.nn.SiLU")
    giver.unlink()
    tell(editor, giver, types.FileChangeType.Deleted)
    await shows(editor, layers, *ALONE)
    (package / "second.py").write_text(GIVER)
    tell(editor, package / "second.py", types.FileChangeType.Created)
    await shows(editor, layers, *GELU)


async def test_a_folder_that_settings_exclude_gives_nothing(start, package):
    (package.parent / "pyproject.toml").write_text('[tool.mindport]\nexclude = ["giver.py"]\n')
    editor = await start()
    layers = package / "layers.py"
    editor.open(layers.as_uri(), LAYERS)
    await shows(editor, layers, *ALONE)
    (package.parent / "pyproject.toml").write_text("[tool.mindport]\n")
    tell(editor, package.parent / "pyproject.toml", types.FileChangeType.Changed)
    await shows(editor, layers, *GELU)
    (package.parent / "pyproject.toml").write_text('[tool.mindport]\nexclude = ["giver.py"]\n')
    tell(editor, package.parent / "pyproject.toml", types.FileChangeType.Changed)
    await shows(editor, layers, *ALONE)


async def test_files_beyond_the_limit_are_told_once(start, package):
    (package.parent / "pyproject.toml").write_text("[tool.mindport]\nlimit = 2\n")
    editor = await start()
    editor.open((package / "layers.py").as_uri(), LAYERS)
    [message] = await editor.messages()
    assert f"more than 2 Python files in {package.parent}" in message
