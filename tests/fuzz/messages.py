"""Random messages to the server, well formed and not: it goes on, and answers what is asked afterwards."""

from __future__ import annotations

import json
import logging
import random
import tempfile
from pathlib import Path
from typing import Any

from in_process import PUSH, served
from target import Target

_TEXT = "import torch\nx = torch.cat([a, b], dim=1)\ny = x.view(2, 3)\n"
_METHODS = (
    *("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "textDocument/didSave"),
    *("textDocument/hover", "textDocument/codeAction", "codeAction/resolve", "textDocument/completion"),
    *("textDocument/diagnostic", "workspace/executeCommand", "workspace/didChangeConfiguration"),
    *("workspace/didChangeWatchedFiles", "workspace/didChangeWorkspaceFolders", "notebookDocument/didOpen"),
    *(
        "notebookDocument/didChange",
        "$/cancelRequest",
        "$/setTrace",
        "window/workDoneProgress/cancel",
        "no/such",
    ),
)
_COMMANDS = (
    *(
        "mindport.scanFile",
        "mindport.searchApi",
        "mindport.explain",
        "mindport.setTarget",
        "mindport.scanResults",
    ),
    *("mindport.fileFindings", "mindport.nothing"),
)
_ODD: tuple[Any, ...] = (
    *(None, True, -1, 2**31, 2**63, 1.5, "", "x", [], [[]], {}, {"a": 1}, "file:///nowhere.py", "untitled:a"),
    *("🎉", "\ud800", "file://host/share/a.py", "x" * 5000, {"uri": 1}, {"line": -1, "character": -1}),
)
_MOST_MESSAGES = 30


def _position(choose: random.Random) -> Any:
    if choose.random() < 0.15:
        return choose.choice(_ODD)
    return {"line": choose.choice((0, 1, 2, 9, -1, 10**9)), "character": choose.choice((0, 3, 8, 99, -1))}


def _range(choose: random.Random) -> Any:
    return {"start": _position(choose), "end": _position(choose)}


def _params(choose: random.Random, method: str, uri: str) -> Any:
    document: Any = {"uri": uri, "version": choose.randint(0, 9)}
    params: dict[str, Any] = {
        "textDocument": document,
        "position": _position(choose),
        "range": _range(choose),
    }
    if method == "textDocument/didOpen":
        document.update(languageId="python", text=choose.choice((_TEXT, "", "x = (" * 40, "\r\x0c🎉")))
    elif method == "textDocument/didChange":
        change = {"text": choose.choice(("x", "\n", "🎉", "import torch\n", "'''"))}
        params["contentChanges"] = [{**change, "range": _range(choose)} if choose.random() < 0.8 else change]
    elif method == "textDocument/codeAction":
        params["context"] = {"diagnostics": []}
    elif method == "workspace/executeCommand":
        params = {"command": choose.choice(_COMMANDS), "arguments": [choose.choice(_ODD), {"uri": uri}]}
    elif method == "workspace/didChangeConfiguration":
        params = {"settings": {"mindport": choose.choice(({"device": "cpu"}, *_ODD))}}
    elif method == "workspace/didChangeWatchedFiles":
        params = {"changes": [{"uri": uri, "type": choose.choice((1, 2, 3, 9))}]}
    return _bent(choose, params) if choose.random() < 0.4 else params


def _bent(choose: random.Random, value: Any) -> Any:
    """The same with something odd in some place."""
    if choose.random() < 0.3 or not isinstance(value, dict) or not value:
        return choose.choice(_ODD)
    name = choose.choice(sorted(value))
    if choose.random() < 0.3:
        return {key: each for key, each in value.items() if key != name}
    return {**value, name: _bent(choose, value[name])}


def trial(choose: random.Random) -> int:
    """A session of random messages, then a document that is opened and asked about. What the server logs of
    them is not kept: it may hold text that cannot be written."""
    logging.disable()
    try:
        return _session(choose)
    finally:
        logging.disable(logging.NOTSET)


def _session(choose: random.Random) -> int:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        uris = [(root / f"{n}.py").as_uri() for n in "ab"]
        with served(root, PUSH) as (_, client):
            count = choose.randint(1, _MOST_MESSAGES)
            for number in range(count):
                method = choose.choice(_METHODS)
                message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
                message["params"] = _params(choose, method, choose.choice(uris))
                if not method.startswith(("textDocument/did", "workspace/did", "notebookDocument/did", "$/")):
                    message["id"] = f"fuzz-{number}"
                client.send_body(json.dumps(message).encode())
            last = (root / "last.py").as_uri()
            opened = {"uri": last, "languageId": "python", "version": 1, "text": _TEXT}
            client.notify("textDocument/didOpen", {"textDocument": opened})
            client.wait_for_diagnostics(last, 1)
            where = {"textDocument": {"uri": last}, "position": {"line": 1, "character": 10}}
            assert client.request("textDocument/hover", where) is not None
            client.request("shutdown", None)
            client.notify("exit", None)
        return count


TARGET = Target("messages", "messages", trial)
