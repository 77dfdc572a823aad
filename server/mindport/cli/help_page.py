"""The help of a command: plain text in columns, also with wide characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mindport.language import Language, Text

_NARROWEST: Final = 40
_WIDEST: Final = 100
_USUAL: Final = 80
_MOST_LEFT: Final = 30
"""What is longer stands on a line of its own."""
_GAP: Final = 2
Row = tuple[str, Text, object]
"""An option, an argument or a command, what is said of it, and its default."""
_USAGE = Text("Usage: {usage}", "用法：{usage}")
_USAGE_OPTIONS = Text("[OPTIONS]", "[选项]")
_USAGE_COMMAND = Text("COMMAND ...", "命令 ...")
_ARGUMENTS = Text("Arguments:", "参数：")
_OPTIONS = Text("Options:", "选项：")
_COMMANDS = Text("Commands:", "命令：")
_DEFAULT = Text("{text} (default: {default})", "{text}（默认：{default}）")
_NOT_FIRST: Final = "，。、；：！？）】》”’"
_NOT_LAST: Final = "（【《“‘"
_PART: Final = (
    rf"[{_NOT_LAST}]*(?:[\u2e80-\u9fff\uff00-\uffef]|[^\s\u2e80-\u9fff\uff00-\uffef{_NOT_LAST}]+)"
    rf"[{_NOT_FIRST}]*|\s+|."
)
"""What stays on one line: a word, a Chinese character, with the punctuation around it."""


class HelpPage(NamedTuple):
    """The help of a command, in parts."""

    command: str
    about: Text
    arguments: Sequence[Row]
    options: Sequence[Row]
    commands: Sequence[Row]

    def render(self, language: Language, width: int) -> str:
        """The help as text, with lines of at most `width` columns where that is possible."""
        lines = [*_wrapped(self._usage(language), width), "", *_wrapped(self.about.render(language), width)]
        sections = ((_COMMANDS, self.commands), (_ARGUMENTS, self.arguments), (_OPTIONS, self.options))
        for heading, rows in sections:
            if rows:
                lines += ["", heading.render(language), *_columns(rows, language, width)]
        return "\n".join(lines) + "\n"

    def _usage(self, language: Language) -> str:
        parts = [self.command, _USAGE_OPTIONS.render(language), *(name for name, _, _ in self.arguments)]
        if self.commands:
            parts.append(_USAGE_COMMAND.render(language))
        return _USAGE.render(language, usage=" ".join(parts))


def help_width() -> int:
    """The width that help should have here: that of the terminal (or of COLUMNS), within reason."""
    from shutil import get_terminal_size

    return max(_NARROWEST, min(get_terminal_size((_USUAL, 0)).columns, _WIDEST))


def display_width(text: str) -> int:
    """How many columns a terminal needs for the text: two for a wide character."""
    from unicodedata import east_asian_width

    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def _columns(rows: Sequence[Row], language: Language, width: int) -> Iterator[str]:
    widths = [display_width(name) for name, _, _ in rows]
    most = min(_MOST_LEFT, width // 2)
    left = max((each for each in widths if each <= most), default=most) + _GAP
    indent = " " * (_GAP + left)
    for (name, text, default), own in zip(rows, widths, strict=True):
        first, *others = _wrapped(_said(text, default, language), width - len(indent))
        shown = " " * _GAP + name
        yield from (shown, indent + first) if own > most else (shown + " " * (left - own) + first,)
        yield from (indent + line for line in others)


def _said(text: Text, default: object, language: Language) -> str:
    said = text.render(language)
    return said if default is None else _DEFAULT.render(language, text=said, default=default)


def _wrapped(text: str, width: int) -> Iterator[str]:
    """The text in lines of at most `width` columns, where its words allow that."""
    line = ""
    for part in re.findall(_PART, text):
        if line and display_width(line + part.rstrip()) > width:
            yield line.rstrip()
            line = ""
        line += part if line else part.lstrip()
    yield line.rstrip()
