"""The commands that show a conversion before anything is changed: `mindport.previewConversion`,
`mindport.convertedText` and `mindport.applyConversion`."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

from mindport.app.request import ShownPaths
from mindport.language import Text
from mindport.lsp.commands import REQUEST_FAILED, wrong_arguments
from mindport.lsp.convert_commands import (
    apply,
    convert_document,
    convert_folders,
    outcome_of,
    prepare,
)
from mindport.lsp.progress import Steps, with_progress
from mindport.lsp.uris import file_of, path_of

if TYPE_CHECKING:
    from mindport.app.convert_document import Converted
    from mindport.lsp.documents import Snapshot
    from mindport.lsp.state import ServerState

_PREVIEW = "mindport.previewConversion"
_TEXT = "mindport.convertedText"
_APPLY = "mindport.applyConversion"

_CONVERTING = Text("MindPort: preparing the conversion preview", "MindPort：正在生成转换预览")
_WHAT = Text(
    'an object such as {"uris": ["file:///model.py"], "unsafe": false}, both optional',
    '形如 {"uris": ["file:///model.py"], "unsafe": false} 的对象，两项均可省略',
)
_WHICH_TEXT = Text(
    'an object such as {"preview": ID, "uri": "file:///model.py"}, with "before": true for the text before',
    '形如 {"preview": ID, "uri": "file:///model.py"} 的对象；如需转换前的文本，可加上 "before": true',
)
_WHICH = Text(
    'an object such as {"preview": ID}, with "uris" to select some of its files',
    '形如 {"preview": ID} 的对象；如只需其中部分文件，可给出 "uris"',
)
_GONE = Text("This preview has expired. Create a new one.", "该预览已失效。请重新生成。")


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
        found += await convert_folders(ls, folders, steps, unsafe)
    identity, converted = uuid.uuid4().hex, {one.uri: one for one in found}
    ls.previews.add(identity, converted)
    return _told(ls, identity, converted)


async def _single(ls: ServerState, uri: str, snapshot: Snapshot | None, unsafe: bool) -> Converted:
    try:
        return await convert_document(ls, uri, snapshot, unsafe)
    except JsonRpcException as error:
        from mindport.app.convert_document import Converted

        return Converted(uri, problem=error.message)


def _told(ls: ServerState, identity: str, converted: Mapping[str, Converted]) -> dict[str, Any]:
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
        for uri, one in converted.items()
        if one.changes
    ]
    files.sort(key=lambda file: file["path"])
    result = outcome_of(list(converted.values()))
    told = text.counts(result["outcomes"])
    return result | {"preview": identity, "files": files, "text": told}


def converted_text(ls: ServerState, arguments: Sequence[Any], token: Any) -> Awaitable[Any]:
    """`mindport.convertedText`: the text of one document of a preview, converted or as it was."""
    wanted = _wanted(ls, _TEXT, arguments, _WHICH_TEXT, {"preview", "uri", "before"})
    one = _kept(ls, wanted).get(wanted.get("uri", ""))
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
    uris = wanted.get("uris") or list(preview)
    if not set(uris) <= preview.keys():
        raise wrong_arguments(ls, _APPLY, _WHICH)
    return _apply(ls, wanted["preview"], [preview[uri] for uri in uris])


async def _apply(ls: ServerState, identity: str, chosen: list[Converted]) -> Any:
    await prepare(ls)
    result = await apply(ls, chosen)
    if result["applied"]:
        ls.previews.drop(identity)
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


def _kept(ls: ServerState, wanted: dict[str, Any]) -> Mapping[str, Converted]:
    preview = ls.previews.get(wanted.get("preview", ""))
    if preview is None:
        raise JsonRpcException(_GONE.render(ls.language), REQUEST_FAILED)
    return preview
