"""Where results and messages go, and in which language."""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mindport.language import LANGUAGES, Language, Text

if TYPE_CHECKING:
    from typing import TextIO

_ERROR = Text("mindport: error: {message}", "mindport：错误：{message}")
_WARNING = Text("mindport: warning: {message}", "mindport：警告：{message}")
_OPTION = "--language"


class UsageError(Exception):
    """The command line cannot be used as it is. The message is in the user's language already."""


def message_language(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> Language:
    """The language of messages before any settings are known: `--language` if it is valid, else that of the
    environment."""
    for position, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if name == _OPTION:
            value = value or next(iter(arguments[position + 1 :]), "")
            if value in LANGUAGES:
                return value
    return language_of_environment(environment)


def language_of_environment(environment: Mapping[str, str] = os.environ) -> Language:
    """The language that the environment asks for; English, where it asks for one that we do not have."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = environment.get(variable)
        if value:
            return "zh-cn" if value.lower().startswith("zh") else "en"
    if sys.platform == "win32":
        return "zh-cn" if (locale.getlocale()[0] or "").lower().startswith(("zh", "chinese")) else "en"
    return "en"


def error(message: str, language: Language) -> None:
    """Tell an error on standard error."""
    _say(_ERROR.render(language, message=message))


def warning(message: str, language: Language) -> None:
    """Tell a warning on standard error."""
    _say(_WARNING.render(language, message=message))


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def prepare_streams() -> None:
    """Let no character that the terminal does not have, and no odd name of a file, end the run."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def has_colour(stream: TextIO) -> bool:
    """Whether text for `stream` may be coloured: a terminal that can, unless NO_COLOR is set."""
    if os.environ.get("NO_COLOR") or not stream.isatty():
        return False
    from rich.console import Console

    console = Console(file=stream)
    return console.color_system is not None and not console.legacy_windows


def abandon_output() -> None:
    """Nobody reads standard output any more: let Python not complain about that when it ends."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
    except (OSError, ValueError):
        return  # no real stream, as in tests
