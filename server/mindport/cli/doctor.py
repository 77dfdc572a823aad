"""`mindport doctor`: which versions and settings are in force, and what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mindport.cli.arguments import Arguments, Command, Given
from mindport.cli.options import settings_for
from mindport.cli.output import StandardOutput
from mindport.language import Language, Text

_ABOUT = Text(
    "Show versions and active settings, and any problems with them.",
    "显示当前的版本与设置，以及其中的问题。",
)


def _add_arguments(arguments: Arguments) -> None:
    arguments.settings("language")


def _run(given: Given, language: Language) -> int:
    return doctor(given.settings, language)


COMMANDS = (Command("doctor", _ABOUT, _add_arguments, _run),)


def doctor(options: Mapping[str, object], language: Language) -> int:
    """Print what is in force in the current folder. Returns 1 when something mindport needs is missing, or
    MindSpore, which is there, cannot run with the NumPy that is there."""
    from mindport.app.environment import Examination

    settings, language = settings_for([], options, language)
    examination = Examination(language)
    lines = list(examination.lines(settings, Path.cwd()))
    with StandardOutput(is_utf8=False) as out:
        out.write("\n".join(lines) + "\n")
        out.flush()
    return 0 if examination.is_sound else 1
