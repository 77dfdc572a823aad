"""Searching the folders of the workspace for files: on a thread of its own, since there may be many."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types

from mindport.language import Text
from mindport.lsp.progress import with_progress

if TYPE_CHECKING:
    from mindport.lsp.engine import FoundFiles
    from mindport.lsp.state import ServerState
    from mindport.source.error import TextError

_Result = TypeVar("_Result")
_SEARCHING = Text(
    "MindPort: searching the workspace for Python files", "MindPort：正在查找工作区中的 Python 文件"
)


async def search(ls: ServerState, find: Callable[[], FoundFiles]) -> list[Path]:
    """The files that `find` finds; it is shown while it takes long, and told once if files were left out."""
    found = await with_progress(ls, apart(find), _SEARCHING)
    tell_left_out(ls, found.left_out)
    return found.files


async def apart(find: Callable[[], _Result]) -> _Result:
    """What `find` gives. It runs on a thread of its own: neither the editor nor the worker waits for it, nor
    does the end of the server."""
    result: Future[_Result] = Future()
    result.set_running_or_notify_cancel()  # from now on it cannot be cancelled, only be waited for no more

    def run() -> None:
        try:
            result.set_result(find())
        except Exception as error:  # noqa: BLE001 - goes to whoever waits for the result
            result.set_exception(error)

    threading.Thread(target=run, name="mindport-files", daemon=True).start()
    return await asyncio.wrap_future(result)


def tell_left_out(ls: ServerState, errors: Iterable[TextError]) -> None:
    """Tell, once, why files were left out. On the server's own thread."""
    for error in errors:
        message = error.render(ls.language)
        ls.messages.show_once(types.MessageType.Warning, Text(message, message))


class FileSearch:
    """Searches again and again, one search at a time: of all that is asked for while one goes on, one more is
    made. Used on the server's own thread."""

    def __init__(
        self, server: ServerState, find: Callable[[], FoundFiles], found: Callable[[list[Path]], None]
    ) -> None:
        self._server = server
        self._find = find
        self._found = found
        self._task: asyncio.Task[None] | None = None
        self._is_wanted = False

    def start(self) -> None:
        """Something has changed: search."""
        self._is_wanted = True
        if self._task is None or self._task.done():
            self._task = self._server.loop.create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._is_wanted:
                self._is_wanted = False
                self._found(await search(self._server, self._find))
        except Exception as error:  # noqa: BLE001 - told to the user, and the rest goes on
            self._server.report_internal_error(error, "")
