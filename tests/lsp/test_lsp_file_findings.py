"""`mindport.fileFindings`, and `mindport/refresh`: what a client needs that shows scanned files in a tree."""

from __future__ import annotations

import json

import pytest
from in_process import PUSH, served
from pygls.exceptions import JsonRpcException

FINDINGS = "mindport.fileFindings"
TEXT = (
    "import torch\nx = torch.sin(1)\n层 = '😀', torch.nn.Dropout(0.5)\ny = torch.sin(2)\n"
    "z = torch.sin(3)  # mindport: ignore\nw = torch.hub.load()\n"
)
HEARS = {**PUSH, "experimental": {"mindport": {"refresh": True}}}


async def test_findings_that_say_the_same_are_together(editor, tmp_path):
    (tmp_path / "a.py").write_text(TEXT, encoding="utf-8")
    uri = (tmp_path / "a.py").as_uri()
    found = await editor.command(FINDINGS, uri)
    editor.open(uri, TEXT)
    assert await editor.command(FINDINGS, uri) == found
    assert [(group["status"], group["api"], len(group["places"])) for group in found] == [
        ("missing", "torch.hub.load", 1),
        ("differs", "torch.nn.Dropout", 1),
        ("equivalent", "torch.sin", 2),
    ]
    published = {each.message: each for each in await editor.diagnostics(uri)}
    assert "`" not in "".join(published), "editors show no Markdown there"
    for group in found:
        diagnostic = published[group["message"].replace("`", "")]
        assert (group["code"], group["api"]) == (diagnostic.code, diagnostic.data["api"])
    place = found[1]["places"][0]
    assert place == {
        "range": {"start": {"line": 2, "character": 10}, "end": {"line": 2, "character": 26}},
    }


async def test_a_notebook(editor, tmp_path):
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": "# torch"},
        {**cell, "source": "import torch"},
        {**cell, "source": "\ntorch.sin(1)"},
    ]
    notebook = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}
    (tmp_path / "n.ipynb").write_text(json.dumps(notebook))
    [group] = await editor.command(FINDINGS, (tmp_path / "n.ipynb").as_uri())
    [place] = group["places"]
    assert place["cell"] == 3 and place["range"]["start"] == {"line": 1, "character": 0}


async def test_what_cannot_be_read_is_named(editor, tmp_path):
    for arguments in ([], [1], ["a", "b"]):
        with pytest.raises(JsonRpcException) as raised:
            await editor.command(FINDINGS, *arguments)
        assert raised.value.code == -32602
    with pytest.raises(JsonRpcException, match=r"gone\.py"):
        await editor.command(FINDINGS, (tmp_path / "gone.py").as_uri())


def refreshes(client):
    return sum(message["method"] == "mindport/refresh" for message in client.notifications)


def target(client, command="mindport.target", *arguments):
    return client.request("workspace/executeCommand", {"command": command, "arguments": list(arguments)})


@pytest.mark.parametrize(("abilities", "expected"), [(HEARS, [0, 1, 2]), (PUSH, [0, 0, 0])])
def test_clients_that_want_it_hear_of_changes(tmp_path, abilities, expected):
    with served(tmp_path, abilities) as (_, client):
        target(client)
        target(client)  # all that comes with the start has come
        before, seen = refreshes(client), [0]
        target(client, "mindport.setTarget", {"device": "cpu"})
        target(client)
        seen.append(refreshes(client) - before)
        event = {"uri": (tmp_path / "a.py").as_uri(), "type": 2}
        client.notify("workspace/didChangeWatchedFiles", {"changes": [event]})
        target(client)
        seen.append(refreshes(client) - before)
        client.open(event["uri"], "import torch\n")
        client.change(event["uri"], 2, [{"text": "import torch\n\n"}])
        target(client)
        assert [*seen, refreshes(client) - before] == [*expected, expected[-1]]
