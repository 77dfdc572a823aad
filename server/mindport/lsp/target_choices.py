"""`mindport.target`: the target in force, and what may be chosen in its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mindport.language import Text
from mindport.lsp.commands import wait_until_ready
from mindport.lsp.protocol import invalid_params

if TYPE_CHECKING:
    from mindport.lsp.state import ServerState

_NO_ARGUMENTS = Text("mindport.target takes no arguments.", "mindport.target 不接受参数。")


def register(server: ServerState) -> None:
    """Tell the server of the command."""
    server.command("mindport.target")(target)


async def target(ls: ServerState, arguments: Sequence[Any], token: Any) -> dict[str, Any]:
    """The first folder's target, and the versions (newest first) and devices that there are."""
    if arguments:
        raise invalid_params(_NO_ARGUMENTS.render(ls.language))
    await wait_until_ready(ls)

    def choices() -> dict[str, Any]:
        from mindport.catalog.target import version_number
        from mindport.project.setting_table import Settings

        settings, default = ls.engine.session.settings, Settings()
        return {
            "target": settings.target,
            "device": settings.device,
            "style": settings.style,
            "is_default": (settings.target, settings.device) == (default.target, default.device),
            "versions": sorted(ls.engine.catalog.versions, key=version_number, reverse=True),
            "devices": list(ls.engine.catalog.devices),
        }

    return await ls.work(choices)
