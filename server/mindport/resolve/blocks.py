"""Top-level blocks: the unit that is lowered once and kept for as long as its text stays the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

# Imported for their effect: they register how each kind of node is lowered.
from mindport.resolve import expressions, functions, imports, statements  # noqa: F401
from mindport.resolve.definitions import Definition, ImportName
from mindport.resolve.lower import Lowering, RootKind
from mindport.resolve.scopes import Scope, join
from mindport.resolve.unit import Unit

if TYPE_CHECKING:
    from mindport.resolve.module import Module
    from mindport.resolve.nodes import Expression


class Block:
    """One statement at the top level of a module, lowered.

    Where it starts is not kept here: that changes when text before it is edited. `names` holds what the
    block binds in the module, `global_names` what functions in it bind there through `global`,
    `bound_names` every name bound in any of its scopes, `stars` the modules it star-imports as
    (module, level), `members` the members that are read of what a definition binds, `added` what is
    added to the container it binds. `kind` is the kind of
    its syntax node, `module` the module it is part of, `unit` the memory of what was evaluated in it.
    """

    __slots__ = (
        "added",
        "bound_names",
        "global_definitions",
        "global_names",
        "has_error",
        "imports",
        "kind",
        "members",
        "module",
        "names",
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
        self.added: dict[Definition, list[Expression]] = {}
        self.stars: list[tuple[str, int]] = []
        self.names: dict[str, Definition] = {}
        self.global_definitions: dict[str, list[Definition]] = {}
        self.global_names: dict[str, Definition] = {}
        self.bound_names: frozenset[str] = frozenset()
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
    block.global_names = {name: join(found) for name, found in block.global_definitions.items()}
    block.bound_names = frozenset(name for scope in lowering.scopes for name in scope.definitions)
    return block


def split(root: Node) -> list[Node]:
    """The top-level nodes that become blocks, in order."""
    return [child for child in root.children if child.type != "comment"]


def lower_module(root: Node, data: bytes, before: list[Block]) -> tuple[list[Block], list[int]]:
    """The blocks of a module and their starts. Blocks of `before` are taken over where the text is the same;
    blocks that do not parse are always lowered again, because how they parse depends on what is around them.
    """
    known: dict[bytes, list[Block]] = {}
    for block in reversed(before):
        if not block.has_error:
            known.setdefault(block.text, []).append(block)
    blocks, starts = [], []
    for node in split(root):
        start = node.start_byte
        same = known.get(data[start : node.end_byte]) if not node.has_error else None
        blocks.append(same.pop() if same else lower_block(node, data))
        starts.append(start)
    return blocks, starts
