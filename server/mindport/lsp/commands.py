"""The server's commands; `docs/protocol.md` describes each with its arguments and result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from mindport.language import Text
from mindport.lsp.configuration import Configuration
from mindport.lsp.progress import with_progress
from mindport.lsp.protocol import invalid_params
from mindport.lsp.uris import file_of, path_of
from mindport.source.decode import is_notebook, read_source
from mindport.source.document import Document
from mindport.source.error import TextError
from mindport.source.notebook_file import read_notebook

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.lsp.documents import Snapshot
    from mindport.lsp.state import ServerState

SHOW_CHECK = "mindport.showCheck"
"""What follows on a fix to review: the user is told what to check."""
REQUEST_FAILED = -32803
_DEFAULT_LIMIT = 20
_MOST_RESULTS = 200
_TARGET_SETTINGS = ("target", "device", "style")

_SCANNING = Text("MindPort: scanning {name}", "MindPort：正在扫描 {name}")
_NO_SUCH_COMMAND = Text("Unknown command: {name}.", "未知命令：{name}。")
_ARGUMENTS = Text("{command} takes {wanted}.", "{command} 的参数应为：{wanted}。")
A_URI = Text("the URI of a document", "文档的 URI")
_A_SENTENCE = Text("a sentence", "一句话")
_A_NAME = Text("an API name, or a rule code such as MP201", "接口名称，或 MP201 等规则代码")
_A_QUERY = Text(
    "a text to search for and, optionally, the maximum number of results (1 to 200)",
    "要搜索的文本，以及可选的结果数量上限（1 至 200）",
)
_A_TARGET = Text(
    'an object with one or more of "target", "device" and "style"',
    '含有 "target"、"device"、"style" 中一项或多项的对象',
)
_NO_VERSION = Text(
    "MindSpore {version} is not supported. Supported versions: {known}.",
    "不支持 MindSpore {version}。支持的版本：{known}。",
)
_NO_FILE = Text("{uri} is not open and is not a readable file.", "{uri} 未打开，也不是可读取的文件。")
_NOT_READY = Text("MindPort could not start; see the log.", "MindPort 未能启动，请查看日志。")


def register(server: ServerState) -> None:
    """Tell the server which commands there are."""
    server.feature(types.WORKSPACE_EXECUTE_COMMAND)(execute)
    server.command("mindport.scanFile")(scan_file)
    server.command("mindport.explain")(explain)
    server.command("mindport.searchApi")(search_api)
    server.command("mindport.setTarget")(set_target)
    server.command(SHOW_CHECK)(show_check)


def execute(ls: ServerState, params: types.ExecuteCommandParams) -> Awaitable[Any]:
    """The client asks for a command."""
    command: Callable[..., Awaitable[Any]] | None = ls.protocol.fm.commands.get(params.command)
    if command is None:
        raise invalid_params(_NO_SUCH_COMMAND.render(ls.language, name=params.command))
    return command(params.arguments or (), params.work_done_token)


async def show_check(ls: ServerState, arguments: Sequence[Any], token: Any) -> None:
    """`mindport.showCheck`: tell the user what to check about a fix that was made."""
    sentence = text_argument(ls, SHOW_CHECK, arguments, _A_SENTENCE, most=1)
    ls.messages.show(types.MessageType.Info, sentence)


def scan_file(ls: ServerState, arguments: Sequence[Any], token: Any) -> Awaitable[Any]:
    """`mindport.scanFile`: what is found in one document, as `scan --format json` says it."""
    uri = text_argument(ls, "mindport.scanFile", arguments, A_URI, most=1)

    def report(path: str, found: FileFindings) -> Any:
        from mindport.report.json_report import file_report

        return file_report(path, found, ls.engine.language)

    return with_progress(ls, found_in(ls, uri, report), _SCANNING, token, name=name_of(uri))


def found_in(ls: ServerState, uri: str, make: Callable[[str, FileFindings], Any]) -> Awaitable[Any]:
    """What `make` makes of a document's path and of what is found in it, on the worker's thread: in the text
    that it has now in the editor, or in the file."""
    return found_in_snapshot(ls, uri, ls.documents.open_at(uri), make)


async def found_in_snapshot(
    ls: ServerState, uri: str, snapshot: Snapshot | None, make: Callable[[str, FileFindings], Any]
) -> Any:
    """The same, of a text that was open before: as `snapshot` has it, else as it is on disk."""
    await wait_until_ready(ls)

    def scan() -> Any:
        path = path_of(uri) if snapshot is None else snapshot.path
        document = read_document(ls, uri) if snapshot is None else snapshot.whole()
        return make(path, ls.engine.analyse(path, document))

    try:
        return await ls.work(scan)
    except TextError as error:
        raise JsonRpcException(error.render(ls.language), REQUEST_FAILED) from error


def read_document(ls: ServerState, uri: str) -> Document:
    """The document as it is on disk. Raises SourceError, or JsonRpcException if it is no file."""
    file = file_of(uri)
    if file is None:
        raise JsonRpcException(_NO_FILE.render(ls.language, uri=uri), REQUEST_FAILED)
    if is_notebook(file):
        return read_notebook(file).document(uri)
    return Document.open(uri, read_source(file).text_utf8)


def explain(ls: ServerState, arguments: Sequence[Any], token: Any) -> Awaitable[Any]:
    """`mindport.explain`: the page about an API or a code."""
    name = text_argument(ls, "mindport.explain", arguments, _A_NAME, most=1)
    return _when_ready(ls, lambda: ls.engine.explain(name))


def search_api(ls: ServerState, arguments: Sequence[Any], token: Any) -> Awaitable[Any]:
    """`mindport.searchApi`: the APIs that fit a query."""
    query = text_argument(ls, "mindport.searchApi", arguments, _A_QUERY, most=2)
    limit = arguments[1] if len(arguments) > 1 and arguments[1] is not None else _DEFAULT_LIMIT
    if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= _MOST_RESULTS:
        raise wrong_arguments(ls, "mindport.searchApi", _A_QUERY)
    return _when_ready(ls, lambda: ls.engine.search(query, limit))


def set_target(ls: ServerState, arguments: Sequence[Any], token: Any) -> Awaitable[Any]:
    """`mindport.setTarget`: port to another version, device or style."""
    wanted = arguments[0] if len(arguments) == 1 else None
    if not isinstance(wanted, dict) or not wanted or not set(wanted) <= set(_TARGET_SETTINGS):
        raise wrong_arguments(ls, "mindport.setTarget", _A_TARGET)
    return _set_target(ls, wanted)


async def _set_target(ls: ServerState, wanted: dict[str, Any]) -> dict[str, Any]:
    await wait_until_ready(ls)
    _check_version(ls, wanted.get("target"))
    problem = await ls.work(lambda: ls.engine.problem_of(wanted))
    if problem is not None:
        raise invalid_params(problem.render(ls.language))
    ls.part(Configuration).target |= wanted
    settings = (await ls.part(Configuration).apply()).settings
    return {name: getattr(settings, name) for name in _TARGET_SETTINGS}


def _check_version(ls: ServerState, version: object) -> None:
    """Raises JsonRpcException for a version that is not known. It was chosen: no setting is wrong."""
    from mindport.catalog.target import VERSIONS, parse_version

    try:
        if isinstance(version, str):
            parse_version(version)
    except ValueError as error:
        known = ", ".join(reversed(VERSIONS))
        raise invalid_params(_NO_VERSION.render(ls.language, version=version, known=known)) from error


async def _when_ready(ls: ServerState, work: Callable[[], Any]) -> Any:
    await wait_until_ready(ls)
    return await ls.work(work)


async def wait_until_ready(ls: ServerState) -> None:
    """Wait for catalog and settings. Raises JsonRpcException if there are none."""
    await ls.ready.wait()
    if not ls.engine.is_usable:
        raise JsonRpcException(_NOT_READY.render(ls.language), REQUEST_FAILED)


def text_argument(ls: ServerState, command: str, arguments: Sequence[Any], wanted: Text, most: int) -> str:
    """The first argument, which must be a text. Raises JsonRpcException."""
    if not 1 <= len(arguments) <= most or not isinstance(arguments[0], str) or not arguments[0]:
        raise wrong_arguments(ls, command, wanted)
    return arguments[0]


def wrong_arguments(ls: ServerState, command: str, wanted: Text) -> JsonRpcException:
    """The answer to arguments that a command does not take."""
    return invalid_params(_ARGUMENTS.render(ls.language, command=command, wanted=wanted.render(ls.language)))


def name_of(uri: str) -> str:
    """What people call a document."""
    file = file_of(uri)
    return uri if file is None else file.name
