"""A small client of language servers: blocking, and doing nothing that is not asked. For measuring, and for
tests that speak to a server inside their own process."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

Json = dict[str, Any]


class ServerEndedError(Exception):
    """The server closed the connection."""


class LspClient:
    """A connection to a server, and what the server said."""

    def __init__(
        self, from_server: BinaryIO, send: Callable[[bytes], None], root: Path, process: Any = None
    ) -> None:
        self._in = from_server
        self._send_bytes = send
        self._process = process
        self._ids = 0
        self.root = root
        self.capabilities: Json = {}
        self.settings: Any = None
        """What the server is told when it asks for settings."""
        self.notifications: list[Json] = []
        self.received_at = 0.0
        """When the last message had arrived, before it was decoded (`time.perf_counter`)."""

    @classmethod
    def launch(
        cls, command: Sequence[str], root: Path, environment: dict[str, str] | None = None
    ) -> LspClient:
        """A client of a new process."""
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=root,
            env=environment,
        )
        assert process.stdin is not None and process.stdout is not None
        to_server = process.stdin

        def send(data: bytes) -> None:
            to_server.write(data)
            to_server.flush()

        return cls(process.stdout, send, root, process)  # type: ignore[arg-type]

    @classmethod
    def connect(cls, connection: socket.socket, root: Path) -> LspClient:
        """A client at one end of a connection."""
        return cls(connection.makefile("rb"), connection.sendall, root)

    @property
    def pid(self) -> int:
        """The number of the process."""
        number: int = self._process.pid
        return number

    def start(self, capabilities: Json, options: Any = None) -> None:
        """Initialize the server."""
        uri = self.root.as_uri()
        params = {
            "processId": None,
            "rootUri": uri,
            "workspaceFolders": [{"uri": uri, "name": "root"}],
            "capabilities": capabilities,
            "initializationOptions": options,
        }
        self.capabilities = self.request("initialize", params)["capabilities"]
        self.notify("initialized", {})

    def stop(self) -> int:
        """Shut the server down. Returns its exit code (0 if it is not a process of its own)."""
        self.request("shutdown", None)
        self.notify("exit", None)
        if self._process is None:
            return 0
        code: int = self._process.wait(20)
        self._process.stdin.close()
        self._in.close()
        return code

    def request(self, method: str, params: Any) -> Any:
        """Send a request and wait for its result. Raises RuntimeError if it fails."""
        self._ids += 1
        self._send({"jsonrpc": "2.0", "id": self._ids, "method": method, "params": params})
        answer = self.wait_for(lambda message: message.get("id") == self._ids and "method" not in message)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def wait_for(self, is_wanted: Callable[[Json], bool]) -> Json:
        """The next message that fits; what comes before it is dealt with."""
        while True:
            message = self._receive()
            self._take(message)
            if is_wanted(message):
                return message

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def wait_for_diagnostics(self, uri: str, version: int) -> list[Json]:
        """The diagnostics published for a version of a document."""
        wanted = {"uri": uri, "version": version}
        message = self.wait_for(
            lambda message: (
                message.get("method") == "textDocument/publishDiagnostics"
                and {"version": version, **message["params"]}.items() >= wanted.items()
            )
        )
        found: list[Json] = message["params"]["diagnostics"]
        return found

    def open(self, uri: str, text: str, version: int = 1) -> None:
        """Open a document."""
        item = {"uri": uri, "languageId": "python", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, changes: Sequence[Json]) -> None:
        """Change a document."""
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def _take(self, message: Json) -> None:
        """Answer what the server asks; keep what it says."""
        if "id" in message and "method" in message:
            asks_settings = message["method"] == "workspace/configuration"
            result = [self.settings] * len(message["params"]["items"]) if asks_settings else None
            self._send({"jsonrpc": "2.0", "id": message["id"], "result": result})
        elif "method" in message:
            self.notifications.append(message)

    def _send(self, message: Json) -> None:
        self.send_body(json.dumps(message).encode())

    def send_body(self, body: bytes) -> None:
        """Send the content of a message, whatever it is."""
        self._send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def _receive(self) -> Json:
        length = 0
        while True:
            header = self._in.readline()
            if not header:
                raise ServerEndedError
            if header.lower().startswith(b"content-length:"):
                length = int(header.split(b":")[1])
            elif not header.strip():
                body = self._in.read(length)
                self.received_at = time.perf_counter()
                message: Json = json.loads(body)
                return message
