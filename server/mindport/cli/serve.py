"""`mindport serve`. Imports little: editors wait for it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from mindport.cli.arguments import Arguments, Command, Given
from mindport.cli.console import UsageError
from mindport.language import Language, Text

_HIGHEST_PORT = 65535
_ABOUT = Text("Run the language server.", "运行语言服务器。")
_STDIO = Text("Over standard input and output (the default).", "通过标准输入输出（默认）。")
_TCP = Text("HOST:PORT: serve the first client that connects.", "HOST:PORT：为第一个连接的客户端提供服务。")
_BAD_ADDRESS = Text(
    "Invalid value {value!r} for --tcp: expected HOST:PORT, such as 127.0.0.1:2087.",
    "选项 --tcp 的值 {value!r} 无效，应为 HOST:PORT，例如 127.0.0.1:2087。",
)
_ADDRESS_REFUSED = Text("Cannot listen on {value}: {reason}", "无法监听 {value}：{reason}")
_BOTH = Text("Use --stdio or --tcp, not both.", "--stdio 与 --tcp 只能二选一。")


def _add_arguments(arguments: Arguments) -> None:
    arguments.flag("--stdio", _STDIO)
    arguments.option("--tcp", metavar="HOST:PORT", text=_TCP)


def _run(given: Given, language: Language) -> int:
    return serve(given.stdio, given.tcp, language)


COMMANDS = (Command("serve", _ABOUT, _add_arguments, _run),)


def serve(stdio: bool, tcp: str | None, language: Language) -> int:
    """Serve one client. Returns the exit code. Raises UsageError for an address that cannot be used."""
    from mindport.lsp.protocol_types import load_protocol_types

    _leave_folder()
    load_protocol_types()
    if tcp is None:
        from mindport.lsp.server import serve_stdio

        return serve_stdio()
    if stdio:
        raise UsageError(_BOTH.render(language))
    host, port = _address(tcp, language)
    from mindport.lsp.server import serve_tcp

    try:
        return serve_tcp(host, port)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(_ADDRESS_REFUSED.render(language, value=tcp, reason=reason)) from error


def _leave_folder() -> None:
    """Go to Python's own folder. Editors start the server in the user's, from where Python would import when
    it is started for the server's workers; it may also be removed meanwhile. All paths that an editor says
    are absolute."""
    with suppress(OSError):
        os.chdir(Path(os.__file__).parent)


def _address(value: str, language: Language) -> tuple[str, int]:
    host, colon, port = value.rpartition(":")
    if not (colon and host and port.isascii() and port.isdigit() and int(port) <= _HIGHEST_PORT):
        raise UsageError(_BAD_ADDRESS.render(language, value=value))
    return host.strip("[]"), int(port)
