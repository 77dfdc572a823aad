"""The start of a session and its settings: from the start options, the editor and pyproject.toml."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from mindport.language import Text
from mindport.lsp import diagnostics
from mindport.lsp import workspace_diagnostics as workspace
from mindport.lsp.arguments import CallArguments
from mindport.lsp.client import Client
from mindport.lsp.diagnostics import Diagnostics
from mindport.lsp.progress import with_progress
from mindport.lsp.uris import file_of
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.lsp.state import ServerState
    from mindport.project.settings import LoadedSettings

_LOGGER = logging.getLogger(__name__)
_SECTION = "mindport"
_TRUSTED = "trusted"
"""The name in the start options by which a client says that the user trusts the workspace."""
_ANSWER_SECONDS = 5.0
"""So long the server waits for the editor's settings before it goes on without."""
_LOADING = Text("MindPort: loading the API catalog", "MindPort：正在加载接口目录")
_CANNOT_START = Text(
    "MindPort cannot start: {reason}",
    "MindPort 无法启动：{reason}",
)


class Configuration:
    """The settings in force and where they come from."""

    def __init__(self, server: ServerState) -> None:
        self._server = server
        self.given_at_start: object = None
        self.is_trusted = False
        """Whether the client has said that the user trusts the workspace."""
        self.folders: list[Path] = []
        """The folders of the workspace, in the editor's order."""
        self.editor: Sequence[object] = (None,)
        """The editor's settings as received: for each folder, or for all there is where there is none."""
        self.target: dict[str, object] = {}
        """What `mindport.setTarget` set; holds until the editor says otherwise."""
        self._beside: Path | None = None
        """Without a workspace, the folder whose pyproject.toml counts."""
        self._applying: asyncio.Future[LoadedSettings] | None = None
        self._loading: Future[None] | None = None
        server.documents.on_open.append(self.opened)

    def opened(self, uri: str) -> None:
        """A document was opened: without a workspace, what is beside the first file counts."""
        server = self._server
        if self.folders or self._beside is not None or not server.ready.is_set():
            return
        if server.engine.is_usable and self._folder_in_use() is not None:
            self._applying = asyncio.ensure_future(self.apply())

    def prepare(self) -> Future[None]:
        """Begin to load the catalog, while the client takes up the server's answer and says what is open."""
        if self._loading is None:
            self._server.worker.start()
            self._loading = self._server.worker.submit(self._server.engine.load)
        return self._loading

    async def start(self) -> None:
        """Load the catalog and the settings; then look at what is open."""
        server = self._server
        loading = asyncio.wrap_future(self.prepare())
        load = asyncio.ensure_future(with_progress(server, loading, _LOADING))
        self._register()
        self.editor = await self._ask_editor(self.given_at_start, self.folders)
        try:
            await load
            await self.apply()
        except Exception as error:
            _LOGGER.error("The server cannot work", exc_info=error)
            reason = error.render(server.language) if isinstance(error, TextError) else str(error)
            server.messages.show_once(types.MessageType.Error, _CANNOT_START, reason=reason)
            server.ready.set()

    async def editor_changed(self, sent: object) -> None:
        """The editor's settings have changed; `sent` is what came with the message."""
        server = self._server
        await server.ready.wait()
        before = self.editor
        told = section(sent)
        self.editor = await self._ask_editor(self.given_at_start if told is None else told, self.folders)
        for name in list(self.target):
            if [_entry(each, name) for each in before] != [_entry(each, name) for each in self.editor]:
                del self.target[name]
        if server.engine.is_usable:
            await self.apply()

    async def folders_changed(self, removed: Sequence[Path], added: Sequence[Path]) -> None:
        """The user has taken folders out of the workspace, or into it."""
        await self._server.ready.wait()
        folders = [each for each in self.folders if each not in removed]
        folders += [each for each in added if each not in folders]
        self.editor = await self._ask_editor(self.given_at_start, folders)
        self.folders = folders
        if self._server.engine.is_usable:
            await self.apply()

    async def apply(self) -> LoadedSettings:
        """Read all settings, put them in force, and tell the user what is wrong with them. The result are the
        settings of the first folder."""
        server = self._server
        self._beside = None if self.folders else self._folder_in_use()
        places: list[Path | None] = [*self.folders] or [self._beside]
        folders = list(zip(places, self._editor_and_target(), strict=True))
        every = await server.work(lambda: self._configure(folders))
        if not self.folders and self._beside is None and self._folder_in_use() is not None:
            return await self.apply()  # the first document was opened meanwhile
        loaded = every[0]
        server.messages.language = loaded.settings.language
        for problem in (problem for each in every for problem in each.problems):
            message = problem.render(loaded.settings.language)
            server.messages.show_once(types.MessageType.Warning, Text(message, message))
        is_first = not server.ready.is_set()
        server.ready.set()
        server.part(Diagnostics).analyse_all(is_first)
        server.part(CallArguments).settings_changed(self.folders)
        server.tell_of_change()
        return loaded

    def _configure(self, folders: Sequence[tuple[Path | None, object]]) -> list[LoadedSettings]:
        self._server.part(Diagnostics).items.forget_all()
        return self._server.engine.configure(folders, self.is_trusted)

    def _editor_and_target(self) -> list[object]:
        return [
            {**(each or {}), **self.target}
            if self.target and (each is None or isinstance(each, Mapping))
            else each
            for each in self.editor
        ]

    def _folder_in_use(self) -> Path | None:
        """Where pyproject.toml is looked for without a workspace: beside the document in use."""
        paths = (Path(snapshot.path) for snapshot in self._server.documents.snapshots())
        return next((path.parent for path in paths if path.is_absolute()), None)

    async def _ask_editor(self, otherwise: object, folders: Sequence[Path]) -> Sequence[object]:
        """The editor's settings for each folder; `otherwise` if it cannot be asked or has none."""
        # Several folders can have different settings; where there is one, some editors know no scope.
        scopes = [folder.as_uri() for folder in folders] if len(folders) > 1 else [None]
        if not self._server.client.has_configuration:
            return [otherwise] * len(scopes)
        items = [types.ConfigurationItem(scope, _SECTION) for scope in scopes]
        params = types.ConfigurationParams(items)
        question = self._server.protocol.send_request_async(types.WORKSPACE_CONFIGURATION, params)
        try:
            answer = await asyncio.wait_for(question, _ANSWER_SECONDS)
        except (asyncio.TimeoutError, JsonRpcException) as error:
            _LOGGER.warning("The editor does not say its settings: %r", error)
            return [otherwise] * len(scopes)
        found = list(answer)[: len(scopes)] if isinstance(answer, (list, tuple)) else []
        found += [None] * (len(scopes) - len(found))
        return [otherwise if each is None else each for each in found]

    def _register(self) -> None:
        """Ask the client to tell us of changes of settings and files."""
        registrations = []
        if self._server.client.registers_configuration:
            method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
            registrations.append(types.Registration("settings", method, {"section": _SECTION}))
        if self._server.client.registers_watchers:
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            watchers = [{"globPattern": f"**/{name}"} for name in ("pyproject.toml", "*.py", "*.ipynb")]
            registrations.append(types.Registration("files", method, {"watchers": watchers}))
        if registrations:
            params = types.RegistrationParams(registrations)
            done = self._server.protocol.send_request(types.CLIENT_REGISTER_CAPABILITY, params)
            done.add_done_callback(_log_failure)


def register(server: ServerState) -> None:
    """Tell the server which messages are handled here."""
    server.feature(types.INITIALIZE)(initialize)
    server.feature(types.INITIALIZED)(initialized)
    server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(did_change_configuration)
    server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(did_change_workspace_folders)


def initialize(ls: ServerState, params: types.InitializeParams) -> None:
    """The client introduces itself."""
    ls.client = Client.of(params)
    ls.documents.encoding = ls.client.encoding
    ls.part(Diagnostics).meet_client()
    ls.part(Configuration).folders = list(ls.client.folders)
    options = params.initialization_options
    if isinstance(options, Mapping) and _TRUSTED in options:
        ls.part(Configuration).is_trusted = options[_TRUSTED] is True
        options = {name: value for name, value in options.items() if name != _TRUSTED} or None
    ls.part(Configuration).given_at_start = section(options, whole=True)
    if ls.client.pulls_diagnostics:
        diagnostics.register(ls)
        workspace.register(ls)
    ls.part(Configuration).prepare()


def initialized(ls: ServerState, _: types.InitializedParams) -> Awaitable[None]:
    """The client is ready."""
    return ls.part(Configuration).start()


def did_change_configuration(ls: ServerState, params: types.DidChangeConfigurationParams) -> Awaitable[None]:
    """The user changed settings."""
    return ls.part(Configuration).editor_changed(params.settings)


def did_change_workspace_folders(
    ls: ServerState, params: types.DidChangeWorkspaceFoldersParams
) -> Awaitable[None]:
    """Folders have left the workspace, or come into it."""
    removed, added = (
        [path for path in (file_of(folder.uri) for folder in folders) if path is not None]
        for folders in (params.event.removed, params.event.added)
    )
    return ls.part(Configuration).folders_changed(removed, added)


def section(value: object, whole: bool = False) -> object:
    """Our settings in what a client sends: under `settings`, under `mindport`, or, if `whole`, all of it."""
    while isinstance(value, Mapping) and _SECTION not in value and "settings" in value:
        value = value["settings"]
    if isinstance(value, Mapping) and _SECTION in value:
        return value[_SECTION]
    return value if whole else None


def _entry(settings: object, name: str) -> object:
    return settings.get(name) if isinstance(settings, Mapping) else None


def _log_failure(done: Any) -> None:
    if not done.cancelled() and done.exception() is not None:
        _LOGGER.warning("The client refused a registration: %s", done.exception())
