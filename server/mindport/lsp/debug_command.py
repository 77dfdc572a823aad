"""The command `mindport.debugInformation`; `docs/protocol.md` describes its result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mindport.lsp.commands import wait_until_ready
from mindport.lsp.configuration import Configuration

if TYPE_CHECKING:
    from mindport.lsp.state import ServerState


def register(server: ServerState) -> None:
    """Tell the server of the command."""
    server.command("mindport.debugInformation")(debug_information)


async def debug_information(ls: ServerState, arguments: Sequence[Any], token: Any) -> str:
    """`mindport.debugInformation`: what helps to find out why something does not work."""
    await wait_until_ready(ls)
    folders = [str(folder) for folder in ls.part(Configuration).folders]
    documents = [document.path for document in ls.documents.snapshots()]

    def text() -> str:
        from mindport.app.environment import Examination

        first = ls.engine.folders()[0]
        lines = Examination(ls.engine.language).lines(first.settings, first.path or Path.cwd())
        shown = [f"  {path}" for path in (*folders, *documents)]
        return "\n".join((*lines, "", "workspace", *shown, f"  {ls.client.encoding}")) + "\n"

    return await ls.work(text)
