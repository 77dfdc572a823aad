"""The line ends of a document."""

from __future__ import annotations

from mindport.source.document import Document


def newline(document: Document) -> str:
    """The line end that a document uses first."""
    data = document.data
    for position, byte in enumerate(data):
        if byte == 0x0A:
            return "\n"
        if byte == 0x0D:
            return "\r\n" if data[position + 1 : position + 2] == b"\n" else "\r"
    return "\n"
