"""Sessions with the server as LSP4IJ and JetBrains' own client have them, over standard input and output."""

from __future__ import annotations

import copy
import itertools
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from client_abilities import CLIENTS
from client_places import ROOT
from lsp_client import Json, LspClient

pytestmark = pytest.mark.slow

TEXT = '"""模型 😀"""\r\nimport torch\r\nfrom torch import nn\r\n\r\n\r\ndef f():\r\n    s = "😀中"; x = torch.randn(3, 4)\r\n    return nn.Conv2d(3, 4, 5)(x)\r\n'


class JetBrainsClient(LspClient):
    """A client that refuses what it did not say it can do, as LSP4J does, and remembers what it was asked."""

    asked: list[Json]
    offered: set[str]
    applies = True

    def _take(self, message: Json) -> None:
        if "id" in message and "method" in message:
            self.asked.append(message)
            assert message["method"] in self.offered, f"the client cannot do {message['method']}"
            if message["method"] == "workspace/applyEdit":
                self._send({"jsonrpc": "2.0", "id": message["id"], "result": {"applied": self.applies}})
                return
        super()._take(message)


class Session:
    """One IDE window: a server, and the text of one document as the editor has it."""

    def __init__(self, root: Path, capabilities: Json, settings: Any = None) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
        command = [sys.executable, "-m", "mindport", "serve", "--stdio"]
        client = JetBrainsClient.launch(command, root, environment)
        assert isinstance(client, JetBrainsClient)
        self.client, self.root = client, root
        client.asked, client.settings, client.offered = [], settings, _requests_of(capabilities)
        client.start(capabilities)
        self.uri = (root / "model.py").as_uri()
        self.text, self.version, self.result_id = "", 0, None
        self._items: list[Json] = []

    def open(self, text: str) -> None:
        self.text, self.version = text, 1
        self.client.open(self.uri, text)

    def change(self, text: str) -> None:
        """Both clients send ranges where the server takes them."""
        begin = _same_beginning(self.text, text)
        lines = re.split(r"\r\n|\n", begin)
        start = {"line": len(lines) - 1, "character": _units(lines[-1])}
        rest = self.text[len(begin) :]
        gone = len(rest) - len(_same_beginning(rest[::-1], text[len(begin) :][::-1]))
        until = re.split(r"\r\n|\n", self.text[: len(begin) + gone])
        end = {"line": len(until) - 1, "character": _units(until[-1])}
        added = text[len(begin) : len(text) - (len(rest) - gone)]
        self.version += 1
        change = {"range": {"start": start, "end": end}, "text": added}
        self.client.change(self.uri, self.version, [change])
        self.text = text

    def diagnostics(self) -> list[Json]:
        """Ask, with the name of the last answer."""
        params = {
            "textDocument": {"uri": self.uri},
            "identifier": "mindport",
            "previousResultId": self.result_id,
        }
        report = self.client.request("textDocument/diagnostic", params)
        self.result_id = report["resultId"]
        if report["kind"] == "full":
            self._items = list(report["items"])
        return self._items

    def at(self, piece: str) -> Json:
        """Where a piece of the text begins."""
        lines = self.text[: self.text.index(piece)].split("\r\n")
        return {"line": len(lines) - 1, "character": _units(lines[-1])}

    def covered(self, place: Json) -> str:
        """The text of a range, which is counted in UTF-16."""
        starts = [match.end() for match in re.finditer(r"^|\r\n", self.text)]

        def offset(position: Json) -> int:
            rest = self.text[starts[position["line"]] :].encode("utf-16-le")
            return starts[position["line"]] + len(rest[: 2 * position["character"]].decode("utf-16-le"))

        return self.text[offset(place["start"]) : offset(place["end"])]

    def actions(self, piece: str) -> list[Json]:
        """What the caret's move to a place asks for: the problems there, no kinds."""
        caret = self.at(piece)
        params = {
            "textDocument": {"uri": self.uri},
            "range": {"start": caret, "end": caret},
            "context": {"diagnostics": [], "triggerKind": 2},
        }
        found: list[Json] = self.client.request("textDocument/codeAction", params)
        return found

    def apply(self, edit: Json) -> str:
        """The text after an edit of one document, which must be the one that is open, in this version."""
        [change] = edit["documentChanges"]
        assert change["textDocument"] == {"uri": self.uri, "version": self.version}
        text = self.text
        edits = sorted(change["edits"], key=lambda each: list(each["range"]["start"].values()))
        for each in reversed(edits):
            start = self.covered({"start": {"line": 0, "character": 0}, "end": each["range"]["start"]})
            end = self.covered({"start": {"line": 0, "character": 0}, "end": each["range"]["end"]})
            text = text[: len(start)] + each["newText"] + text[len(end) :]
        return text


def _same_beginning(one: str, other: str) -> str:
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return "".join(character for character, _ in same)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _requests_of(capabilities: Json) -> set[str]:
    """What a server may ask a client that says this."""
    workspace, window = capabilities.get("workspace", {}), capabilities.get("window", {})
    asked = {
        "workspace/configuration": workspace.get("configuration"),
        "workspace/applyEdit": workspace.get("applyEdit"),
        "workspace/diagnostic/refresh": workspace.get("diagnostics", {}).get("refreshSupport"),
        "client/registerCapability": any(
            isinstance(each, dict) and each.get("dynamicRegistration") for each in workspace.values()
        ),
        "window/workDoneProgress/create": window.get("workDoneProgress"),
        "window/showDocument": window.get("showDocument", {}).get("support"),
    }
    return {method for method, can in asked.items() if can}


@pytest.fixture(params=sorted(CLIENTS))
def capabilities(request: pytest.FixtureRequest) -> Json:
    found: Json = copy.deepcopy(CLIENTS[request.param])
    return found


@pytest.fixture
def start(capabilities: Json) -> Iterator[Callable[..., Session]]:
    """Starts sessions; each server must end well."""
    sessions: list[Session] = []

    def start_session(root: Path, settings: Any = None) -> Session:
        sessions.append(Session(root, capabilities, settings))
        return sessions[-1]

    yield start_session
    for session in sessions:
        assert session.client.stop() == 0


def test_findings_are_asked_for_in_utf_16_and_never_sent(
    start: Callable[..., Session], tmp_path: Path
) -> None:
    session = start(tmp_path)
    assert session.client.capabilities.get("positionEncoding", "utf-16") == "utf-16"
    assert session.client.capabilities["diagnosticProvider"]["interFileDependencies"] is True
    session.open(TEXT)
    found = session.diagnostics()
    assert {"torch.randn", "nn.Conv2d"} <= {session.covered(each["range"]) for each in found}
    again = session.client.request(
        "textDocument/diagnostic",
        {"textDocument": {"uri": session.uri}, "previousResultId": session.result_id},
    )
    assert again == {"kind": "unchanged", "resultId": session.result_id}
    session.change(TEXT.replace("torch.randn(3, 4)", "3"))
    assert "torch.randn" not in {session.covered(each["range"]) for each in session.diagnostics()}
    assert not [
        each for each in session.client.notifications if each["method"] == "textDocument/publishDiagnostics"
    ]


def test_a_client_that_cannot_ask_is_sent_the_findings(capabilities: Json, tmp_path: Path) -> None:
    """The other way round, so that the test above can fail."""
    del capabilities["textDocument"]["diagnostic"]
    session = Session(tmp_path, capabilities)
    assert "diagnosticProvider" not in session.client.capabilities
    session.open(TEXT)
    assert session.client.wait_for_diagnostics(session.uri, 1)
    assert session.client.stop() == 0


def test_hover(start: Callable[..., Session], tmp_path: Path) -> None:
    session = start(tmp_path)
    session.open(TEXT)
    position = session.at("torch.randn")
    position["character"] += len("torch.")
    params = {"textDocument": {"uri": session.uri}, "position": position}
    hover = session.client.request("textDocument/hover", params)
    assert hover["contents"]["kind"] == "markdown" and "mindspore" in hover["contents"]["value"]
    assert session.covered(hover["range"]) == "torch.randn"
    params["position"] = session.at("def f")
    assert session.client.request("textDocument/hover", params) is None


def test_a_quick_fix_is_resolved_and_applied(start: Callable[..., Session], tmp_path: Path) -> None:
    session = start(tmp_path)
    session.open(TEXT)
    session.diagnostics()
    actions = session.actions("torch.randn")
    fix = next(each for each in actions if each.get("isPreferred"))
    assert fix["kind"] == "quickfix" and "edit" not in fix and "command" not in fix
    resolved = session.client.request("codeAction/resolve", fix)
    after = session.apply(resolved["edit"])
    assert "mint.randn" in after and "torch.randn" not in after and after.count("\n") == after.count("\r\n")
    session.change(after)
    assert "torch.randn" not in {session.covered(each["range"]) for each in session.diagnostics()}
    with pytest.raises(RuntimeError, match="-32801"):
        session.client.request("codeAction/resolve", fix)  # of the text as it was


def test_fix_all(start: Callable[..., Session], tmp_path: Path) -> None:
    session = start(tmp_path)
    session.open(TEXT)
    action = next(each for each in session.actions("torch.randn") if each["kind"].startswith("source.fixAll"))
    after = session.apply(session.client.request("codeAction/resolve", action)["edit"])
    assert "torch" not in after


def test_every_move_of_the_caret_asks_for_actions(start: Callable[..., Session], tmp_path: Path) -> None:
    """Also while the text is being typed, also where there is nothing, and the answers to requests that are
    overtaken do not come in the place of others."""
    session = start(tmp_path)
    session.open(TEXT)
    for line, text in enumerate(TEXT.split("\r\n")):
        for column in range(0, _units(text) + 1, 3):
            if (
                text.encode("utf-16-le")[: 2 * column].decode("utf-16-le", "ignore").encode("utf-16-le")
                != text.encode("utf-16-le")[: 2 * column]
            ):
                continue  # inside a character, where no caret is
            caret = {"line": line, "character": column}
            params = {
                "textDocument": {"uri": session.uri},
                "range": {"start": caret, "end": caret},
                "context": {"diagnostics": []},
            }
            found = session.client.request("textDocument/codeAction", params)
            is_touched = any(each["kind"] == "quickfix" for each in found)
            starts = [session.at(piece) for piece in ("torch.randn", "nn.Conv2d")]
            lengths = [len("torch.randn"), len("nn.Conv2d")]
            on_use = any(
                line == start["line"] and start["character"] <= column <= start["character"] + length
                for start, length in zip(starts, lengths, strict=True)
            )
            assert is_touched or not on_use
            if line == 0:
                assert not is_touched
    session.change(TEXT.replace("randn", "randnx"))
    assert not [each for each in session.actions("torch.randnx") if each.get("isPreferred")]


def test_settings_are_asked_for_and_can_change(start: Callable[..., Session], tmp_path: Path) -> None:
    session = start(tmp_path, {"device": "ascend"})
    session.open(TEXT)
    assert session.diagnostics()
    session.client.settings = {"language": "zh-cn", "select": ["MP1"]}
    session.client.notify(
        "workspace/didChangeConfiguration", {"settings": {"mindport": session.client.settings}}
    )
    if not [each for each in session.client.asked if each["method"] == "workspace/diagnostic/refresh"]:
        session.client.wait_for(lambda message: message.get("method") == "workspace/diagnostic/refresh")
    session.result_id = None
    found = session.diagnostics()
    assert found and {each["codeDescription"]["href"].split("/")[-2] for each in found} == {"zh-cn"}
    assert {each["code"][:3] for each in found} == {"MP1"}


def test_registrations_are_made_only_where_the_client_takes_them(
    start: Callable[..., Session], tmp_path: Path, capabilities: Json
) -> None:
    session = start(tmp_path)
    session.open(TEXT)
    session.diagnostics()
    registered = {
        each["method"]
        for message in session.client.asked
        if message["method"] == "client/registerCapability"
        for each in message["params"]["registrations"]
    }
    takes = {
        "workspace/didChangeConfiguration": "didChangeConfiguration" in capabilities["workspace"],
        "workspace/didChangeWatchedFiles": True,
    }
    assert registered == {method for method, taken in takes.items() if taken}


def test_commands(start: Callable[..., Session], tmp_path: Path) -> None:
    session = start(tmp_path)
    session.open(TEXT)
    scanned = session.client.request(
        "workspace/executeCommand", {"command": "mindport.scanFile", "arguments": [session.uri]}
    )
    assert "torch.randn" in {use["api"] for use in scanned["uses"]}
    target = session.client.request(
        "workspace/executeCommand", {"command": "mindport.setTarget", "arguments": [{"device": "cpu"}]}
    )
    assert target["device"] == "cpu"
    with pytest.raises(RuntimeError, match=r"mindport\.nothing"):
        session.client.request("workspace/executeCommand", {"command": "mindport.nothing"})
    assert "window/showDocument" not in {each["method"] for each in session.client.asked}


def test_a_command_that_changes_the_document(start: Callable[..., Session], tmp_path: Path) -> None:
    """The server asks the client to make the edits, and says what the client made of them."""
    session = start(tmp_path)
    session.open(TEXT)
    result = session.client.request(
        "workspace/executeCommand", {"command": "mindport.convertFile", "arguments": [session.uri]}
    )
    assert result["applied"] is True
    assert result["files"] == 1
    [asked] = [each for each in session.client.asked if each["method"] == "workspace/applyEdit"]
    converted = session.apply(asked["params"]["edit"])
    assert "from mindspore.mint import nn" in converted and "nn.Conv2d(3, 4, 5)(x)" in converted
    assert "😀中" in converted
    session.change(converted)
    again = session.client.request(
        "workspace/executeCommand", {"command": "mindport.convertFile", "arguments": [session.uri]}
    )
    assert again["files"] == 0


def test_a_client_that_refuses_an_edit(start: Callable[..., Session], tmp_path: Path) -> None:
    session = start(tmp_path)
    session.client.applies = False  # type: ignore[attr-defined]
    session.open(TEXT)
    result = session.client.request(
        "workspace/executeCommand", {"command": "mindport.convertFile", "arguments": [session.uri]}
    )
    assert result["applied"] is False


def test_a_restart_finds_the_same(start: Callable[..., Session], tmp_path: Path) -> None:
    found = []
    for _ in range(2):
        session = start(tmp_path)
        session.open(TEXT)
        found.append(session.diagnostics())
    assert found[0] and found[0] == found[1]


def test_two_projects_at_once(start: Callable[..., Session], tmp_path: Path) -> None:
    """Each window has a server of its own."""
    counts = []
    for name, settings in (("one", ""), ("two", '[tool.mindport]\nselect = ["MP9"]\n')):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").write_text(settings)
        session = start(tmp_path / name)
        session.open(TEXT)
        counts.append(session)
    assert counts[0].diagnostics() and not counts[1].diagnostics()
    counts[0].change(TEXT + "y = torch.ones(3)\r\n")
    assert len(counts[0].diagnostics()) > 2 and not counts[1].diagnostics()
