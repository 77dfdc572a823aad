"""Progress shown by the client while something takes long."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable
from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from mindport.language import Text

if TYPE_CHECKING:
    from mindport.lsp.state import ServerState

_Result = TypeVar("_Result")
_READING = Text("reading files: {number} of {total}", "正在读取文件：{number}/{total}")
_LONG_SECONDS = 0.5
"""What takes less is not worth a progress bar."""


class Steps:
    """How far some work is. Used on the server's own thread."""

    def __init__(self, ls: ServerState) -> None:
        self._ls = ls
        self._percentage = 0
        self._read = -1
        self.token: types.ProgressToken | None = None
        """Set while the client shows progress."""
        self.stop: asyncio.Future[None] | None = None
        """What the client cancels in place of the work, where that can end in order."""

    def done(self, number: int, total: int) -> None:
        """So many of so many parts are done."""
        percentage = 100 * number // total
        if self.token is not None and percentage != self._percentage:
            self._percentage = percentage
            self._report(self.token, f"{number}/{total}")

    def reading(self, number: int, total: int) -> None:
        """So many files have been read, before any of them is looked at."""
        read = 100 * number // max(total, 1)
        if self.token is not None and read != self._read:
            self._read = read
            self._report(self.token, _READING.render(self._ls.language, number=number, total=total))

    def _report(self, token: types.ProgressToken, message: str) -> None:
        value = {"kind": "report", "percentage": self._percentage, "message": message}
        self._ls.protocol.notify(types.PROGRESS, types.ProgressParams(token, value))


async def with_progress(
    ls: ServerState,
    work: Awaitable[_Result],
    title: Text,
    token: types.ProgressToken | None = None,
    steps: Steps | None = None,
    **values: object,
) -> _Result:
    """Wait for `work`. Meanwhile, if it takes long, progress is shown; if the client gave a token with its
    request, it is shown from the beginning. Work in `steps` can be cancelled there."""
    task = asyncio.ensure_future(work)
    try:
        if token is None:
            token = await _token_when_long(ls, task)
        if token is None:
            return await task
        return await _shown(ls, task, token, title.render(ls.language, **values), steps)
    except asyncio.CancelledError:
        task.cancel()
        raise


async def _shown(
    ls: ServerState,
    task: asyncio.Future[_Result],
    token: types.ProgressToken,
    title: str,
    steps: Steps | None,
) -> _Result:
    begin: dict[str, object] = {"kind": "begin", "title": title}
    if steps is not None:
        begin |= {"cancellable": True, "percentage": 0}
        steps.token = token
        cancelled = task if steps.stop is None else steps.stop
        ls.protocol.progress.tokens[token] = cancelled  # type: ignore[assignment]  # has `cancel` as well
    ls.protocol.notify(types.PROGRESS, types.ProgressParams(token, begin))
    try:
        return await task
    finally:
        ls.protocol.progress.tokens.pop(token, None)
        ls.protocol.notify(types.PROGRESS, types.ProgressParams(token, {"kind": "end"}))


async def _token_when_long(ls: ServerState, task: asyncio.Future[_Result]) -> str | None:
    """A token that the client agreed to; None if the work is done before."""
    if not ls.client.shows_progress:
        return None
    done, _ = await asyncio.wait({task}, timeout=_LONG_SECONDS)
    if done:
        return None
    token = str(uuid.uuid4())
    create = types.WorkDoneProgressCreateParams(token)
    try:
        await ls.protocol.send_request_async(types.WINDOW_WORK_DONE_PROGRESS_CREATE, create)
    except JsonRpcException:
        return None
    return token
