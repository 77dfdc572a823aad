"""An editor for tests: pytest-lsp's client, and beside it the texts of the open documents as they should be.

Positions are found in the text by plain counting, so that nothing of the server is trusted with them.
"""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from lsprotocol import types
from lsprotocol.converters import get_converter
from mindport.lsp.server import MindportServer
from mindport.lsp.transport import serve_streams, socket_streams
from pytest_lsp.client import LanguageClient, make_test_lsp_client

SECONDS = 60.0
"""No test waits longer for anything. No test depends on how long it waits."""

Range = tuple[tuple[int, int], tuple[int, int]]


def capabilities(**changes: Any) -> types.ClientCapabilities:
    """The abilities of a client that can do what most can, without pull diagnostics; `changes` replace whole
    groups, such as `text_document`."""
    groups: dict[str, Any] = {
        "workspace": types.WorkspaceClientCapabilities(
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
            configuration=True,
        ),
        "text_document": text_document(),
        "general": types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf16]),
    }
    return types.ClientCapabilities(**{**groups, **changes})


def text_document(pull: bool = False, resolve: bool = True, markdown: bool = True) -> Any:
    """The abilities concerning documents."""
    formats = [types.MarkupKind.Markdown, types.MarkupKind.PlainText]
    literals = types.ClientCodeActionLiteralOptions(types.ClientCodeActionKindOptions(["quickfix", "source"]))
    resolving = types.ClientCodeActionResolveOptions(["edit"])
    return types.TextDocumentClientCapabilities(
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
            version_support=True,
            code_description_support=True,
            data_support=True,
            tag_support=types.ClientDiagnosticsTagOptions([types.DiagnosticTag.Deprecated]),
        ),
        diagnostic=types.DiagnosticClientCapabilities(code_description_support=True) if pull else None,
        hover=types.HoverClientCapabilities(content_format=formats if markdown else formats[1:]),
        code_action=types.CodeActionClientCapabilities(
            code_action_literal_support=literals,
            is_preferred_support=True,
            data_support=resolve,
            resolve_support=resolving if resolve else None,
        ),
    )


def _action_of(found: dict[str, Any], _: type) -> types.Command | types.CodeAction:
    """What a server offers; lsprotocol takes an action with a command for a command."""
    kind = types.Command if isinstance(found.get("command"), str) else types.CodeAction
    return get_converter().structure(found, kind)


class Editor:
    """A client with a running server. `texts` and `versions` are those of the open documents, by URI."""

    def __init__(self, client: LanguageClient, encoding: str = "utf-16") -> None:
        self.client = client
        self.encoding = encoding
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.published: list[types.PublishDiagnosticsParams] = []
        self.registrations: list[types.Registration] = []
        self.capabilities = types.ServerCapabilities()
        self._news = asyncio.Condition()
        self._exit_code: Future[int] = Future()

    def _serve(self, listening: socket.socket) -> None:
        """Serve one client, on a thread: processes have tests of their own (`test_lsp_process.py`), and each
        takes a second to start."""
        with listening:
            connection, _ = listening.accept()
        with connection:
            self._exit_code.set_result(serve_streams(MindportServer(), socket_streams(connection)))

    @classmethod
    async def start(
        cls,
        root: Path | None,
        abilities: types.ClientCapabilities,
        settings: Any = None,
        options: Any = None,
        folders: Sequence[types.WorkspaceFolder] | None = None,
    ) -> Editor:
        """Start a server on a folder, or on several. `settings` are what the client says when asked."""
        client = make_test_lsp_client()
        client.protocol._converter.register_structure_hook(types.Command | types.CodeAction, _action_of)
        encodings = abilities.general.position_encodings if abilities.general else None
        editor = cls(client, encodings[0].value if encodings else "utf-16")
        with socket.create_server(("127.0.0.1", 0)) as listening:
            threading.Thread(target=editor._serve, args=(listening.dup(),), daemon=True).start()
            await client.start_tcp(*listening.getsockname())
        client.protocol.fm.features.pop(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)

        async def take_diagnostics(params: types.PublishDiagnosticsParams) -> None:
            await editor._take_diagnostics(params)

        async def register(params: types.RegistrationParams) -> None:
            editor.registrations.extend(params.registrations)

        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(take_diagnostics)
        client.feature(types.CLIENT_REGISTER_CAPABILITY)(register)
        client.set_configuration(settings, section="mindport")
        if folders is None and root is not None:
            folders = [types.WorkspaceFolder(root.as_uri(), "root")]
        params = types.InitializeParams(abilities, workspace_folders=folders, initialization_options=options)
        editor.capabilities = (await client.initialize_session(params)).capabilities
        return editor

    async def stop(self) -> None:
        """Shut the server down in order; it must do so without complaint."""
        await asyncio.wait_for(self.client.shutdown_session(), SECONDS)
        assert await asyncio.wait_for(asyncio.wrap_future(self._exit_code), SECONDS) == 0
        await self.client.stop()

    async def _take_diagnostics(self, params: types.PublishDiagnosticsParams) -> None:
        async with self._news:
            self.published.append(params)
            self._news.notify_all()

    # Documents

    def open(self, uri: str, text: str, version: int = 1) -> None:
        """Open a document."""
        self.texts[uri], self.versions[uri] = text, version
        item = types.TextDocumentItem(uri, types.LanguageKind.Python, version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def close(self, uri: str) -> None:
        """Close a document."""
        del self.texts[uri], self.versions[uri]
        document = types.TextDocumentIdentifier(uri)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))

    def replace(self, uri: str, start: int, end: int, text: str) -> None:
        """Replace the characters `start`..`end` (as Python counts) of a document, as typing does."""
        before = self.texts[uri]
        event = types.TextDocumentContentChangePartial(
            types.Range(self.position(uri, start), self.position(uri, end)), text
        )
        self.texts[uri] = before[:start] + text + before[end:]
        self.send_change(uri, [event])

    def send_change(self, uri: str, events: Sequence[types.TextDocumentContentChangeEvent]) -> None:
        """Tell the server of changes; the text here is not touched."""
        self.versions[uri] = self.versions.get(uri, 0) + 1
        document = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, events))

    def apply(self, edit: types.WorkspaceEdit | None) -> None:
        """Make the edits that the server proposes, and tell it."""
        assert edit is not None
        for uri, edits in _edits_by_document(edit, self.versions):
            places = [(*self.offsets(uri, each.range), each.new_text) for each in edits]
            order = sorted(range(len(places)), key=lambda index: (places[index][0], index))
            for index in reversed(order):
                self.replace(uri, *places[index])

    # Positions

    def position(self, uri: str, offset: int) -> types.Position:
        """Where a character of the text is."""
        before = self.texts[uri][:offset]
        lines = re.split(r"\r\n|\r|\n", before)
        return types.Position(len(lines) - 1, self._length(lines[-1]))

    def offset(self, uri: str, position: types.Position) -> int:
        """Which character of the text is at a position."""
        text = self.texts[uri]
        starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
        offset, left = starts[position.line], position.character
        while left > 0:
            left -= self._length(text[offset])
            offset += 1
        assert left == 0, "a position inside a character"
        return offset

    def offsets(self, uri: str, covered: types.Range) -> tuple[int, int]:
        """Which characters of the text a range covers."""
        return self.offset(uri, covered.start), self.offset(uri, covered.end)

    def covered(self, uri: str, covered: types.Range) -> str:
        """The text of a range."""
        start, end = self.offsets(uri, covered)
        return self.texts[uri][start:end]

    def range_of(self, uri: str, piece: str) -> types.Range:
        """The range of the first place that reads `piece`."""
        start = self.texts[uri].index(piece)
        return types.Range(self.position(uri, start), self.position(uri, start + len(piece)))

    def _length(self, text: str) -> int:
        codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[self.encoding]
        return len(text.encode(codec)) // {"utf-8": 1, "utf-16": 2, "utf-32": 4}[self.encoding]

    # Requests

    async def diagnostics(self, uri: str) -> list[types.Diagnostic]:
        """What the server publishes for the latest version of a document (waits for it)."""
        return await self.publication(
            lambda params: params.uri == uri and params.version == self.versions.get(uri)
        )

    async def publication(
        self, is_wanted: Callable[[types.PublishDiagnosticsParams], bool], skip: int = 0
    ) -> list[types.Diagnostic]:
        """The diagnostics of the last publication that fits, not counting the first `skip` publications."""

        def found() -> types.PublishDiagnosticsParams | None:
            return next(filter(is_wanted, reversed(self.published[skip:])), None)

        async with self._news:
            await within(self._news.wait_for(found))
        params = found()
        assert params is not None
        return list(params.diagnostics)

    async def pull(self, uri: str, previous: str | None = None) -> Any:
        """Ask for the diagnostics of a document."""
        document = types.TextDocumentIdentifier(uri)
        params = types.DocumentDiagnosticParams(document, "mindport", previous)
        return await within(self.client.text_document_diagnostic_async(params))

    async def hover(self, uri: str, position: types.Position) -> types.Hover | None:
        """Ask what there is at a position."""
        document = types.TextDocumentIdentifier(uri)
        return await within(self.client.text_document_hover_async(types.HoverParams(document, position)))

    async def actions(
        self, uri: str, covered: types.Range, only: Sequence[str] | None = None
    ) -> list[types.CodeAction]:
        """Ask what can be done about a range."""
        context = types.CodeActionContext([], only)
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), covered, context)
        found = await within(self.client.text_document_code_action_async(params))
        return [action for action in found or () if isinstance(action, types.CodeAction)]

    async def resolved(self, action: types.CodeAction) -> types.CodeAction:
        """Ask for the edits of an action."""
        return await within(self.client.code_action_resolve_async(action))

    async def command(self, name: str, *arguments: Any, token: str | None = None) -> Any:
        """Run a command."""
        params = types.ExecuteCommandParams(name, arguments, token)
        return await within(self.client.workspace_execute_command_async(params))

    async def messages(self, count: int = 1) -> list[str]:
        """What the user was shown, once that is at least `count` messages."""
        await until(lambda: len(self.client.messages) >= count)
        return [shown.message for shown in self.client.messages]


def within(awaitable: Awaitable[Any]) -> Awaitable[Any]:
    """The same, but no endless waiting."""
    return asyncio.wait_for(awaitable, SECONDS)  # type: ignore[arg-type]


async def until(condition: Callable[[], bool]) -> None:
    """Wait until something has come from the server."""

    async def check() -> None:
        while not condition():
            await asyncio.sleep(0.01)

    await within(check())


def _edits_by_document(
    edit: types.WorkspaceEdit, versions: dict[str, int]
) -> list[tuple[str, Sequence[types.TextEdit]]]:
    if edit.changes is not None:
        return list(edit.changes.items())
    found = []
    for change in edit.document_changes or ():
        assert isinstance(change, types.TextDocumentEdit)
        document = change.text_document
        assert document.version == versions[document.uri]
        edits = [each for each in change.edits if isinstance(each, (types.TextEdit, types.AnnotatedTextEdit))]
        assert len(edits) == len(change.edits)
        found.append((document.uri, edits))
    return found
