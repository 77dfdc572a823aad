"""The command line as a whole: what it runs, and what ends a run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from mindport.cli.console import (
    UsageError,
    abandon_output,
    error,
    is_folder_gone,
    is_output_failure,
    message_language,
    prepare_streams,
    say,
)
from mindport.cli.output import OutputClosedError, OutputFailedError
from mindport.cli.plain_scan import plain_scan, run_scan
from mindport.language import Language, Text

_INTERRUPTED = 130
_NOT_ALL_DONE = 2

_TRY_HELP = Text("Try '{command} --help'.", "请尝试“{command} --help”。")
_NO_SUCH_OPTION = Text("There is no option {name}.", "没有选项 {name}。")
_NO_SUCH_COMMAND = Text("There is no such command: {name}", "没有这个命令：{name}")
_MISSING = Text("{name} is missing.", "缺少 {name}。")
_OUTPUT_FAILED = Text("Cannot write to standard output: {reason}", "无法写入标准输出：{reason}")
_NO_FOLDER = Text(
    "The current folder does not exist any more. Change to another one, then try again.",
    "当前文件夹已不存在。请切换到其他文件夹后重试。",
)
_BAD_VALUE = Text("The value of {name} is not valid.", "{name} 的值无效。")


def main(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit code: 0 if all was done, 1 for findings that were asked for or
    something not found, 2 if not everything was done, 130 after an interrupt."""
    prepare_streams()
    language = message_language(arguments)
    try:
        code = _run(arguments, language)
        sys.stdout.flush()
    except UsageError as wrong:
        error(str(wrong), language)
        return _NOT_ALL_DONE
    except (OutputClosedError, BrokenPipeError):
        abandon_output()
        return 0
    except OutputFailedError as failed:
        return _output_failed(str(failed), language)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception as raised:  # noqa: BLE001 - raised again unless it is to be told
        return _ended_by(raised, language)
    return code if isinstance(code, int) else 0


def _run(arguments: Sequence[str], language: Language) -> object:
    plain = plain_scan(arguments)
    if plain is not None:
        return run_scan(plain, language)
    from mindport.cli.commands import build_app

    return build_app(language)(list(arguments), prog_name="mindport", standalone_mode=False)


def _ended_by(raised: Exception, language: Language) -> int:
    """The exit code after an error of the library for command lines, told in the user's language, or of the
    catalog. Anything else is raised again."""
    from mindport.catalog.index import IndexFileError

    if type(raised).__name__ == "Abort":
        return _INTERRUPTED
    if isinstance(raised, IndexFileError):
        error(str(raised), language)
        return _NOT_ALL_DONE
    if isinstance(raised, OSError):
        if is_output_failure(raised):
            return _output_failed(raised.strerror or str(raised), language)
        if is_folder_gone():
            error(_NO_FOLDER.render(language), language)
            return _NOT_ALL_DONE
    if not hasattr(raised, "format_message"):
        raise raised
    context: Any = getattr(raised, "ctx", None)
    error(_usage_message(raised, language), language)
    command = context.command_path if context is not None else "mindport"
    say(_TRY_HELP.render(language, command=command))
    return _NOT_ALL_DONE


def _output_failed(reason: str, language: Language) -> int:
    error(_OUTPUT_FAILED.render(language, reason=reason), language)
    abandon_output()
    return _NOT_ALL_DONE


def _usage_message(raised: Any, language: Language) -> str:
    """The message of the library; in Chinese, our own sentence for what is usual."""
    message: str = raised.format_message()
    if language == "en":
        return message
    kind = type(raised).__name__
    parameter = getattr(raised, "param", None)
    if kind == "NoSuchOption":
        return _NO_SUCH_OPTION.render(language, name=raised.option_name)
    if kind in ("MissingParameter", "BadParameter") and parameter is not None:
        is_argument = not parameter.opts[0].startswith("-")
        name = parameter.metavar if is_argument else parameter.opts[0]
        return (_MISSING if kind == "MissingParameter" else _BAD_VALUE).render(language, name=name)
    if message.startswith("No such command"):
        return _NO_SUCH_COMMAND.render(language, name=message.partition("'")[2].rpartition("'")[0])
    return message
