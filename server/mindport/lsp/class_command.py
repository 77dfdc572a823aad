"""The command `mindport.torchClasses`; `docs/protocol.md` describes its result."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from mindport.lsp.commands import A_URI, found_in, text_argument

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.catalog.catalog import Catalog
    from mindport.lsp.state import ServerState
    from mindport.lsp.workspace_edits import Json

_TORCH_CLASSES = "mindport.torchClasses"
_MODULE = "torch.nn.Module"


def register(server: ServerState) -> None:
    """Tell the server of the command."""
    server.command(_TORCH_CLASSES)(torch_classes)


def torch_classes(ls: ServerState, arguments: Sequence[Any], _: Any) -> Awaitable[Any]:
    """`mindport.torchClasses`: where classes of one document begin that derive from PyTorch's modules."""
    uri = text_argument(ls, _TORCH_CLASSES, arguments, A_URI, most=1)
    return found_in(ls, uri, lambda _, found: list(_places(ls, found)))


def _places(ls: ServerState, found: FileFindings) -> Iterator[Json]:
    for start in dict.fromkeys(_starts(ls.engine.catalog, found)):
        part = found.document.part(start)
        line, character = part.lines.position(part.offset(start), ls.client.encoding)
        yield {"line": line, "character": character}


def _starts(catalog: Catalog, found: FileFindings) -> Iterator[int]:
    """Where the classes begin (bytes), by their bases."""
    for placed in found.findings:
        use = placed.finding.use
        if use.kind != "base" or _MODULE not in (use.api, *catalog.lineage(use.api)):
            continue
        at = found.document.piece_at(placed.start)
        node = found.document.node_at(placed.start)
        while node is not None and node.type != "class_definition":
            node = node.parent
        if at is not None and node is not None:
            yield at[0] + node.start_byte
