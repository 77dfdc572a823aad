"""Blocks: the units that are lowered once and kept for as long as their text stays the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

# Imported for their effect: they register how each kind of node is lowered.
from mindport.resolve import call_expressions, expressions, functions, imports, statements  # noqa: F401
from mindport.resolve.call_sites import call_sites, member_call_sites, signature
from mindport.resolve.definitions import Augmented, ClassDefinition, ClassPart, Definition, ImportName
from mindport.resolve.lower import NO_FRAGMENTS, Lowering, RootKind
from mindport.resolve.scopes import Scope, join
from mindport.resolve.unit import Unit

if TYPE_CHECKING:
    from mindport.resolve.call_sites import CallSite, Path
    from mindport.resolve.module import Module
    from mindport.resolve.nodes import CallExpression, Expression, Stored
    from mindport.source.piece import Piece


class Block:
    """One statement at the top level of a module, lowered; a class there is several: its header (with
    `defined_class`), and each statement of its body (with the `part` of the class it is).

    Where it starts is not kept here: that changes when text before it is edited. `names` holds what the
    block binds in the module, `global_names` what functions in it bind there through `global`,
    `bound_names` every name bound in any of its scopes, `stars` the modules it star-imports as
    (module, level), `members` the members that are read of what a definition binds, `added` what is added to
    the container it binds (`added_names`: to that of a name of the module), `calls` the calls with arguments,
    `classes` the classes whose header is in it,
    `augmented` the augmented assignments to names, `stored` the assignments to attributes and items, `loops`
    the spans of loops, `too_deep` those of code that is nested too deep to be looked into.
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
        "classes",
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
        "too_deep",
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
        self.classes: list[ClassDefinition] = []
        self._call_sites: dict[str, list[CallSite]] | None = None
        self._signatures: dict[str, object] | None = None
        self.augmented: list[Augmented] = []
        self.loops: list[tuple[int, int]] = []
        self.stored: list[Stored] = []
        self.too_deep: list[tuple[int, int]] = []
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


def lower_block(node: Node, piece: Piece) -> Block:
    """Lower the `node` of a piece that is a statement at the top level of a module."""
    block = Block(piece.data[node.start_byte : node.end_byte], node.type)
    block.has_error = is_broken(node, piece)
    lowering = _lowering(block, node, piece)
    lowering.execute(node)
    block.names = lowering.flow.names
    _finish(block, lowering)
    return block


def _finish(block: Block, lowering: Lowering) -> None:
    block.global_names = {name: join(found) for name, found in block.global_definitions.items()}
    block.bound_names = frozenset(name for scope in lowering.scopes for name in scope.definitions)


def _lowering(block: Block, node: Node, piece: Piece) -> Lowering:
    fragments = {one.start: one for one in piece.fragments} if piece.fragments else NO_FRAGMENTS
    return Lowering(block, piece.data, node.start_byte, fragments)


def is_broken(node: Node, piece: Piece) -> bool:
    """Whether something in the `node` of a piece does not parse."""
    return node.has_error or _has_fragment(piece, node.start_byte, node.end_byte)


def _has_fragment(piece: Piece, start: int, end: int) -> bool:
    return bool(piece.fragments) and any(start <= one.start < end for one in piece.fragments)


def lower_class_header(node: Node, body: Node, piece: Piece) -> Block:
    """Lower a class at the top level up to its body: decorators, name, bases."""
    block = Block(piece.data[node.start_byte : body.start_byte], node.type)
    block.has_error = header_is_broken(node, body, piece)
    lowering = _lowering(block, node, piece)
    lowering.header_only = True
    lowering.execute(node)
    block.names = lowering.flow.names
    _finish(block, lowering)
    block.defined_class = lowering.defined_class
    return block


def lower_class_part(node: Node, piece: Piece, header: Block, owner: ClassDefinition) -> Block:
    """Lower one statement of the body of a class at the top level."""
    block = Block(piece.data[node.start_byte : node.end_byte], f"class: {node.type}")
    block.has_error = is_broken(node, piece)
    block.scope = Scope("class", header.scope, block)
    block.scope.is_part = True
    block.part = ClassPart(owner)
    lowering = _lowering(block, node, piece)
    lowering.owner, lowering.part = owner, block.part
    lowering.qualifier = owner.qualified_name + "."
    lowering.execute(node)
    block.part.namespace = lowering.flow.names
    _finish(block, lowering)
    return block


def header_is_broken(node: Node, body: Node, piece: Piece) -> bool:
    """Whether a class of a piece does not parse before its `body`."""
    broken = _has_fragment(piece, node.start_byte, body.start_byte)
    return broken or (node.has_error and _header_has_error(node, body))


def _header_has_error(node: Node, body: Node) -> bool:
    if node.type == "decorated_definition":
        definition = node.child_by_field_name("definition")
        others = [child for child in node.children if child != definition]
        return any(child.has_error for child in others) or (
            definition is not None and _header_has_error(definition, body)
        )
    return any(child.has_error for child in node.children if child != body)


def members(piece: Piece) -> list[Node]:
    """The statements of a piece that is a member of a class: they are in a class that takes no room."""
    root = piece.root
    found: list[Node] = []
    for node in root.children:
        body = class_body(node) if node.end_byte and not found else None
        found += body.children if body is not None else [node]
    return found


def class_body(node: Node) -> Node | None:
    """The body of a class at the top level; None for any other statement."""
    definition = node.child_by_field_name("definition") if node.type == "decorated_definition" else node
    if definition is None or definition.type != "class_definition":
        return None
    return definition.child_by_field_name("body")
