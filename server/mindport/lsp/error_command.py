"""The command `mindport.explainError`; `docs/protocol.md` describes its argument and result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mindport.language import Text
from mindport.lsp.commands import text_argument, wait_until_ready
from mindport.lsp.configuration import Configuration
from mindport.lsp.progress import Steps
from mindport.lsp.requests import run_apart

if TYPE_CHECKING:
    from mindport.lsp.state import ServerState
    from mindport.scan.scan import Progress

EXPLAIN_ERROR = "mindport.explainError"

_A_MESSAGE = Text("an error message or traceback", "错误信息或调用栈")


def register(server: ServerState) -> None:
    """Tell the server of the command."""
    server.command(EXPLAIN_ERROR)(explain_error)


async def explain_error(ls: ServerState, arguments: Sequence[Any], token: Any) -> str:
    """`mindport.explainError`: what an error of MindSpore means."""
    text = text_argument(ls, EXPLAIN_ERROR, arguments, _A_MESSAGE, most=1)
    await wait_until_ready(ls)
    catalog, language = ls.engine.catalog, ls.engine.language
    folders = ls.part(Configuration).folders
    settings = (await ls.work(ls.engine.folders))[0].settings

    def explain(progress: Progress) -> str:
        from mindport.app import explain_error as app

        return app.explain_error(text, catalog, settings, language, next(iter(folders), None)).text

    return await run_apart(ls, Steps(ls), explain)
