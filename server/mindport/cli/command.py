"""What a command consists of: its name, what is said of it, its arguments, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.cli.arguments import Arguments, Given


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
