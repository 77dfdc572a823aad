"""Garbage is collected, and what edits have replaced is let go, when nobody waits for an answer."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from typing import Final

_SECONDS: Final = 0.05
"""After so long: an answer is on its way by then, and the next key mostly not pressed."""
_COLLECTIONS: Final = (20_000, 20, 20)
"""How seldom cyclic garbage is looked for, as `gc.set_threshold` has it: at Python's own rate, a keystroke in
ten waits for it."""


class Garbage:
    """What a server needs no more. Used on the thread of its loop, where nothing else is said."""

    def __init__(self, call_later: Callable[[float, Callable[[], None]], asyncio.TimerHandle]) -> None:
        self._call_later = call_later
        self._timer: asyncio.TimerHandle | None = None
        self._replaced: list[object] = []

    def keep(self, replaced: object) -> None:
        """Keep what is needed no more until nobody waits: to let go of a large object takes its time."""
        self._replaced.append(replaced)
        self.clear_soon()

    def clear_soon(self) -> None:
        """Something was done: look for garbage soon."""
        if self._timer is None:
            self._timer = self._call_later(_SECONDS, self._clear)

    def _clear(self) -> None:
        self._timer = None
        self._replaced.clear()
        collect_if_due()


def collect_if_due() -> None:
    """Do what Python's collector would do by itself if it were on."""
    for generation in (2, 1, 0):
        if gc.get_count()[generation] > _COLLECTIONS[generation]:
            gc.collect(generation)
            return


def spare_collections() -> None:
    """Leave what is there now, which stays, out of the search for garbage, and search seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTIONS)
