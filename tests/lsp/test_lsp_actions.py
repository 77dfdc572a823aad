"""Code actions: which are offered, what they do, and what simpler clients get."""

from __future__ import annotations

import pytest
from editor import capabilities, text_document
from lsprotocol import types
from pygls.exceptions import JsonRpcException

TEXT = "import torch\nfrom torch import nn\n\nlayer = nn.Linear(3, 4)\nx = torch.randn(3)\n"


@pytest.fixture
def uri(tmp_path):
    return (tmp_path / "model.py").as_uri()


@pytest.fixture
async def opened(editor, uri):
    """The editor, with the text open and its diagnostics there."""
    editor.open(uri, TEXT)
    await editor.diagnostics(uri)
    return editor


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (None, {"quickfix", "source.fixAll.mindport"}),
        ([""], {"quickfix", "source.fixAll.mindport"}),
        (["quickfix"], {"quickfix"}),
        (["source"], {"source.fixAll.mindport"}),
        (["source.fixAll"], {"source.fixAll.mindport"}),
        (["source.fixAll.mindport"], {"source.fixAll.mindport"}),
        (["source.fixAll.ruff", "refactor"], set()),
        (["source.fix"], set()),
        ([], set()),
    ],
)
async def test_only_what_is_asked_for(opened, uri, only, kinds):
    actions = await opened.actions(uri, opened.range_of(uri, "nn.Linear"), only)
    assert {action.kind for action in actions} == kinds


async def test_only_fixes_of_the_range(opened, uri):
    everything = types.Range(types.Position(0, 0), types.Position(5, 0))
    nothing = types.Range(types.Position(2, 0), types.Position(2, 0))
    reversed_range = types.Range(types.Position(5, 0), types.Position(0, 0))
    titles = [action.title for action in await opened.actions(uri, everything, ["quickfix"])]
    assert sum("nn.Linear" in title for title in titles) == 1
    assert sum("randn" in title for title in titles) == 1
    assert await opened.actions(uri, nothing, ["quickfix"]) == []
    assert len(await opened.actions(uri, reversed_range, ["quickfix"])) == len(titles)


async def test_resolving_later_and_at_once_give_the_same(start, opened, uri):
    simple = await start(abilities=capabilities(text_document=text_document(resolve=False)))
    simple.open(uri, TEXT)
    place = opened.range_of(uri, "nn.Linear")
    for kind in ("quickfix", "source.fixAll.mindport"):
        lazy = [action for action in await opened.actions(uri, place, [kind]) if action.data]
        at_once = [
            action for action in await simple.actions(uri, place, [kind]) if action.title == lazy[0].title
        ]
        assert lazy[0].edit is None and at_once[0].data is None
        assert (await opened.resolved(lazy[0])).edit == at_once[0].edit


async def test_clients_without_versioned_edits_get_plain_changes(start, uri):
    simple = await start(abilities=capabilities(workspace=types.WorkspaceClientCapabilities()))
    simple.open(uri, TEXT)
    actions = await simple.actions(uri, simple.range_of(uri, "nn.Linear"), ["quickfix"])
    resolved = await simple.resolved(actions[0])
    assert resolved.edit.document_changes is None and set(resolved.edit.changes) == {uri}
    simple.apply(resolved.edit)
    assert "from mindspore.mint import nn\n\nlayer = nn.Linear(3, 4)" in simple.texts[uri]


async def test_an_action_of_an_old_version_is_refused(opened, uri):
    actions = await opened.actions(uri, opened.range_of(uri, "nn.Linear"), ["quickfix"])
    opened.replace(uri, 0, 0, "\n")
    with pytest.raises(JsonRpcException) as caught:
        await opened.resolved(actions[0])
    assert caught.value.code == -32801
    opened.close(uri)
    with pytest.raises(JsonRpcException) as caught:
        await opened.resolved(actions[0])
    assert caught.value.code == -32801


@pytest.mark.parametrize("data", [5, {}, {"uri": 1}, [1], "x"])
async def test_an_action_with_data_that_is_not_ours_is_refused(opened, data):
    action = types.CodeAction("made up", types.CodeActionKind.QuickFix, data=data)
    with pytest.raises(JsonRpcException) as caught:
        await opened.resolved(action)
    assert caught.value.code == -32602


async def test_an_action_that_has_its_edit_stays_as_it_is(opened):
    action = types.CodeAction("made up", types.CodeActionKind.QuickFix, edit=types.WorkspaceEdit({}))
    assert await opened.resolved(action) == action


async def test_ignoring_a_finding_on_its_line(opened, uri):
    place = opened.range_of(uri, "nn.Linear")
    before = await opened.diagnostics(uri)
    ignore = [a for a in await opened.actions(uri, place, ["quickfix"]) if a.title.startswith("Ignore")]
    assert len(ignore) == 1 and ignore[0].is_preferred is None
    assert list(ignore[0].diagnostics) == before[:1]
    opened.apply(ignore[0].edit)
    code = before[0].code
    assert f"layer = nn.Linear(3, 4)  # mindport: ignore[{code}]\n" in opened.texts[uri]
    assert await opened.diagnostics(uri) == before[1:]


async def test_titles_in_chinese(start, uri):
    editor = await start(settings={"language": "zh-cn"})
    editor.open(uri, TEXT)
    place = editor.range_of(uri, "nn.Linear")
    titles = [action.title for action in await editor.actions(uri, place)]
    assert len(titles) == 3 and all(any("一" <= c <= "鿿" for c in title) for title in titles)
    [diagnostic, _] = await editor.diagnostics(uri)
    assert diagnostic.code_description.href.endswith(f"/docs/rules/zh-cn/{diagnostic.code}.md")
    hover = await editor.hover(uri, place.start)
    assert any("一" <= character <= "鿿" for character in hover.contents.value)


async def test_plain_text_for_clients_without_markdown(start, uri):
    editor = await start(abilities=capabilities(text_document=text_document(markdown=False)))
    editor.open(uri, TEXT)
    hover = await editor.hover(uri, editor.range_of(uri, "nn.Linear").start)
    assert hover.contents.kind == types.MarkupKind.PlainText
    assert "torch.nn.Linear" in hover.contents.value
    assert "```" not in hover.contents.value and "**" not in hover.contents.value
    assert "\n#" not in hover.contents.value and "](" not in hover.contents.value
