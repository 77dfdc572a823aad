"""Notebooks in an editor: cells as documents that share one namespace."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from editor import Editor, capabilities, text_document
from findings import session
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types
from mindport.assess.file_findings import FileFindings
from mindport.lsp.notebooks import Notebook
from mindport.source.document import Document


class OpenNotebook:
    """A notebook open in an editor. Cells have letters for names."""

    def __init__(self, editor: Editor, uri: str) -> None:
        self.editor = editor
        self.uri = uri
        self.cells: list[str] = []
        self.version = 1

    def cell(self, name: str) -> str:
        return f"vscode-notebook-cell:{self.uri.removeprefix('file://')}#{name}"

    def open(self, **texts: str) -> None:
        items = self._items(texts)
        self.cells = list(texts)
        notebook = types.NotebookDocument(
            self.uri, "jupyter-notebook", self.version, [self._cell(n) for n in texts]
        )
        self.editor.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, items))

    def splice(self, start: int, gone: int, **texts: str) -> None:
        """Replace cells by new ones; a cell that is there already is moved."""
        before = self.cells[start : start + gone]
        self.cells[start : start + gone] = list(texts)
        new = {name: text for name, text in texts.items() if self.cell(name) not in self.editor.texts}
        closed = [name for name in before if name not in self.cells]
        structure = types.NotebookDocumentCellChangeStructure(
            types.NotebookCellArrayChange(start, gone, [self._cell(name) for name in texts]),
            self._items(new),
            [types.TextDocumentIdentifier(self.cell(name)) for name in closed],
        )
        for name in closed:
            del self.editor.texts[self.cell(name)], self.editor.versions[self.cell(name)]
        self._change(types.NotebookDocumentCellChanges(structure=structure))

    def edit(self, name: str, text: str) -> None:
        """Replace the whole text of a cell by a range that covers it."""
        uri = self.cell(name)
        covered = types.Range(types.Position(0, 0), self.editor.position(uri, len(self.editor.texts[uri])))
        self.editor.texts[uri] = text
        self.editor.versions[uri] += 1
        identifier = types.VersionedTextDocumentIdentifier(self.editor.versions[uri], uri)
        change = types.NotebookDocumentCellContentChanges(
            identifier, [types.TextDocumentContentChangePartial(covered, text)]
        )
        self._change(types.NotebookDocumentCellChanges(text_content=[change]))

    def apply(self, edit: types.WorkspaceEdit | None) -> dict[str, str]:
        """The texts of the cells that an edit changes, with the edit made."""
        assert edit is not None and edit.document_changes is not None
        changed = {}
        for each in edit.document_changes:
            assert isinstance(each, types.TextDocumentEdit)
            uri = each.text_document.uri
            assert each.text_document.version == self.editor.versions[uri]
            text = self.editor.texts[uri]
            places = [(*self.editor.offsets(uri, one.range), one.new_text) for one in each.edits]
            for start, end, new in reversed(places):
                text = text[:start] + new + text[end:]
            changed[uri.rpartition("#")[2]] = text
        return changed

    async def found(self, name: str) -> list[str]:
        """The diagnostics of a cell, as code and text."""
        uri = self.cell(name)
        return [
            f"{each.code} {self.editor.covered(uri, each.range)}"
            for each in await self.editor.diagnostics(uri)
        ]

    def close(self) -> None:
        cells = [types.TextDocumentIdentifier(self.cell(name)) for name in self.cells]
        params = types.DidCloseNotebookDocumentParams(types.NotebookDocumentIdentifier(self.uri), cells)
        self.editor.client.notebook_document_did_close(params)

    def _change(self, cells: types.NotebookDocumentCellChanges) -> None:
        self.version += 1
        identifier = types.VersionedNotebookDocumentIdentifier(self.version, self.uri)
        event = types.NotebookDocumentChangeEvent(cells=cells)
        self.editor.client.notebook_document_did_change(
            types.DidChangeNotebookDocumentParams(identifier, event)
        )

    def _cell(self, name: str) -> types.NotebookCell:
        return types.NotebookCell(types.NotebookCellKind.Code, self.cell(name))

    def _items(self, texts: dict[str, str]) -> list[types.TextDocumentItem]:
        for name, text in texts.items():
            self.editor.texts[self.cell(name)], self.editor.versions[self.cell(name)] = text, 1
        return [types.TextDocumentItem(self.cell(name), "python", 1, text) for name, text in texts.items()]


NOTEBOOKS = types.NotebookDocumentClientCapabilities(types.NotebookDocumentSyncClientCapabilities())


@pytest.fixture
async def notebook(start, tmp_path):
    editor = await start(abilities=capabilities(notebook_document=NOTEBOOKS))
    return OpenNotebook(editor, (tmp_path / "火 a.ipynb").as_uri())


IMPORTS = "%matplotlib inline\n!pip install 火 torch\nimport torch"


async def test_findings_in_cells(notebook):
    sync = notebook.editor.capabilities.notebook_document_sync
    assert sync.notebook_selector[0].cells[0].language == "python"
    notebook.open(a=IMPORTS, b="%time\n名 = '😀'; y = torch.sin(1)", c="torch.cat??\ny.view(2)")
    assert await notebook.found("b") == ["MP101 torch.sin"]
    hover = await notebook.editor.hover(notebook.cell("c"), types.Position(1, 3))
    assert hover is not None and "torch.Tensor.view" in hover.contents.value


async def test_an_edit_changes_what_is_found_in_other_cells(notebook):
    notebook.open(a=IMPORTS, b="torch.sin(1)")
    assert await notebook.found("b") == ["MP101 torch.sin"]
    notebook.edit("a", "torch = 1")
    await notebook.editor.publication(
        lambda params: params.uri == notebook.cell("b") and not params.diagnostics
    )
    notebook.edit("a", "import torch  # 😀")
    notebook.edit("b", "x = 1\ntorch.sin(torch.cos(1)")
    assert await notebook.found("b") == ["MP101 torch.sin", "MP101 torch.cos"]


async def test_cells_come_go_and_move(notebook):
    notebook.open(a="import math as torch", b="torch.sin(1)")
    assert await notebook.found("b") == []
    notebook.splice(1, 0, n="import torch")
    await notebook.editor.publication(lambda params: params.uri == notebook.cell("b") and params.diagnostics)
    skip = len(notebook.editor.published)
    notebook.splice(1, 1)
    await notebook.editor.publication(
        lambda params: params.uri == notebook.cell("n") and not params.diagnostics, skip
    )
    await notebook.editor.publication(
        lambda params: params.uri == notebook.cell("b") and not params.diagnostics, skip
    )
    notebook.splice(0, 2, b="torch.sin(1)", a="import math as torch", z="import torch\ntorch.cos(1)")
    assert await notebook.found("z") == ["MP101 torch.cos"]


async def test_hover_and_fixes(notebook):
    notebook.open(a=IMPORTS, b="%time\n名 = '😀'; y = torch.sin(1)", c="torch.cos(2)")
    uri, editor = notebook.cell("b"), notebook.editor
    covered = editor.range_of(uri, "torch.sin")
    hover = await editor.hover(uri, covered.end)
    assert hover is not None and hover.range == covered
    (fix,) = [each for each in await editor.actions(uri, covered, ["quickfix"]) if "mint.sin" in each.title]
    assert [each.range for each in fix.diagnostics or ()] == [covered]
    assert notebook.apply((await editor.resolved(fix)).edit) == {
        "a": IMPORTS + "\nfrom mindspore import mint",
        "b": "%time\n名 = '😀'; y = mint.sin(1)",
    }
    (ignore,) = [each for each in await editor.actions(uri, covered, ["quickfix"]) if "Ignore" in each.title]
    assert notebook.apply(ignore.edit)["b"].endswith("torch.sin(1)  # mindport: ignore[MP101]")
    (fix_all,) = await editor.actions(uri, covered, ["source.fixAll"])
    assert notebook.apply((await editor.resolved(fix_all)).edit) == {
        "a": IMPORTS.replace("import torch", "from mindspore import mint"),
        "b": "%time\n名 = '😀'; y = mint.sin(1)",
        "c": "mint.cos(2)",
    }


async def test_clients_that_ask(start, tmp_path):
    editor = await start(
        abilities=capabilities(text_document=text_document(pull=True), notebook_document=NOTEBOOKS)
    )
    notebook = OpenNotebook(editor, (tmp_path / "a.ipynb").as_uri())
    notebook.open(a="import torch", b="torch.sin(1)")
    report = await editor.pull(notebook.cell("b"))
    assert [item.code for item in report.items] == ["MP101"]


async def test_report_of_an_open_notebook(notebook):
    notebook.open(a=IMPORTS, b="torch.sin(1)")
    await notebook.found("b")
    for uri in (notebook.uri, notebook.cell("b")):
        entry = await notebook.editor.command("mindport.scanFile", uri)
        assert entry["path"].endswith("火 a.ipynb")
        assert [(use["api"], use["cell"]) for use in entry["uses"]] == [("torch", 1), ("torch.sin", 2)]


async def test_closing_says_nothing_more_of_the_cells(notebook):
    notebook.open(a=IMPORTS, b="torch.sin(1)")
    await notebook.found("b")
    skip = len(notebook.editor.published)
    notebook.close()
    await notebook.editor.publication(
        lambda params: params.uri == notebook.cell("b") and not params.diagnostics, skip
    )
    assert await notebook.editor.hover(notebook.cell("b"), types.Position(0, 2)) is None


CELLS = st.sampled_from(
    [
        "import torch",
        "from torch import nn as n\n%time",
        "torch.sin(x)",
        "x = torch.ones(2)\n!ls",
        "x.view(1)",
        "x = (",
        "def f(y):\n    return torch.cos(y)",
        "f(x).size()",
        '"""',
        "n.Linear(1, 2)",
        "",
        "%%bash\nimport torch",
        "x = 1",
        "@f\nclass A(n.Module): pass",
        "class A(n.Module):\n    def forward(self, x):\n        return x.mean()",
    ]
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["insert", "delete", "move", "edit"]), st.integers(0, 5), st.integers(0, 5), CELLS
    ),
    min_size=1,
    max_size=8,
)


def said(found: FileFindings) -> list[object]:
    return [
        (placed.start, placed.end, placed.code, placed.finding.use.api, placed.finding.use.certainty)
        for placed in found.findings
    ]


def cells_after(cells: Sequence[Document], step: tuple[str, int, int, str], number: int) -> list[Document]:
    kind, at, to, text = step
    after = list(cells)
    if kind == "insert" or not after:
        after.insert(at, Document.open(f"cell:{number}", text, 1))
        return after
    cell = after.pop(at % len(after))
    if kind == "move":
        after.insert(to, cell)
    elif kind == "edit":
        after.insert(at, Document.open(cell.uri, text, (cell.version or 0) + 1))
    return after


@settings(max_examples=60, deadline=None)
@given(st.lists(CELLS, max_size=4), STEPS)
def test_after_any_edits_the_same_is_found_as_from_scratch(texts, steps):
    cells = [Document.open(f"cell:first{number}", text, 1) for number, text in enumerate(texts)]
    kept = session()
    notebook = None
    for number, step in enumerate([None, *steps]):
        cells = cells if step is None else cells_after(cells, step, number)
        code = {cell.uri: cell for cell in cells}
        notebook = Notebook(
            "file:///a.ipynb", number, tuple(code), code, notebook.parsed() if notebook else None
        )
        fresh = Notebook("file:///a.ipynb", number, tuple(code), code)
        found = kept.analyse(notebook.path, notebook.document())
        assert said(found) == said(session().analyse(fresh.path, fresh.document()))
