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
    from mindport.lsp.server import MindportServer

_Result = TypeVar("_Result")
_LONG_SECONDS = 0.5
"""What takes less is not worth a progress bar."""


async def with_progress(
    ls: MindportServer,
    work: Awaitable[_Result],
    title: Text,
    token: types.ProgressToken | None = None,
    **values: object,
) -> _Result:
    """Wait for `work`. Meanwhile, if it takes long, progress is shown; if the client gave a token with its
    request, it is shown from the beginning."""
    task = asyncio.ensure_future(work)
    if token is None:
        token = await _token_when_long(ls, task)
    if token is None:
        return await task
    ls.protocol.notify(
        types.PROGRESS,
        types.ProgressParams(token, {"kind": "begin", "title": title.render(ls.language, **values)}),
    )
    try:
        return await task
    finally:
        ls.protocol.notify(types.PROGRESS, types.ProgressParams(token, {"kind": "end"}))


async def _token_when_long(ls: MindportServer, task: asyncio.Future[_Result]) -> str | None:
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
