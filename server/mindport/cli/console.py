"""Where results and messages go, and in which language."""

from __future__ import annotations

import errno
import locale
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from mindport.language import LANGUAGES, Language, Text

if TYPE_CHECKING:
    from typing import TextIO

_ERROR = Text("mindport: error: {message}", "mindport：错误：{message}")
_WARNING = Text("mindport: warning: {message}", "mindport：警告：{message}")
_OPTION = "--language"
_OUTPUT_ERRORS = (errno.ENOSPC, errno.EBADF, errno.EIO, errno.EFBIG, errno.EDQUOT)


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
    say(_ERROR.render(language, message=message))


def warning(message: str, language: Language) -> None:
    """Tell a warning on standard error."""
    say(_WARNING.render(language, message=message))


def say(message: str) -> None:
    """Write a line on standard error. Nobody can be told where that cannot be written; the exit code says
    it still."""
    with suppress(OSError, ValueError):
        print(message, file=sys.stderr, flush=True)


def open_closed_streams() -> None:
    """Put something in place of standard streams that were closed (`>&-`), which a file that is opened later
    would take otherwise: no input, an output that cannot be written to, and an error output that nobody
    reads."""
    for number, flags in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, flags), True)  # the lowest number that is free
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def is_output_failure(raised: OSError) -> bool:
    """Whether an error is one of writing to a stream: those about files have their names."""
    return raised.filename is None and raised.errno in _OUTPUT_ERRORS


def is_folder_gone() -> bool:
    """Whether the current folder does not exist any more."""
    try:
        os.getcwd()  # noqa: PTH109
    except OSError:
        return True
    return False


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
    """Standard output cannot be written any more: let Python not complain about that when it ends."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
    except (OSError, ValueError):
        return  # no real stream, as in tests
