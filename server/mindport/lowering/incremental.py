"""Lowers a text again after an edit: blocks are taken over from the text before where nothing has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tree_sitter import Node

from mindport.index.block import Block, Layout
from mindport.index.definitions import ClassDefinition
from mindport.lowering.blocks import (
    class_body,
    header_is_broken,
    is_broken,
    lower_block,
    lower_class_header,
    lower_class_part,
    members,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mindport.index.module import Module
    from mindport.source.document import Document
    from mindport.source.piece import Piece

Key = tuple[ClassDefinition | None, str, bytes]


_CLASSES: Final = ("class_definition", "decorated_definition")


def update(module: Module, document: Document) -> bool:
    """Let a module have the text of `document`. Returns whether any block changed; what relies on those is
    dirty then."""
    if document is module.document:
        return False
    return module.take(document, lower_module(document.pieces, document.data, module.layout))


def lower_module(pieces: Sequence[Piece], data: bytes, before: Layout) -> Layout:
    """The blocks of a module, taken over from the text before where the text is the same."""
    return _Layouter(data, before).layout(pieces)


def lower_apart(pieces: Sequence[Piece], data: bytes, before: Layout) -> Layout:
    """The same, but nothing of the text before changes by it: of a class in which something is another, all
    blocks are new."""
    return _Layouter(data, before, is_apart=True).layout(pieces)


class _Layouter:
    """Takes over blocks: those of a whole class at once where the edit is elsewhere, else one by one by
    their text. Those that do not parse are always lowered again, because how they parse depends on what is
    around them."""

    def __init__(self, data: bytes, before: Layout, is_apart: bool = False) -> None:
        self.data = data
        self.is_apart = is_apart
        self.before = before
        self.same_until = _common_prefix(before.data, data)
        self.same_from = len(data) - _common_suffix(before.data, data, self.same_until)
        self.shift = len(data) - len(before.data)
        self.position_at = {start: position for position, start in enumerate(before.starts)}
        self.blocks: list[Block] = []
        self.starts: list[int] = []
        self._by_key: dict[Key, list[Block]] | None = None
        self._taken: set[Block] = set()

    def layout(self, pieces: Sequence[Piece]) -> Layout:
        nodes = [(piece, node) for piece in pieces for node in piece.root.children if node.type != "comment"]
        # First what stays as a whole, so that it is not taken for something else.
        runs = [self.whole(piece, node) for piece, node in nodes]
        for (piece, node), run in zip(nodes, runs, strict=True):
            if run is None:
                self.lower(piece, node)
            else:
                first, count, shift = run
                self.blocks += self.before.blocks[first : first + count]
                self.starts += [start + shift for start in self.before.starts[first : first + count]]
        return Layout(self.data, self.blocks, self.starts)

    def whole(self, piece: Piece, node: Node) -> tuple[int, int, int] | None:
        """The run of blocks (first, count, shift) that `node` was before, if it lies outside the edit."""
        start, end = piece.start + node.start_byte, piece.start + _end(piece, node)
        if end < self.same_until:
            shift = 0
        elif start > self.same_from:
            shift = self.shift
        else:
            return None
        first = self.position_at.get(start - shift)
        if first is None or (not piece.is_sound and (piece.members or is_broken(node, piece))):
            return None
        blocks, starts = self.before.blocks, self.before.starts
        if blocks[first].part is not None or blocks[first].kind != node.type:
            return None
        count = 1
        while first + count < len(blocks) and blocks[first + count].part is not None:
            count += 1
        run = blocks[first : first + count]
        last = first + count - 1
        if starts[last] + len(blocks[last].text) + shift != end or any(block.has_error for block in run):
            return None
        self._taken.update(run)
        return first, count, shift

    def take(self, owner: ClassDefinition | None, kind: str, text: bytes) -> Block | None:
        """A block of the text before that is the same."""
        if self.is_apart and kind in _CLASSES:
            return None
        if self._by_key is None:
            self._by_key = {}
            for block in reversed(self.before.blocks):
                if not block.has_error and block not in self._taken:
                    of = block.part.owner if block.part is not None else None
                    self._by_key.setdefault((of, block.kind, block.text), []).append(block)
        found = self._by_key.get((owner, kind, text))
        return found.pop() if found else None

    def lower(self, piece: Piece, node: Node) -> None:
        """A statement at the top level."""
        kind = node.type
        body = class_body(node) if kind in ("class_definition", "decorated_definition") else None
        if body is not None:
            self.lower_class(piece, node, body)
            return
        text = piece.data[node.start_byte : node.end_byte]
        same = None if is_broken(node, piece) else self.take(None, kind, text)
        self.blocks.append(same or lower_block(node, piece))
        self.starts.append(piece.start + node.start_byte)

    def lower_class(self, piece: Piece, node: Node, body: Node) -> None:
        """Cut a class at the top level into blocks: its header, and each statement of its body."""
        start = node.start_byte
        header = None
        if not header_is_broken(node, body, piece):
            header = self.take(None, node.type, piece.data[start : body.start_byte])
        if header is None or header.defined_class is None:
            header = lower_class_header(node, body, piece)
        owner = header.defined_class
        assert owner is not None
        self.blocks.append(header)
        self.starts.append(piece.start + start)
        parts = self.lower_parts(piece, piece.start, body.children, header)
        for member in piece.members if _is_last(piece, node) else ():
            parts += self.lower_parts(member, piece.start + member.start, members(member), header)
        self.blocks += parts
        owner.take_parts(parts)

    def lower_parts(self, piece: Piece, base: int, children: list[Node], header: Block) -> list[Block]:
        """The blocks for statements in the body of a class; the piece they are in starts at `base`."""
        owner = header.defined_class
        assert owner is not None
        parts: list[Block] = []
        for child in children:
            kind = child.type
            if kind == "comment":
                continue
            text = piece.data[child.start_byte : child.end_byte]
            same = None if is_broken(child, piece) else self.take(owner, f"class: {kind}", text)
            parts.append(same or lower_class_part(child, piece, header, owner))
            self.starts.append(base + child.start_byte)
        return parts


def _is_last(piece: Piece, node: Node) -> bool:
    """Whether a statement at the top level is the last of its piece, which has members if that is a class."""
    statements = [child for child in piece.root.children if child.type != "comment"]
    return statements[-1] == node


def _end(piece: Piece, node: Node) -> int:
    """Where in its piece a statement at the top level ends, with the members that belong to it."""
    if piece.members and _is_last(piece, node):
        for member in reversed(piece.members):
            for child in reversed(members(member)):
                if child.type != "comment":
                    return member.start + child.end_byte
    return node.end_byte


def _common_prefix(first: bytes, second: bytes) -> int:
    """The length of the text that both start with."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_suffix(first: bytes, second: bytes, prefix: int) -> int:
    """The length of the text that both end with, behind a common prefix."""
    low, high = 0, min(len(first), len(second)) - prefix
    while low < high:
        middle = (low + high + 1) // 2
        if first[len(first) - middle : len(first) - low] == second[len(second) - middle : len(second) - low]:
            low = middle
        else:
            high = middle - 1
    return low
