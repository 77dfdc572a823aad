"""The protocol's lower level: messages in, answers out. What pygls does otherwise than we need is here.

- The texts of documents are ours (`documents`): pygls' own copies are slow and split lines wrongly, so its
  handlers for them are taken out.
- A handler is called at once when its message arrives, so that it can take the snapshot that the client
  meant. If it returns an awaitable, that gives the answer.
- Every request gets an answer, whatever it holds; nothing that arrives ends the server.
- JSON that exists already as text (`RawJson`) is sent as it is.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method

from mindport.lsp.uris import is_uri

if TYPE_CHECKING:
    from cattrs import Converter
    from pygls.lsp.server import LanguageServer

_LOGGER = logging.getLogger(__name__)
_REQUEST_CANCELLED = -32800
_IDENTIFIERS = {types.CANCEL_REQUEST: "id", types.WINDOW_WORK_DONE_PROGRESS_CANCEL: "token"}
"""The notifications about a request or a progress, with the parameter that names it."""
_OWN_METHODS = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
    types.WORKSPACE_EXECUTE_COMMAND,
)


class RawJson(str):
    """The result of a request as JSON text."""

    __slots__ = ()


class Host(ABC):
    """What the protocol tells of."""

    @abstractmethod
    def stop(self, exit_code: int) -> None:
        """Stop serving."""

    @abstractmethod
    def report_internal_error(self, error: BaseException, uri: str) -> None:
        """Tell of an error of ours."""

    @abstractmethod
    def notification_refused(self, message: dict[str, Any]) -> None:
        """A notification was malformed."""


class MindportProtocol(LanguageServerProtocol):
    """See the module's description."""

    _server: Any  # a LanguageServer that is a Host

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self._initialized = False
        self.arrived = 0
        """How many messages have arrived. Counted by the thread that reads."""
        self._received = 0
        self.plain_handlers: dict[str, Callable[[Any], bool]] = {}
        """By method, what takes up the parameters of a notification as they are in JSON, if they are as they
        mostly are. It returns False, with nothing done, where they are not, so that the handler is called
        by pygls, which takes longer."""
        for method in _OWN_METHODS:
            self.fm.builtin_features.pop(method, None)

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Answer with what the server can do."""
        if params.root_uri and not is_uri(params.root_uri):
            _LOGGER.warning("Ignored a root that is no URI: %.200r", params.root_uri)
            params.root_uri = None
        result = yield from super().lsp_initialize(params)
        commands = result.capabilities.execute_command_provider
        if commands is not None:
            commands.work_done_progress = True
        self._initialized = True
        return result

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: object) -> Generator[Any, Any, None]:
        """End the server: in order only if a shutdown was asked for before."""
        self._server.stop(0 if self._shutdown else 1)
        return
        yield  # a generator, as pygls has it

    @property
    def shutting_down(self) -> bool:
        """Whether the client has asked for a shutdown."""
        return self._shutdown

    def receive(self, body: bytes) -> None:
        """Handle the content of one message. Never raises."""
        self._received += 1
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            _LOGGER.warning("A message is not JSON: %s", error)
            self._answer_error(None, JsonRpcParseError(str(error)))
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            _LOGGER.warning("A message is not of JSON-RPC 2.0: %.200r", message)
            self._answer_error(_id_of(message), JsonRpcInvalidRequest("Not a JSON-RPC 2.0 message"))
            return
        try:
            self._handle(message)
        except JsonRpcException as error:
            self._refuse(message, error)
        except Exception as error:
            _LOGGER.exception("A message could not be handled: %.200r", message)
            self._refuse(message, JsonRpcInternalError(str(error)))

    def is_caught_up(self) -> bool:
        """Whether no message is waiting behind the one that is being handled."""
        return self._received >= self.arrived

    def _handle(self, message: dict[str, Any]) -> None:
        method = message.get("method")
        if method is not None:
            if not isinstance(method, str):
                raise JsonRpcInvalidRequest("The method is not a string")
            if not self._initialized and method not in (types.INITIALIZE, types.EXIT):
                raise JsonRpcServerNotInitialized("The server is not initialized")
            if self._initialized and method == types.INITIALIZE:
                raise JsonRpcInvalidRequest("The server is initialized already")
            if self._shutdown and method != types.EXIT:
                raise JsonRpcInvalidRequest("The server is shutting down")
            _check_identifier(method, message.get("params"))
            if "id" not in message and self._is_taken_up(method, message.get("params")):
                return
        self.handle_message(self.structure_message(message))

    def _is_taken_up(self, method: str, params: object) -> bool:
        take_up = self.plain_handlers.get(method)
        try:
            return take_up is not None and take_up(params)
        except Exception as error:  # noqa: BLE001 - told to the user, as that of a handler
            self._server.report_internal_error(error, "")
            return True

    def _refuse(self, message: dict[str, Any], error: JsonRpcException) -> None:
        if "method" in message and "id" in message:
            self._answer_error(_id_of(message), error)
        elif "method" in message:
            _LOGGER.warning("Ignored the notification %.60r: %s", message["method"], error.message)
            self._server.notification_refused(message)

    def _answer_error(self, msg_id: int | str | None, error: JsonRpcException) -> None:
        content: dict[str, Any] = {"code": error.code, "message": error.message}
        if error.data is not None:
            content["data"] = error.data
        self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "error": content})

    def _execute_handler(
        self,
        msg_id: int | str,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        if inspect.isgeneratorfunction(handler) or asyncio.iscoroutinefunction(handler):
            super()._execute_handler(msg_id, handler, callback, args, kwargs)
            return
        done: Future[Any] = Future()
        try:
            result = handler(*(args or ()), **(kwargs or {}))
        except Exception as error:  # noqa: BLE001 - becomes the answer
            done.set_exception(error)
            callback(done)
            return
        if inspect.isawaitable(result):
            task: Any = asyncio.ensure_future(result)
            self._request_futures[msg_id] = task
            task.add_done_callback(callback)
        else:
            done.set_result(result)
            callback(done)

    def _handle_cancel_notification(self, msg_id: int | str) -> None:
        future = self._request_futures.pop(msg_id, None)
        if future is not None:  # else answered already
            future.cancel()

    def _send_handler_result(self, future: Future[Any], *, msg_id: int | str) -> None:
        self._request_futures.pop(msg_id, None)
        if future.cancelled():
            self._answer_error(msg_id, JsonRpcException("The request was cancelled", _REQUEST_CANCELLED))
            return
        error = future.exception()
        if error is None:
            self._send_response(msg_id, future.result())
        elif isinstance(error, JsonRpcException):
            self._answer_error(msg_id, error)
        else:
            self._server.report_internal_error(error, "")
            self._answer_error(msg_id, JsonRpcInternalError(f"{type(error).__name__}: {error}"))

    def _check_handler_result(self, future: Future[Any]) -> None:
        error = None if future.cancelled() else future.exception()
        if error is not None:
            self._server.report_internal_error(error, "")

    def _send_response(
        self, msg_id: int | str, result: Any = None, error: types.ResponseError | None = None
    ) -> None:
        if error is not None:
            self._answer_error(msg_id, JsonRpcException(error.message, error.code, error.data))
        elif isinstance(result, RawJson):
            self.send_text(f'{{"jsonrpc":"2.0","id":{json.dumps(msg_id)},"result":{result}}}')
        else:
            self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "result": result})

    def _send_data(self, data: Any) -> None:
        self.send_text(json.dumps(data, default=self._serialize_message, separators=(",", ":")))

    def send_text(self, body: str) -> None:
        """Send a message given as JSON text. Only on the server's own thread."""
        if self.writer is None:
            return
        data = body.encode()
        try:
            self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
        except BrokenPipeError:  # the client is gone
            self._server.stop(1)
        except (OSError, ValueError) as error:
            self.writer = None
            _LOGGER.warning("The output cannot be written to: %s", error)
            self._server.stop(1)

    def workspace_edit(self, value: dict[str, Any]) -> types.WorkspaceEdit:
        """An edit, made of plain dictionaries and lists, as the protocol's type."""
        edit: types.WorkspaceEdit = self._converter.structure(value, types.WorkspaceEdit)
        return edit

    def plain(self, value: Any) -> dict[str, Any]:
        """A value of the protocol's types as plain dictionaries and lists."""
        unstructured: dict[str, Any] = self._converter.unstructure(value)
        return unstructured


def invalid_params(message: str) -> JsonRpcException:
    """The answer to a request whose arguments cannot be used."""
    return JsonRpcInvalidParams(message)


def _check_identifier(method: str, params: object) -> None:
    """Raises JsonRpcException for a notification about something that has no possible name."""
    name = _IDENTIFIERS.get(method)
    if name is not None and isinstance(params, dict) and not isinstance(params.get(name), (int, str)):
        raise JsonRpcInvalidParams(f"The {name} is neither a number nor a string")


def _id_of(message: object) -> int | str | None:
    found = message.get("id") if isinstance(message, dict) else None
    return found if isinstance(found, (int, str)) else None
