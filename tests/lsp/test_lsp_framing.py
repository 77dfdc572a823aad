"""Bytes to messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mindport.lsp.transport import Framing

HEADERS = [
    b"Content-Length: %d\r\n\r\n",
    b"content-length:%d\r\n\r\n",
    b"CONTENT-LENGTH: %d \r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
    b"Content-Type: application/vscode-jsonrpc\r\nContent-Length: %d\r\n\r\n",
]


def cut(data: bytes, sizes: list[int]) -> list[bytes]:
    pieces = []
    for size in sizes:
        pieces.append(data[:size])
        data = data[size:]
    return [*pieces, data]


@given(
    st.lists(st.tuples(st.sampled_from(HEADERS), st.binary(max_size=50)), max_size=6),
    st.lists(st.integers(0, 40), max_size=20),
)
def test_messages_come_out_however_they_are_cut(messages, sizes):
    data = b"".join(header % len(body) + body for header, body in messages)
    framing = Framing()
    found = [body for piece in cut(data, sizes) for body in framing.feed(piece)]
    assert found == [body for _, body in messages]


@pytest.mark.parametrize(
    "garbage",
    [
        b"\r\n\r\n",
        b"hello\r\n\r\n",
        b"Content-Length: -5\r\n\r\n",
        b"Content-Length: x\r\n\r\n",
        b"\xff\x00\r\n\r\n",
    ],
)
def test_what_is_no_header_is_skipped(garbage):
    framing = Framing()
    assert list(framing.feed(garbage + b"Content-Length: 2\r\n\r\n{}")) == [b"{}"]


def test_endless_garbage_is_not_kept():
    framing = Framing()
    for _ in range(100):
        assert list(framing.feed(b"x" * 10_000)) == []
    assert len(framing._waiting) <= 100_000
    assert list(framing.feed(b"\r\n\r\nContent-Length: 2\r\n\r\n{}")) == [b"{}"]
