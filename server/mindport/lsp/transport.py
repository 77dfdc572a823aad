"""Bytes to messages, over standard streams or one connection.

A thread reads and hands each message to the event loop; everything else happens on the loop's thread.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mindport.lsp.server import MindportServer

_LOGGER = logging.getLogger(__name__)
_HEADER_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"content-length:[ \t]*([0-9]{1,12})[ \t]*(?:\r\n|$)", re.IGNORECASE)
_LONGEST_HEADER = 65_536
_READ_SIZE = 65_536

Read = Callable[[], bytes]
"""Waits for bytes and returns them; none at the end."""


class Framing:
    """Cuts a stream of bytes into the contents of messages. Bytes that belong to none are skipped."""

    def __init__(self) -> None:
        self._waiting = bytearray()
        self._length: int | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The messages that are complete with `data`."""
        self._waiting += data
        while self._length is not None or self._read_header():
            assert self._length is not None
            if len(self._waiting) < self._length:
                return
            body = bytes(self._waiting[: self._length])
            del self._waiting[: self._length]
            self._length = None
            yield body

    def _read_header(self) -> bool:
        """Take headers from what is waiting until one says a length."""
        while True:
            end = self._waiting.find(_HEADER_END)
            if end < 0:
                if len(self._waiting) > _LONGEST_HEADER:
                    _LOGGER.warning("Skipped %d bytes that are no message", len(self._waiting))
                    self._waiting.clear()
                return False
            header = bytes(self._waiting[:end])
            del self._waiting[: end + len(_HEADER_END)]
            found = _LENGTH.search(header)
            if found:
                self._length = int(found[1])
                return True
            _LOGGER.warning("Skipped a header without Content-Length: %.200r", header)


class Writer:
    """Where messages are written; see `pygls.io_.Writer`."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write

    def write(self, data: bytes) -> None:
        """Write all of `data`. Raises OSError when nobody reads any more."""
        self._write(data)

    def close(self) -> None:
        """Nothing is held back, hence nothing to do."""


def serve_streams(server: MindportServer, read: Read, write: Callable[[bytes], None]) -> int:
    """Serve one client until it says `exit` or hangs up. Returns the exit code: 0 after a proper end."""
    return asyncio.run(_serve(server, read, write))


async def _serve(server: MindportServer, read: Read, write: Callable[[bytes], None]) -> int:
    loop = asyncio.get_running_loop()
    server.protocol.set_writer(Writer(write))
    stopped = server.attach(loop)
    threading.Thread(target=_read_all, args=(server, read, loop), name="mindport-reader", daemon=True).start()
    try:
        return await stopped
    finally:
        server.detach()


def _read_all(server: MindportServer, read: Read, loop: asyncio.AbstractEventLoop) -> None:
    framing = Framing()
    try:
        while data := read():
            for body in framing.feed(data):
                loop.call_soon_threadsafe(server.protocol.receive, body)
    except OSError as error:
        _LOGGER.info("The connection ended: %s", error)
    except RuntimeError:
        return  # the loop is closed: the server has stopped
    try:
        loop.call_soon_threadsafe(server.hung_up)
    except RuntimeError:
        return


def standard_streams() -> tuple[Read, Callable[[bytes], None]]:
    """Reading and writing of the process's standard streams.

    From now on, whatever else writes to standard output goes to standard error, where it cannot spoil the
    protocol.
    """
    source = sys.stdin.fileno()
    sink = os.dup(sys.stdout.fileno())
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(source, os.O_BINARY)
        msvcrt.setmode(sink, os.O_BINARY)
    sys.stdout.flush()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def write(data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(sink, rest) :]

    return lambda: os.read(source, _READ_SIZE), write


def accept_one(host: str, port: int, announce: Callable[[str, int], None]) -> socket.socket:
    """The connection of the first client at `host` and `port` (0: any free one). `announce` is told where the
    server waits. Raises OSError when the address cannot be used."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family) as listening:
        announce(*listening.getsockname()[:2])
        connection, _ = listening.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def socket_streams(connection: socket.socket) -> tuple[Read, Callable[[bytes], None]]:
    """Reading and writing of a connection."""
    return lambda: connection.recv(_READ_SIZE), connection.sendall
