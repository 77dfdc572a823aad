"""The way of a keystroke: which files it goes through before the document is looked at."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import mindport
import pytest
from in_process import PUSH, served

PACKAGE = Path(mindport.__file__).parent
ENGINE = "lsp/engine.py"
EXPECTED = [
    "lsp/transport.py",
    "lsp/protocol.py",
    "lsp/documents.py",
    "source/document.py",
    "source/lines.py",
    "lsp/diagnostics.py",
]
URI = "untitled:Untitled-1"
OPENED = "import torch\n\n"


@contextmanager
def noting() -> Iterator[list[str]]:
    """The files of the package that the server's own thread enters; cleared by whoever reads them."""
    entered: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and threading.current_thread().name == "mindport-loop":
            file = Path(frame.f_code.co_filename)
            if file.is_relative_to(PACKAGE):
                entered.append(file.relative_to(PACKAGE).as_posix())

    threading.setprofile(note)
    try:
        yield entered
    finally:
        threading.setprofile(None)  # type: ignore[arg-type]  # as it is before


def test_a_keystroke_enters_six_files_before_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindport.lsp.diagnostics._SHORT_SECONDS", 60.0)  # also on a machine that is busy
    place = {"line": 1, "character": 0}
    with noting() as entered, served(tmp_path, PUSH) as (_, client):
        client.open(URI, OPENED)
        client.wait_for_diagnostics(URI, 1)
        for version in range(2, 30):  # the first ones take long, so that the worker does them
            entered.clear()
            client.change(URI, version, [{"range": {"start": place, "end": place}, "text": "y"}])
            client.wait_for_diagnostics(URI, version)
            if ENGINE in entered:
                break
    way = entered[entered.index(EXPECTED[0]) :]
    way = way[: way.index(ENGINE)]
    assert list(dict.fromkeys(way)) == EXPECTED
