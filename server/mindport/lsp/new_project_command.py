"""The command `mindport.newProject`; `docs/protocol.md` describes its arguments and result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

from mindport.language import Text
from mindport.lsp.commands import REQUEST_FAILED, wait_until_ready, wrong_arguments
from mindport.lsp.uris import file_of

if TYPE_CHECKING:
    from mindport.lsp.state import ServerState

NEW_PROJECT = "mindport.newProject"

_WANTED = Text(
    'nothing, or an object with "folder", the URI of a new folder, and "model", the name of a network',
    '空，或含有 "folder"（新文件夹的 URI）和 "model"（网络的名称）的对象',
)


def register(server: ServerState) -> None:
    """Tell the server of the command."""
    server.command(NEW_PROJECT)(new_project_command)


async def new_project_command(ls: ServerState, arguments: Sequence[Any], token: Any) -> Any:
    """`mindport.newProject`: the networks to choose from, or a project that begins with one of them."""
    await wait_until_ready(ls)
    if not arguments or arguments == [None]:
        return await ls.work(lambda: _models(ls))
    given = arguments[0] if len(arguments) == 1 and isinstance(arguments[0], dict) else {}
    folder, model = given.get("folder"), given.get("model")
    path = file_of(folder) if isinstance(folder, str) else None
    if set(given) != {"folder", "model"} or path is None or not isinstance(model, str):
        raise wrong_arguments(ls, NEW_PROJECT, _WANTED)
    return await ls.work(lambda: _made(ls, path, model))


def _models(ls: ServerState) -> list[dict[str, str]]:
    from mindport.app.new_project.project import SKELETONS

    language = ls.engine.language
    return [{"name": name, "text": each.about.render(language)} for name, each in SKELETONS.items()]


def _made(ls: ServerState, folder: Path, model: str) -> list[str]:
    from mindport.app.new_folder import NewFolderError
    from mindport.app.new_project.project import new_project

    try:
        files = new_project(folder, model, ls.engine.folders()[0].settings, ls.engine.language)
    except NewFolderError as error:
        raise JsonRpcException(error.render(ls.engine.language), REQUEST_FAILED) from error
    return [file.as_uri() for file in files]
