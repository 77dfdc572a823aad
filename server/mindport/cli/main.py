"""The command line as a whole: its commands, and what ends a run."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

import mindport
from mindport.cli.arguments import HELP, Arguments, ArgumentsError, Command, Group
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
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.cli.help_page import HelpPage

COMMANDS: Final = (
    ("new", "new"),
    ("scaffold", "scaffold"),
    ("scan", "scan"),
    ("analyze", "analyze"),
    ("convert", "convert"),
    ("weights", "weights"),
    ("explain", "lookup"),
    ("explain-error", "explain_error"),
    ("search", "lookup"),
    ("serve", "serve"),
    ("pycharm", "pycharm"),
    ("doctor", "doctor"),
    ("completion", "completion"),
    ("mapping", "mapping"),
    ("verify", "verify"),
)
"""The commands, each with the module of this folder whose COMMANDS it is in."""
_NAME: Final = "mindport"
_INTERRUPTED: Final = 130
_NOT_ALL_DONE: Final = 2

_ABOUT = Text(
    "Port PyTorch code to MindSpore: find what has to change, see why, and change it.",
    "将 PyTorch 代码迁移到 MindSpore：找出需要修改之处，说明原因，并完成修改。",
)
_VERSION = Text("Show the version.", "显示版本。")
_TRY_HELP = Text("Try '{command} --help'.", "请尝试“{command} --help”。")
_UNKNOWN_COMMAND = Text("Unknown command: {name}", "未知命令：{name}")
_OUTPUT_FAILED = Text("Cannot write to standard output: {reason}", "无法写入标准输出：{reason}")
_NO_FOLDER = Text(
    "The current folder no longer exists. Change to another one and try again.",
    "当前文件夹已不存在。请切换到其他文件夹后重试。",
)


def main(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit code: 0 if all was done, 1 for findings that were asked for or
    something not found, 2 if not everything was done, 130 after an interrupt."""
    prepare_streams()
    language = message_language(arguments)
    try:
        code = _run(_Menu(_NAME, _ABOUT, _Registered()), list(arguments), language)
        sys.stdout.flush()
    except UsageError as wrong:
        error(str(wrong), language)
        if isinstance(wrong, ArgumentsError):
            say(_TRY_HELP.render(language, command=wrong.command))
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
    return code


class _Registered(Mapping[str, Command | Group]):
    """The commands by name, imported when they are asked for."""

    def __getitem__(self, name: str) -> Command | Group:
        commands: Sequence[Command | Group] = import_module(f"mindport.cli.{dict(COMMANDS)[name]}").COMMANDS
        return next(one for one in commands if one.name == name)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class _Menu(NamedTuple):
    """Commands to choose from."""

    path: str
    about: Text
    commands: Mapping[str, Command | Group]

    def arguments(self, language: Language) -> Arguments:
        """The options in front of the command."""
        arguments = Arguments(self.path, language)
        if self.path == _NAME:
            arguments.flag("--version", _VERSION)
        return arguments

    def help_page(self, language: Language) -> HelpPage:
        """The help with all commands."""
        rows = [(name, one.about, None) for name, one in self.commands.items()]
        return self.arguments(language).help_page(self.about, rows)


def _run(menu: _Menu, words: list[str], language: Language) -> int:
    """Run what is chosen, which is the first word that is no option."""
    options = list(takewhile(lambda word: word.startswith("-") and word != "--", words))
    if options:
        return _run_options(menu, options, language)
    rest = words[1:] if words[:1] == ["--"] else words
    if not rest:
        _show(menu.help_page(language), language)
        return _NOT_ALL_DONE
    name, *others = rest
    if name not in menu.commands:
        raise menu.arguments(language).error(_UNKNOWN_COMMAND, name=name)
    chosen, path = menu.commands[name], f"{menu.path} {name}"
    if isinstance(chosen, Group):
        commands = {command.name: command for command in chosen.commands}
        return _run(_Menu(path, chosen.about, commands), others, language)
    return _run_command(chosen, path, others, language)


def _run_options(menu: _Menu, options: Sequence[str], language: Language) -> int:
    """Show what the options in front of a command ask for."""
    if HELP in options:
        _show(menu.help_page(language), language)
    else:
        menu.arguments(language).parse(options)
        print(f"{_NAME} {mindport.__version__}")
    return 0


def _run_command(command: Command, path: str, words: Sequence[str], language: Language) -> int:
    arguments = Arguments(path, language)
    command.add_arguments(arguments)
    if HELP in takewhile(lambda word: word != "--", words):
        _show(arguments.help_page(command.about), language)
        return 0
    return command.run(arguments.parse(words), language)


def _show(page: HelpPage, language: Language) -> None:
    from mindport.cli.help_page import help_width

    print(page.render(language, help_width()), end="")


def _ended_by(raised: Exception, language: Language) -> int:
    """The exit code after an error of the catalog or of the system, told in the user's language. Anything
    else is raised again."""
    from mindport.catalog.index import IndexFileError

    if isinstance(raised, IndexFileError):
        error(str(raised), language)
        return _NOT_ALL_DONE
    if isinstance(raised, OSError):
        if is_output_failure(raised):
            return _output_failed(raised.strerror or str(raised), language)
        if is_folder_gone():
            error(_NO_FOLDER.render(language), language)
            return _NOT_ALL_DONE
    raise raised


def _output_failed(reason: str, language: Language) -> int:
    error(_OUTPUT_FAILED.render(language, reason=reason), language)
    abandon_output()
    return _NOT_ALL_DONE
