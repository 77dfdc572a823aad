"""Bytes to messages, over standard streams or one connection.

The event loop reads when there is something to read; where it cannot watch what is read from (pipes on
Windows, files), a thread reads and hands each message to the loop. Everything else happens on the thread of
the loop.
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
from concurrent.futures import Future
from typing import TYPE_CHECKING, NamedTuple

from mindport.lsp.worker import deep_thread

if TYPE_CHECKING:
    from mindport.lsp.state import ServerState

_LOGGER = logging.getLogger(__name__)
_HEADER_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"content-length:[ \t]*([0-9]{1,12})[ \t]*(?:\r\n|$)", re.IGNORECASE)
_LONGEST_HEADER = 65_536
_READ_SIZE = 65_536


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


class Streams(NamedTuple):
    """What a client is read from and written to. `read` waits for bytes and returns them, none at the end;
    `number` is the file descriptor that it reads from."""

    read: Callable[[], bytes]
    write: Callable[[bytes], None]
    number: int


def serve_streams(server: ServerState, streams: Streams) -> int:
    """Serve one client until it says `exit` or hangs up. Returns the exit code: 0 after a proper end."""
    ended: Future[int] = Future()

    def serve() -> None:
        try:
            ended.set_result(asyncio.run(_serve(server, streams)))
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            ended.set_exception(error)

    deep_thread(serve, "mindport-loop")
    return ended.result()


async def _serve(server: ServerState, streams: Streams) -> int:
    loop = asyncio.get_running_loop()
    server.protocol.set_writer(Writer(streams.write))
    stopped = server.attach(loop)
    reader = _Reader(server, streams, loop)
    reader.start()
    try:
        return await stopped
    finally:
        reader.stop()
        server.detach()


class _Reader:
    """Reads what a client sends, and hands the messages in it to the protocol, on the loop's thread."""

    def __init__(self, server: ServerState, streams: Streams, loop: asyncio.AbstractEventLoop) -> None:
        self._server = server
        self._streams = streams
        self._loop = loop
        self._framing = Framing()
        self._watches = False

    def start(self) -> None:
        """Begin to read."""
        try:
            self._loop.add_reader(self._streams.number, self._read_here)
            self._watches = True
        except (NotImplementedError, OSError):
            threading.Thread(target=self._read_all, name="mindport-reader", daemon=True).start()

    def stop(self) -> None:
        """Read no more."""
        if self._watches:
            self._watches = False
            self._loop.remove_reader(self._streams.number)

    def _read_here(self) -> None:
        """There is something to read, or the end."""
        data = self._read()
        if not data:
            self.stop()
            self._server.hung_up()
            return
        for body in self._messages(data):
            self._server.protocol.receive(body)

    def _read_all(self) -> None:
        """The same, on a thread that waits."""
        try:
            while data := self._read():
                for body in self._messages(data):
                    self._loop.call_soon_threadsafe(self._server.protocol.receive, body)
            self._loop.call_soon_threadsafe(self._server.hung_up)
        except RuntimeError:
            return  # the loop is closed: the server has stopped

    def _read(self) -> bytes:
        try:
            return self._streams.read()
        except OSError as error:
            _LOGGER.info("The connection ended: %s", error)
            return b""

    def _messages(self, data: bytes) -> list[bytes]:
        """The messages that are complete now."""
        bodies = list(self._framing.feed(data))
        self._server.protocol.arrived += len(bodies)
        return bodies


def standard_streams() -> Streams:
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

    return Streams(lambda: os.read(source, _READ_SIZE), write, source)


def accept_one(host: str, port: int, announce: Callable[[str, int], None]) -> socket.socket:
    """The connection of the first client at `host` and `port` (0: any free one). `announce` is told where the
    server waits. Raises OSError when the address cannot be used."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family) as listening:
        announce(*listening.getsockname()[:2])
        connection, _ = listening.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def socket_streams(connection: socket.socket) -> Streams:
    """Reading and writing of a connection."""
    return Streams(lambda: connection.recv(_READ_SIZE), connection.sendall, connection.fileno())
