"""The language server: what its parts share, and how it is started."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified
from pygls.lsp.server import LanguageServer

import mindport
from mindport.lsp import (
    code_actions,
    commands,
    completion,
    configuration,
    convert_commands,
    convert_preview,
    documents,
    export_command,
    hover,
    notebooks,
    scan_command,
    scan_results,
    target_choices,
)
from mindport.lsp import file_events as files
from mindport.lsp import findings_tree as file_findings
from mindport.lsp.call_facts import CallFacts
from mindport.lsp.client import Client
from mindport.lsp.diagnostics import Diagnostics
from mindport.lsp.documents import Documents, Snapshot
from mindport.lsp.engine import Engine
from mindport.lsp.packages import Packages
from mindport.lsp.protocol import MindportProtocol
from mindport.lsp.scans import Scans
from mindport.lsp.transport import accept_one, serve_streams, socket_streams, standard_streams
from mindport.lsp.uris import file_of
from mindport.lsp.user_messages import ClientLog, Messages
from mindport.lsp.worker import Worker
from mindport.lsp.workspace_diagnostics import WorkspaceDiagnostics

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.language import Language

_LOGGER = logging.getLogger(__name__)
_PACKAGE_LOGGER = logging.getLogger("mindport")
_Result = TypeVar("_Result")


class MindportServer(LanguageServer):
    """One server for one client. Its state is changed on the thread of its event loop only."""

    protocol: MindportProtocol
    loop: asyncio.AbstractEventLoop

    def __init__(self) -> None:
        super().__init__(
            "mindport",
            mindport.__version__,
            notebook_document_sync=notebooks.SYNC,
            protocol_cls=MindportProtocol,
        )
        self.client = Client()
        self.documents = Documents()
        self.engine = Engine()
        self.packages = Packages(self)
        self.call_facts = CallFacts(self)
        self.worker = Worker()
        self.scans = Scans()
        self.previews = convert_preview.Previews()
        self.messages = Messages(self.notify)
        self.diagnostics = Diagnostics(self)
        self.workspace_diagnostics = WorkspaceDiagnostics(self)
        self.configuration = configuration.Configuration(self)
        self.ready = asyncio.Event()
        """Set once the catalog and the settings are there."""
        self._log = ClientLog(self.notify)
        self._stopped: asyncio.Future[int] | None = None
        self._thread: int | None = None
        parts = (
            configuration,
            documents,
            notebooks,
            files,
            hover,
            code_actions,
            completion,
            commands,
            convert_commands,
            convert_preview,
            export_command,
            scan_command,
            file_findings,
            scan_results,
            target_choices,
        )
        for part in parts:
            part.register(self)

    @property
    def language(self) -> Language:
        """The language of all messages."""
        return self.messages.language

    def set_client(self, client: Client) -> None:
        """Take up what the client can do."""
        self.client = client
        self.diagnostics = Diagnostics(self)

    def attach(self, loop: asyncio.AbstractEventLoop) -> asyncio.Future[int]:
        """Begin to serve on `loop`. The future is the exit code, once the server has been stopped."""
        self.loop = loop
        self._thread = threading.get_ident()
        self._stopped = loop.create_future()
        _PACKAGE_LOGGER.addHandler(self._log)
        if _PACKAGE_LOGGER.getEffectiveLevel() > logging.INFO:
            _PACKAGE_LOGGER.setLevel(logging.INFO)
        return self._stopped

    def detach(self) -> None:
        """End all work."""
        _PACKAGE_LOGGER.removeHandler(self._log)
        self.protocol.writer = None
        self.worker.stop()
        self.packages.stop()

    def stop(self, exit_code: int) -> None:
        """Stop serving."""
        if self._stopped is not None and not self._stopped.done():
            self._stopped.set_result(exit_code)

    def hung_up(self) -> None:
        """The client is gone without a word."""
        self.stop(0 if self.protocol.shutting_down else 1)

    def on_loop(self, function: Callable[..., None], *arguments: object) -> None:
        """Call `function` on the server's own thread: soon, or at once if this is it. May be called on any
        thread."""
        if threading.get_ident() == self._thread:
            function(*arguments)
            return
        try:
            self.loop.call_soon_threadsafe(function, *arguments)
        except (AttributeError, RuntimeError):
            return  # not started yet, or stopped already: nobody is there to be told

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification. May be called on any thread."""
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params})
        self.on_loop(self.protocol.send_text, body)

    def tell_of_change(self) -> None:
        """Settings or files on disk have changed: what a scan found may hold no more. For clients that want
        to know. May be called on any thread."""
        if self.client.hears_of_changes:
            self.notify("mindport/refresh", {})

    async def work(self, work: Callable[[], _Result], background: bool = False) -> _Result:
        """Have something done on the worker's thread. Waiting work is dropped when this is cancelled."""
        return await asyncio.wrap_future(self.worker.submit(work, background=background))

    async def ask(
        self, snapshot: Snapshot, question: Callable[[FileFindings], _Result], otherwise: _Result
    ) -> _Result:
        """Ask something of what is found in a document, on the worker's thread.

        The answer is `otherwise` where looking at the document fails. Raises JsonRpcContentModified when the
        document has changed meanwhile.
        """
        await self.ready.wait()

        def answer() -> _Result:
            found = self.found(snapshot) if snapshot.is_current() else None
            if found is None:
                return otherwise
            try:
                return question(found)
            except JsonRpcContentModified:
                raise
            except Exception as error:  # noqa: BLE001 - told to the user, and the rest goes on
                self.report_internal_error(error, snapshot.uri)
                return otherwise

        result = await self.work(answer)
        if not snapshot.is_current():
            raise JsonRpcContentModified("The document has changed meanwhile")
        return result

    def found(self, snapshot: Snapshot) -> FileFindings | None:
        """What is found in a document (of a cell: in its whole notebook); None where looking at it fails,
        which is told to the user. On the worker's thread."""
        if not self.engine.is_usable:
            return None  # the user was told that nothing works
        try:
            found = self.engine.analyse(snapshot.path, snapshot.whole())
            self.packages.look_up_wanted()
            return found
        except Exception as error:  # noqa: BLE001 - told to the user, and the rest goes on
            self.report_internal_error(error, snapshot.uri)
            return None

    def report_internal_error(self, error: BaseException, uri: str) -> None:
        """Log an error of ours with its traceback, and show it once. May be called on any thread."""
        _LOGGER.error("Internal error %s", uri, exc_info=error)
        file = file_of(uri)
        self.messages.internal_error(error, uri if file is None else file.name)

    def notification_refused(self, message: dict[str, Any]) -> None:
        """A notification was malformed. If it was a change, our text is no longer the editor's."""
        if message["method"] != types.TEXT_DOCUMENT_DID_CHANGE:
            return
        params = message.get("params")
        document = params.get("textDocument") if isinstance(params, dict) else None
        uri = document.get("uri") if isinstance(document, dict) else None
        if isinstance(uri, str) and uri in self.documents.latest:
            documents.change_not_applied(self, uri, "malformed didChange")


def serve_stdio() -> int:
    """Serve one client over the process's standard streams. Returns the exit code."""
    _log_to_standard_error()
    return serve_streams(MindportServer(), standard_streams())


def serve_tcp(host: str, port: int) -> int:
    """Serve the first client that connects to `host` and `port` (0: a free one, told on standard error).
    Returns the exit code. Raises OSError when the address cannot be used."""
    _log_to_standard_error()

    def announce(waiting_host: str, waiting_port: int) -> None:
        print(f"mindport: {waiting_host}:{waiting_port}", file=sys.stderr, flush=True)

    with accept_one(host, port, announce) as connection:
        return serve_streams(MindportServer(), socket_streams(connection))


def _log_to_standard_error() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    # It tells of malformed messages with tracebacks; ours says in a line what it does with them.
    logging.getLogger("pygls.protocol").setLevel(logging.CRITICAL)
