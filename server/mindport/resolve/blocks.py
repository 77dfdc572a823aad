"""Blocks: the units that are lowered once and kept for as long as their text stays the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from tree_sitter import Node

# Imported for their effect: they register how each kind of node is lowered.
from mindport.resolve import expressions, functions, imports, statements  # noqa: F401
from mindport.resolve.call_sites import call_sites, member_call_sites, signature
from mindport.resolve.definitions import Augmented, ClassDefinition, ClassPart, Definition, ImportName
from mindport.resolve.lower import Lowering, RootKind
from mindport.resolve.scopes import Scope, join
from mindport.resolve.unit import Unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mindport.resolve.call_sites import CallSite, Path
    from mindport.resolve.module import Module
    from mindport.resolve.nodes import CallExpression, Expression, Stored
    from mindport.source.pieces import Piece


class Block:
    """One statement at the top level of a module, lowered; a class there is several: its header (with
    `defined_class`), and each statement of its body (with the `part` of the class it is).

    Where it starts is not kept here: that changes when text before it is edited. `names` holds what the
    block binds in the module, `global_names` what functions in it bind there through `global`,
    `bound_names` every name bound in any of its scopes, `stars` the modules it star-imports as
    (module, level), `members` the members that are read of what a definition binds, `added` what is added to
    the container it binds (`added_names`: to that of a name of the module), `calls` the calls with arguments,
    `augmented` the augmented assignments to names, `stored` the assignments to attributes and items, `loops`
    the spans of loops.
    `kind` is the kind of its syntax node, `module` the module it is part of, `unit` the memory of what was
    evaluated in it.
    """

    __slots__ = (
        "_call_sites",
        "_signatures",
        "added",
        "added_names",
        "augmented",
        "bound_names",
        "calls",
        "defined_class",
        "global_definitions",
        "global_names",
        "has_error",
        "imports",
        "kind",
        "loops",
        "members",
        "module",
        "names",
        "part",
        "roots",
        "scope",
        "stars",
        "stored",
        "text",
        "unit",
    )

    def __init__(self, text: bytes, kind: str = "") -> None:
        self.text = text
        self.kind = kind
        self.has_error = False
        self.scope = Scope("module", None, self)
        self.roots: list[tuple[Expression, RootKind]] = []
        self.imports: list[ImportName] = []
        self.members: dict[Definition, set[str]] = {}
        self.added: dict[Definition, list[Definition]] = {}
        self.added_names: dict[str, list[Definition]] = {}
        self.calls: list[CallExpression] = []
        self._call_sites: dict[str, list[CallSite]] | None = None
        self._signatures: dict[str, object] | None = None
        self.augmented: list[Augmented] = []
        self.loops: list[tuple[int, int]] = []
        self.stored: list[Stored] = []
        self.stars: list[tuple[str, int]] = []
        self.names: dict[str, Definition] = {}
        self.global_definitions: dict[str, list[Definition]] = {}
        self.global_names: dict[str, Definition] = {}
        self.bound_names: frozenset[str] = frozenset()
        self.part: ClassPart | None = None
        self.defined_class: ClassDefinition | None = None
        self.module: Module | None = None
        self.unit = Unit()

    @property
    def call_sites(self) -> dict[str, list[CallSite]]:
        """What its calls give for parameters, by the name of what is called."""
        if self._call_sites is None:
            self._call_sites = call_sites(self.calls)
        return self._call_sites

    def member_call_sites(self) -> list[tuple[Path, CallSite]]:
        """The calls of members of what names of the module are: `ops.MLP(3, act=nn.ReLU)`."""
        return member_call_sites(self.calls)

    @property
    def signatures(self) -> dict[str, object]:
        """What calls have to do with of the functions that it binds in the module, or in its class's body."""
        if self._signatures is None:
            names = self.names if self.part is None else self.part.namespace
            self._signatures = {name: signature(definition) for name, definition in names.items()}
        return self._signatures

    def __repr__(self) -> str:
        return f"Block({self.text[:40]!r})"


def lower_block(node: Node, data: bytes) -> Block:
    """Lower the top-level `node` of a module whose text is `data`."""
    block = Block(data[node.start_byte : node.end_byte], node.type)
    block.has_error = node.has_error
    lowering = Lowering(block, data, node.start_byte)
    lowering.execute(node)
    block.names = lowering.flow.names
    _finish(block, lowering)
    return block


def _finish(block: Block, lowering: Lowering) -> None:
    block.global_names = {name: join(found) for name, found in block.global_definitions.items()}
    block.bound_names = frozenset(name for scope in lowering.scopes for name in scope.definitions)


def lower_class_header(node: Node, body: Node, data: bytes) -> Block:
    """Lower a class at the top level up to its body: decorators, name, bases."""
    block = Block(data[node.start_byte : body.start_byte], node.type)
    block.has_error = _header_has_error(node, body)
    lowering = Lowering(block, data, node.start_byte)
    lowering.header_only = True
    lowering.execute(node)
    block.names = lowering.flow.names
    _finish(block, lowering)
    block.defined_class = lowering.defined_class
    return block


def lower_class_part(node: Node, data: bytes, header: Block, owner: ClassDefinition) -> Block:
    """Lower one statement of the body of a class at the top level."""
    block = Block(data[node.start_byte : node.end_byte], f"class: {node.type}")
    block.has_error = node.has_error
    block.scope = Scope("class", header.scope, block)
    block.scope.is_part = True
    block.part = ClassPart(owner)
    lowering = Lowering(block, data, node.start_byte)
    lowering.owner, lowering.part = owner, block.part
    lowering.qualifier = owner.qualified_name + "."
    lowering.execute(node)
    block.part.namespace = lowering.flow.names
    _finish(block, lowering)
    return block


def _header_has_error(node: Node, body: Node) -> bool:
    if node.type == "decorated_definition":
        definition = node.child_by_field_name("definition")
        others = [child for child in node.children if child != definition]
        return any(child.has_error for child in others) or (
            definition is not None and _header_has_error(definition, body)
        )
    return any(child.has_error for child in node.children if child != body)


def _class_body(node: Node) -> Node | None:
    """The body of a class at the top level; None for any other statement."""
    definition = node.child_by_field_name("definition") if node.type == "decorated_definition" else node
    if definition is None or definition.type != "class_definition":
        return None
    return definition.child_by_field_name("body")


Key = tuple[ClassDefinition | None, str, bytes]


class Layout(NamedTuple):
    """The blocks of a text and where each starts."""

    data: bytes
    blocks: list[Block]
    starts: list[int]


EMPTY: Final = Layout(b"", [], [])


def lower_module(pieces: Sequence[Piece], data: bytes, before: Layout) -> Layout:
    """The blocks of a module, taken over from the text before where the text is the same."""
    return _Layouter(data, before).layout(pieces)


class _Layouter:
    """Takes over blocks: those of a whole class at once where the edit is elsewhere, else one by one by
    their text. Those that do not parse are always lowered again, because how they parse depends on what is
    around them."""

    def __init__(self, data: bytes, before: Layout) -> None:
        self.data = data
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
        start, end = piece.start + node.start_byte, piece.start + node.end_byte
        if end < self.same_until:
            shift = 0
        elif start > self.same_from:
            shift = self.shift
        else:
            return None
        first = self.position_at.get(start - shift)
        if first is None or node.has_error:
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
        body = _class_body(node) if kind in ("class_definition", "decorated_definition") else None
        if body is not None:
            self.lower_class(piece, node, body)
            return
        text = piece.data[node.start_byte : node.end_byte]
        same = None if node.has_error else self.take(None, kind, text)
        self.blocks.append(same or lower_block(node, piece.data))
        self.starts.append(piece.start + node.start_byte)

    def lower_class(self, piece: Piece, node: Node, body: Node) -> None:
        """Cut a class at the top level into blocks: its header, and each statement of its body."""
        start, data = node.start_byte, piece.data
        header = None
        if not (node.has_error and _header_has_error(node, body)):
            header = self.take(None, node.type, data[start : body.start_byte])
        if header is None or header.defined_class is None:
            header = lower_class_header(node, body, data)
        owner = header.defined_class
        assert owner is not None
        self.blocks.append(header)
        self.starts.append(piece.start + start)
        parts: list[Block] = []
        for child in body.children:
            kind = child.type
            if kind == "comment":
                continue
            text = data[child.start_byte : child.end_byte]
            same = None if child.has_error else self.take(owner, f"class: {kind}", text)
            parts.append(same or lower_class_part(child, data, header, owner))
            self.starts.append(piece.start + child.start_byte)
        self.blocks += parts
        owner.take_parts(parts)


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
