"""The command `mindport.fileFindings`: the findings of one file as a tree shows them."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from mindport.lsp.commands import A_URI, found_in, text_argument
from mindport.report.scan_rows import ScannedFiles, ScannedUse

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.lsp.state import ServerState

_FILE_FINDINGS = "mindport.fileFindings"
_GRAVEST_FIRST = ("missing", "differs", "unmapped", "equivalent", "not_needed")


def register(server: ServerState) -> None:
    """Tell the server of the command."""
    server.command(_FILE_FINDINGS)(file_findings)


def file_findings(ls: ServerState, arguments: Sequence[Any], _: Any) -> Awaitable[Any]:
    """`mindport.fileFindings`: what is shown of one document, by API and by what becomes of it."""
    uri = text_argument(ls, _FILE_FINDINGS, arguments, A_URI, most=1)

    def grouped(path: str, found: FileFindings) -> list[dict[str, Any]]:
        return groups(ScannedFiles(ls.engine.language, ls.client.encoding).file(path, found).uses)

    return found_in(ls, uri, grouped)


def groups(uses: Iterable[ScannedUse]) -> list[dict[str, Any]]:
    """The findings that are shown, those that say the same together: gravest status first, then in the order
    of the text."""
    found: dict[tuple[object, ...], dict[str, Any]] = {}
    for use in uses:
        if use.code is None:
            continue
        group = found.setdefault(
            (use.use, use.code, use.severity, use.message),
            {
                "api": use.use.api,
                "targets": use.use.targets,
                "status": use.use.status,
                "code": use.code,
                "severity": use.severity,
                "message": use.message,
                "places": [],
            },
        )
        group["places"].append(_place(use))
    return sorted(found.values(), key=lambda group: _GRAVEST_FIRST.index(group["status"]))


def _place(use: ScannedUse) -> dict[str, Any]:
    line, character, end_line, end_character = use.range
    start, end = {"line": line, "character": character}, {"line": end_line, "character": end_character}
    place: dict[str, Any] = {"range": {"start": start, "end": end}}
    return place if use.cell is None else place | {"cell": use.cell}
