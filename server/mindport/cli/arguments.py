"""What a command consists of, and its options and arguments; those for settings are made from the table of
settings."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mindport.cli.console import UsageError
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.cli.help_page import HelpPage, Row


class Command(NamedTuple):
    """A command. `run` returns the exit code."""

    name: str
    about: Text
    add_arguments: Callable[[Arguments], None]
    run: Callable[[Given, Language], int]


class Group(NamedTuple):
    """A command that has commands of its own."""

    name: str
    about: Text
    commands: Sequence[Command]


OF_A_TARGET: Final = ("target", "device", "style", "language")
"""The settings that an answer about an API depends on."""
HELP: Final = "--help"
Given = argparse.Namespace
"""What was given: by the name of each option, of the argument, and all settings as `settings`."""

_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}")
_PATHS = Text("Files and folders.", "文件和文件夹。")
_HELP = Text("Show this help.", "显示此帮助。")
_UNKNOWN_OPTION = Text("Unknown option: {name}", "未知选项：{name}")
_NO_VALUE = Text("Option {name} needs a value.", "选项 {name} 缺少值。")
_NEEDLESS_VALUE = Text("Option {name} takes no value.", "选项 {name} 不接受值。")
_NO_NUMBER = Text(
    "Invalid value {value!r} for {name}: expected an integer.",
    "选项 {name} 的值 {value!r} 无效，应为整数。",
)
_MISSING = Text("Missing argument: {name}", "缺少参数：{name}")
_TOO_MANY = Text("Unexpected argument: {name}", "多余的参数：{name}")


class ArgumentsError(UsageError):
    """A command has other arguments than those that were given."""

    def __init__(self, message: str, command: str) -> None:
        super().__init__(message)
        self.command = command


class _Argument(NamedTuple):
    """What is given by its place."""

    name: str
    metavar: str
    kind: Callable[[str], object]
    is_many: bool
    is_needed: bool


class Arguments:
    """What is added is understood, and stands in the help."""

    def __init__(self, command: str, language: Language) -> None:
        self._command = command
        self._language = language
        # Formatters that are made with a width of their own do not ask for that of the terminal.
        self._parser = argparse.ArgumentParser(
            prog=command,
            add_help=False,
            allow_abbrev=False,
            exit_on_error=False,
            formatter_class=lambda prog: argparse.HelpFormatter(prog, width=80),
        )
        self._argument: _Argument | None = None
        self._flags: set[str] = set()
        self._settings: tuple[str, ...] = ()
        self._argument_rows: list[Row] = []
        self._option_rows: list[Row] = []

    def argument(
        self,
        name: str,
        metavar: str,
        text: Text,
        kind: Callable[[str], object] = str,
        is_many: bool = False,
        is_needed: bool = True,
    ) -> None:
        """What is given by its place: one value, or a list with `is_many`. A command has one at most."""
        self._argument = _Argument(name, metavar, kind, is_many, is_needed)
        self._argument_rows.append((metavar, text, None))

    def paths(self) -> None:
        """The files and folders that a command works on."""
        self.argument("paths", "PATH...", _PATHS, Path, is_many=True)

    def option(
        self,
        *names: str,
        metavar: str,
        text: Text,
        default: object = None,
        kind: Callable[[str], object] = str,
        is_many: bool = False,
    ) -> None:
        """An option with a value. With `is_many` it may be given several times, which gives a list."""
        convert = self._number(names[0]) if kind is int else kind
        self._parser.add_argument(
            *names, default=default, type=convert, action="append" if is_many else "store"
        )
        self._option_rows.append((f"{', '.join(sorted(names, key=len))} {metavar}", text, default))

    def flag(self, name: str, text: Text) -> None:
        """An option that is given or not."""
        self._add_flag(name, action="store_true")
        self._option_rows.append((name, text, None))

    def settings(self, *names: str) -> None:
        """The options for settings of these names."""
        self._settings = names
        for name in names:
            self._setting(name)

    def parse(self, words: Sequence[str]) -> Given:
        """What the words say. Raises ArgumentsError."""
        end = words.index("--") if "--" in words else len(words)
        try:
            given, others = self._parser.parse_known_args(words[:end])
        except argparse.ArgumentError as error:
            name = error.argument_name or ""
            text = _NEEDLESS_VALUE if name in self._flags else _NO_VALUE
            raise self.error(text, name=name) from error
        for word in others:
            if word.startswith("-") and word != "-":
                raise self.error(_UNKNOWN_OPTION, name=word.partition("=")[0])
        self._place([*others, *words[end + 1 :]], given)
        given.settings = self._given_settings(given)
        return given

    @property
    def option_rows(self) -> Sequence[Row]:
        """The options as the help shows them, but for that of the help."""
        return self._option_rows

    def help_page(self, about: Text, commands: Sequence[Row] = ()) -> HelpPage:
        """What is to be shown as help."""
        from mindport.cli.help_page import HelpPage

        options = (*self._option_rows, (HELP, _HELP, None))
        return HelpPage(self._command, about, self._argument_rows, options, commands)

    def error(self, text: Text, **values: object) -> ArgumentsError:
        """An error that refers to the help of the command."""
        return ArgumentsError(text.render(self._language, **values), self._command)

    def _add_flag(self, name: str, action: Any) -> None:
        added = self._parser.add_argument(name, action=action)
        self._flags.add("/".join(added.option_strings))  # as errors name it

    def _setting(self, name: str) -> None:
        from mindport.project.setting_table import SETTINGS, option_of

        setting = SETTINGS[name]
        kind, option = setting.schema["type"], option_of(name)
        text = Text(setting.text.en.replace("`", ""), setting.text.zh_cn.replace("`", ""))
        if kind == "boolean":
            self._add_flag(option, argparse.BooleanOptionalAction)
            self._option_rows.append((f"{option}, --no-{option.removeprefix('--')}", text, None))
            return
        self.option(
            option,
            metavar="|".join(setting.schema.get("enum", (setting.metavar,))),
            text=text,
            kind=int if kind == "integer" else str,
            is_many=kind in ("array", "object"),
        )

    def _number(self, option: str) -> Callable[[str], int]:
        def number(value: str) -> int:
            if not _NUMBER.fullmatch(value):
                raise self.error(_NO_NUMBER, name=option, value=value)
            return int(value)

        return number

    def _place(self, words: Sequence[str], given: Given) -> None:
        argument = self._argument
        most = 0 if argument is None else len(words) if argument.is_many else 1
        if len(words) > most:
            raise self.error(_TOO_MANY, name=words[most])
        if argument is None:
            return
        if argument.is_needed and not words:
            raise self.error(_MISSING, name=argument.metavar)
        values = [argument.kind(word) for word in words]
        setattr(given, argument.name, values if argument.is_many else values[0] if values else None)

    def _given_settings(self, given: Given) -> dict[str, object]:
        if not self._settings:
            return {}
        from mindport.cli.options import as_settings
        from mindport.project.setting_table import option_of

        options = {name: option_of(name).removeprefix("--").replace("-", "_") for name in self._settings}
        return as_settings({name: getattr(given, option) for name, option in options.items()})
