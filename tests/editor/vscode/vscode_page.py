"""A window in a browser: looking until something is seen, and acting until it has an effect."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from playwright.sync_api import Error, Page

_Seen = TypeVar("_Seen")
STEP = 10.0
"""Seconds after which something is done again that had no effect yet."""
_CLICK_MILLISECONDS = 5000
_DRAWING_MILLISECONDS = 50


class NotSeenError(AssertionError):
    """What was waited for did not come."""


class WatchedPage:
    """A page, and how long to wait for what should be seen in it."""

    def __init__(self, page: Page, pictures: Path, seconds: float) -> None:
        self.page = page
        self.pictures = pictures
        self.seconds = seconds
        self.console: list[str] = []
        page.set_default_timeout(_CLICK_MILLISECONDS)
        page.on("console", lambda message: self.console.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.console.append(f"error: {error}"))

    def picture(self, name: str) -> Path:
        """Keep what the window shows as a picture."""
        self.pictures.mkdir(parents=True, exist_ok=True)
        path = self.pictures / f"{name}.png"
        self.page.screenshot(path=path, timeout=self.seconds * 1000)
        return path

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def until(self, what: str, look: Callable[[], _Seen | None], seconds: float | None = None) -> _Seen:
        """Look again and again until there is something to see. Raises NotSeenError, naming what was missing."""
        end = time.monotonic() + (self.seconds if seconds is None else seconds)
        while True:
            try:
                seen = look()
            except Error:  # the page was being redrawn
                seen = None
            if seen:
                return seen
            if time.monotonic() > end:
                raise NotSeenError(f"Not seen: {what}")
            self.page.wait_for_timeout(_DRAWING_MILLISECONDS)

    def attempt(
        self,
        what: str,
        act: Callable[[], object],
        look: Callable[[], _Seen | None],
        step: float = STEP,
    ) -> _Seen:
        """Act until something is seen: a busy window loses keys and clicks. `act` must do no harm when it is done
        again; it is, if it cannot be carried out, or when nothing is seen for `step` seconds, then for twice as
        many. Raises NotSeenError, naming what was missing."""
        end = time.monotonic() + self.seconds
        while True:
            left = max(0.0, end - time.monotonic())
            try:
                act()
                return self.until(what, look, min(step, left))
            except (Error, NotSeenError) as error:
                if time.monotonic() >= end:
                    raise NotSeenError(f"Not seen: {what} ({str(error).splitlines()[0]})") from error
            step *= 2
            self.page.wait_for_timeout(_DRAWING_MILLISECONDS)
