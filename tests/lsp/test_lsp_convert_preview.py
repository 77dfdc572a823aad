"""A conversion that is shown before it is made: what is told, applied and refused."""

from __future__ import annotations

import json
import threading

import pytest
from in_process import SECONDS, served
from lsprotocol import types
from mindport.scan.scanner import Scanner
from test_lsp_convert import CONVERTED, TEXT, abilities, fails, listening

PREVIEW, CONVERTED_TEXT, APPLY = (
    "mindport.previewConversion",
    "mindport.convertedText",
    "mindport.applyConversion",
)


@pytest.fixture
def project(tmp_path):
    (tmp_path / "pkg").mkdir()
    for name in ("pkg/a.py", "模型.py"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    (tmp_path / "plain.py").write_text("x = 1\n")
    (tmp_path / "bad.py").write_bytes(b"\xff")
    return tmp_path


@pytest.fixture
async def applying(start):
    return listening(await start(abilities=abilities()))


async def test_a_preview_changes_nothing(applying, project):
    shown = await applying.command(PREVIEW)
    assert [file["path"] for file in shown["files"]] == ["pkg/a.py", "模型.py"]
    assert [problem["uri"] for problem in shown["problems"]] == [(project / "bad.py").as_uri()]
    assert shown["outcomes"]["review"] == 2
    assert (
        "2 not converted, need review" in shown["text"]
        and "1 not converted, need review" in shown["files"][0]["text"]
    )
    uri = (project / "模型.py").as_uri()
    assert await applying.command(CONVERTED_TEXT, {"preview": shown["preview"], "uri": uri}) == CONVERTED
    assert applying.applied == []
    assert (project / "模型.py").read_text(encoding="utf-8") == TEXT


async def test_it_is_applied_as_one_edit_and_once(applying, project):
    shown = await applying.command(PREVIEW, {"uris": [project.as_uri()]})
    opened = (project / "模型.py").as_uri()
    applying.open(opened, TEXT, version=5)  # as a client does that shows the two texts side by side
    result = await applying.command(APPLY, {"preview": shown["preview"]})
    assert result["applied"] is True and result["files"] == 2
    [params] = applying.applied
    versions = {each.text_document.uri: each.text_document.version for each in params.edit.document_changes}
    assert versions == {opened: 5, (project / "pkg/a.py").as_uri(): None}
    [mine] = [each for each in params.edit.document_changes if each.text_document.uri == opened]
    applying.apply(types.WorkspaceEdit(document_changes=[mine]))
    assert applying.texts[opened] == CONVERTED
    assert "has expired" in (await fails(applying, APPLY, {"preview": shown["preview"]})).message


async def test_some_of_the_files(applying, project):
    shown = await applying.command(PREVIEW)
    uri = (project / "pkg/a.py").as_uri()
    result = await applying.command(APPLY, {"preview": shown["preview"], "uris": [uri]})
    assert result["files"] == 1 and result["outcomes"]["review"] == 1
    assert [each.text_document.uri for each in applying.applied[0].edit.document_changes] == [uri]


async def test_fixes_to_review(applying, project):
    uri = (project / "模型.py").as_uri()
    safe = await applying.command(PREVIEW, {"uris": [uri]})
    unsafe = await applying.command(PREVIEW, {"uris": [uri], "unsafe": True})
    assert "unproven" not in safe["outcomes"] and unsafe["outcomes"]["unproven"] == 1
    text = await applying.command(CONVERTED_TEXT, {"preview": unsafe["preview"], "uri": uri})
    assert "mint.nn.Dropout" in text


@pytest.mark.parametrize("is_open", [True, False])
async def test_what_has_changed_meanwhile_is_not_converted(applying, project, is_open):
    path = project / "模型.py"
    if is_open:
        applying.open(path.as_uri(), TEXT)
    shown = await applying.command(PREVIEW)
    if is_open:
        applying.replace(path.as_uri(), 0, 0, "# 😀\n")
    else:
        path.write_text("# 😀\n" + TEXT, encoding="utf-8")
    error = await fails(applying, APPLY, {"preview": shown["preview"]})
    assert error.code == -32801 and "模型.py" in error.message
    assert applying.applied == []


async def test_what_cannot_be_shown_is_told(applying, project):
    (project / "book.ipynb").write_text("{}")
    uris = [(project / name).as_uri() for name in ("book.ipynb", "none.py", "模型.py")]
    shown = await applying.command(PREVIEW, {"uris": uris})
    assert [file["uri"] for file in shown["files"]] == uris[2:]
    assert [problem["uri"] for problem in shown["problems"]] == uris[:2]
    for arguments in ([1], [{"uris": 1}], [{"uris": [1]}], [{"unsafe": 1}], [{"other": 1}], [{}, {}]):
        assert (await fails(applying, PREVIEW, *arguments)).code == -32602
    for command in (CONVERTED_TEXT, APPLY):
        assert (await fails(applying, command)).code == -32602
        assert "has expired" in (await fails(applying, command, {"preview": "x"})).message
    unknown = {"preview": shown["preview"], "uri": uris[0]}
    assert (await fails(applying, CONVERTED_TEXT, unknown)).code == -32602
    assert (
        await fails(applying, APPLY, {"preview": shown["preview"], "uris": ["file:///x.py"]})
    ).code == -32602


@pytest.mark.parametrize("command", ["mindport.convertProject", PREVIEW])
@pytest.mark.parametrize("by", ["progress", "request"])
def test_a_cancelled_conversion_changes_nothing(tmp_path, monkeypatch, command, by):
    """It is held up at the second file, cancelled there, and then let go."""
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    reached, may_go_on = threading.Event(), threading.Event()
    analysed = []
    analyse = Scanner.analyse

    def look(scanner, file):
        analysed.append(file.path.name)
        if file.path.name == "b.py":
            reached.set()
            assert may_go_on.wait(SECONDS)
        return analyse(scanner, file)

    monkeypatch.setattr(Scanner, "analyse", look)
    with served(tmp_path, {"workspace": {"applyEdit": True}}) as (_, client):
        received = []
        take = client._take
        monkeypatch.setattr(client, "_take", lambda message: (received.append(message), take(message)))
        params = {"command": command, "arguments": [], "workDoneToken": "t"}
        body = {"jsonrpc": "2.0", "id": 70, "method": "workspace/executeCommand", "params": params}
        client.send_body(json.dumps(body).encode())
        assert reached.wait(SECONDS)
        if by == "progress":
            client.notify("window/workDoneProgress/cancel", {"token": "t"})
        else:
            client.notify("$/cancelRequest", {"id": 70})
        answer = client.wait_for(lambda message: message.get("id") == 70 and "method" not in message)
        assert answer["error"]["code"] == -32800
        may_go_on.set()
        target = {"command": "mindport.target", "arguments": []}
        client.request("workspace/executeCommand", target)  # the server's worker is free again
        assert analysed == ["a.py", "b.py"]
        assert "workspace/applyEdit" not in [message.get("method") for message in received]
    assert all((tmp_path / name).read_text(encoding="utf-8") == TEXT for name in ("a.py", "b.py", "c.py"))
