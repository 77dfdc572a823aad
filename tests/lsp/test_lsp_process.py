"""The server as a process: how it starts and ends, and what reaches standard output."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from lsp_client import LspClient

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
COMMAND = [sys.executable, "-m", "mindport", "serve", "--stdio"]
SECONDS = 60


def run(data: bytes, command: list[str] = COMMAND) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        command, input=data, capture_output=True, timeout=SECONDS, env=ENVIRONMENT, check=False
    )


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


INITIALIZE = framed(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}')
SHUTDOWN = framed(b'{"jsonrpc":"2.0","id":2,"method":"shutdown"}')
EXIT = framed(b'{"jsonrpc":"2.0","method":"exit"}')


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", 1),
        (b"garbage", 1),
        (EXIT, 1),
        (INITIALIZE, 1),
        (INITIALIZE + EXIT, 1),
        (INITIALIZE + SHUTDOWN, 0),
        (INITIALIZE + SHUTDOWN + EXIT, 0),
    ],
)
def test_the_exit_code_says_whether_the_end_was_proper(data, code):
    done = run(data)
    assert done.returncode == code
    assert b"Traceback" not in done.stderr


def test_nothing_but_the_protocol_reaches_standard_output():
    program = (
        "from mindport.lsp import engine, server\n"
        "load = engine.Engine.load\n"
        "def chatty(self):\n"
        "    print('from Python')\n"
        "    import os\n"
        "    os.system('echo from a child')\n"
        "    load(self)\n"
        "engine.Engine.load = chatty\n"
        "server.serve_stdio()\n"
    )
    client = LspClient.launch([sys.executable, "-c", program], ROOT, ENVIRONMENT)
    client.start({})
    client.open("untitled:a", "import torch\ntorch.ones(2)\n")
    assert len(client.wait_for_diagnostics("untitled:a", 1)) == 1
    assert client.stop() == 0


def test_over_tcp():
    program = "import sys; from mindport.lsp.server import serve_tcp; sys.exit(serve_tcp('127.0.0.1', 0))"
    with subprocess.Popen(
        [sys.executable, "-c", program], stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        assert process.stderr is not None
        told = re.search(rb"127\.0\.0\.1:(\d+)", process.stderr.readline())
        assert told is not None
        with socket.create_connection(("127.0.0.1", int(told[1])), SECONDS) as connection:
            client = LspClient.connect(connection, ROOT)
            client.start({})
            client.open("untitled:a", "import torch\ntorch.ones(2)\n")
            assert len(client.wait_for_diagnostics("untitled:a", 1)) == 1
            client.stop()
        assert process.wait(SECONDS) == 0


def test_little_is_imported_before_the_server_answers():
    program = "import sys, mindport.lsp.server; print('\\n'.join(sys.modules))"
    modules = set(run(b"", [sys.executable, "-c", program]).stdout.decode().split())
    late = {
        "pydantic",
        "rich",
        "tree_sitter",
        "mindport.catalog.catalog",
        "mindport.infer.evaluator",
    }
    assert not late & modules
