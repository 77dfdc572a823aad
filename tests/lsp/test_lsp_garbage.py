"""Garbage goes when nobody waits for an answer, although Python's collector is off in a server."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from mindport.lsp import garbage
from mindport.lsp.garbage import Garbage, collect_if_due


class Thing:
    """Something that may be looked after, and refer to itself."""

    def __init__(self) -> None:
        self.own: object = self


class Timers:
    """Stands for a loop: what is to be called later."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []

    def call_later(self, _: float, function: Callable[[], None]) -> Any:
        self.waiting.append(function)
        return object()

    def pass_by(self) -> None:
        """Let the time pass."""
        waiting, self.waiting = self.waiting, []
        for function in waiting:
            function()


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_what_was_replaced_stays_until_nobody_waits() -> None:
    timers = Timers()
    kept = Garbage(timers.call_later)
    document = Thing()
    document.own = None
    seen = weakref.ref(document)
    kept.keep(document)
    del document
    assert seen() is not None
    timers.pass_by()
    assert seen() is None


def test_one_timer_at_a_time() -> None:
    timers = Timers()
    kept = Garbage(timers.call_later)
    kept.clear_soon()
    kept.keep(Thing())
    assert len(timers.waiting) == 1
    timers.pass_by()
    kept.clear_soon()
    assert len(timers.waiting) == 1


@pytest.mark.usefixtures("no_collector")
def test_garbage_is_looked_for_when_there_may_be_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = weakref.ref(Thing())
    monkeypatch.setattr(garbage, "_COLLECTIONS", (10**9, 10**9, 10**9))
    collect_if_due()
    assert seen() is not None
    monkeypatch.setattr(garbage, "_COLLECTIONS", (0, 10**9, 10**9))
    made = [Thing() for _ in range(10)]
    collect_if_due()
    assert seen() is None
    assert len(made) == 10


@pytest.mark.usefixtures("no_collector")
def test_older_garbage_goes_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    old = Thing()
    gc.collect(0)
    gc.collect(1)  # it is in the oldest generation now
    seen = weakref.ref(old)
    del old
    monkeypatch.setattr(garbage, "_COLLECTIONS", (10**9, 10**9, 0))
    gc.collect(1)
    collect_if_due()
    assert seen() is None


def test_the_collector_is_off_in_a_server() -> None:
    """It would run in the middle of a keystroke."""
    program = (
        "import gc, sys\nfrom mindport.lsp import server\nimport mindport.__main__ as main\n"
        "server.serve_streams = lambda *_: print(gc.isenabled(), file=sys.stderr) or 0\nsys.argv[1:] = ['serve']\nmain.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == "False\n"
