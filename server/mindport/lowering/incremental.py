"""Lowers a text again after an edit: blocks are taken over from the text before where nothing has changed."""

from __future__ import annotations

from bisect import bisect_left
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
    layout = module.layout
    unchanged = document.unchanged(layout.data)
    return module.take(document, lower_module(document.pieces, document.data, layout, unchanged))


def lower_module(
    pieces: Sequence[Piece], data: bytes, before: Layout, unchanged: tuple[int, int] = (0, 0)
) -> Layout:
    """The blocks of a module, taken over from the text before where the text is the same. `unchanged` is how
    much surely is, in bytes: at the beginning and, behind that, at the end."""
    return _Layouter(data, before, unchanged).layout(pieces)


def lower_apart(
    pieces: Sequence[Piece], data: bytes, before: Layout, unchanged: tuple[int, int] = (0, 0)
) -> Layout:
    """The same, but nothing of the text before changes by it: of a class in which something is another, all
    blocks are new."""
    return _Layouter(data, before, unchanged, is_apart=True).layout(pieces)


class _Layouter:
    """Takes over blocks: all outside the edit at once where the text parses, else those of a whole class,
    else one by one. Those that do not parse are always lowered again, because how they parse depends on what
    is around them."""

    def __init__(
        self, data: bytes, before: Layout, unchanged: tuple[int, int], is_apart: bool = False
    ) -> None:
        self.data = data
        self.is_apart = is_apart
        self.before = before
        self.same_until = unchanged[0]
        self.same_from = len(data) - unchanged[1]
        self.shift = len(data) - len(before.data)
        self.blocks: list[Block] = []
        self.starts: list[int] = []
        self._candidates = before.blocks
        """The blocks that may be taken over by their text."""
        self._by_key: dict[Key, list[Block]] | None = None
        self._taken: set[Block] = set()

    def layout(self, pieces: Sequence[Piece]) -> Layout:
        is_sound = len(pieces) == 1 and _is_whole(pieces[0], self.data)
        around = self.around(pieces[0]) if is_sound and self.before.is_sound else None
        if around is None:
            self.lower_all(pieces)
            return Layout(self.data, self.blocks, self.starts, is_sound)
        first, end, nodes = around
        before, shift = self.before, self.shift
        self._candidates = before.blocks[first:end]
        for node in nodes:
            self.lower(pieces[0], node)
        behind = before.starts[end:]
        return Layout(
            self.data,
            before.blocks[:first] + self.blocks + before.blocks[end:],
            before.starts[:first] + self.starts + ([start + shift for start in behind] if shift else behind),
            is_sound,
        )

    def around(self, piece: Piece) -> tuple[int, int, list[Node]] | None:
        """Where the edit is, in a text that parses as the one before did: the run of blocks from that one
        (first, end) that all others are outside of, and the statements in its place. None if the run does not
        start or end between two statements of both texts."""
        cursor = piece.root.walk()
        if cursor.goto_first_child_for_byte(max(self.same_until - 1, 0)) is None:
            return None
        nodes: list[Node] = []
        behind: Node | None = None
        while behind is None:
            node = cursor.node
            assert node is not None
            if node.type != "comment":
                if node.start_byte > self.same_from:
                    behind = node
                else:
                    nodes.append(node)
            if behind is None and not cursor.goto_next_sibling():
                break
        if not nodes:
            return None
        first = self.position(nodes[0].start_byte)
        end = len(self.before.blocks) if behind is None else self.position(behind.start_byte - self.shift)
        return None if first is None or end is None or end < first else (first, end, nodes)

    def block_at(self, start: int) -> int | None:
        """The position of the block that started there."""
        starts = self.before.starts
        position = bisect_left(starts, start)
        return position if position < len(starts) and starts[position] == start else None

    def position(self, start: int) -> int | None:
        """The position of the block for the statement at the top level that started there."""
        position = self.block_at(start)
        return position if position is not None and self.before.blocks[position].part is None else None

    def lower_all(self, pieces: Sequence[Piece]) -> None:
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

    def place_before(self, start: int, end: int) -> int | None:
        """Where something that lies outside the edit was in the text before."""
        if end < self.same_until:
            return start
        return start - self.shift if start > self.same_from else None

    def whole(self, piece: Piece, node: Node) -> tuple[int, int, int] | None:
        """The run of blocks (first, count, shift) that `node` was before, if it lies outside the edit."""
        start, end = piece.start + node.start_byte, piece.start + _end(piece, node)
        at = self.place_before(start, end)
        first = None if at is None else self.position(at)
        if at is None or first is None:
            return None
        if not piece.is_sound and (piece.members or is_broken(node, piece)):
            return None
        blocks, starts, shift = self.before.blocks, self.before.starts, start - at
        if blocks[first].kind != node.type:
            return None
        count = 1
        while first + count < len(blocks) and blocks[first + count].part is not None:
            count += 1
        run = blocks[first : first + count]
        last = first + count - 1
        if starts[last] + blocks[last].size + shift != end or any(block.has_error for block in run):
            return None
        self._taken.update(run)
        return first, count, shift

    def same(self, owner: ClassDefinition | None, kind: str, start: int, end: int) -> Block | None:
        """The block of a statement that lies outside the edit; it is not to be taken for something else."""
        at = None if self.is_apart and kind in _CLASSES else self.place_before(start, end)
        position = None if at is None else self.block_at(at)
        if position is None:
            return None
        block = self.before.blocks[position]
        of = block.part.owner if block.part is not None else None
        if block.has_error or block.kind != kind or of is not owner or block.size != end - start:
            return None
        self._taken.add(block)
        return block

    def take(self, owner: ClassDefinition | None, kind: str, text: bytes) -> Block | None:
        """A block of the text before that is the same."""
        if self.is_apart and kind in _CLASSES:
            return None
        if self._by_key is None:
            self._by_key = {}
            for block in reversed(self._candidates):
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
            end = body.start_byte
            header = self.same(None, node.type, piece.start + start, piece.start + end)
            header = header or self.take(None, node.type, piece.data[start:end])
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
        statements = [child for child in children if child.type != "comment"]
        same = [self.same_part(piece, base, child, owner) for child in statements]  # first, as in `layout`
        parts: list[Block] = []
        for child, part in zip(statements, same, strict=True):
            if part is None and not is_broken(child, piece):
                text = piece.data[child.start_byte : child.end_byte]
                part = self.take(owner, f"class: {child.type}", text)
            parts.append(part or lower_class_part(child, piece, header, owner))
            self.starts.append(base + child.start_byte)
        return parts

    def same_part(self, piece: Piece, base: int, node: Node, owner: ClassDefinition) -> Block | None:
        if is_broken(node, piece):
            return None
        return self.same(owner, f"class: {node.type}", base + node.start_byte, base + node.end_byte)


def _is_whole(piece: Piece, data: bytes) -> bool:
    """Whether a piece is all of a text, which parses."""
    return piece.is_sound and not (piece.fragments or piece.members or piece.start) and piece.data == data


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
