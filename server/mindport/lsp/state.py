"""What the parts of the language server share."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified
from pygls.lsp.server import LanguageServer

import mindport
from mindport.language import Text
from mindport.lsp.client import Client
from mindport.lsp.documents import NOTEBOOK_SYNC, Documents, Snapshot
from mindport.lsp.engine import Engine
from mindport.lsp.garbage import Garbage
from mindport.lsp.protocol import Host, MindportProtocol
from mindport.lsp.uris import file_of
from mindport.lsp.user_messages import ClientLog, Messages
from mindport.lsp.worker import Worker

if TYPE_CHECKING:
    from mindport.app.convert_document import Converted
    from mindport.app.scan import Scan
    from mindport.assess.file_findings import FileFindings
    from mindport.language import Language
    from mindport.source.lines import PositionError

_LOGGER = logging.getLogger(__name__)
_PACKAGE_LOGGER = logging.getLogger("mindport")
_Result = TypeVar("_Result")
_Part = TypeVar("_Part")
_Kept = TypeVar("_Kept")
_MOST_SCANS = 3
"""A scan of a large project is kept in some ten million bytes."""
_MOST_PREVIEWS = 2
"""The one that is shown, and the one that takes its place."""
_CHANGE_NOT_APPLIED = Text(
    "The editor sent a change to {name} that does not fit its text, so MindPort keeps the previous "
    "text. Close and reopen the file to fix this. ({reason})",
    "编辑器发送的对 {name} 的更改与其文本不符，MindPort 将继续使用更改前的文本。请关闭并重新打开该文件以"
    "恢复正常。（{reason}）",
)


class Latest(Generic[_Kept]):
    """The latest few of something, by identity: at most `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[str, _Kept] = {}

    def add(self, identity: str, kept: _Kept) -> None:
        """Keep one more. The one that was added or asked for longest ago may go."""
        self._kept[identity] = kept
        while len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]

    def get(self, identity: str) -> _Kept | None:
        """What has this identity; None if it is not kept (any more)."""
        kept = self._kept.pop(identity, None)
        if kept is not None:
            self._kept[identity] = kept  # it is in use: others go first
        return kept

    def drop(self, identity: str) -> None:
        """Keep it no more."""
        self._kept.pop(identity, None)


class ServerState(LanguageServer, Host):
    """What the parts of a server share: one server for one client. Changed on the thread of its loop only."""

    protocol: MindportProtocol
    loop: asyncio.AbstractEventLoop

    def __init__(self) -> None:
        super().__init__(
            "mindport",
            mindport.__version__,
            notebook_document_sync=NOTEBOOK_SYNC,
            protocol_cls=MindportProtocol,
        )
        self.client = Client()
        self.documents = Documents(self._change_refused)
        self.engine = Engine(self.report_internal_error)
        self.worker = Worker()
        self.scans: Latest[Scan] = Latest(_MOST_SCANS)
        self.previews: Latest[Mapping[str, Converted]] = Latest(_MOST_PREVIEWS)
        """What would become of documents, by URI."""
        self.messages = Messages(self.notify)
        self.garbage = Garbage(self._call_later)
        self.ready = asyncio.Event()
        """Set once the catalog and the settings are there."""
        self._log = ClientLog(self.notify)
        self._stopped: asyncio.Future[int] | None = None
        self._thread: int | None = None
        self._parts: dict[type, object] = {}
        self.on_quiet: list[Callable[[], None]] = []
        """Called when something has changed that concerns all files, and nothing was typed for a while."""
        self.on_end: list[Callable[[], None]] = []
        """Called when the server stops."""

    def add(self, part: object) -> None:
        """Add a part of the server; it takes the place of another of its class."""
        self._parts[type(part)] = part

    def part(self, kind: type[_Part]) -> _Part:
        """The part of a class, which was added."""
        found = self._parts[kind]
        assert isinstance(found, kind)
        return found

    @property
    def language(self) -> Language:
        """The language of all messages."""
        return self.messages.language

    def attach(self, loop: asyncio.AbstractEventLoop) -> asyncio.Future[int]:
        """Begin to serve on `loop`. The future is the exit code, once the server has been stopped."""
        self.loop = loop
        self._thread = threading.get_ident()
        self._stopped = loop.create_future()
        self.documents.on_replaced.append(self.garbage.keep)
        self.worker.on_done.append(lambda: self.on_loop(self.garbage.clear_soon))
        _PACKAGE_LOGGER.addHandler(self._log)
        if _PACKAGE_LOGGER.getEffectiveLevel() > logging.INFO:
            _PACKAGE_LOGGER.setLevel(logging.INFO)
        return self._stopped

    def _call_later(self, seconds: float, function: Callable[[], None]) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, function)

    def detach(self) -> None:
        """End all work."""
        _PACKAGE_LOGGER.removeHandler(self._log)
        self.protocol.writer = None
        self.worker.stop()
        for end in self.on_end:
            end()

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
            found = self.engine.found(snapshot) if snapshot.is_current() else None
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
            self._change_not_applied(uri, "malformed didChange")

    def _change_refused(self, uri: str, error: PositionError) -> None:
        """A change does not fit the text of a document."""
        _LOGGER.warning("A change of %s was not applied: %s", uri, error)
        self._change_not_applied(uri, error.render(self.language))

    def _change_not_applied(self, uri: str, reason: str) -> None:
        """Tell the user that our text is no longer the editor's."""
        file = file_of(uri)
        name = uri if file is None else file.name
        self.messages.show_once(types.MessageType.Warning, _CHANGE_NOT_APPLIED, name=name, reason=reason)
