"""`mindport.scanProject`, seen from inside: stopping it, what goes on meanwhile, and what is kept."""

from __future__ import annotations

import json
import threading

import pytest
from in_process import PUSH, SECONDS, served
from mindport.language import Text
from mindport.lsp.uris import file_of
from mindport.report.scan_rows import pack, unpack
from mindport.scan.scanner import Scanner
from mindport.source.error import TextError

SCAN = "mindport.scanProject"
TEXT = "import torch\nx = torch.sin(1)\n层 = '😀', torch.nn.Conv2d(3, 4, 5)\n"


@pytest.fixture
def files(tmp_path):
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    return tmp_path


@pytest.fixture
def gate(monkeypatch):
    """Holds scans up at `b.py`, until it is opened."""
    return _Gate(monkeypatch)


class _Gate:
    def __init__(self, monkeypatch):
        self.reached = threading.Event()
        self.may_go_on = threading.Event()
        self.analysed = []
        analyse = Scanner.analyse

        def look(scanner, file):
            self.analysed.append(file.path.name)
            if file.path.name == "b.py":
                self.reached.set()
                assert self.may_go_on.wait(SECONDS)
            return analyse(scanner, file)

        monkeypatch.setattr(Scanner, "analyse", look)


def is_answer(number):
    return lambda message: message.get("id") == number and "method" not in message


def ask(client, number, arguments=(), token="t"):
    params = {"command": SCAN, "arguments": list(arguments), "workDoneToken": token}
    body = {"jsonrpc": "2.0", "id": number, "method": "workspace/executeCommand", "params": params}
    client.send_body(json.dumps(body).encode())


def run(client, command, *arguments):
    return client.request("workspace/executeCommand", {"command": command, "arguments": list(arguments)})


def test_a_cancelled_scan_answers_what_it_has(files, gate):
    with served(files, PUSH) as (server, client):
        run(client, "mindport.target")
        ask(client, 70)
        assert gate.reached.wait(SECONDS)
        client.notify("window/workDoneProgress/cancel", {"token": "t"})
        run(client, "mindport.target")  # answered while the scan is held up, and after the message before it
        gate.may_go_on.set()
        result = client.wait_for(is_answer(70))["result"]
        assert result["cancelled"] is True
        assert [file["path"] for file in result["files"]] == ["a.py", "b.py"]  # what was begun is ended
        assert gate.analysed == ["a.py", "b.py"]
        assert result["summary"]["files"] == 2
        kept = server.scans.get(result["scan"])
        assert kept is not None and kept.cancelled and len(kept.files) == 2
        ask(client, 71)
        rest = client.wait_for(is_answer(71))["result"]
        assert rest["cancelled"] is False and len(rest["files"]) == 3
        assert gate.analysed == ["a.py", "b.py", "c.py"]  # the others were kept


def test_a_cancelled_request_is_no_scan(files, gate):
    with served(files, PUSH) as (_, client):
        run(client, "mindport.target")
        ask(client, 70)
        assert gate.reached.wait(SECONDS)
        client.notify("$/cancelRequest", {"id": 70})
        assert client.wait_for(is_answer(70))["error"]["code"] == -32800
        gate.may_go_on.set()
        assert run(client, "mindport.target")["target"]
        assert "c.py" not in gate.analysed


def test_typing_goes_on_while_a_scan_runs(files, gate):
    uri = (files / "z.py").as_uri()
    with served(files, PUSH) as (_, client):
        client.open(uri, TEXT)
        client.wait_for_diagnostics(uri, 1)
        ask(client, 70)
        assert gate.reached.wait(SECONDS)
        client.change(uri, 2, [{"text": TEXT * 2}])
        assert client.wait_for_diagnostics(uri, 2)  # while the scan is held up
        gate.may_go_on.set()
        assert len(client.wait_for(is_answer(70))["result"]["files"]) == 3


def test_the_latest_scans_are_kept(files):
    with served(files, PUSH) as (server, client):
        made = [run(client, SCAN)["scan"] for _ in range(3)]
        assert server.scans.get(made[0]) is not None  # it is in use
        made.append(run(client, SCAN)["scan"])
        assert [server.scans.get(each) is not None for each in made] == [True, False, True, True]
        assert run(client, SCAN, {"keep": False})["scan"] is None
        assert server.scans.get(made[0]) is not None and server.scans.get("unknown") is None


def test_what_is_kept_of_a_use(files):
    with served(files, PUSH) as (server, client):
        scan = server.scans.get(run(client, SCAN)["scan"])
        file = scan.files[(files / "a.py").as_uri()]
        assert unpack(pack(file)) == file
        _, sine, layer = file.uses
        assert sine.use.api == "torch.sin" and sine.code == "MP101" and sine.message
        line, start, _, end = layer.range
        covered = TEXT.splitlines()[line].encode("utf-16-le")[2 * start : 2 * end]
        assert covered.decode("utf-16-le") == "torch.nn.Conv2d"
        assert scan.request.paths == [file_of(files.as_uri())]


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b'["a", [], [[0]], [], []]'])
def test_what_was_not_packed_is_not_unpacked(content):
    with pytest.raises(ValueError):
        unpack(content)


def test_an_error_of_our_own_is_told(files, monkeypatch):
    with served(files, PUSH) as (server, client):
        uri = (files / "a.py").as_uri()
        client.open(uri, TEXT)
        client.wait_for_diagnostics(uri, 1)

        def fail(path, document):
            raise RuntimeError("broken")

        monkeypatch.setattr(server.engine, "analyse", fail)
        entry = next(file for file in run(client, SCAN)["files"] if file["uri"] == uri)
        assert "RuntimeError: broken" in entry["problems"][0]["message"]


def test_a_scan_that_cannot_be_made_says_why(files, monkeypatch):
    def fail(*_):
        raise TextError(Text("no catalog", "没有目录"))

    with served(files, PUSH) as (_, client):
        run(client, "mindport.target")
        monkeypatch.setattr("mindport.app.scan.open_cache", fail)
        with pytest.raises(RuntimeError, match=r"no catalog"):
            run(client, SCAN)
