"""A server inside the test's own process, so that its parts can be held up, broken and looked at."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lsp_client import LspClient
from mindport.lsp.server import MindportServer
from mindport.lsp.transport import serve_streams, socket_streams

PUSH = {"textDocument": {"publishDiagnostics": {"versionSupport": True, "dataSupport": True}}}
PULL = {"textDocument": {"diagnostic": {}}}
SECONDS = 60


@contextmanager
def served(
    root: Path, capabilities: dict[str, Any] | None = None
) -> Iterator[tuple[MindportServer, LspClient]]:
    """A server with its client, started if `capabilities` are given."""
    ours, theirs = socket.socketpair()
    ours.settimeout(SECONDS)
    server = MindportServer()
    thread = threading.Thread(target=serve_streams, args=(server, socket_streams(theirs)), daemon=True)
    thread.start()
    client = LspClient.connect(ours, root)
    try:
        if capabilities is not None:
            client.start(capabilities)
        yield server, client
    finally:
        ours.shutdown(socket.SHUT_RDWR)
        thread.join(SECONDS)
        ours.close()
        theirs.close()
        assert not thread.is_alive()


class Gate:
    """Holds the server up whenever it is about to look at a document, while closed."""

    def __init__(self, server: MindportServer) -> None:
        self.versions: list[int | None] = []
        """The versions looked at."""
        self._waiting = threading.Semaphore(0)
        self._open = threading.Event()
        self._analyse = server.engine.analyse
        server.engine.analyse = self._look  # type: ignore[method-assign]

    def _look(self, path: str, document: Any) -> Any:
        self.versions.append(document.version)
        self._waiting.release()
        assert self._open.wait(SECONDS)
        return self._analyse(path, document)

    def wait(self) -> None:
        """Wait until the server is held up here."""
        assert self._waiting.acquire(timeout=SECONDS)

    def open(self) -> None:
        """Let everything pass from now on."""
        self._open.set()
