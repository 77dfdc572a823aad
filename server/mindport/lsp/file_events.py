"""Files on disk that change, come, go and move, as the client tells."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from mindport.lsp.arguments import CallArguments
from mindport.lsp.configuration import Configuration
from mindport.lsp.diagnostics import Diagnostics
from mindport.lsp.uris import path_of

if TYPE_CHECKING:
    from mindport.lsp.state import ServerState

_PYPROJECT = "/pyproject.toml"


def register(server: ServerState) -> None:
    """Tell the server which messages are handled here."""
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(did_change_watched_files)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(did_save)
    everything = types.FileOperationFilter(types.FileOperationPattern("**/*"), "file")
    options = types.FileOperationRegistrationOptions([everything])
    server.feature(types.WORKSPACE_DID_CREATE_FILES, options)(did_create_or_delete_files)
    server.feature(types.WORKSPACE_DID_DELETE_FILES, options)(did_create_or_delete_files)
    server.feature(types.WORKSPACE_DID_RENAME_FILES, options)(did_rename_files)


def did_change_watched_files(
    ls: ServerState, params: types.DidChangeWatchedFilesParams
) -> Awaitable[Any] | None:
    """Files on disk have changed, whoever did it."""
    return _changed(ls, [event.uri for event in params.changes])


def did_create_or_delete_files(
    ls: ServerState, params: types.CreateFilesParams | types.DeleteFilesParams
) -> Awaitable[Any] | None:
    """The user made or removed files or folders in the editor."""
    return _changed(ls, [file.uri for file in params.files])


def did_rename_files(ls: ServerState, params: types.RenameFilesParams) -> Awaitable[Any] | None:
    """The user renamed or moved files or folders in the editor."""
    return _changed(ls, [uri for file in params.files for uri in (file.old_uri, file.new_uri)])


def did_save(ls: ServerState, _: types.DidSaveTextDocumentParams) -> None:
    """A document was saved: a good moment to look at the disk, if the client does not watch it for us."""
    if not ls.engine.is_usable or ls.client.registers_watchers:
        return
    still_open = ls.documents.paths()

    def read_disk() -> None:
        if ls.engine.take_up_disk(still_open):
            ls.on_loop(ls.part(Diagnostics).analyse_all)
            ls.on_loop(ls.part(CallArguments).files_changed)
        ls.tell_of_change()

    ls.worker.submit(read_disk, "look at disk", background=True)


def _changed(ls: ServerState, uris: Iterable[str]) -> Awaitable[Any] | None:
    """Read what is at these places anew: files, or all that is known in folders. What is open is as the
    editor has it, whatever happens to its file."""
    uris = list(uris)
    if not ls.engine.is_usable:
        return None
    if any(uri.endswith(_PYPROJECT) for uri in uris):
        return ls.part(Configuration).apply()
    still_open = ls.documents.paths()
    paths = {path_of(uri) for uri in uris} - still_open
    if paths:
        ls.worker.submit(lambda: ls.engine.forget(paths, still_open))
        ls.part(Diagnostics).analyse_all()
        ls.part(CallArguments).files_changed()
    ls.tell_of_change()  # also of what is open: others on disk may import what was saved
    return None
