"""The command `mindport.exportReport`; `docs/protocol.md` describes its arguments and result."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

from mindport.language import Text
from mindport.lsp.commands import REQUEST_FAILED, wait_until_ready, wrong_arguments
from mindport.lsp.progress import Steps, with_progress
from mindport.lsp.project_scan import ScanProgress
from mindport.lsp.reports import Order, export, order_of
from mindport.lsp.scan_report import ScanReportOrder, export_scan, scan_report_order
from mindport.lsp.scan_results import kept_scan
from mindport.lsp.worker import Worker
from mindport.report.formats import FORMAT_NAMES
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.lsp.scans import Scan
    from mindport.lsp.state import ServerState

_EXPORT = "mindport.exportReport"
_AN_EXPORT = Text(
    f"a format ({FORMAT_NAMES.en}), then, if wanted, the URI of the file to write (or null) and a "
    'list of URIs of files and folders, or an object with "scan" and, if wanted, "only"',
    f"格式（{FORMAT_NAMES.zh_cn}），以及可选的输出文件 URI（或 null）和由文件、文件夹 URI 组成的列表"
    '，或含有 "scan"（及可选的 "only"）的对象',
)
_EXPORTING = Text("mindport: making the report", "mindport：正在生成报告")


def register(server: ServerState) -> None:
    """Tell the server of the command."""
    server.command(_EXPORT)(export_report)


def export_report(ls: ServerState, arguments: Sequence[Any], token: Any) -> Awaitable[Any]:
    """`mindport.exportReport`: the report of files and folders, or of a scan; it is written or returned."""
    of_scan = scan_report_order(arguments)
    if of_scan is not None:
        steps = Steps(ls)
        work = _export_scan(ls, of_scan, kept_scan(ls, of_scan.scan), steps)
        return with_progress(ls, work, _EXPORTING, token, steps)
    order = order_of(arguments, ls.client.folders)
    if order is None:
        raise wrong_arguments(ls, _EXPORT, _AN_EXPORT)
    return with_progress(ls, _export(ls, order), _EXPORTING, token)


async def _export_scan(ls: ServerState, order: ScanReportOrder, scan: Scan, steps: Steps) -> Any:
    await wait_until_ready(ls)
    course = ScanProgress(lambda number, total: ls.on_loop(steps.done, number, total))
    try:
        return await export_scan(ls, scan, order, course)
    except TextError as error:
        raise JsonRpcException(error.render(ls.language), REQUEST_FAILED) from error


async def _export(ls: ServerState, order: Order) -> Any:
    await wait_until_ready(ls)
    settings = ls.engine.session.settings
    # On a thread of its own: looking at what is edited goes on meanwhile.
    worker = Worker()
    worker.start()
    try:
        return await asyncio.wrap_future(worker.submit(lambda: export(order, settings)))
    except TextError as error:
        raise JsonRpcException(error.render(ls.language), REQUEST_FAILED) from error
    finally:
        worker.stop()
