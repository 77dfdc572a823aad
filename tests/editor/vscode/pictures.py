"""The pictures of the documentation. Each says in itself what was to be read in it when it was taken, so that a
test can tell whether it is today's; pixels differ from one machine to the next.

With MINDPORT_WRITE_PICTURES=1 they are taken anew.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from vscode_page import WatchedPage

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "images"
VARIABLE = "MINDPORT_WRITE_PICTURES"
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_KEY = b"Description\0\0\0\0\0"
"""What an `iTXt` chunk begins with whose text is not compressed, in no language that is named."""


def is_todays(page: WatchedPage, name: str, text: str) -> None:
    """That a picture shows what is shown now, of which this is the text; or take it."""
    path = FOLDER / f"{name}.png"
    text = "\n".join(line for each in text.splitlines() if (line := " ".join(each.split())))
    assert text, "something is to be read"
    if os.environ.get(VARIABLE) == "1":
        path.parent.mkdir(parents=True, exist_ok=True)
        taken = page.page.screenshot(timeout=page.seconds * 1000, animations="disabled", caret="hide")
        path.write_bytes(with_text(taken, text))
    assert path.exists() and text_of(path.read_bytes()) == text, (
        f"{path.name} is not today's: {VARIABLE}=1 python -m pytest -n 0 tests/editor/vscode/test_vscode_tutorial.py"
    )


def with_text(png: bytes, text: str) -> bytes:
    """A picture that says what is to be read in it."""
    end = png.rindex(b"IEND") - 4
    body = b"iTXt" + _KEY + text.encode()
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return png[:end] + chunk + png[end:]


def text_of(png: bytes) -> str:
    """What a picture says that is to be read in it; nothing if it does not say."""
    for kind, data in _chunks(png):
        if kind == b"iTXt" and data.startswith(_KEY):
            return data.removeprefix(_KEY).decode()
    return ""


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    assert png.startswith(_SIGNATURE)
    place = len(_SIGNATURE)
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        yield png[place + 4 : place + 8], png[place + 8 : place + 8 + length]
        place += 12 + length
