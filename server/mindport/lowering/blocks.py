"""Lowers statements to blocks, each of which is kept for as long as its text stays the same."""

from __future__ import annotations

from sys import intern
from typing import TYPE_CHECKING, Final

from tree_sitter import Node

from mindport.index.block import ROOT_KINDS, Block
from mindport.index.definitions import ClassDefinition, ClassPart
from mindport.index.scopes import Scope, join

# Imported for their effect: they register how each kind of node is lowered.
from mindport.lowering import call_expressions, expressions, functions, imports, statements  # noqa: F401
from mindport.lowering.lower import NO_FRAGMENTS, Lowering

if TYPE_CHECKING:
    from mindport.source.piece import Piece


_REFERENCE: Final = ROOT_KINDS[0]


def lower_block(node: Node, piece: Piece) -> Block:
    """Lower the `node` of a piece that is a statement at the top level of a module."""
    block = Block(piece.data[node.start_byte : node.end_byte], intern(node.type))
    block.has_error = is_broken(node, piece)
    lowering = _lowering(block, node, piece)
    lowering.execute(node)
    block.names = lowering.flow.names
    _finish(block, lowering)
    return block


def _finish(block: Block, lowering: Lowering) -> None:
    block.global_names = {name: join(found) for name, found in block.global_definitions.items()}
    block.called = tuple(lowering.called)
    if lowering.other_roots:
        kinds = [lowering.other_roots.get(position, _REFERENCE) for position in range(len(block.roots))]
        block.root_kinds = bytes(map(ROOT_KINDS.index, kinds))
    block.inner_scopes = tuple(lowering.scopes[1:])
    for scope in lowering.scopes:
        scope.seal()
    block.seal()


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
    block = Block(piece.data[node.start_byte : body.start_byte], intern(node.type))
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
    block = Block(piece.data[node.start_byte : node.end_byte], intern(f"class: {node.type}"))
    block.has_error = is_broken(node, piece)
    block.scope = Scope("class", header.scope, block)
    block.scope.is_part = True
    block.part = ClassPart(owner)
    lowering = _lowering(block, node, piece)
    lowering.owner, lowering.part = owner, block.part
    lowering.qualifier = owner.qualified_name + "."
    lowering.execute(node)
    block.part.namespace = lowering.flow.names
    block.part.seal()
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
