"""The code action that converts a class or a function together with what it needs, over all files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from mindport.language import Text
from mindport.lsp.current_edits import edits_now
from mindport.lsp.progress import Steps
from mindport.lsp.requests import request_for, run_apart
from mindport.lsp.workspace_edits import Json, file_creation, workspace_edit

if TYPE_CHECKING:
    from mindport.app.convert_group import ConvertedGroup
    from mindport.assess.file_findings import FileFindings
    from mindport.language import Language
    from mindport.lsp.documents import Snapshot
    from mindport.lsp.state import ServerState
    from mindport.scan.scan import Progress

CONVERT_GROUP = "refactor.rewrite.mindport.convertGroup"
GROUP_KEY = "group of "

_CLASS_TITLE = Text("Convert this class and what it needs", "转换此类及其所需的代码")
_FUNCTION_TITLE = Text("Convert this function and what it needs", "转换此函数及其所需的代码")
_USED_OUTSIDE = Text(
    "MindPort: these files use the converted code and were not changed: {names}",
    "MindPort：以下文件使用所转换的代码，未作修改：{names}",
)


def folder_around(ls: ServerState, snapshot: Snapshot) -> Path | None:
    """The folder of the workspace that a document is in; None where there is none."""
    path = Path(snapshot.path)
    around = [folder for folder in ls.client.folders if folder in path.parents]
    return max(around, key=lambda folder: len(folder.parts), default=None)


def is_offered(ls: ServerState, snapshot: Snapshot) -> bool:
    """Whether the action can be made of a document: it changes and makes files beside it."""
    client = ls.client
    can = client.resolves_edits and client.versioned_edits and client.creates_files
    return can and snapshot.notebook is None and folder_around(ls, snapshot) is not None


def title_at(found: FileFindings, offset: int, language: Language) -> tuple[str, int] | None:
    """The title of the action at a byte, and where the class or function starts: where its first lines are,
    and something in it has to do with PyTorch. Only looks at what is known."""
    blocks = found.analysis.blocks
    lines = found.document.lines
    for number, (block, lowered) in enumerate(zip(blocks, found.analysis.lowered, strict=True)):
        if not block.start <= offset <= block.start + block.length:
            continue
        is_class = lowered.defined_class is not None
        last = block.start + block.length
        if is_class:
            rest = range(number + 1, len(blocks))
            own = [one for one in rest if _owner(found, one) is lowered.defined_class]
            last = max((blocks[one].start + blocks[one].length for one in own), default=last)
        elif not _is_function(found, number) or lines.line_of(offset) > _header_end(found, block.start):
            return None
        if not any(block.start <= placed.start < last for placed in found.findings):
            return None
        return (_CLASS_TITLE if is_class else _FUNCTION_TITLE).render(language), block.start
    return None


def _owner(found: FileFindings, number: int) -> object:
    part = found.analysis.lowered[number].part
    return part.owner if part is not None else None


def _is_function(found: FileFindings, number: int) -> bool:
    block = found.analysis.lowered[number]
    return block.kind.endswith("_definition") and block.part is None and len(block.names) == 1


def _header_end(found: FileFindings, start: int) -> int:
    """The line that the first line of a function's body comes behind."""
    data, lines = found.document.data, found.document.lines
    colon = data.find(b":\n", start)
    return lines.line_of(colon if colon >= 0 else start)


async def group_edit(ls: ServerState, snapshot: Snapshot, offset: int) -> Json:
    """The edit of the action for what starts at a byte. Raises JsonRpcException where nothing can be
    converted, and JsonRpcContentModified where a document has changed meanwhile."""
    folder = folder_around(ls, snapshot)
    assert folder is not None  # else it was not offered
    folders = await ls.work(ls.engine.folders)
    around = [one for one in folders if one.path == folder] or folders
    opened = [one for one in ls.documents.snapshots() if folder in Path(one.path).parents]
    request = request_for(ls, around[:1], [folder], opened)

    def run(progress: Progress) -> ConvertedGroup:
        from mindport.app.convert_group import convert_group

        return convert_group(request, snapshot.path, offset, ls.language, progress)

    group = await run_apart(ls, Steps(ls), run)
    edit = workspace_edit(await edits_now(ls, group.documents), ls.client)
    for path, text in reversed(group.new_files):
        edit["documentChanges"][:0] = file_creation(path.as_uri(), text)
    if group.users:
        names = ", ".join(Path(user).name for user in group.users)
        ls.messages.show(types.MessageType.Info, _USED_OUTSIDE.render(ls.language, names=names))
    return edit
