"""`mindport.convertFile` and `mindport.convertProject`: what is changed, told and refused."""

from __future__ import annotations

import pytest
from editor import capabilities
from in_process import served
from lsprotocol import types
from pygls.exceptions import JsonRpcException

TEXT = "import torch\n\n层 = torch.cat([a, b])  # 😀\nc = torch.nn.Dropout(0.5)\n"
CONVERTED = (
    "import torch\nfrom mindspore import mint\n\n层 = mint.cat([a, b])  # 😀\nc = torch.nn.Dropout(0.5)\n"
)


@pytest.fixture
def uri(tmp_path):
    return (tmp_path / "model.py").as_uri()


def abilities(apply: bool = True, progress: bool = False, versions: bool = True):
    return capabilities(
        workspace=types.WorkspaceClientCapabilities(
            apply_edit=apply,
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=versions),
            configuration=True,
        ),
        window=types.WindowClientCapabilities(work_done_progress=progress),
    )


@pytest.fixture
async def applying(start):
    """An editor that applies edits; those that came are in `applied`, its answers say `answer`."""
    editor = await start(abilities=abilities())
    return listening(editor)


def listening(editor, answer=True):
    editor.applied = []

    @editor.client.feature(types.WORKSPACE_APPLY_EDIT)
    async def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        editor.applied.append(params)
        return types.ApplyWorkspaceEditResult(answer, None if answer else "no")

    return editor


async def fails(editor, name, *arguments):
    with pytest.raises(JsonRpcException) as caught:
        await editor.command(name, *arguments)
    return caught.value


async def test_an_open_file(applying, uri):
    applying.open(uri, TEXT)
    result = await applying.command("mindport.convertFile", uri)
    assert result["applied"] is True and result["files"] == 1 and result["problems"] == []
    assert result["outcomes"]["review"] == 1
    assert result["outcomes"].get("proven", 0) + result["outcomes"].get("bound", 0) == 1
    [params] = applying.applied
    applying.apply(params.edit)
    assert applying.texts[uri] == CONVERTED
    assert "changes: 1 (files: 1); findings left for you: 1" in (await applying.messages())[0]
    assert (await applying.command("mindport.convertFile", uri))["files"] == 0
    assert len(applying.applied) == 1


async def test_a_file_on_disk_and_unsafe_changes(applying, uri, tmp_path):
    (tmp_path / "model.py").write_bytes(TEXT.replace("\n", "\r\n").encode())
    result = await applying.command("mindport.convertFile", uri, {"unsafe": True})
    assert result["outcomes"]["unproven"] == 1
    [document] = applying.applied[0].edit.document_changes
    assert document.text_document.version is None and document.text_document.uri == uri
    assert (tmp_path / "model.py").read_bytes() == TEXT.replace("\n", "\r\n").encode()  # the editor's task


async def test_a_client_without_versions(start, uri):
    editor = listening(await start(abilities=abilities(versions=False)))
    editor.open(uri, TEXT)
    await editor.command("mindport.convertFile", uri)
    editor.apply(editor.applied[0].edit)
    assert editor.texts[uri] == CONVERTED


async def test_a_refusal_of_the_client_is_told(start, uri):
    editor = listening(await start(abilities=abilities()), answer=False)
    editor.open(uri, TEXT)
    result = await editor.command("mindport.convertFile", uri)
    assert result["applied"] is False and result["reason"] == "no"


async def test_what_is_refused(applying, start, uri, tmp_path):
    for arguments in ([], [1], [uri, 1], [uri, {"safe": True}], [uri, {"unsafe": 1}], [uri, None, None]):
        assert (await fails(applying, "mindport.convertFile", *arguments)).code == -32602
    for arguments in ([1], ["untitled:x"], [tmp_path.as_uri(), 1]):
        assert (await fails(applying, "mindport.convertProject", *arguments)).code == -32602
    (tmp_path / "a.ipynb").write_text("{}")
    (tmp_path / "bad.py").write_bytes(b"\xff")
    for name in ("a.ipynb", "bad.py", "missing.py"):
        assert (await fails(applying, "mindport.convertFile", (tmp_path / name).as_uri())).code == -32803
    plain = await start(abilities=abilities(apply=False))
    error = await fails(plain, "mindport.convertFile", uri)
    assert error.code == -32803 and "mindport convert" in error.message
    nowhere = await start(root=None, abilities=abilities())
    assert "folder" in (await fails(nowhere, "mindport.convertProject")).message


async def test_a_project(start, uri, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.mindport]\nexclude = ["old"]\n')
    (tmp_path / "pkg").mkdir()
    (tmp_path / "old").mkdir()
    for name in ("pkg/a.py", "old/b.py", "model.py"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    (tmp_path / "plain.py").write_text("x = 1\n")
    (tmp_path / "bad.py").write_bytes(b"\xff")
    applying = listening(await start(abilities=abilities()))  # which reads settings when it likes
    applying.open(uri, "# open\n" + TEXT, version=7)
    result = await applying.command("mindport.convertProject")
    assert result["applied"] is True and result["files"] == 2 and result["outcomes"]["review"] == 2
    assert [problem["uri"] for problem in result["problems"]] == [(tmp_path / "bad.py").as_uri()]
    changes = applying.applied[0].edit.document_changes
    versions = {change.text_document.uri: change.text_document.version for change in changes}
    assert versions == {uri: 7, (tmp_path / "pkg/a.py").as_uri(): None}
    [mine] = [change for change in changes if change.text_document.uri == uri]
    applying.apply(types.WorkspaceEdit(document_changes=[mine]))
    assert applying.texts[uri] == "# open\n" + CONVERTED


@pytest.mark.parametrize("applies", [True, False])
def test_the_project_can_be_converted_from_a_menu(uri, tmp_path, applies):
    """With a plain client: pytest-lsp's takes an action that has a command for a bare command."""
    with served(tmp_path, {"workspace": {"applyEdit": applies}}) as (_, client):
        for document in (uri, "untitled:a.py"):
            client.open(document, TEXT)
            client.wait_for_diagnostics(document, 1)
            start = {"line": 0, "character": 0}
            context = {"diagnostics": [], "only": ["source.mindport"]}
            asked = {"textDocument": {"uri": document}, "range": {"start": start, "end": start}}
            actions = client.request("textDocument/codeAction", asked | {"context": context})
            if not applies or document != uri:
                assert actions == []
                continue
            [action] = actions
            assert action["title"] == "MindPort: Apply All Safe Fixes in the Project"
            assert action["kind"] == "source.mindport.fixProject" and "edit" not in action
            assert action["command"]["command"] == "mindport.convertProject"
            assert action["command"]["arguments"] == [tmp_path.as_uri()]


async def test_a_folder_can_be_named(applying, tmp_path):
    for name in ("one/a.py", "two/a.py"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    result = await applying.command("mindport.convertProject", (tmp_path / "one").as_uri())
    assert result["files"] == 1


async def test_a_group_over_several_files_is_converted_as_one_or_not_at_all(applying, tmp_path):
    used = "import torch\n\n\ndef f(x: torch.Tensor):\n    return torch.abs(x)\n"
    user = "import torch\nfrom a import f\n\n\ndef g(x: torch.Tensor):\n    return f(x)"
    (tmp_path / "a.py").write_text(used, encoding="utf-8")
    (tmp_path / "b.py").write_text(f"{user}, torch.fx.Tracer()\n", encoding="utf-8")
    assert (await applying.command("mindport.convertProject"))["files"] == 0
    (tmp_path / "b.py").write_text(f"{user}\n", encoding="utf-8")
    assert (await applying.command("mindport.convertProject"))["files"] == 2
