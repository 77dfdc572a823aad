"""The syntax tree of a text, made by tree-sitter: from scratch, or from the tree before an edit."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.source.lines import TreeEdit

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser, Tree

_LONE_CARRIAGE_RETURN = re.compile(rb"\r(?!\n)")
_threads = threading.local()
EXTRAS: Final = ("comment", "line_continuation")
"""The nodes that may stand anywhere and are no part of what is around them."""


class SyntaxProblem(NamedTuple):
    """A piece of text, `start`..`end` in bytes, that does not parse, or is not looked into.

    `missing` names the token the parser had to imagine at `start` (then `end` equals `start`); None when
    the text is what stands in the way. `too_deep`: it parses, and is nested too deep.
    """

    start: int
    end: int
    missing: str | None
    too_deep: bool = False


def parse(data: bytes) -> Tree:
    """The syntax tree of `data` (UTF-8), made from scratch. Any text has one: see `syntax_problems`.

    A comment that ends with `\\r\\n` includes the `\\r`: so the grammar has it.
    """
    return _parser().parse(as_parsed(data))


def parse_replaced(data: bytes, replaced: Sequence[tuple[int, int, bytes]]) -> Tree:
    """The syntax tree of `data`, with offsets in another text: each (start, length, text) of `replaced`, in
    order, says what stands there in place of a part of `data`."""
    tree = parse(data)
    for start, length, text in reversed(replaced):
        row, column = data.count(b"\n", 0, start), start - data.rfind(b"\n", 0, start) - 1
        rows = data.count(b"\n", start, start + length)
        last = start + length - data.rfind(b"\n", 0, start + length) - 1
        new_rows = text.count(b"\n")
        new_last = len(text) - text.rfind(b"\n") - 1 if new_rows else column + len(text)
        points = (row, column), (row + rows, last), (row + new_rows, new_last)
        tree.edit(start, start + length, start + len(text), *points)
    return tree


IN_CLASS: Final = b"class c:\n"
"""The header of a class around statements that are parsed without the one that they are in."""


def parse_member(data: bytes) -> Tree:
    """The syntax tree of statements in the body of a class: they are in one that takes no room."""
    return parse_replaced(IN_CLASS + data, [(0, len(IN_CLASS), b"")])


def reparse(data: bytes, old_tree: Tree, edits: Iterable[TreeEdit]) -> Tree:
    """The syntax tree of `data`, equal to `parse(data)` but made from the tree before `edits`. `data` is what
    the parser reads (see `as_parsed`).

    The edits are in the order they were made, each relative to the text after the one before it.
    `old_tree` is left as it is, so snapshots may go on holding it.
    """
    tree = reparse_if_sound(data, old_tree, edits)
    return parse(data) if tree is None else tree


def reparse_if_sound(data: bytes, old_tree: Tree, edits: Iterable[TreeEdit]) -> Tree | None:
    """As `reparse`; None if `data` does not parse. Recovery from errors depends on what the parser could
    reuse: only a sound tree is surely the same as one made from scratch."""
    edited = old_tree.copy()
    for edit in edits:
        edited.edit(*edit)
    tree = _parser().parse(data, edited)
    return None if tree.root_node.has_error else tree


def kinds(*names: str) -> frozenset[int]:
    """The numbers (`Node.kind_id`) of named nodes of these kinds. They are compared faster than the names,
    which tree-sitter makes anew each time."""
    numbers = _numbers()
    return frozenset(number for name in names for number in numbers.get(name, ()))


@cache
def _numbers() -> dict[str, list[int]]:
    """Of each kind of named nodes: its numbers, since the grammar may have several."""
    language = _language()
    found: dict[str, list[int]] = {}
    for number in range(language.node_kind_count):
        if language.node_kind_is_named(number):
            found.setdefault(language.node_kind_for_id(number) or "", []).append(number)
    return found


def field(name: str) -> int:
    """The number of a field, for `Node.child_by_field_id`. Raises ValueError when the grammar has none."""
    number = _language().field_id_for_name(name)
    if number is None:
        raise ValueError(f"The grammar has no field {name!r}")
    return number


def syntax_problems(root: Node, limit: int) -> list[SyntaxProblem]:
    """The first `limit` places, in the order of the text, that do not parse.

    Where an error holds others, the innermost are listed, which say best where to look. Cheap: looks only
    inside nodes that hold an error.
    """
    problems: list[SyntaxProblem] = []
    waiting: list[Node] = [root]
    while waiting and len(problems) < limit:
        node = waiting.pop()
        if node.is_missing:
            problems.append(SyntaxProblem(node.start_byte, node.end_byte, node.type))
            continue
        inner = [child for child in node.children if child.has_error]
        if inner:
            waiting.extend(reversed(inner))
        elif node.is_error:
            problems.append(SyntaxProblem(node.start_byte, node.end_byte, None))
    return problems


def as_parsed(data: bytes) -> bytes:
    """What the parser reads: lone carriage returns, which it does not know as line ends, become line feeds.

    The length stays the same, and so does every offset.
    """
    if b"\r" not in data or data.count(b"\r") == data.count(b"\r\n"):
        return data
    return _LONE_CARRIAGE_RETURN.sub(b"\n", data)


@cache
def _language() -> Language:
    import tree_sitter
    import tree_sitter_python

    return tree_sitter.Language(tree_sitter_python.language())


def _parser() -> Parser:
    """The parser of this thread: parsers must not be shared between threads."""
    parser: Parser | None = getattr(_threads, "parser", None)
    if parser is None:
        import tree_sitter

        parser = _threads.parser = tree_sitter.Parser(_language())
    return parser
