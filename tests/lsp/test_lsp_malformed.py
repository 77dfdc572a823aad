"""Parameters that no client should send: every message with something in it missing or wrong. Each request is
answered, nothing fails inside the server, and it works as before afterwards."""

from __future__ import annotations

import copy
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from in_process import PULL, PUSH, served
from lsp_client import LspClient

Place = tuple[str | int, ...]

INTERNAL_ERROR = -32603
URI = "untitled:a.py"
TEXT = "import torch\nx = torch.sin(1.0)\ny = torch.Tensor.view(x, 1)\n"
FAR = {"line": 10_000, "character": 10_000}
IN = {"line": 1, "character": 11}
RANGE = {"start": IN, "end": IN}
DOCUMENT = {"uri": URI}
VERSIONED = {"uri": URI, "version": 2}
CELL = {"kind": 2, "document": "vscode-notebook-cell:/n.ipynb#c1"}
CELL_TEXT = {"uri": CELL["document"], "languageId": "python", "version": 1, "text": TEXT}
NOTEBOOK = {"uri": "untitled:n.ipynb", "notebookType": "jupyter-notebook", "version": 1, "cells": [CELL]}
CONTEXT = {"diagnostics": [], "only": ["quickfix"], "triggerKind": 1}
EDITED = {"document": {"uri": CELL["document"], "version": 2}, "changes": [{"range": RANGE, "text": "z"}]}
STRUCTURE = {"array": {"start": 0, "deleteCount": 1, "cells": [CELL]}, "didOpen": [CELL_TEXT], "didClose": []}

REQUESTS: dict[str, Any] = {
    "textDocument/hover": {"textDocument": DOCUMENT, "position": IN},
    "textDocument/completion": {"textDocument": DOCUMENT, "position": IN, "context": {"triggerKind": 1}},
    "textDocument/codeAction": {"textDocument": DOCUMENT, "range": RANGE, "context": CONTEXT},
    "codeAction/resolve": {"title": "t", "kind": "quickfix", "data": {"uri": URI, "version": 1, "offset": 1}},
    "completionItem/resolve": {"label": "l", "data": {"api": "torch.sin", "uri": URI}},
    "workspace/executeCommand": {"command": "mindport.explain", "arguments": ["torch.sin"]},
}
PULLS: dict[str, Any] = {
    "textDocument/diagnostic": {"textDocument": DOCUMENT, "identifier": "mindport", "previousResultId": "x"},
    "workspace/diagnostic": {"identifier": "mindport", "previousResultIds": [{"uri": URI, "value": "x"}]},
}
NOTIFICATIONS: dict[str, Any] = {
    "textDocument/didOpen": {"textDocument": {**VERSIONED, "languageId": "python", "text": TEXT}},
    "textDocument/didChange": {"textDocument": VERSIONED, "contentChanges": [{"range": RANGE, "text": "z"}]},
    "textDocument/didSave": {"textDocument": DOCUMENT, "text": TEXT},
    "textDocument/didClose": {"textDocument": DOCUMENT},
    "notebookDocument/didOpen": {"notebookDocument": NOTEBOOK, "cellTextDocuments": [CELL_TEXT]},
    "notebookDocument/didChange": {
        "notebookDocument": {"uri": NOTEBOOK["uri"], "version": 2},
        "change": {"cells": {"structure": STRUCTURE, "textContent": [EDITED]}},
    },
    "notebookDocument/didSave": {"notebookDocument": {"uri": NOTEBOOK["uri"]}},
    "notebookDocument/didClose": {
        "notebookDocument": {"uri": NOTEBOOK["uri"]},
        "cellTextDocuments": [{"uri": CELL["document"]}],
    },
    "workspace/didChangeConfiguration": {
        "settings": {"mindport": {"device": "cpu", "severity": {"MP1": "off"}}}
    },
    "workspace/didChangeWatchedFiles": {"changes": [{"uri": "file:///nowhere/a.py", "type": 1}]},
    "workspace/didCreateFiles": {"files": [{"uri": "file:///nowhere/a.py"}]},
    "workspace/didDeleteFiles": {"files": [{"uri": "file:///nowhere/a.py"}]},
    "workspace/didRenameFiles": {
        "files": [{"oldUri": "file:///nowhere/a.py", "newUri": "file:///nowhere/b.py"}]
    },
    "workspace/didChangeWorkspaceFolders": {
        "event": {"added": [{"uri": "file:///nowhere", "name": "n"}], "removed": []}
    },
    "$/cancelRequest": {"id": 99},
    "$/setTrace": {"value": "off"},
    "window/workDoneProgress/cancel": {"token": "t"},
}
COMMANDS: dict[str, list[Any]] = {
    "mindport.scanFile": [URI],
    "mindport.explain": ["torch.sin"],
    "mindport.explainError": ["RuntimeError: The kernel Conv2DExt unregistered."],
    "mindport.searchApi": ["conv", 3],
    "mindport.setTarget": [{"target": "2.10", "device": "cpu", "style": "auto"}],
    "mindport.convertFile": [URI, {"unsafe": True}],
    "mindport.exportReport": ["json", None, ["file:///nowhere/a.py"]],
    "mindport.analyzeProject": ["json", None, ["file:///nowhere/a.py"]],
    "mindport.convertProject": ["file:///nowhere"],
    "mindport.previewConversion": [{"uris": ["file:///nowhere/a.py"], "unsafe": False}],
    "mindport.convertedText": [{"preview": "x", "uri": URI, "before": True}],
    "mindport.applyConversion": [{"preview": "x", "uris": [URI]}],
    "mindport.scanProject": [{"uris": ["file:///nowhere/a.py"], "keep": True}],
    "mindport.fileFindings": [URI],
    "mindport.scanResults": [{"scan": "x"}],
    "mindport.debugInformation": [],
    "mindport.newProject": [{"folder": "file:///nowhere/a.py", "model": "no such model"}],
    "mindport.target": [],
    "mindport.nothing": [],
}
HOSTILE: list[Any] = [
    None,
    True,
    -1,
    2**31,
    2**80,
    1.5,
    "",
    "\ud800",
    "\0",
    "file://[",
    "http://[::1",
    "file:///%zz%00%ff",
    "file://server/share/a.py",
    "x" * 5_000,
    [],
    {},
    [None],
    {"line": -1},
    {"start": FAR, "end": IN},
    {"start": FAR, "end": FAR},
]


def places(value: Any, place: Place = ()) -> Iterator[Place]:
    """The places in a value, from the outside in."""
    yield place
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inner:
        yield from places(each, (*place, name))


def variants(value: Any) -> Iterator[Any]:
    """The value with something hostile at each of its places, or without what is there."""
    for place in places(value):
        for hostile in HOSTILE:
            yield changed(value, place, hostile)
        if place:
            yield changed(value, place, None, is_gone=True)


def changed(value: Any, place: Place, new: Any, is_gone: bool = False) -> Any:
    if not place:
        return new
    result = copy.deepcopy(value)
    around = result
    for name in place[:-1]:
        around = around[name]
    if is_gone:
        del around[place[-1]]
    else:
        around[place[-1]] = new
    return result


def commands(name: str) -> Iterator[dict[str, Any]]:
    for arguments in [*variants(COMMANDS[name]), [*COMMANDS[name], *[None] * 9]]:
        yield {"command": name, "arguments": arguments}


class Sender:
    """Sends what is malformed, and says what failed inside the server."""

    def __init__(self, client: LspClient) -> None:
        self.client = client
        self.number = 1_000

    def request(self, method: str, params: Any) -> dict[str, Any]:
        """The answer to a request."""
        self.number += 1
        number = self.number
        body = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.client.send_body(json.dumps(body).encode())
        return self.client.wait_for(lambda each: each.get("id") == number and "method" not in each)

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self.client.send_body(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    def failures(self) -> list[str]:
        """What the server said of errors of its own since this was last asked."""
        self.request("workspace/executeCommand", {"command": "mindport.target", "arguments": []})
        said = [each["params"].get("message", "") for each in self.client.notifications]
        self.client.notifications.clear()
        return [text for text in said if "Traceback" in text or "internal error" in text]


@pytest.fixture(autouse=True)
def unheard(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is logged here is not always text that a test's report could hold."""
    for name in ("mindport", "pygls"):
        monkeypatch.setattr(logging.getLogger(name), "propagate", False)


@pytest.fixture
def sender(tmp_path: Path) -> Iterator[Sender]:
    with served(tmp_path, PUSH) as (_, client):
        client.open(URI, TEXT)
        yield Sender(client)


@pytest.fixture
def pulling(tmp_path: Path) -> Iterator[Sender]:
    """A sender whose client asks for diagnostics."""
    with served(tmp_path, PULL) as (_, client):
        client.open(URI, TEXT)
        yield Sender(client)


def works(sender: Sender) -> None:
    """The server does for a well-formed session what it always does."""
    sender.client.open("untitled:fresh.py", TEXT)
    answer = sender.request(
        "textDocument/hover", {"textDocument": {"uri": "untitled:fresh.py"}, "position": IN}
    )
    assert "torch.sin" in json.dumps(answer["result"])


def check_answers(sender: Sender, method: str, every: Iterator[Any]) -> None:
    wrong = []
    for params in every:
        answer = sender.request(method, params)
        failures = sender.failures()
        if failures or answer.get("error", {}).get("code") == INTERNAL_ERROR:
            wrong.append(ascii((params, answer, failures))[:2_000])
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("method", REQUESTS)
def test_a_request_with_something_wrong_in_it(sender: Sender, method: str) -> None:
    check_answers(sender, method, variants(REQUESTS[method]))
    works(sender)


@pytest.mark.parametrize("method", PULLS)
def test_a_question_for_diagnostics_with_something_wrong_in_it(pulling: Sender, method: str) -> None:
    check_answers(pulling, method, variants(PULLS[method]))
    works(pulling)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_with_something_wrong_in_it(sender: Sender, name: str) -> None:
    check_answers(sender, "workspace/executeCommand", commands(name))
    works(sender)


@pytest.mark.parametrize("method", NOTIFICATIONS)
def test_a_notification_with_something_wrong_in_it(sender: Sender, method: str) -> None:
    wrong = []
    for params in variants(NOTIFICATIONS[method]):
        sender.client.open(URI, TEXT)
        sender.notify(method, params)
        failures = sender.failures()
        if failures:
            wrong.append(ascii((params, failures))[:2_000])
    assert not wrong, "\n".join(wrong)
    works(sender)


INITIALIZE = {
    "processId": 1,
    "rootUri": "file:///nowhere",
    "workspaceFolders": [{"uri": "file:///nowhere", "name": "n"}],
    "capabilities": {
        "general": {"positionEncodings": ["utf-16"]},
        "textDocument": {"publishDiagnostics": {"versionSupport": True}},
        "experimental": {"mindport": {"refresh": True}},
    },
    "initializationOptions": {"settings": {"device": "cpu"}, "trusted": True},
}


@pytest.mark.parametrize("part", ["rootUri", "workspaceFolders", "capabilities", "initializationOptions"])
def test_a_start_with_something_wrong_in_it(tmp_path: Path, part: str) -> None:
    wrong = []
    for value in [*variants(INITIALIZE[part])][::3]:  # a server for each
        with served(tmp_path) as (_, client):
            sender = Sender(client)
            answer = sender.request("initialize", {**INITIALIZE, part: value})
            if "error" in answer:
                assert answer["error"]["code"] != INTERNAL_ERROR, ascii(value)
                sender.request("initialize", INITIALIZE)
            client.notify("initialized", {})
            failures = sender.failures()
            works(sender)
            if failures:
                wrong.append(ascii((value, failures))[:2_000])
    assert not wrong, "\n".join(wrong)
