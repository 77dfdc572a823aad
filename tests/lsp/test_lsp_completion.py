"""Completion: MindSpore's counterparts of the torch name that is being typed."""

from __future__ import annotations

import pytest
from editor import Editor, within
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from test_lsp_notebooks import OpenNotebook

HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nfrom torch.nn import Conv2d\n"


async def asked(editor: Editor, uri: str, text: str) -> list[types.CompletionItem]:
    """What is offered at the `|` of a text, which is opened or taken in place of what is open."""
    offset, text = text.index("|"), text.replace("|", "")
    if uri in editor.texts:
        editor.replace(uri, 0, len(editor.texts[uri]), text)
    else:
        editor.open(uri, text)
    found = await at(editor, uri, offset)
    assert isinstance(found, types.CompletionList)
    return list(found.items)


async def at(editor: Editor, uri: str, offset: int) -> types.CompletionList:
    document = types.TextDocumentIdentifier(uri)
    params = types.CompletionParams(document, editor.position(uri, offset))
    return await within(editor.client.text_document_completion_async(params))


def taken(editor: Editor, uri: str, item: types.CompletionItem) -> str:
    """The text with an item chosen."""
    assert isinstance(item.text_edit, types.TextEdit)
    text = editor.texts[uri]
    edits = [*(item.additional_text_edits or ()), item.text_edit]
    places = [(*editor.offsets(uri, edit.range), edit.new_text) for edit in edits]
    for start, end, new in sorted(places, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def by_label(items: list[types.CompletionItem]) -> dict[str, types.CompletionItem]:
    return {item.label: item for item in items}


@pytest.fixture
def uri(tmp_path):
    return (tmp_path / "模型.py").as_uri()


@pytest.mark.parametrize(
    ("typed", "label", "filter_text", "chosen"),
    [
        ("y = torch.nn.functional.rel|", "mint.nn.functional.relu", "torch.nn.functional.relu", None),
        (
            "y = '中文😀'; F.re|(x)",
            "mint.nn.functional.relu",
            "F.relu",
            "y = '中文😀'; mint.nn.functional.relu(x)",
        ),
        ("y = nn.|", "mint.nn.Conv2d", "nn.Conv2d", "y = mint.nn.Conv2d"),
        ("y = nn.cv2|", "mint.nn.Conv2d", "nn.Conv2d", "y = mint.nn.Conv2d"),
        ("y = Conv|", "mint.nn.Conv2d", "Conv2d", "y = mint.nn.Conv2d"),
        ("y = f'😀{F.rel|}'", "mint.nn.functional.relu", "F.relu", "y = f'😀{mint.nn.functional.relu}'"),
        ("foo(a, torch.ones(2).unsq|", "unsqueeze", "unsqueeze", "foo(a, torch.ones(2).unsqueeze"),
        (
            "def f(x: torch.Tensor):\n    return x.vi|",
            "view",
            "view",
            "def f(x: torch.Tensor):\n    return x.view",
        ),
        ("t = torch.float3|", "mindspore.float32", "torch.float32", "t = mindspore.float32"),
    ],
)
async def test_what_is_offered(editor, uri, typed, label, filter_text, chosen):
    items = by_label(await asked(editor, uri, f"{HEAD}{typed}\n"))
    item = items[label]
    assert item.filter_text == filter_text
    assert item.detail is not None and " → mindspore." in item.detail
    # What the client filters by begins like the text that the edit replaces.
    assert isinstance(item.text_edit, types.TextEdit)
    assert item.text_edit.range.start.line == item.text_edit.range.end.line
    if chosen is not None:
        text = taken(editor, uri, item)
        assert text.endswith(f"{chosen}\n")
        assert ("from mindspore import mint\n" in text) == label.startswith("mint.")
        assert ("import mindspore\n" in text) == label.startswith("mindspore.")


@pytest.mark.parametrize(
    "typed",
    [
        "y = 'F.re|'",
        "y = 'F.re|",
        "y = '''\nF.re|\n'''",
        "y = 'a\\'F.re|",
        "# F.re|",
        "y = 1  # it's F.re|",
        "x = [].app|",
        "import os\nos.pa|",
        "class torch: pass\ntorch.re|",
        "def f(F):\n    F.re|",
        "def Conv2d(): pass\nConv|",
        "from torch.nn import Con|",
        "import torch.nn.fun|",
        "y = unknown.re|",
        "y = 12.|",
        "y = |",
    ],
)
async def test_where_nothing_is_offered(editor, uri, typed):
    assert await asked(editor, uri, f"{HEAD}{typed}\n") == []


async def test_what_is_typed_between_is_not_looked_at_as_if_it_were_there(editor, uri):
    """Answering looks at the text without the name that is typed; what is asked next sees the text as it is."""
    await asked(editor, uri, f"{HEAD}x = nn.Conv2d|(3, 4, 5)\n")
    found = await editor.hover(uri, editor.range_of(uri, "Conv2d(3").start)
    assert "torch.nn.Conv2d" in found.contents.value
    assert [one.data["api"] for one in await editor.diagnostics(uri)] == ["torch.nn.Conv2d"]


async def test_the_setting_turns_it_off_and_on(start, uri):
    editor = await start(settings={"completion": False})
    assert await asked(editor, uri, f"{HEAD}y = nn.Conv|\n") == []
    seen = len(editor.published)
    editor.client.set_configuration({"completion": True}, section="mindport")
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    await editor.publication(lambda params: params.uri == uri, skip=seen)
    assert await asked(editor, uri, f"{HEAD}y = nn.Conv|\n") != []


async def test_an_import_that_is_there_is_used(editor, uri):
    items = await asked(editor, uri, f"{HEAD}from mindspore.mint import nn as mnn\ny = nn.Conv2|\n")
    item = by_label(items)["mnn.Conv2d"]
    assert item.additional_text_edits is None
    assert taken(editor, uri, item).endswith("y = mnn.Conv2d\n")


async def test_what_differs_is_marked_and_stands_behind(start, uri):
    for language, mark in (("en", " (behaves differently)"), ("zh-cn", "（行为有差异）")):
        editor = await start(settings={"language": language})
        items = by_label(await asked(editor, uri, f"{HEAD}y = nn.Conv|\n"))
        same, other = items["mint.nn.Conv2d"], items["mindspore.nn.Conv1dTranspose"]
        assert same.detail == "torch.nn.Conv2d → mindspore.mint.nn.Conv2d"
        assert other.detail == f"torch.nn.ConvTranspose1d → mindspore.nn.Conv1dTranspose{mark}"
        assert same.sort_text < other.sort_text


async def test_the_page_comes_when_an_item_is_looked_at(editor, start, uri):
    item = by_label(await asked(editor, uri, f"{HEAD}y = nn.Conv|\n"))["mint.nn.Conv2d"]
    assert item.documentation is None
    resolved = await within(editor.client.completion_item_resolve_async(item))
    assert resolved.documentation.kind == types.MarkupKind.PlainText
    page = await editor.command("mindport.explain", "torch.nn.Conv2d")
    assert "torch.nn.Conv2d" in resolved.documentation.value and "torch.nn.Conv2d" in page
    assert (resolved.label, resolved.text_edit) == (item.label, item.text_edit)
    item.data = {"other": 1}
    with pytest.raises(JsonRpcException):
        await within(editor.client.completion_item_resolve_async(item))


async def test_a_long_list_is_not_complete(editor, uri):
    await asked(editor, uri, f"{HEAD}torch.|\n")
    offset = editor.texts[uri].index("torch.\n") + len("torch.")
    found = await at(editor, uri, offset)
    assert found.is_incomplete and len(found.items) == 100
    editor.replace(uri, offset, offset, "unsq")
    found = await at(editor, uri, offset + 4)
    assert not found.is_incomplete and "mint.unsqueeze" in by_label(list(found.items))


async def test_another_target(start, uri):
    editor = await start(settings={"style": "classic"})
    assert "mindspore.nn.Conv2d" in by_label(await asked(editor, uri, f"{HEAD}y = nn.Conv|\n"))


async def test_a_cell_of_a_notebook(editor, tmp_path):
    """Names come from other cells; the import goes into the cell itself, behind what is not Python."""
    notebook = OpenNotebook(editor, (tmp_path / "book.ipynb").as_uri())
    notebook.open(a="import torch.nn.functional as F\n", b="%matplotlib inline\nx = 1\n中文 = '😀', F.rel")
    uri = notebook.cell("b")
    found = await at(editor, uri, len(editor.texts[uri]))
    item = by_label(list(found.items))["mint.nn.functional.relu"]
    assert taken(editor, uri, item) == (
        "%matplotlib inline\nfrom mindspore import mint\nx = 1\n中文 = '😀', mint.nn.functional.relu"
    )
