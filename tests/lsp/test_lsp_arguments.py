"""What calls give to a function shows where the function is, also from other files: those that are not open are
looked at in the background, open ones count as they are in the editor."""

from __future__ import annotations

from pathlib import Path

import pytest
from editor import Editor, capabilities, until
from in_process import PUSH, served
from lsprotocol import types
from mindport.app import arguments as app_arguments
from mindport.catalog.catalog import Catalog
from mindport.lsp import arguments as lsp_arguments
from mindport.lsp.session_arguments import SessionArguments
from mindport.project.discover import discover
from mindport.project.session import Session
from mindport.project.setting_table import Settings
from mindport.scan.scan import scan

LAYERS = "import torch\ndef make(width, act):\n    torch.cos(width)\n    return act()\n"
GIVER = "from torch import nn\nfrom .layers import make\nmake(3, nn.GELU)\n"
GELU = {"torch.cos", "torch.nn.GELU"}
ALONE = {"torch.cos"}
SHOWN = GELU | {"torch.nn.SiLU"}

TRAIN = """\
from torch import optim

def train(args, model, device, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
"""
MAIN = """\
def main():
    optimizer = optim.SGD([], 0.1)
    train(None, None, "cpu", [], optimizer)
"""
ZERO_GRAD = "torch.optim.Optimizer.zero_grad"
UNTITLED = "untitled:Untitled-1"


@pytest.fixture(params=["in the session", "apart"])
def package(request, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package whose files are looked at in the server's own process, or in another as those of large ones."""
    if request.param == "apart":
        monkeypatch.setattr(app_arguments, "is_small", lambda files: not files)
        monkeypatch.setattr(lsp_arguments, "_DISK_SECONDS", 0.05)
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
    assert f"{package.parent} has more than 2 Python files" in message


def apis(editor, uri):
    """The APIs that the latest diagnostics of a document are about."""
    items = next((each.diagnostics for each in reversed(editor.published) if each.uri == uri), ())
    return {each.data["api"] for each in items}


async def finds(editor, uri, api=ZERO_GRAD):
    await until(lambda: api in apis(editor, uri))


async def finds_not(editor, uri, api=ZERO_GRAD):
    await until(lambda: any(each.uri == uri for each in editor.published) and api not in apis(editor, uri))


@pytest.mark.parametrize("root", [True, False])
async def test_a_call_in_the_same_document(start, tmp_path, root):
    editor = await start(tmp_path if root else None)
    editor.open(UNTITLED, TRAIN + MAIN)
    await finds(editor, UNTITLED)
    assert ZERO_GRAD not in {each.data["api"] for each in editor.published[0].diagnostics}  # at once, without
    call = editor.texts[UNTITLED].index("    train(None")
    editor.replace(UNTITLED, call, len(editor.texts[UNTITLED]), "")
    await finds_not(editor, UNTITLED)
    editor.replace(UNTITLED, call, call, '    train(None, None, "cpu", [], optimizer)\n')
    await finds(editor, UNTITLED)


async def test_a_keystroke_uses_what_was_known_last(start):
    editor = await start()
    editor.open(UNTITLED, TRAIN + MAIN)
    await finds(editor, UNTITLED)
    end = len(editor.texts[UNTITLED])
    for number in range(5):
        editor.replace(UNTITLED, end, end, f"# {number}\n")
        found = await editor.diagnostics(UNTITLED)
        assert ZERO_GRAD in {each.data["api"] for each in found}


async def test_a_call_in_another_document(start, tmp_path):
    editor = await start()
    trainer, main = (tmp_path / "trainer.py").as_uri(), (tmp_path / "main.py").as_uri()
    (tmp_path / "trainer.py").write_text(TRAIN)
    editor.open(trainer, TRAIN)
    await finds_not(editor, trainer)
    editor.open(main, "from torch import optim\nfrom trainer import train\n" + MAIN)
    await finds(editor, trainer)
    editor.close(main)
    await finds_not(editor, trainer)  # it was never saved


async def test_a_call_in_a_notebook(start):
    editor = await start()
    uri, cells = "file:///nowhere/note.ipynb", ["untitled:one", "untitled:two"]
    texts = [TRAIN, MAIN]
    notebook = types.NotebookDocument(
        uri, "jupyter-notebook", 1, [types.NotebookCell(types.NotebookCellKind.Code, cell) for cell in cells]
    )
    items = [
        types.TextDocumentItem(cell, types.LanguageKind.Python, 1, text)
        for cell, text in zip(cells, texts, strict=True)
    ]
    editor.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, items))
    await finds(editor, cells[0])


async def test_each_folder_knows_its_own_calls(tmp_path):
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        (folder / "trainer.py").write_text(TRAIN)
    (folders[0] / "main.py").write_text("from torch import optim\nfrom trainer import train\n" + MAIN)
    workspace = [types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders]
    editor = await Editor.start(None, capabilities(), folders=workspace)
    uris = [(folder / "trainer.py").as_uri() for folder in folders]
    for uri in uris:
        editor.open(uri, TRAIN)
    await finds(editor, uris[0])
    await finds_not(editor, uris[1])
    await editor.stop()


async def test_without_a_folder_only_open_documents_are_known(start, tmp_path):
    (tmp_path / "trainer.py").write_text(TRAIN)
    (tmp_path / "main.py").write_text("from torch import optim\nfrom trainer import train\n" + MAIN)
    editor = await start(None)
    trainer, main = (tmp_path / "trainer.py").as_uri(), (tmp_path / "main.py").as_uri()
    editor.open(trainer, TRAIN)
    editor.open(UNTITLED, TRAIN + MAIN)
    await finds(editor, UNTITLED)
    await finds_not(editor, trainer)
    editor.open(main, (tmp_path / "main.py").read_text())
    await finds(editor, trainer)


def test_the_worker_is_free_between_any_two_steps(tmp_path, monkeypatch):
    """With no time for more than one step, each is a job of its own."""
    monkeypatch.setattr(lsp_arguments, "_SHORT_SECONDS", -1.0)
    text = TRAIN + MAIN + "".join(f"def f{n}(x):\n    return x\nf{n}({n})\n" for n in range(40))
    with served(tmp_path, PUSH) as (server, client):
        settle, jobs = server.engine.settle, []
        server.engine.settle = lambda seconds: jobs.append(seconds) or settle(seconds)
        client.open(UNTITLED, text)
        while ZERO_GRAD not in {each["data"]["api"] for each in client.wait_for_diagnostics(UNTITLED, 1)}:
            pass
        assert len(jobs) > 40


def test_an_error_is_told_and_the_rest_goes_on(tmp_path, monkeypatch):
    with served(tmp_path, PUSH) as (_, client):
        with monkeypatch.context() as patch:
            patch.setattr("mindport.infer.propagation.given_by", lambda *_: 1 / 0)
            client.open(UNTITLED, TRAIN + MAIN)
            message = client.wait_for(lambda each: each.get("method") == "window/showMessage")
            assert "ZeroDivisionError" in message["params"]["message"]
        client.change(UNTITLED, 2, [{"text": TRAIN + MAIN + "x = 1\n"}])
        while ZERO_GRAD not in {each["data"]["api"] for each in client.wait_for_diagnostics(UNTITLED, 2)}:
            pass


def test_a_file_that_came_after_it_was_asked_for_counts(tmp_path):
    """Whoever reads it first: who asked for it is to be looked at again."""
    b = tmp_path / "b.py"
    b.write_text("from a import thing\nthing(1)\n")
    session = Session(Catalog.load(), Settings())
    session.add_file_roots(b)
    assert session.analyse_file(b).chosen() == ()
    arguments = SessionArguments(session, lambda error, path: pytest.fail(f"{path}: {error!r}"))

    def has_changed(*files):
        arguments.take(files, {})
        arguments.begin([])
        while not arguments.step():
            pass
        return arguments.has_changed()

    assert not has_changed(b)
    a = tmp_path / "a.py"
    a.write_text("from torch import sinh as thing\n")
    assert has_changed(a, b)
    assert [placed.finding.use.api for placed in session.analyse_file(b).chosen()] == ["torch.sinh"]
    assert not has_changed(a, b)
