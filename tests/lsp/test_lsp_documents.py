"""Documents: opening, changing, closing, several at once, and clients that get it wrong."""

from __future__ import annotations

import asyncio
import random

import pytest
from lsprotocol import types

TEXT = "import torch\nfrom torch import nn\n\nlayer = nn.Conv2d(3, 4, 5)\nx = torch.randn(3)\n"


def names(diagnostics):
    return [diagnostic.data["api"] for diagnostic in diagnostics]


@pytest.fixture
def uri(tmp_path):
    return (tmp_path / "model.py").as_uri()


async def test_a_burst_of_edits_ends_with_the_diagnostics_of_the_last(editor, uri):
    body = "\n".join(f"def f{n}(x):\n    return torch.relu(x) + {n}\n" for n in range(300))
    editor.open(uri, TEXT + body)
    before = await editor.diagnostics(uri)
    end = editor.texts[uri].index("def f150")
    for count in range(20):
        editor.replace(uri, end + count, end + count, "#")
        await asyncio.sleep(0.03)
    after = await editor.diagnostics(uri)
    assert editor.versions[uri] == 21
    assert len(after) == len(before)  # `def f150` is a comment now, what follows it is not
    versions = [params.version for params in editor.published]
    assert versions == sorted(set(versions)) and versions[-1] == 21


async def test_diagnostics_come_for_every_version_even_if_they_are_the_same(editor, uri):
    editor.open(uri, TEXT)
    first = await editor.diagnostics(uri)
    assert names(first) == ["torch.nn.Conv2d", "torch.randn"]
    editor.replace(uri, 0, 0, "")
    assert await editor.diagnostics(uri) == first


async def test_several_changes_in_one_message(editor, uri):
    editor.open(uri, TEXT)
    line = types.Position(0, 0)
    events = [
        types.TextDocumentContentChangePartial(types.Range(line, line), "# 一\r\n"),
        types.TextDocumentContentChangePartial(
            types.Range(types.Position(4, 8), types.Position(4, 17)), "nn.Linear"
        ),
        types.TextDocumentContentChangePartial(types.Range(line, types.Position(0, 99)), "# two"),
    ]
    editor.send_change(uri, events)
    editor.texts[uri] = "# two\r\n" + TEXT.replace("nn.Conv2d", "nn.Linear")
    found = await editor.diagnostics(uri)
    assert names(found)[0] == "torch.nn.Linear"
    assert editor.covered(uri, found[0].range) == "nn.Linear"


async def test_the_whole_text_may_be_replaced(editor, uri):
    editor.open(uri, TEXT)
    await editor.diagnostics(uri)
    editor.send_change(uri, [types.TextDocumentContentChangeWholeDocument("import torch\ntorch.ones(2)\n")])
    assert names(await editor.diagnostics(uri)) == ["torch.ones"]


async def test_two_documents_at_once(editor, uri, tmp_path):
    other = (tmp_path / "训练 😀.py").as_uri()
    editor.open(uri, TEXT)
    editor.open(other, "import torch\ntorch.ones(2)\n")
    assert names(await editor.diagnostics(uri)) == ["torch.nn.Conv2d", "torch.randn"]
    assert names(await editor.diagnostics(other)) == ["torch.ones"]
    for count in range(5):
        editor.replace(uri, len(editor.texts[uri]), len(editor.texts[uri]), "torch.zeros(1)\n")
        editor.replace(other, len(editor.texts[other]), len(editor.texts[other]), "torch.eye(1)\n")
        assert names(await editor.diagnostics(uri)).count("torch.zeros") == count + 1
        assert names(await editor.diagnostics(other)).count("torch.eye") == count + 1


async def test_an_edit_reaches_the_documents_that_import_it(editor, tmp_path):
    layers, model = (tmp_path / "layers.py").as_uri(), (tmp_path / "model.py").as_uri()
    editor.open(layers, "from torch.nn import Conv2d as Layer\n")
    editor.open(model, "from layers import Layer\nlayer = Layer(3, 4, 5)\n")
    await editor.publication(
        lambda params: params.uri == model and names(params.diagnostics) == ["torch.nn.Conv2d"]
    )
    seen = len(editor.published)
    start = editor.texts[layers].index("Conv2d")
    editor.replace(layers, start, start + len("Conv2d"), "Linear")
    await editor.diagnostics(layers)
    again = await editor.publication(lambda params: params.uri == model, skip=seen)
    assert names(again) == ["torch.nn.Linear"]
    assert editor.published[-1].version == 1


async def test_closing_takes_the_diagnostics_away(editor, uri):
    editor.open(uri, TEXT)
    await editor.diagnostics(uri)
    seen = len(editor.published)
    editor.close(uri)
    assert await editor.publication(lambda params: params.uri == uri, skip=seen) == []
    editor.open(uri, TEXT, version=7)
    assert len(await editor.diagnostics(uri)) == 2


@pytest.mark.parametrize(
    "uri",
    [
        "untitled:Untitled-1",
        "vscode-notebook-cell:/home/me/a.ipynb#W0sZmlsZQ%3D%3D",
        "git:/home/me/a.py?%7B%22ref%22%3A%22%22%7D",
        "made up by a client",
        "file:///no/such/folder/a.py",
        "file:///with%00nul.py",
        "file://[broken/a.py",
        "",
    ],
)
async def test_a_document_needs_no_file(editor, uri):
    editor.open(uri, TEXT)
    found = await editor.diagnostics(uri)
    assert names(found) == ["torch.nn.Conv2d", "torch.randn"]
    hover = await editor.hover(uri, found[0].range.start)
    assert hover is not None and "torch.nn.Conv2d" in hover.contents.value
    actions = await editor.actions(uri, found[0].range, ["quickfix"])
    editor.apply((await editor.resolved(actions[0])).edit)
    assert names(await editor.diagnostics(uri)) == ["torch.randn"]


@pytest.mark.parametrize(
    ("first", "last", "reason"),
    [
        ((99, 0), (99, 0), "99"),
        ((4, 0), (99, 0), "99"),
        ((3, 2), (1, 0), "3:2"),
    ],
)
async def test_a_change_out_of_range_keeps_the_text_and_says_so(editor, uri, first, last, reason):
    editor.open(uri, TEXT)
    await editor.diagnostics(uri)
    covered = types.Range(types.Position(*first), types.Position(*last))
    event = types.TextDocumentContentChangePartial(covered, "torch.zeros(1)")
    editor.send_change(uri, [event])
    [message] = await editor.messages()
    assert "model.py" in message and reason in message
    assert await editor.hover(uri, types.Position(3, 10)) is not None  # the old text is kept
    editor.send_change(uri, [types.TextDocumentContentChangeWholeDocument("import torch\ntorch.ones(2)\n")])
    assert names(await editor.diagnostics(uri)) == ["torch.ones"]


async def test_opening_twice_takes_the_new_text(editor, uri):
    editor.open(uri, "import torch\n")
    editor.open(uri, TEXT, version=2)
    assert names(await editor.diagnostics(uri)) == ["torch.nn.Conv2d", "torch.randn"]


async def test_changing_or_closing_what_is_not_open_is_ignored(editor, uri, tmp_path):
    other = (tmp_path / "other.py").as_uri()
    editor.send_change(other, [types.TextDocumentContentChangeWholeDocument(TEXT)])
    editor.client.text_document_did_close(
        types.DidCloseTextDocumentParams(types.TextDocumentIdentifier("file:///never/opened.py"))
    )
    editor.open(uri, TEXT)
    assert len(await editor.diagnostics(uri)) == 2
    assert {params.uri for params in editor.published} == {uri}
    assert any("not open" in logged.message for logged in editor.client.log_messages)
    assert editor.client.messages == []


@pytest.mark.parametrize(
    "text",
    ["", "\n", "\ufeff", "\0", "\r", "def f(:\n", '"""', "\\", "x = [" * 3000, "\ud800", "é" * 10_000],
    ids=range(11),
)
async def test_any_text_may_be_opened(editor, uri, text):
    editor.open(uri, text)
    await editor.diagnostics(uri)
    editor.send_change(
        uri, [types.TextDocumentContentChangeWholeDocument(text + "\nimport torch\ntorch.ones(2)\n")]
    )
    await editor.diagnostics(uri)
    assert editor.client.messages == []


@pytest.mark.slow
async def test_a_long_file(editor, uri):
    text = "import torch\n" + "def f(x):\n    y = torch.relu(x)\n    return y\n\n" * 25_000
    editor.open(uri, text)
    assert len(await editor.diagnostics(uri)) == 25_000
    middle = editor.texts[uri].index("torch.relu", len(text) // 2)
    editor.replace(uri, middle, middle + 5, "other")
    assert len(await editor.diagnostics(uri)) == 24_999


async def test_requests_about_what_is_not_there(editor, uri):
    covered = types.Range(types.Position(0, 0), types.Position(0, 5))
    assert await editor.hover(uri, types.Position(0, 0)) is None
    assert await editor.actions(uri, covered) == []
    editor.open(uri, TEXT)
    await editor.diagnostics(uri)
    assert await editor.hover(uri, types.Position(99, 0)) is None
    assert await editor.hover(uri, types.Position(2, 0)) is None
    assert await editor.actions(uri, types.Range(types.Position(90, 0), types.Position(99, 0))) == []


async def test_a_document_that_is_no_code_or_too_large_has_one_diagnostic_that_says_so(editor, tmp_path):
    garbage = "".join(random.Random(1).choices("()[]{}\n", k=1024 * 1024))
    uri = (tmp_path / "garbage.py").as_uri()
    editor.open(uri, garbage)
    [only] = await editor.diagnostics(uri)
    assert "not Python code" in only.message
    assert only.range.start == types.Position(0, 0)
    uri = (tmp_path / "large.py").as_uri()
    editor.open(uri, "import torch\nx = torch.ones(1)\n" * 120_000)
    [only] = await editor.diagnostics(uri)
    assert "the limit for open documents is 3145728 bytes" in only.message
