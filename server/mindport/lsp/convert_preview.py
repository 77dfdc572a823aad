"""The commands that show a conversion before anything is changed: `mindport.previewConversion`,
`mindport.convertedText` and `mindport.applyConversion`."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

from mindport.language import Text
from mindport.lsp.commands import REQUEST_FAILED, wrong_arguments
from mindport.lsp.conversion import Converted
from mindport.lsp.convert_commands import (
    apply,
    convert_document,
    convert_folders,
    outcome_of,
    prepare,
)
from mindport.lsp.progress import Steps, with_progress
from mindport.lsp.scan_order import ShownPaths
from mindport.lsp.uris import file_of, path_of

if TYPE_CHECKING:
    from mindport.lsp.documents import Snapshot
    from mindport.lsp.state import ServerState

_PREVIEW = "mindport.previewConversion"
_TEXT = "mindport.convertedText"
_APPLY = "mindport.applyConversion"
_MOST_KEPT = 2
"""The one that is shown, and the one that takes its place."""

_CONVERTING = Text("mindport: making a preview of the conversion", "mindport：正在生成转换预览")
_WHAT = Text(
    'an object such as {"uris": ["file:///model.py"], "unsafe": false}, both if wanted',
    '形如 {"uris": ["file:///model.py"], "unsafe": false} 的对象，两项均可省略',
)
_WHICH_TEXT = Text(
    'an object such as {"preview": ID, "uri": "file:///model.py"}, with "before": true for the text before',
    '形如 {"preview": ID, "uri": "file:///model.py"} 的对象；如需转换前的文本，可加上 "before": true',
)
_WHICH = Text(
    'an object such as {"preview": ID}, with "uris" if only some of its files are wanted',
    '形如 {"preview": ID} 的对象；如只需其中部分文件，可给出 "uris"',
)
_GONE = Text("This preview is not kept any more. Make another one.", "该预览已不再保留。请重新生成预览。")


@dataclass(frozen=True)
class Preview:
    """What would become of documents, by URI."""

    identity: str
    converted: dict[str, Converted]


class Previews:
    """The latest previews. Used on the server's own thread."""

    def __init__(self) -> None:
        self._kept: dict[str, Preview] = {}

    def add(self, preview: Preview) -> None:
        """Keep a preview; the oldest one may go."""
        self._kept[preview.identity] = preview
        while len(self._kept) > _MOST_KEPT:
            del self._kept[next(iter(self._kept))]

    def get(self, identity: str) -> Preview | None:
        """The preview of this identity; None if it is not kept (any more)."""
        return self._kept.get(identity)

    def drop(self, identity: str) -> None:
        """Keep a preview no more."""
        self._kept.pop(identity, None)


def register(server: ServerState) -> None:
    """Tell the server which commands there are."""
    server.command(_PREVIEW)(preview_conversion)
    server.command(_TEXT)(converted_text)
    server.command(_APPLY)(apply_conversion)


def preview_conversion(ls: ServerState, arguments: Sequence[Any], token: Any) -> Awaitable[Any]:
    """`mindport.previewConversion`: what would become of documents and folders; see `docs/protocol.md`."""
    wanted = _wanted(ls, _PREVIEW, arguments or [{}], _WHAT, {"uris", "unsafe"})
    uris, unsafe = wanted.get("uris"), wanted.get("unsafe", False)
    if not isinstance(unsafe, bool):
        raise wrong_arguments(ls, _PREVIEW, _WHAT)
    steps = Steps(ls)
    return with_progress(ls, _preview(ls, uris, unsafe, steps), _CONVERTING, token, steps)


async def _preview(ls: ServerState, uris: list[str] | None, unsafe: bool, steps: Steps) -> Any:
    await prepare(ls)
    snapshots = {snapshot.path: snapshot for snapshot in ls.documents.snapshots()}
    if uris is None:
        folders, single = list(ls.client.folders), []
    else:
        files = {uri: file_of(uri) for uri in uris}
        folders = [file for file in files.values() if file is not None and file.is_dir()]
        single = [uri for uri, file in files.items() if file not in folders]
    found: list[Converted] = []
    for uri in single:
        found.append(await _single(ls, uri, snapshots.get(path_of(uri)), unsafe))
    if folders or not single:
        found += await convert_folders(ls, folders, steps, snapshots, unsafe)
    converted = {one.uri: one for one in found}
    preview = Preview(uuid.uuid4().hex, converted)
    ls.part(Previews).add(preview)
    return _told(ls, preview)


async def _single(ls: ServerState, uri: str, snapshot: Snapshot | None, unsafe: bool) -> Converted:
    try:
        return await convert_document(ls, uri, snapshot, unsafe)
    except JsonRpcException as error:
        return Converted(uri, problem=error.message)


def _told(ls: ServerState, preview: Preview) -> dict[str, Any]:
    """A preview as the protocol has it: without the texts."""
    from mindport.report.conversion_text import ConversionText

    text = ConversionText(ls.engine.session.target, ls.engine.language)
    paths = ShownPaths(tuple(ls.client.folders) or (None,))
    files: list[dict[str, Any]] = [
        {
            "uri": uri,
            "path": paths.of(path_of(uri)),
            "outcomes": dict(one.outcomes),
            "text": text.counts(one.outcomes),
            "notebook": one.is_notebook,
        }
        for uri, one in preview.converted.items()
        if one.changes
    ]
    files.sort(key=lambda file: file["path"])
    result = outcome_of(list(preview.converted.values()))
    told = text.counts(result["outcomes"])
    return result | {"preview": preview.identity, "files": files, "text": told}


def converted_text(ls: ServerState, arguments: Sequence[Any], token: Any) -> Awaitable[Any]:
    """`mindport.convertedText`: the text of one document of a preview, converted or as it was."""
    wanted = _wanted(ls, _TEXT, arguments, _WHICH_TEXT, {"preview", "uri", "before"})
    one = _kept(ls, wanted).converted.get(wanted.get("uri", ""))
    before = wanted.get("before", False)
    if one is None or not one.changes or not isinstance(before, bool):
        raise wrong_arguments(ls, _TEXT, _WHICH_TEXT)
    return _answer(one.before(ls.language) if before else one.after(ls.language))


async def _answer(text: str) -> str:
    return text


def apply_conversion(ls: ServerState, arguments: Sequence[Any], token: Any) -> Awaitable[Any]:
    """`mindport.applyConversion`: make the changes that a preview shows; see `docs/protocol.md`."""
    wanted = _wanted(ls, _APPLY, arguments, _WHICH, {"preview", "uris"})
    preview = _kept(ls, wanted)
    uris = wanted.get("uris") or list(preview.converted)
    if not set(uris) <= preview.converted.keys():
        raise wrong_arguments(ls, _APPLY, _WHICH)
    chosen = [preview.converted[uri] for uri in uris]
    return _apply(ls, preview, chosen)


async def _apply(ls: ServerState, preview: Preview, chosen: list[Converted]) -> Any:
    await prepare(ls)
    result = await apply(ls, chosen)
    if result["applied"]:
        ls.part(Previews).drop(preview.identity)
    return result


def _wanted(
    ls: ServerState, command: str, arguments: Sequence[Any], form: Text, names: set[str]
) -> dict[str, Any]:
    """The one argument: an object with these names. Raises JsonRpcException if it is none."""
    wanted = arguments[0] if len(arguments) == 1 else None
    if not isinstance(wanted, dict) or not set(wanted) <= names:
        raise wrong_arguments(ls, command, form)
    uris = wanted.get("uris", [])
    texts = [wanted[name] for name in ("preview", "uri") if name in wanted]
    if not isinstance(uris, list) or not all(isinstance(text, str) for text in [*texts, *uris]):
        raise wrong_arguments(ls, command, form)
    return wanted


def _kept(ls: ServerState, wanted: dict[str, Any]) -> Preview:
    preview = ls.part(Previews).get(wanted.get("preview", ""))
    if preview is None:
        raise JsonRpcException(_GONE.render(ls.language), REQUEST_FAILED)
    return preview
