"""Text that does not parse, cut into pieces that are parsed by themselves.

An error then spoils only the piece it is in, and after a keystroke only that piece is parsed again. Text that
parses is one piece.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from mindport.source.syntax import parse

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

_BEGINNING = re.compile(rb"^(?:@|class\b|def\b|async\b)", re.MULTILINE)
_QUOTES = (b'"""', b"'''")


class Piece(NamedTuple):
    """A piece of a document: where it starts (bytes), its text, and the root of its syntax tree."""

    start: int
    data: bytes
    root: Node


def cut(data: bytes, known: dict[bytes, Tree]) -> tuple[tuple[Piece, ...], dict[bytes, Tree]]:
    """The pieces of `data`, and their trees by their texts. Trees of `known` are used again."""
    starts = _starts(data)
    trees: dict[bytes, Tree] = {}
    pieces = []
    for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
        text = data[start:end]
        tree = trees.get(text) or known.get(text) or parse(text)
        trees[text] = tree
        pieces.append(Piece(start, text, tree.root_node))
    return tuple(pieces), trees


def _starts(data: bytes) -> list[int]:
    """Where pieces start: at functions and classes of the top level, with their decorators."""
    lines = data if b"\r" not in data else data.replace(b"\r\n", b" \n").replace(b"\r", b"\n")
    starts = [0]
    position, in_string, decorated = 0, False, False
    for match in _BEGINNING.finditer(lines):
        start = match.start()
        in_string ^= any(lines.count(quotes, position, start) % 2 for quotes in _QUOTES)
        position = start
        if in_string:
            continue
        if start and not decorated:
            starts.append(start)
        decorated = match[0] == b"@"
    return starts
