"""What needs a look inside: errors of our own, cancelling, versions that are overtaken."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import time

import pytest
from in_process import PULL, PUSH, SECONDS, Gate, served
from mindport.lsp.configuration import Configuration
from mindport.lsp.file_search import apart
from mindport.project import stub_index

TEXT = "import torch\nx = torch.randn(3)\ny = torch.nn.Linear(3, 4)\n"
URI = "untitled:Untitled-1"
HOVER = {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 8}}


def is_answer(number):
    return lambda message: message.get("id") == number and "method" not in message


def send_request(client, number, method, params):
    client.send_body(
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
    )


def wait_for_version(server, version):
    """Until the server has a version of the document, however long its own thread takes to get there."""
    deadline = time.monotonic() + 30
    while server.documents.latest[URI].version != version:
        assert time.monotonic() < deadline, "the change does not arrive"
        time.sleep(0.001)


def test_a_queued_request_is_dropped_when_cancelled(tmp_path):
    with served(tmp_path, PUSH) as (server, client):
        gate = Gate(server)
        client.open(URI, TEXT)
        gate.wait()
        send_request(client, 70, "textDocument/hover", HOVER)
        client.notify("$/cancelRequest", {"id": 70})
        answer = client.wait_for(is_answer(70))  # comes although the server is held up
        assert answer["error"]["code"] == -32800
        gate.open()
        client.wait_for_diagnostics(URI, 1)
        assert client.request("textDocument/hover", HOVER) is not None
        assert gate.versions == [1, 1]  # the cancelled request never looked at the document


def test_cancelling_what_is_answered_or_unknown_changes_nothing(tmp_path):
    with served(tmp_path, PUSH) as (_, client):
        client.open(URI, TEXT)
        send_request(client, 70, "textDocument/hover", HOVER)
        client.wait_for(is_answer(70))
        client.notify("$/cancelRequest", {"id": 70})
        client.notify("$/cancelRequest", {"id": "no such request"})
        assert client.request("textDocument/hover", HOVER) is not None


@pytest.mark.parametrize("method", ["textDocument/hover", "textDocument/codeAction"])
def test_a_request_for_an_old_version_says_so(tmp_path, method):
    with served(tmp_path, PUSH) as (server, client):
        gate = Gate(server)
        client.open(URI, TEXT)
        gate.wait()
        place = {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 8}}
        send_request(client, 70, method, {**HOVER, "range": place, "context": {"diagnostics": []}})
        client.change(URI, 2, [{"text": TEXT + "\n"}])
        wait_for_version(server, 2)
        gate.open()
        assert client.wait_for(is_answer(70))["error"]["code"] == -32801


def test_a_pull_for_an_old_version_asks_to_try_again(tmp_path):
    with served(tmp_path, PULL) as (server, client):
        gate = Gate(server)
        client.open(URI, TEXT)
        send_request(client, 70, "textDocument/diagnostic", {"textDocument": {"uri": URI}})
        gate.wait()
        client.change(URI, 2, [{"text": TEXT + "\n"}])
        wait_for_version(server, 2)
        gate.open()
        error = client.wait_for(is_answer(70))["error"]
        assert (error["code"], error["data"]) == (-32802, {"retriggerRequest": True})


def test_a_request_takes_the_document_as_it_was_when_the_request_came(tmp_path):
    with served(tmp_path, PUSH) as (_, client):
        client.open(URI, TEXT)
        client.wait_for_diagnostics(URI, 1)
        both = [
            {"jsonrpc": "2.0", "id": 70, "method": "textDocument/hover", "params": HOVER},
            {
                "jsonrpc": "2.0",
                "method": "textDocument/didChange",
                "params": {
                    "textDocument": {"uri": URI, "version": 2},
                    "contentChanges": [{"text": "\n" * 50}],
                },
            },
        ]
        bodies = [json.dumps(message).encode() for message in both]
        client._send_bytes(b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies))
        answer = client.wait_for(is_answer(70))
        if "error" in answer:
            assert answer["error"]["code"] == -32801
        else:
            assert "torch.randn" in answer["result"]["contents"]["value"]


def test_only_the_newest_of_many_versions_is_looked_at(tmp_path):
    with served(tmp_path, PUSH) as (server, client):
        gate = Gate(server)
        client.open(URI, TEXT)
        gate.wait()
        for version in range(2, 22):
            client.change(URI, version, [{"text": TEXT + "#" * version}])
        send_request(client, 70, "noSuchMethod", None)
        client.wait_for(is_answer(70))  # so all changes have been taken
        gate.open()
        client.wait_for_diagnostics(URI, 21)
        assert gate.versions == [1, 21]
        published = [n["params"]["version"] for n in client.notifications if "diagnostics" in n["params"]]
        assert published == [21]


def test_an_idle_server_looks_at_every_version_at_once(tmp_path):
    with served(tmp_path, PUSH) as (server, client):
        gate = Gate(server)
        gate.open()
        client.open(URI, TEXT)
        client.wait_for_diagnostics(URI, 1)
        for version in range(2, 8):
            client.change(URI, version, [{"text": TEXT}])  # the same text: published all the same
            assert len(client.wait_for_diagnostics(URI, version)) > 0
        assert gate.versions == list(range(1, 8))


def test_an_internal_error_is_told_once_and_the_rest_goes_on(tmp_path):
    with served(tmp_path, PUSH) as (server, client):
        client.open(URI, TEXT)
        assert client.wait_for_diagnostics(URI, 1)
        session = server.engine.session
        analyse = session.analyse

        def fail_for_one(path, document):
            if path == "untitled:bad":
                raise ZeroDivisionError("made by the test")
            return analyse(path, document)

        session.analyse = fail_for_one
        client.open("untitled:bad", TEXT)
        assert client.wait_for_diagnostics("untitled:bad", 1) == []
        client.change("untitled:bad", 2, [{"text": TEXT + "\n"}])
        assert client.wait_for_diagnostics("untitled:bad", 2) == []
        hover = {**HOVER, "textDocument": {"uri": "untitled:bad"}}
        assert client.request("textDocument/hover", hover) is None

        client.change(URI, 2, [{"text": TEXT + "\n"}])
        assert client.wait_for_diagnostics(URI, 2)
        assert client.request("textDocument/hover", HOVER) is not None

        shown = [n["params"] for n in client.notifications if n["method"] == "window/showMessage"]
        assert len(shown) == 1 and shown[0]["type"] == 1
        assert "untitled:bad" in shown[0]["message"] and "made by the test" in shown[0]["message"]
        logged = [n["params"]["message"] for n in client.notifications if n["method"] == "window/logMessage"]
        assert any("Traceback" in text and "fail_for_one" in text for text in logged)

        session.analyse = analyse
        client.change("untitled:bad", 3, [{"text": TEXT}])
        assert client.wait_for_diagnostics("untitled:bad", 3)


def test_an_internal_error_is_told_in_the_users_language(tmp_path):
    with served(tmp_path) as (server, client):
        client.start(PUSH, {"settings": {"language": "zh-cn"}})
        client.open(URI, TEXT)
        client.wait_for_diagnostics(URI, 1)

        def fail(path, document):
            raise ZeroDivisionError

        server.engine.session.analyse = fail
        client.change(URI, 2, [{"text": TEXT}])
        client.wait_for_diagnostics(URI, 2)
        [shown] = [n["params"] for n in client.notifications if n["method"] == "window/showMessage"]
        assert "内部错误" in shown["message"]


def test_a_catalog_that_cannot_be_loaded_is_told_and_nothing_hangs(tmp_path):
    with served(tmp_path) as (server, client):

        def fail():
            raise OSError("no such index")

        server.engine.load = fail
        client.start(PUSH)
        client.open(URI, TEXT)
        assert client.request("textDocument/hover", HOVER) is None
        with pytest.raises(RuntimeError, match="-32803"):
            command = {"command": "mindport.searchApi", "arguments": ["relu"]}
            client.request("workspace/executeCommand", command)
        [shown] = [n["params"] for n in client.notifications if n["method"] == "window/showMessage"]
        assert "no such index" in shown["message"]


BROKEN = [
    b"",
    b"{",
    b"\xff\xfe",
    b"[]",
    b'"text"',
    b"[" * 5000,
    b"{}",
    b'{"jsonrpc": "1.0", "id": 4, "method": "shutdown"}',
    b'{"jsonrpc": "2.0", "id": {}, "method": "shutdown", "params": 3}',
    b'{"jsonrpc": "2.0", "method": 5}',
    b'{"jsonrpc": "2.0", "id": 9, "method": "textDocument/hover"}',
    b'{"jsonrpc": "2.0", "id": 9, "method": "textDocument/hover", "params": {"position": "here"}}',
    b'{"jsonrpc": "2.0", "id": 9, "method": "no/suchMethod", "params": {}}',
    b'{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": 1}}',
    b'{"jsonrpc": "2.0", "method": "workspace/didChangeConfiguration"}',
    b'{"jsonrpc": "2.0", "id": "never asked", "result": []}',
    b'{"jsonrpc": "2.0", "id": "never asked", "error": {"code": 1, "message": "no"}}',
    b'{"jsonrpc": "2.0", "id": 9, "method": "initialize", "params": {"capabilities": {}}}',
]


@pytest.mark.parametrize("body", BROKEN, ids=range(len(BROKEN)))
def test_no_message_ends_the_server(tmp_path, body):
    with served(tmp_path, PUSH) as (_, client):
        client.open(URI, TEXT)
        client.send_body(body)
        assert client.wait_for_diagnostics(URI, 1)
        assert client.request("textDocument/hover", HOVER) is not None


def test_every_broken_request_is_answered(tmp_path):
    with served(tmp_path, PUSH) as (_, client):
        send_request(client, 70, "textDocument/hover", {"position": "here"})
        assert client.wait_for(is_answer(70))["error"]["code"] == -32602
        send_request(client, 71, "no/suchMethod", {})
        assert client.wait_for(is_answer(71))["error"]["code"] == -32601
        client.send_body(b"{")
        assert client.wait_for(is_answer(None))["error"]["code"] == -32700


def test_requests_before_the_start_and_after_the_end_are_refused(tmp_path):
    with served(tmp_path) as (_, client):
        send_request(client, 70, "textDocument/hover", HOVER)
        assert client.wait_for(is_answer(70))["error"]["code"] == -32002
        client.notify("textDocument/didOpen", {})
        client.start(PUSH)
        client.request("shutdown", None)
        send_request(client, 71, "textDocument/hover", HOVER)
        assert client.wait_for(is_answer(71))["error"]["code"] == -32600


def test_a_change_that_is_malformed_is_told(tmp_path):
    with served(tmp_path, PUSH) as (_, client):
        client.open(URI, TEXT)
        client.wait_for_diagnostics(URI, 1)
        start = {"line": -1, "character": 0}
        client.change(URI, 2, [{"range": {"start": start, "end": start}, "text": "x"}])
        message = client.wait_for(lambda message: message.get("method") == "window/showMessage")
        assert URI in message["params"]["message"]
        assert client.request("textDocument/hover", HOVER) is not None


def test_a_server_that_cannot_work_says_so_and_answers(tmp_path, monkeypatch):
    """A part that is missing, say: nobody waits for what does not come."""

    def fail(*_):
        raise ModuleNotFoundError("No module named 'tree_sitter'")

    with served(tmp_path) as (server, client):
        monkeypatch.setattr(server.engine, "configure", fail)
        client.start(PULL)
        said = client.wait_for(lambda message: message.get("method") == "window/showMessage")
        assert "No module named 'tree_sitter'" in said["params"]["message"]
        assert client.request("textDocument/hover", HOVER) is None
        send_request(client, 70, "workspace/executeCommand", {"command": "mindport.target", "arguments": []})
        assert "error" in client.wait_for(is_answer(70))


@pytest.mark.parametrize(
    "options", [None, {}, {"trusted": False}, {"trusted": "yes"}, {"settings": {"trusted": True}}]
)
def test_python_of_a_workspace_that_is_not_trusted_is_not_looked_at(tmp_path, monkeypatch, options):
    analysed = analysed_for_packages(tmp_path, monkeypatch, options)
    assert str(tmp_path) not in " ".join(analysed)


@pytest.mark.parametrize("options", [{"trusted": True}, {"trusted": True, "settings": {"device": "cpu"}}])
def test_python_of_a_workspace_that_is_trusted_counts(tmp_path, monkeypatch, options):
    assert str(tmp_path / "evil") in analysed_for_packages(tmp_path, monkeypatch, options)


def analysed_for_packages(folder, monkeypatch, options):
    """The places where a server has looked for an environment of Python's."""
    (folder / "pyproject.toml").write_text('[tool.mindport]\npython = "./evil"\n')
    analysed = []
    monkeypatch.setattr(stub_index, "_of_environment", lambda path: analysed.append(str(path)) or ())
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    with served(folder) as (server, client):
        client.start(PUSH, options)
        client.open(URI, "import torch\nfrom jinja2 import Template\nx = Template().render(torch.ones(2))\n")
        client.wait_for_diagnostics(URI, 1)
        server.engine.session.package_folders()
        shown = [
            each["params"]["message"]
            for each in client.notifications
            if each["method"] == "window/showMessage"
        ]
    is_trusted = bool(options) and options.get("trusted") is True
    assert any("does not report this workspace as trusted" in message for message in shown) != is_trusted
    return analysed


def test_a_search_that_nobody_waits_for_ends_in_silence(monkeypatch):
    raised = []
    monkeypatch.setattr(threading, "excepthook", raised.append)
    goes_on, ended = threading.Event(), threading.Event()

    def find():
        assert goes_on.wait(SECONDS)
        return 1

    async def wait_in_vain():
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(apart(find), 0.01)
        [thread] = [one for one in threading.enumerate() if one.name == "mindport-files"]
        goes_on.set()
        await asyncio.to_thread(thread.join, SECONDS)
        ended.set()

    asyncio.run(wait_in_vain())
    assert ended.is_set()
    assert raised == []


def test_the_catalog_is_loaded_before_the_client_says_that_it_is_ready(tmp_path):
    with served(tmp_path) as (server, client):
        client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        server.part(Configuration).prepare().result(SECONDS)
        assert server.engine.catalog.kind("torch.abs") == "function"
        assert not server.ready.is_set()
        client.notify("initialized", {})
        client.open(URI, TEXT)
        client.wait_for_diagnostics(URI, 1)
        assert server.ready.is_set()
