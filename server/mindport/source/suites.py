"""The statements of a suite, and the header of a compound statement, in text that does not parse.

The indentation and the first words of lines say where statements may start; the parser judges whether what
stands between is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from mindport.source.statement_lines import (
    TRIPLE_QUOTES,
    indentation,
    is_behind_empty_line,
    starts,
    stray_line,
    where_closed,
)
from mindport.source.syntax import parse, parse_member, parse_replaced

if TYPE_CHECKING:
    from tree_sitter import Tree

_COMPOUND: Final = re.compile(
    rb"[ \t\x0c]*(?:@|(?:def|class|if|for|while|with|try|match|case|async|elif|else|except|finally)\b)"
)
_MOST_HEADERS: Final = 3
"""As many lines that end with a colon are tried as the end of a header."""


class Suites:
    """Looks into texts. The trees of their parts are kept, by text; those that are known are used again."""

    def __init__(self, known: dict[bytes, Tree], known_members: dict[bytes, Tree]) -> None:
        self._known = known
        self._known_members = known_members
        self.trees: dict[bytes, Tree] = {}
        self.member_trees: dict[bytes, Tree] = {}
        self._broken_members: set[bytes] = set()

    def tree(self, text: bytes) -> Tree:
        """The syntax tree of a text."""
        tree = self.trees.get(text)
        if tree is None:
            tree = self.trees[text] = self._known.get(text) or parse(text)
        return tree

    def keep(self, text: bytes) -> None:
        """Keep what is known of a text that is not looked into this time."""
        if text in self._known:
            self.trees[text] = self._known[text]
        if text in self._known_members:
            self.member_trees[text] = self._known_members[text]

    def member_tree(self, text: bytes) -> Tree:
        """The syntax tree of statements in the body of a class: they are in one that takes no room."""
        tree = self.member_trees.get(text)
        if tree is None:
            tree = self._known_members.get(text) or parse_member(text)
            self.member_trees[text] = tree
        return tree

    def broken_tree(self, text: bytes) -> Tree:
        """The syntax tree of a statement that is broken. A string that it leaves open reaches to its end."""
        for quotes in TRIPLE_QUOTES:
            if text.count(quotes) % 2:
                closed = text.rstrip() + quotes
                if self.parses(closed):
                    return parse_replaced(closed, [(len(closed) - len(quotes), len(quotes), b"")])
        return self.tree(text)

    def parses_as_member(self, text: bytes) -> bool:
        """Whether a text parses in the body of a class."""
        return text not in self._broken_members and not self.member_tree(text).root_node.has_error

    def parses_in(self, header: bytes, text: bytes) -> bool:
        """Whether the first statements of the body of a class parse, behind its header, which parses."""
        if self.parses(header + text):
            return True
        self._broken_members.add(text)
        return False

    def parses(self, text: bytes) -> bool:
        """Whether a text parses by itself."""
        return not self.tree(text).root_node.has_error

    def statements(self, text: bytes, most: int, judge: Callable[[bytes], bool]) -> Iterator[tuple[int, int]]:
        """Where the statements of a suite start and end, whose indentation is `most` characters. `judge` says
        whether one is sound."""
        bounds = [*starts(text, most), len(text)]
        last = 0
        while last < len(bounds) - 1:
            first, last = last, last + 1
            start = bounds[first]
            if not judge(text[start : bounds[last]]):
                closed = where_closed(text, bounds, first) or last
                if closed > last and judge(text[start : bounds[closed]]):
                    last = closed
                else:
                    is_compound = _COMPOUND.match(text, start) is not None
                    for stop in dict.fromkeys((closed, last)):
                        stray = stray_line(text, bounds[stop - 1], bounds[stop], most, is_compound)
                        if stray is not None and judge(text[start : stray[0]]):
                            last = stop
                            yield from _not_empty((start, stray[0]), stray)
                            start = stray[1]
                            break
                    if not is_compound:
                        last = _after_open_string(text, bounds, last)
            yield from _not_empty((start, bounds[last]))

    def header_end(self, text: bytes, start: int, end: int, before: bytes = b"") -> tuple[int, bool]:
        """Where the last line of a compound statement's header ends, and whether the header parses behind
        `before`. A broken one ends with the line that closes its bracket, else with its first."""
        indented = indentation(text, start)
        first_end = text.find(b"\n", start, end) + 1 or end
        closing = first_end
        tried = 0
        line = start
        while line < end and tried < _MOST_HEADERS:
            line_end = text.find(b"\n", line, end) + 1 or end
            code = _without_comment(text[line:line_end])
            if code.endswith(b":"):
                tried += 1
                if self.parses(before + text[start:line_end].strip() + b"\n  pass\n"):
                    return line_end, True
                closes = code.lstrip()[:1] in (b")", b"]") and indentation(text, line) <= indented
                if closes and closing == first_end:
                    closing = line_end
            line = line_end
        return closing, False


def _without_comment(line: bytes) -> bytes:
    """A line of code without its comment, so far as its last character tells."""
    code = line.rstrip()
    return code if code.endswith(b":") else code.partition(b"#")[0].rstrip()


def _not_empty(*places: tuple[int, int]) -> Iterator[tuple[int, int]]:
    return (place for place in places if place[0] < place[1])


def _after_open_string(text: bytes, bounds: list[int], last: int) -> int:
    """Where among `bounds` a broken statement ends that ends at `last` so far: if it opens a string of
    several lines, an empty line ends that."""
    part = text[bounds[last - 1] : bounds[last]]
    if not any(part.count(quotes) % 2 for quotes in TRIPLE_QUOTES):
        return last
    while last < len(bounds) - 1 and not is_behind_empty_line(text, bounds[last]):
        last += 1
    return last
