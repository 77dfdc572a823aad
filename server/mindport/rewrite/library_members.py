"""Members of libraries that are read through their modules: `einops.rearrange` after `import einops`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from mindport.rewrite.spelling import stands_for

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.index.definitions import ImportName
    from mindport.source.document import Document
    from mindport.uses.analysis import Analysis


class LibraryMember(NamedTuple):
    """A chain of names, `a.b.c`, in absolute bytes; what it stands for, and the import that binds its first
    name."""

    start: int
    end: int
    dotted: str
    imported: ImportName


def library_members(
    document: Document, analysis: Analysis, libraries: Iterable[str]
) -> Iterator[LibraryMember]:
    """What is read of modules of some libraries, given by their top-level names; of a chain, the longest part
    first."""
    modules = dict(_modules(analysis, frozenset(libraries)))
    if not modules:
        return
    for piece in document.pieces:
        for start, whole in piece.all():
            if whole.is_sound:
                yield from _within(whole.root, start, modules)


def _modules(analysis: Analysis, libraries: frozenset[str]) -> Iterator[tuple[str, ImportName]]:
    """The modules that imports bind, where nothing else in the file binds their names."""
    for block in analysis.blocks:
        for name in block.imports:
            if name.level or (name.module or name.name).partition(".")[0] not in libraries:
                continue
            others = (other for other in analysis.blocks if name.bound in other.names)
            if block.is_import and all(other.is_import for other in others):
                yield name.bound, name


def _within(node: Node, base: int, modules: dict[str, ImportName]) -> Iterator[LibraryMember]:
    chain = _chain(node)
    if chain is not None and chain[0] in modules:
        imported = modules[chain[0]]
        yield LibraryMember(
            base + node.start_byte,
            base + node.end_byte,
            ".".join([stands_for(imported), *chain[1:]]),
            imported,
        )
    for child in node.named_children:
        yield from _within(child, base, modules)


def _chain(node: Node) -> list[str] | None:
    """The names of an expression that consists of names and dots alone."""
    names: list[str] = []
    while node.type == "attribute":
        member, owner = node.child_by_field_name("attribute"), node.child_by_field_name("object")
        if member is None or owner is None or member.text is None:
            return None
        names.append(member.text.decode())
        node = owner
    if node.type != "identifier" or not names or node.text is None:
        return None
    return [node.text.decode(), *reversed(names)]
