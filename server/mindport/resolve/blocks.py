"""Blocks: the units that are lowered once and kept for as long as their text stays the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

# Imported for their effect: they register how each kind of node is lowered.
from mindport.resolve import expressions, functions, imports, statements  # noqa: F401
from mindport.resolve.definitions import ClassDefinition, ClassPart, Definition, ImportName
from mindport.resolve.lower import Lowering, RootKind
from mindport.resolve.scopes import Scope, join
from mindport.resolve.unit import Unit

if TYPE_CHECKING:
    from mindport.resolve.module import Module
    from mindport.resolve.nodes import Expression


class Block:
    """One statement at the top level of a module, lowered; a class there is several: its header (with
    `defined_class`), and each statement of its body (with the `part` of the class it is).

    Where it starts is not kept here: that changes when text before it is edited. `names` holds what the
    block binds in the module, `global_names` what functions in it bind there through `global`,
    `bound_names` every name bound in any of its scopes, `stars` the modules it star-imports as
    (module, level), `members` the members that are read of what a definition binds, `added` what is added to
    the container it binds. `kind` is the kind of its syntax node, `module` the module it is part of, `unit`
    the memory of what was evaluated in it.
    """

    __slots__ = (
        "added",
        "bound_names",
        "defined_class",
        "global_definitions",
        "global_names",
        "has_error",
        "imports",
        "kind",
        "members",
        "module",
        "names",
        "part",
        "roots",
        "scope",
        "stars",
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
        self.stars: list[tuple[str, int]] = []
        self.names: dict[str, Definition] = {}
        self.global_definitions: dict[str, list[Definition]] = {}
        self.global_names: dict[str, Definition] = {}
        self.bound_names: frozenset[str] = frozenset()
        self.part: ClassPart | None = None
        self.defined_class: ClassDefinition | None = None
        self.module: Module | None = None
        self.unit = Unit()

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


def lower_class_header(node: Node, body: Node, data: bytes) -> tuple[Block, ClassDefinition]:
    """Lower a class at the top level up to its body: decorators, name, bases."""
    block = Block(data[node.start_byte : body.start_byte], node.type)
    block.has_error = _header_has_error(node, body)
    lowering = Lowering(block, data, node.start_byte)
    lowering.header_only = True
    lowering.execute(node)
    block.names = lowering.flow.names
    _finish(block, lowering)
    assert lowering.defined_class is not None
    block.defined_class = lowering.defined_class
    return block, lowering.defined_class


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


class _Kept:
    """The blocks of the text before, to be taken over where the text is the same. Those that do not parse
    are always lowered again, because how they parse depends on what is around them."""

    def __init__(self, blocks: list[Block]) -> None:
        self.by_key: dict[Key, list[Block]] = {}
        for block in reversed(blocks):
            if not block.has_error:
                owner = block.part.owner if block.part is not None else None
                self.by_key.setdefault((owner, block.kind, block.text), []).append(block)

    def take(self, owner: ClassDefinition | None, kind: str, text: bytes) -> Block | None:
        found = self.by_key.get((owner, kind, text))
        return found.pop() if found else None


def lower_module(root: Node, data: bytes, before: list[Block]) -> tuple[list[Block], list[int]]:
    """The blocks of a module and their starts, taken over from `before` where the text is the same."""
    kept = _Kept(before)
    blocks: list[Block] = []
    starts: list[int] = []
    for node in root.children:
        kind = node.type
        if kind == "comment":
            continue
        body = _class_body(node) if kind in ("class_definition", "decorated_definition") else None
        start = node.start_byte
        if body is None:
            same = None if node.has_error else kept.take(None, kind, data[start : node.end_byte])
            blocks.append(same or lower_block(node, data))
            starts.append(start)
        else:
            _lower_class(node, body, data, kept, blocks, starts)
    return blocks, starts


def _lower_class(
    node: Node, body: Node, data: bytes, kept: _Kept, blocks: list[Block], starts: list[int]
) -> None:
    """Cut a class at the top level into blocks: its header, and each statement of its body."""
    start = node.start_byte
    header = None
    if not (node.has_error and _header_has_error(node, body)):
        header = kept.take(None, node.type, data[start : body.start_byte])
    if header is None or header.defined_class is None:
        header, _ = lower_class_header(node, body, data)
    owner = header.defined_class
    assert owner is not None
    blocks.append(header)
    starts.append(start)
    parts: list[Block] = []
    for child in body.children:
        kind = child.type
        if kind == "comment":
            continue
        text = data[child.start_byte : child.end_byte]
        same = None if child.has_error else kept.take(owner, f"class: {kind}", text)
        parts.append(same or lower_class_part(child, data, header, owner))
        starts.append(child.start_byte)
    blocks.extend(parts)
    if owner.parts != parts:
        owner.parts = parts
        owner.positions = {part: position for position, part in enumerate(parts)}
