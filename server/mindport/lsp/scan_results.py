"""The command `mindport.scanResults`; `docs/protocol.md` describes its arguments and result."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

from mindport.language import Text
from mindport.lsp.commands import REQUEST_FAILED, wait_until_ready, wrong_arguments
from mindport.lsp.protocol import RawJson

if TYPE_CHECKING:
    from mindport.app.scan import Scan
    from mindport.lsp.state import ServerState

_RESULTS = "mindport.scanResults"
_A_SCAN = Text(
    'an object with the "scan" that mindport.scanProject returned',
    '含有 "scan"（由 mindport.scanProject 返回）的对象',
)
_NOT_KEPT = Text("The results of this scan have expired. Scan again.", "该次扫描的结果已失效。请重新扫描。")


def register(server: ServerState) -> None:
    """Tell the server of the command."""
    server.command(_RESULTS)(scan_results)


def scan_results(ls: ServerState, arguments: Sequence[Any], token: Any) -> Awaitable[Any]:
    """`mindport.scanResults`: what a scan found, as the rows of tables."""
    identity = scan_named(arguments[0]) if len(arguments) == 1 else None
    if identity is None:
        raise wrong_arguments(ls, _RESULTS, _A_SCAN)
    return _results(ls, kept_scan(ls, identity))


def scan_named(argument: object) -> str | None:
    """The identity in `{"scan": ...}`; None if the argument is nothing like that."""
    identity = argument.get("scan") if isinstance(argument, dict) and set(argument) == {"scan"} else None
    return identity if isinstance(identity, str) and identity else None


def kept_scan(ls: ServerState, identity: str) -> Scan:
    """The scan of an identity. Raises JsonRpcException if it is not kept (any more)."""
    scan = ls.scans.get(identity)
    if scan is None:
        raise JsonRpcException(_NOT_KEPT.render(ls.language), REQUEST_FAILED)
    return scan


async def _results(ls: ServerState, scan: Scan) -> RawJson:
    await wait_until_ready(ls)

    def work() -> RawJson:
        from mindport.report.json_report import target_entry
        from mindport.report.result_tables import results_entry

        catalog, language, version = ls.engine.catalog, ls.engine.language, scan.target.version

        def link(name: str) -> str | None:
            is_known = catalog.mindspore_api(name, version) is not None
            return catalog.mindspore_link(name, version, language) if is_known else None

        entry = {"scan": scan.identity, "target": target_entry(scan.target), "cancelled": scan.cancelled}
        return RawJson(json.dumps(entry | results_entry(scan.files, language, link), separators=(",", ":")))

    return await ls.work(work, background=True)
