"""What happens in one file shows in others: through edits, the disk, and the user's renaming; and in files that
are not open, where the settings want them."""

from __future__ import annotations

import asyncio

import pytest
from editor import capabilities, text_document, until
from lsprotocol import types

A = "from torch import sinh as thing\nthing(0)\n"
OTHER = "from torch import cosh as thing\nthing(0)\n"
B = "from a import thing\nthing(1)\n"


@pytest.fixture(params=[True, False], ids=["watches", "does not watch"])
async def editor(request, start):
    watching = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=request.param)
    workspace = types.WorkspaceClientCapabilities(configuration=True, did_change_watched_files=watching)
    editor = await start(abilities=capabilities(workspace=workspace))
    editor.watches = request.param
    return editor


def apis(items):
    return {each.data["api"] for each in items or ()}


def tell(editor, uri, *changes):
    """Tell of changes on disk, as this editor can."""
    if editor.watches:
        events = [types.FileEvent(place.as_uri(), kind) for place, kind in changes]
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))
    else:
        saved = types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri))
        editor.client.text_document_did_save(saved)


async def shows(editor, uri, *expected):
    """Wait until the diagnostics of a document are about these APIs."""
    await editor.publication(lambda params: params.uri == uri and apis(params.diagnostics) == set(expected))
    await until(lambda: apis(latest(editor, uri)) == set(expected))


def latest(editor, uri):
    return next((each.diagnostics for each in reversed(editor.published) if each.uri == uri), None)


async def test_an_edit_shows_in_another_open_file(editor, tmp_path):
    a, b = ((tmp_path / name).as_uri() for name in ("a.py", "b.py"))
    editor.open(b, B)
    editor.open(a, A)
    await shows(editor, b, "torch.sinh")
    editor.replace(a, A.index("sinh"), A.index("sinh") + 4, "cosh")
    await shows(editor, b, "torch.cosh")


async def test_what_happens_on_disk_shows(editor, tmp_path):
    a, b = tmp_path / "a.py", (tmp_path / "b.py").as_uri()
    editor.open(b, B)
    await shows(editor, b)
    a.write_text(A)
    tell(editor, b, (a, types.FileChangeType.Created))
    await shows(editor, b, "torch.sinh")
    a.write_text(OTHER)
    tell(editor, b, (a, types.FileChangeType.Changed))
    await shows(editor, b, "torch.cosh")
    a.unlink()
    tell(editor, b, (a, types.FileChangeType.Deleted))
    await until(lambda: latest(editor, b) == ())


async def test_renaming_a_module_or_its_folder_shows(editor, tmp_path):
    old, new = tmp_path / "old", tmp_path / "pkg"
    old.mkdir()
    (old / "__init__.py").write_text("")
    (old / "first.py").write_text(A)
    b = (tmp_path / "b.py").as_uri()
    editor.open(b, "from pkg.second import thing\nthing(1)\n")
    await shows(editor, b)
    for before, after in ((old / "first.py", old / "second.py"), (old, new)):
        before.rename(after)
        renamed = types.FileRename(before.as_uri(), after.as_uri())
        editor.client.workspace_did_rename_files(types.RenameFilesParams([renamed]))
    await shows(editor, b, "torch.sinh")
    new.rename(old)
    editor.client.workspace_did_delete_files(types.DeleteFilesParams([types.FileDelete(new.as_uri())]))
    await until(lambda: latest(editor, b) == ())


async def test_closing_brings_back_the_disk(editor, tmp_path):
    a, b = (tmp_path / "a.py"), (tmp_path / "b.py").as_uri()
    a.write_text(A)
    editor.open(a.as_uri(), OTHER)
    editor.open(b, B)
    await shows(editor, b, "torch.cosh")
    editor.close(a.as_uri())
    editor.replace(b, 0, 0, "\n")
    await shows(editor, b, "torch.sinh")


async def test_files_that_are_not_open(start, tmp_path):
    a, b = tmp_path / "a.py", tmp_path / "b.py"
    a.write_text(A)
    b.write_text(B)
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "c.py").write_text(A)
    editor = await start(settings={"diagnostics": "workspace"})
    await shows(editor, b.as_uri(), "torch.sinh")
    await shows(editor, a.as_uri(), "torch.sinh")
    editor.open(a.as_uri(), A)
    editor.replace(a.as_uri(), A.index("sinh"), A.index("sinh") + 4, "cosh")
    await shows(editor, b.as_uri(), "torch.cosh")
    editor.close(a.as_uri())  # not saved
    await shows(editor, b.as_uri(), "torch.sinh")
    await shows(editor, a.as_uri(), "torch.sinh")
    assert not any("build" in each.uri for each in editor.published)
    editor.client.set_configuration({"diagnostics": "openFiles"}, section="mindport")
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    await until(lambda: latest(editor, b.as_uri()) == () == latest(editor, a.as_uri()))


async def test_pulling_all_files(start, tmp_path):
    a, b = tmp_path / "a.py", tmp_path / "b.py"
    a.write_text(A)
    b.write_text(B)
    editor = await start(
        abilities=capabilities(text_document=text_document(pull=True)), settings={"diagnostics": "workspace"}
    )

    async def pull(*known):
        ids = [types.PreviousResultId(uri, value) for uri, value in known]
        params = types.WorkspaceDiagnosticParams(ids)
        found = await editor.client.workspace_diagnostic_async(params)
        return {each.uri: each for each in found.items}

    first = await pull()
    assert set(first) == {a.as_uri(), b.as_uri()}
    assert apis(first[b.as_uri()].items) == {"torch.sinh"}
    again = await pull(*((uri, each.result_id) for uri, each in first.items()))
    assert {each.kind for each in again.values()} == {"unchanged"}
    editor.open(a.as_uri(), OTHER)
    changed = await pull(*((uri, each.result_id) for uri, each in first.items()))
    assert set(changed) == {b.as_uri()}  # what is open is asked for by itself
    assert apis(changed[b.as_uri()].items) == {"torch.cosh"}
    assert editor.published == []


async def change_on_disk(editor, path, text):
    path.write_text(text)
    event = types.FileEvent(path.as_uri(), types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))


@pytest.fixture
def many(tmp_path):
    """So many files that a process of its own looks at them."""
    for number in range(40):
        (tmp_path / f"other{number}.py").write_text("import torch\ntorch.erf(0)\n")
    a, b = tmp_path / "a.py", tmp_path / "b.py"
    a.write_text(A)
    b.write_text(B)
    return a, b


async def test_files_of_a_large_project_that_are_not_open(start, tmp_path, many):
    a, b = many
    editor = await start(settings={"diagnostics": "workspace"})
    await shows(editor, b.as_uri(), "torch.sinh")
    await shows(editor, a.as_uri(), "torch.sinh")
    await shows(editor, (tmp_path / "other39.py").as_uri(), "torch.erf")
    editor.open(b.as_uri(), "import torch\ntorch.cos(0)\n")
    await shows(editor, b.as_uri(), "torch.cos")
    editor.close(b.as_uri())  # not saved
    await shows(editor, b.as_uri(), "torch.sinh")
    await change_on_disk(editor, a, OTHER)
    await shows(editor, b.as_uri(), "torch.cosh")
    a.unlink()
    event = types.FileEvent(a.as_uri(), types.FileChangeType.Deleted)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await until(lambda: latest(editor, a.as_uri()) == () == latest(editor, b.as_uri()))
    assert all(each.diagnostics for each in editor.published if "other" in each.uri), "what is found stays"
    editor.client.set_configuration({"diagnostics": "openFiles"}, section="mindport")
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    await until(lambda: not any(latest(editor, each.uri) for each in editor.published))


async def test_pulling_all_files_of_a_large_project(start, tmp_path, many):
    a, b = many
    abilities = capabilities(text_document=text_document(pull=True))
    editor = await start(abilities=abilities, settings={"diagnostics": "workspace"})
    known = {}

    async def pull():
        ids = [types.PreviousResultId(uri, value) for uri, value in known.items()]
        found = await editor.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(ids))
        known.update({each.uri: each.result_id for each in found.items})
        return {each.uri: apis(each.items) for each in found.items if each.kind == "full"}

    async def pull_until(uri, expected, found=None):
        while not found or found.get(uri) != expected:
            found = await pull()

    await pull_until(b.as_uri(), {"torch.sinh"})
    while len(known) < 42:
        await pull()
    waiting = asyncio.ensure_future(pull())
    done, _ = await asyncio.wait([waiting], timeout=0.5)
    assert not done, "what is as before is not sent again"
    await change_on_disk(editor, a, OTHER)
    found = await waiting
    assert set(found) <= {a.as_uri(), b.as_uri()}
    await pull_until(b.as_uri(), {"torch.cosh"}, found)
    b.unlink()
    event = types.FileEvent(b.as_uri(), types.FileChangeType.Deleted)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await pull_until(b.as_uri(), set())
    assert editor.published == []
