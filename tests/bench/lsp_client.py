"""A small client of language servers, for measuring: blocking, and doing nothing that is not asked."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Json = dict[str, Any]


class LspClient:
    """A server process and what it said."""

    def __init__(self, command: Sequence[str], root: Path, environment: dict[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=root,
            env=environment,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        self._ids = 0
        self.root = root
        self.capabilities: Json = {}
        self.notifications: list[Json] = []

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

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
        """Shut the server down. Returns its exit code."""
        self.request("shutdown", None)
        self.notify("exit", None)
        self._in.close()
        code = self._process.wait(20)
        self._out.close()
        return code

    def request(self, method: str, params: Any) -> Any:
        """Send a request and wait for its result. Raises RuntimeError if it fails."""
        self._ids += 1
        self._send({"jsonrpc": "2.0", "id": self._ids, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self._ids and "method" not in message:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self._take(message)

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def wait_for_diagnostics(self, uri: str, version: int) -> list[Json]:
        """The diagnostics published for a version of a document."""
        while True:
            message = self._receive()
            params = message.get("params")
            if (
                message.get("method") == "textDocument/publishDiagnostics"
                and params["uri"] == uri
                and params.get("version", version) == version
            ):
                found: list[Json] = params["diagnostics"]
                return found
            self._take(message)

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
            result = [None] * len(message["params"]["items"]) if asks_settings else None
            self._send({"jsonrpc": "2.0", "id": message["id"], "result": result})
        elif "method" in message:
            self.notifications.append(message)

    def _send(self, message: Json) -> None:
        body = json.dumps(message).encode()
        self._in.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._in.flush()

    def _receive(self) -> Json:
        length = 0
        while (header := self._out.readline().strip()) or not length:
            if header.lower().startswith(b"content-length:"):
                length = int(header.split(b":")[1])
            elif not header and self._process.poll() is not None:
                raise RuntimeError(f"the server ended with {self._process.returncode}")
        message: Json = json.loads(self._out.read(length))
        return message
