"""Settings: where they come from, changing them while the server runs, and settings that cannot be used."""

from __future__ import annotations

import pytest
from editor import capabilities, text_document, until
from lsprotocol import types
from mindport.lsp.configuration import section

TEXT = "import torch\nfrom torch import nn\n\nclass A(nn.Module):\n    pass\n\nx = torch.randn(3)\n"


@pytest.fixture
def uri(tmp_path):
    return (tmp_path / "model.py").as_uri()


def without_configuration():
    """A client that cannot be asked, but can watch files and tell of settings."""
    workspace = types.WorkspaceClientCapabilities(
        did_change_configuration=types.DidChangeConfigurationClientCapabilities(dynamic_registration=True),
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
    )
    return capabilities(workspace=workspace)


async def change(editor, uri, settings, sent=None):
    """Change the settings in the editor; the diagnostics that follow."""
    seen = len(editor.published)
    editor.client.set_configuration(settings, section="mindport")
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(sent))
    return await editor.publication(lambda params: params.uri == uri, skip=seen)


def codes(diagnostics):
    return [diagnostic.code for diagnostic in diagnostics]


async def test_settings_change_while_running(editor, uri):
    editor.open(uri, TEXT)
    plain = await editor.diagnostics(uri)
    first = plain[0].code
    assert len(plain) == 2

    assert codes(await change(editor, uri, {"ignore": [first]})) == codes(plain[1:])
    assert codes(await change(editor, uri, {"select": [first]})) == [first]
    assert codes(await change(editor, uri, {"severity": {first: "off"}})) == codes(plain[1:])
    hints = await change(editor, uri, {"severity": {"MP": "hint"}})
    assert {hint.severity for hint in hints} == {types.DiagnosticSeverity.Hint}
    chinese = await change(editor, uri, {"language": "zh-cn"})
    assert codes(chinese) == codes(plain) and chinese[0].message != plain[0].message
    assert await change(editor, uri, {}) == plain
    assert editor.client.messages == []


async def test_the_target_decides_what_is_found(editor, uri):
    editor.open(uri, TEXT)
    plain = await editor.diagnostics(uri)
    assert "mindspore.mint.randn" in plain[1].message
    classic = await change(editor, uri, {"style": "classic"})
    assert "mindspore.mint.randn" not in classic[1].message
    old = await change(editor, uri, {"target": "2.0"})
    assert "mindspore.mint.randn" not in old[1].message
    hover = await editor.hover(uri, old[1].range.start)
    assert "2.0" in hover.contents.value


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"target": "9.9"}, "mindport.target"),
        ({"device": "tpu"}, "mindport.device"),
        ({"target": 2.1}, "mindport.target"),
        ({"severity": {"MP101": "loud"}}, "mindport.severity"),
        ({"nonsense": 1}, "mindport.nonsense"),
        (["not", "a", "table"], "mindport"),
        ("text", "mindport"),
    ],
)
async def test_settings_that_cannot_be_used_are_told_once(start, uri, settings, named):
    editor = await start(settings=settings)
    editor.open(uri, TEXT)
    assert len(await editor.diagnostics(uri)) == 2
    [message] = await editor.messages()
    assert named in message
    await change(editor, uri, settings)
    assert len(editor.client.messages) == 1
    assert editor.client.messages[0].type == types.MessageType.Warning


async def test_what_can_be_used_beside_it_is_used_and_told_in_its_language(start, uri):
    editor = await start(settings={"language": "zh-cn", "device": "tpu", "select": ["MP9"]})
    editor.open(uri, TEXT)
    assert await editor.diagnostics(uri) == []
    [message] = await editor.messages()
    assert "mindport.device" in message and "编辑器" in message


@pytest.mark.parametrize(
    "options",
    [{"settings": {"select": ["MP9"]}}, {"mindport": {"select": ["MP9"]}}, {"select": ["MP9"]}],
)
async def test_settings_given_at_the_start(start, uri, options):
    editor = await start(abilities=without_configuration(), options=options)
    editor.open(uri, TEXT)
    assert await editor.diagnostics(uri) == []
    sent = {"mindport": {"select": ["MP"]}}
    assert len(await change(editor, uri, None, sent)) == 2
    assert editor.client.messages == []


async def test_the_editor_asked_comes_before_the_start_options(start, uri):
    editor = await start(settings={"select": ["MP"]}, options={"settings": {"select": ["MP9"]}})
    editor.open(uri, TEXT)
    assert len(await editor.diagnostics(uri)) == 2


async def test_settings_of_other_tools_are_not_ours(start, uri):
    editor = await start(abilities=without_configuration())
    editor.open(uri, TEXT)
    await editor.diagnostics(uri)
    assert len(await change(editor, uri, None, {"python": {"nonsense": 1}})) == 2
    assert editor.client.messages == []


async def test_pyproject_is_read_and_watched(start, uri, tmp_path):
    pyproject = tmp_path / "pyproject.toml"
    pyproject.write_text('[tool.mindport]\nselect = ["MP9"]\n')
    editor = await start(abilities=without_configuration())
    editor.open(uri, TEXT)
    assert await editor.diagnostics(uri) == []
    await until(lambda: len(editor.registrations) == 2)
    watched = {each.method: each.register_options for each in editor.registrations}
    assert set(watched) == {"workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles"}

    async def rewrite(text):
        seen = len(editor.published)
        pyproject.write_text(text)
        event = types.FileEvent(pyproject.as_uri(), types.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        return await editor.publication(lambda params: params.uri == uri, skip=seen)

    assert len(await rewrite('[tool.mindport]\nlanguage = "zh-cn"\n')) == 2
    assert len(await rewrite("[tool.mindport\n")) == 2
    [message] = await editor.messages()
    assert "pyproject.toml" in message and "TOML" in message
    assert len(await rewrite('[tool.mindport]\ndevice = "tpu"\n')) == 2
    assert "tool.mindport.device" in (await editor.messages(2))[1]


async def test_without_a_folder_the_pyproject_beside_the_document_counts(start, uri, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.mindport]\nselect = ["MP9"]\n')
    editor = await start(root=None, abilities=without_configuration())
    editor.open(uri, TEXT)
    assert (
        await editor.publication(
            lambda params: params.uri == uri and params.version == 1 and not params.diagnostics
        )
        == []
    )


async def test_a_module_changed_on_disk_is_read_again(start, uri, tmp_path):
    module = tmp_path / "layers.py"
    module.write_text("from torch.nn import Conv2d as Layer\n")
    editor = await start(abilities=without_configuration())
    editor.open(uri, "from layers import Layer\nlayer = Layer(3, 4, 5)\n")
    assert [each.data["api"] for each in await editor.diagnostics(uri)] == ["torch.nn.Conv2d"]
    seen = len(editor.published)
    module.write_text("from torch.nn import Linear as Layer\n")
    event = types.FileEvent(module.as_uri(), types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    found = await editor.publication(lambda params: params.uri == uri, skip=seen)
    assert [each.data["api"] for each in found] == ["torch.nn.Linear"]


async def test_deprecated_apis_are_tagged_for_clients_that_show_it(start, uri):
    text = "import torch\nx = torch.eye(2)\ny = torch.cuda.memory_cached()\n"
    tagging = await start()
    tagging.open(uri, text)
    found = {diagnostic.data["api"]: diagnostic for diagnostic in await tagging.diagnostics(uri)}
    assert list(found["torch.cuda.memory_cached"].tags) == [types.DiagnosticTag.Deprecated]
    assert found["torch.eye"].tags is None

    abilities = text_document()
    abilities.publish_diagnostics = types.PublishDiagnosticsClientCapabilities()
    plain = await start(abilities=capabilities(text_document=abilities))
    plain.open(uri, text)
    bare = await plain.diagnostics(uri)
    assert len(bare) == len(found)
    for diagnostic in bare:
        assert (diagnostic.tags, diagnostic.code_description, diagnostic.data) == (None, None, None)


async def test_a_pyproject_that_no_parser_should_be_given_is_told_once(start, uri, tmp_path):
    pyproject = tmp_path / "pyproject.toml"
    pyproject.write_text("a" + ".a" * 20_000 + " = 1\n")
    editor = await start(abilities=without_configuration())
    editor.open(uri, TEXT)
    assert len(await editor.diagnostics(uri)) == 2
    for _ in range(2):
        seen = len(editor.published)
        event = types.FileEvent(pyproject.as_uri(), types.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        assert len(await editor.publication(lambda params: params.uri == uri, skip=seen)) == 2
    [message] = await editor.messages()
    assert str(pyproject) in message and "line 1" in message


def test_settings_in_settings_without_end_are_passed_over():
    sent: object = {"mindport": {"jobs": 1}}
    for _ in range(100_000):
        sent = {"settings": sent}
    assert section(sent) == {"jobs": 1}
    while isinstance(sent, dict) and "settings" in sent:  # else Python takes it apart by recursion
        sent = sent.pop("settings")
