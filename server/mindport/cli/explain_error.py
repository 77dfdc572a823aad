"""`mindport explain-error`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from mindport.cli.arguments import OF_A_TARGET, Arguments, Command, Given
from mindport.cli.console import UsageError
from mindport.cli.lookup import show
from mindport.cli.options import settings_for
from mindport.language import Language, Text

_ABOUT = Text(
    "Explain a MindSpore error: its cause, what to do, and findings at the traceback's lines.",
    "解释 MindSpore 报错：原因、处理方法，以及调用栈中各行的检查结果。",
)
_FILE = Text(
    "File with the message or traceback, such as a log; `-` or omitted: standard input.",
    "含有错误信息或调用栈的文件，例如日志；`-` 或省略表示标准输入。",
)
_UNREADABLE = Text("Cannot read {path}: {reason}", "无法读取 {path}：{reason}")
_EMPTY = Text(
    "No error message. Give a file, or pipe one: python train.py 2>&1 | mindport explain-error",
    "没有错误信息。请给出文件，或通过管道传入：python train.py 2>&1 | mindport explain-error",
)


def _add_arguments(arguments: Arguments) -> None:
    arguments.argument("file", "FILE", _FILE, is_needed=False)
    arguments.settings(*OF_A_TARGET)


def _run(given: Given, language: Language) -> int:
    return explain_error(given.file or "-", given.settings, language)


COMMANDS = (Command("explain-error", _ABOUT, _add_arguments, _run),)


def explain_error(file: str, options: Mapping[str, object], language: Language) -> int:
    """Print what the message in a file or on standard input means. Returns 1 when it is not known."""
    settings, language = settings_for([], options, language)
    text = _text_of(file, language)
    if not text.strip():
        raise UsageError(_EMPTY.render(language))
    from mindport.app import explain_error as app
    from mindport.catalog.catalog import Catalog

    page = app.explain_error(text, Catalog.load(), settings, language)
    show(page.text)
    return 0 if page.is_known else 1


def _text_of(file: str, language: Language) -> str:
    if file == "-":
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    try:
        return Path(file).read_text("utf-8", errors="replace")
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(_UNREADABLE.render(language, path=file, reason=reason)) from error
