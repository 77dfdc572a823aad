"""What the user is told and what goes into the log."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from typing import Any

from lsprotocol import types

from mindport.language import Language, Text

_LEVELS = (
    (logging.ERROR, types.MessageType.Error),
    (logging.WARNING, types.MessageType.Warning),
    (logging.INFO, types.MessageType.Info),
)
INTERNAL_ERROR = Text(
    "MindPort failed to analyze {name} (internal error: {error}). See the log. Other files are unaffected.",
    "MindPort 无法分析 {name}（内部错误：{error}）。详情见日志，其他文件不受影响。",
)
REQUEST_FAILED = Text(
    "A request to MindPort failed (internal error: {error}). See the log. Everything else keeps working.",
    "MindPort 处理请求失败（内部错误：{error}）。详情见日志，其他功能不受影响。",
)

Notify = Callable[[str, dict[str, Any]], None]
"""Sends a notification: method and parameters. May be called on any thread."""


class Messages:
    """Shows messages in the client. May be used on any thread."""

    def __init__(self, notify: Notify) -> None:
        self.language: Language = "en"
        self._notify = notify
        self._shown: set[object] = set()

    def show(self, level: types.MessageType, message: str) -> None:
        """Show a message."""
        self._notify(types.WINDOW_SHOW_MESSAGE, {"type": level.value, "message": message})

    def show_once(self, level: types.MessageType, text: Text, **values: object) -> None:
        """Show a text, unless the same one was shown before."""
        message = text.render(self.language, **values)
        if message not in self._shown:
            self._shown.add(message)
            self.show(level, message)

    def internal_error(self, error: BaseException, name: str) -> None:
        """Show that something of ours failed: once for each place in the code. `name` is the document that
        was looked at, or empty."""
        place = _place(error)
        if place in self._shown:
            return
        self._shown.add(place)
        kind = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        text = INTERNAL_ERROR if name else REQUEST_FAILED
        self.show(types.MessageType.Error, text.render(self.language, name=name, error=kind))


class ClientLog(logging.Handler):
    """Passes what is logged on to the client."""

    def __init__(self, notify: Notify) -> None:
        super().__init__(logging.INFO)
        self._notify = notify

    def emit(self, record: logging.LogRecord) -> None:
        """Send one record."""
        level = next((kind for least, kind in _LEVELS if record.levelno >= least), types.MessageType.Log)
        try:
            self._notify(types.WINDOW_LOG_MESSAGE, {"type": level.value, "message": self.format(record)})
        except Exception:  # noqa: BLE001 - as the base class demands
            self.handleError(record)


def _place(error: BaseException) -> tuple[object, ...]:
    """Where an error came from: two errors from one place are the same to the user."""
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1] if frames else None
    return type(error), last and last.filename, last and last.lineno
