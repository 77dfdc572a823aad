"""Converting notebooks: open ones by the edits of their cells, others by edits of their files."""

from __future__ import annotations

import json
from typing import Any

import pytest
from editor import capabilities
from lsprotocol import types
from test_lsp_convert import TEXT, fails, listening
from test_lsp_notebooks import IMPORTS, NOTEBOOKS, OpenNotebook

PREVIEW, CONVERTED_TEXT, APPLY = (
    "mindport.previewConversion",
    "mindport.convertedText",
    "mindport.applyConversion",
)
FIRST = "%time\n名 = '😀'; y = torch.sin(1)"
SECOND = "z = torch.cos(2)"


def on_disk(**changed: Any) -> dict[str, Any]:
    """A notebook with text between its code, and with an output and metadata of all kinds."""
    output = {"output_type": "stream", "name": "stdout", "text": ["torch.sin(1) 😀\n"]}
    code = {"cell_type": "code", "execution_count": 3, "metadata": {"tags": ["火"]}, "outputs": [output]}
    sources = [IMPORTS.splitlines(keepends=True), FIRST, SECOND.splitlines(keepends=True)]
    cells: list[dict[str, Any]] = [{**code, "source": source} for source in sources]
    cells.insert(1, {"cell_type": "markdown", "metadata": {}, "source": "# torch.sin(1)"})
    return {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, **changed}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "火 a.ipynb"
    path.write_text(json.dumps(on_disk(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return path


@pytest.fixture
async def editor(start):
    workspace = types.WorkspaceClientCapabilities(
        apply_edit=True, workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True)
    )
    abilities = capabilities(notebook_document=NOTEBOOKS, workspace=workspace)
    return listening(await start(abilities=abilities))


def applied_to(path, editor) -> str:
    """The text of the notebook's file with the edit that came made in it."""
    [change] = editor.applied[-1].edit.document_changes
    assert change.text_document.uri == path.as_uri() and change.text_document.version is None
    text = editor.texts[path.as_uri()] = path.read_text("utf-8-sig")  # as an editor shows it
    places = [(*editor.offsets(path.as_uri(), each.range), each.new_text) for each in change.edits]
    for start, end, new in reversed(places):
        text = text[:start] + new + text[end:]
    return text


CONVERTED = {
    0: IMPORTS.replace("import torch", "from mindspore import mint"),
    2: FIRST.replace("torch.", "mint."),
    3: SECOND.replace("torch.", "mint."),
}


@pytest.mark.parametrize("by", ["file", "project", "preview"])
async def test_a_notebook_on_disk(editor, path, by):
    before = path.read_bytes()
    if by == "file":
        result = await editor.command("mindport.convertFile", path.as_uri())
    elif by == "project":
        result = await editor.command("mindport.convertProject")
    else:
        shown = await editor.command(PREVIEW)
        assert [(file["path"], file["notebook"]) for file in shown["files"]] == [("火 a.ipynb", True)]
        result = await editor.command(APPLY, {"preview": shown["preview"]})
    assert result["applied"] is True and result["files"] == 1
    now = json.loads(applied_to(path, editor))
    for number, source in CONVERTED.items():
        assert "".join(now["cells"][number].pop("source")) == source
    expected = on_disk()
    for number in CONVERTED:
        del expected["cells"][number]["source"]
    assert now == expected  # outputs, metadata, counts and the other cell
    assert path.read_bytes() == before  # the editor writes it, if the user saves


async def test_an_open_notebook(editor, path):
    notebook = OpenNotebook(editor, path.as_uri())
    notebook.open(a=IMPORTS, m="x = 1", b=FIRST, c=SECOND)
    for uri in (path.as_uri(), notebook.cell("b")):
        result = await editor.command("mindport.convertFile", uri)
        assert result["files"] == 1
        expected = {name: CONVERTED[number] for name, number in {"a": 0, "b": 2, "c": 3}.items()}
        assert notebook.apply(editor.applied[-1].edit) == expected


async def test_a_preview_is_of_the_code_and_holds_when_the_notebook_is_opened(editor, path):
    shown = await editor.command(PREVIEW, {"uris": [path.as_uri()]})
    about = {"preview": shown["preview"], "uri": path.as_uri()}
    before = await editor.command(CONVERTED_TEXT, {**about, "before": True})
    assert before == f"# %% cell 1\n{IMPORTS}\n\n# %% cell 3\n{FIRST}\n\n# %% cell 4\n{SECOND}\n"
    after = await editor.command(CONVERTED_TEXT, about)
    assert after == "\n".join(f"# %% cell {number + 1}\n{text}\n" for number, text in CONVERTED.items())
    notebook = OpenNotebook(editor, path.as_uri())
    notebook.open(a=IMPORTS, m="x", b=FIRST, c=SECOND)
    await editor.command(APPLY, {"preview": shown["preview"]})
    assert notebook.apply(editor.applied[-1].edit)["b"] == CONVERTED[2]


@pytest.mark.parametrize("is_open", [True, False])
async def test_what_has_changed_meanwhile_is_not_converted(editor, path, is_open):
    notebook = OpenNotebook(editor, path.as_uri())
    if is_open:
        notebook.open(a=IMPORTS, m="x = 1", b=FIRST, c=SECOND)
    shown = await editor.command(PREVIEW)
    if is_open:
        notebook.splice(1, 1)  # the cells behind it have other numbers now
    else:
        path.write_text(path.read_text("utf-8").replace("torch.cos(2)", "torch.cos(3)"), encoding="utf-8")
    error = await fails(editor, APPLY, {"preview": shown["preview"]})
    assert error.code == -32801 and "火 a.ipynb" in error.message and editor.applied == []


async def test_files_and_notebooks_together(editor, path, tmp_path):
    (tmp_path / "model.py").write_text(TEXT, encoding="utf-8")
    (tmp_path / "bad.ipynb").write_text("{}")
    shown = await editor.command(PREVIEW)
    assert [(file["path"], file["notebook"]) for file in shown["files"]] == [
        ("model.py", False),
        ("火 a.ipynb", True),
    ]
    [problem] = shown["problems"]
    assert problem["uri"].endswith("bad.ipynb") and "nbformat" in problem["message"]
    await editor.command(APPLY, {"preview": shown["preview"]})
    changed = [each.text_document.uri for each in editor.applied[0].edit.document_changes]
    assert sorted(changed) == sorted([(tmp_path / "model.py").as_uri(), path.as_uri()])


async def test_a_file_with_a_mark_and_escapes(editor, path):
    """Positions count from behind the mark, as editors do; what is escaped stays so."""
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(on_disk()).encode())
    await editor.command("mindport.convertFile", path.as_uri())
    text = applied_to(path, editor)
    assert json.loads(text)["cells"][2]["source"] == CONVERTED[2]
    assert "\\u540d" in text
