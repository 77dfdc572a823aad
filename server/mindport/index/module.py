"""One module of the project: its blocks, and which block binds a name."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING, Any, Final

from mindport.index.block import EMPTY, Block, Layout
from mindport.index.definitions import Assigned, Definition, ImportedModule
from mindport.index.memo import NO_BLOCKS, evict, mark_dirty
from mindport.index.nodes import Constant, Display

if TYPE_CHECKING:
    from collections.abc import Hashable

    from mindport.index.memo import Blocks, Dependents
    from mindport.source.document import Document


_MANY_LOOKUPS: Final = 500
IMPORTED: Final = "import "
"""The key, among the dependents of a module, of those that asked which packages it imports from."""


class Module:
    """A module as of its latest text.

    `path` identifies it (a file path, or the URI of a document that has none); `name` is its dotted name,
    `is_package` says that it is an `__init__.py` (or a folder without one). `dependents` are, by name, the
    blocks (of this or of other modules) that asked what the module binds the name to. `given` is what its
    calls give for parameters, of each block that has any and of all together: see `infer/propagation.py`;
    `is_stale` says that a block may have changed, or become dirty, since that was found. `looked` is what was
    found in all of it last, if that is kept (see `uses/analysis.py`); `touched` are the blocks that have
    become dirty since. `lookups` are blocks without code, for the names that were looked for in its star
    imports, and other things that many of its blocks ask: what comes of that is remembered there, for whoever
    asks.
    """

    __slots__ = (
        "_adding",
        "_bindings",
        "_exported",
        "_giving",
        "_most_lookups",
        "_packages",
        "_positions",
        "_sorted_packages",
        "_star_modules",
        "_stars",
        "dependents",
        "document",
        "given",
        "is_package",
        "is_stale",
        "layout",
        "looked",
        "lookups",
        "name",
        "path",
        "touched",
    )

    def __init__(self, path: str, name: str, is_package: bool) -> None:
        self.path = path
        self.name = name
        self.is_package = is_package
        self.layout = EMPTY
        self.document: Document | None = None
        self.dependents: Dependents = {}
        self.given: tuple[list[Any], Any] | None = None
        self.is_stale = True
        self.looked: Any = None
        self.touched: set[Block] = set()
        self.lookups: dict[Hashable, Block] = {}
        self._most_lookups = _MANY_LOOKUPS
        self._exported: tuple[Definition, set[str] | None] | None = None
        self._star_modules: list[tuple[int, str | None]] | None = None
        self._positions: dict[Block, int] = {}
        self._giving: list[Block] | None = None
        self._packages: set[str] | None = None
        self._sorted_packages: list[str] | None = None
        self._bindings: dict[str, list[int]] = {}
        self._stars: list[int] = []
        self._adding: dict[str, list[Block]] = {}

    @property
    def blocks(self) -> list[Block]:
        """The blocks, in source order."""
        return self.layout.blocks

    def remembering(self) -> list[Block]:
        """All that remembers something: its blocks, and those of its `lookups`."""
        return [*self.blocks, *self.lookups.values()]

    def lookup(self, key: Hashable) -> Block:
        """Where it is remembered what the star imports bind a name to, or what else has this key."""
        found = self.lookups.get(key)
        if found is None:
            found = self.lookups[key] = Block(b"")
            found.seal()
            found.module = self
        return found

    def _drop_unasked_lookups(self) -> None:
        """Drop what nobody asks for any more, such as names that somebody was typing."""
        for key, lookup in list(self.lookups.items()):
            if not lookup.memo.dependents:
                evict(lookup)
                del self.lookups[key]
        self._most_lookups = max(_MANY_LOOKUPS, 2 * len(self.lookups))

    def share_text(self) -> None:
        """Let the blocks read their texts from that of the module."""
        for block, start in zip(self.blocks, self.starts, strict=True):
            block.share_text(self.layout.data, start)

    def cuts(self) -> array[int]:
        """Where the blocks start, as `Document.forget_syntax` has it."""
        cuts = zip(self.starts, self.blocks, strict=True)
        return array("I", [2 * start + (block.part is not None) for start, block in cuts])

    def text_of(self, block: Block) -> bytes:
        """The text of one of its blocks; nothing, where the block is no longer part of the text."""
        position = self._positions.get(block)
        if position is None:
            return b""
        start = self.starts[position]
        return self.layout.data[start : start + block.size]

    def giving(self) -> list[Block]:
        """The blocks that may give something for parameters."""
        if self._giving is None:
            self._giving = [
                one
                for one in self.blocks
                if one.calls or one.classes or one.set_outside or one.part is not None
            ]
        return self._giving

    def touch(self, block: Block) -> None:
        """One of its blocks, or of its `lookups`, has become dirty."""
        self.is_stale = True
        if self.looked is not None:
            self.touched.add(block)

    @property
    def starts(self) -> list[int]:
        """Where each block starts, in bytes."""
        return self.layout.starts

    def take(self, document: Document, layout: Layout) -> bool:
        """Take up the text of `document`, whose blocks are those of `layout`. Returns whether any block
        changed; what relies on those is dirty then."""
        self.document = document
        if len(self.lookups) >= self._most_lookups:
            self._drop_unasked_lookups()
        before = self.blocks
        if layout.blocks == before:
            self.layout = layout
            return False
        packages = self._packages
        self.layout = layout
        self._giving = None
        self.is_stale = True
        replaced = _replaced(before, self.blocks)
        if replaced is None:
            self._index()
            old = dict.fromkeys(before)
            gone = [block for block in before if block not in self._positions]
            new = [block for block in self.blocks if block not in old]
            kept = [block for block in self.blocks if block in old]
            moved = kept != [block for block in before if block in self._positions]
        else:
            for position, block in replaced:
                self._put(position, before[position], block)
            gone, new, moved = [before[position] for position, _ in replaced], [b for _, b in replaced], False
        self._invalidate_dependents(gone, new, moved)
        if any(block.imports for block in gone) or any(block.imports for block in new):
            self._packages = None
            if packages is not None and packages != self.imported_packages():
                mark_dirty(self.dependents.get(IMPORTED, NO_BLOCKS))
        return True

    def _index(self) -> None:
        """Note which blocks bind what."""
        self._positions = {block: position for position, block in enumerate(self.blocks)}
        self._bindings = {}
        self._stars = []
        self._star_modules = None
        self._adding = {}
        for position, block in enumerate(self.blocks):
            block.module = self
            if block.part is None:
                for name in block.names:
                    bound = self._bindings.get(name)
                    if bound is None:
                        self._bindings[name] = [position]
                    else:
                        bound.append(position)
            for name in block.global_names:
                positions = self._bindings.setdefault(name, [])
                if not positions or positions[-1] != position:
                    positions.append(position)
            if block.stars:
                self._stars.append(position)
            for name in block.added_names:
                self._adding.setdefault(name, []).append(block)

    def _put(self, position: int, before: Block, block: Block) -> None:
        """Put a block in the place of one that binds the same names."""
        block.module = self
        del self._positions[before]
        self._positions[block] = position
        for name in block.added_names:
            adding = self._adding[name]
            adding[adding.index(before)] = block

    def _invalidate_dependents(self, gone: list[Block], new: list[Block], moved: bool) -> None:
        """Make dirty what relies on blocks that are gone, and on names that these or new ones bind. `moved`:
        others are in another order now."""
        changed = gone + new
        dirty: set[Block] = set()
        for block in changed:
            dirty.update(block.memo.dependents)
            dirty |= _relying_on_class(block)
            names = block.global_names if block.part is not None else {**block.names, **block.global_names}
            for name in [*names, *block.added_names]:
                dirty.update(self.dependents.get(name, NO_BLOCKS))
        if moved or any(block.stars for block in changed):
            dirty.update(self.remembering(), *self.dependents.values())
        mark_dirty(dirty)
        for block in gone:
            evict(block)

    def relying_modules(self) -> set[Module]:
        """The other modules of which a block relies on something in this one: on more than that it has no
        such name."""
        asking: list[Blocks] = [
            self.dependents[name] for name in self._bindings if name != "__all__" and name in self.dependents
        ]
        for block in self.blocks:
            asking.append(block.memo.dependents)
            asking.append(_relying_on_class(block))
        modules = {block.module for blocks in asking for block in blocks}
        return {module for module in modules if module is not None and module is not self}

    def binding(self, name: str, before: Block | None) -> tuple[Block, Definition] | None:
        """The last block that binds `name` (only among those before `before`, if given), with what binds it
        at the block's end."""
        positions = self._bindings.get(name)
        if not positions:
            return None
        index = len(positions)
        if before is not None:
            index = bisect_left(positions, self._positions.get(before, len(self.blocks)))
        if index == 0:
            return None
        block = self.blocks[positions[index - 1]]
        definition = block.names.get(name)
        if definition is None:
            definition = block.global_names[name]
        return block, definition

    def added(self, name: str) -> list[tuple[Block, Definition]]:
        """What blocks other than the one that binds `name` add to the container it is."""
        blocks = self._adding.get(name, ())
        return [(block, value) for block in blocks for value in block.added_names[name]]

    @property
    def has_stars(self) -> bool:
        """Whether there is a star import anywhere."""
        return bool(self._stars)

    def star_modules(self, before: Block | None) -> list[tuple[int, str | None]]:
        """What is star-imported, last first: the position of the block, and the absolute name of the module;
        None where the dots lead out of the package."""
        if self._star_modules is None:
            self._star_modules = [
                (position, self.absolute(*star))
                for position in reversed(self._stars)
                for star in reversed(self.blocks[position].stars)
            ]
        if before is None:
            return self._star_modules
        limit = self._positions.get(before, len(self.blocks))
        return [star for star in self._star_modules if star[0] < limit]

    def has_star_import(self, before: Block | None) -> bool:
        """Whether there is a star import."""
        return bool(self.star_modules(before))

    def imported_packages(self) -> set[str]:
        """The top-level names of the packages that something is imported from, but its own."""
        if self._packages is None:
            names = {
                (one.module or one.name).partition(".")[0]
                for block in self.blocks
                for one in block.imports
                if not one.level
            }
            self._packages = names - {self.name.partition(".")[0]}
            self._sorted_packages = None
        return self._packages

    def packages(self) -> list[str]:
        """The package it belongs to, by its top-level name, and then those that it imports from."""
        imported = self.imported_packages()
        if self._sorted_packages is None:
            self._sorted_packages = [self.name.partition(".")[0], *sorted(imported)]
        return self._sorted_packages

    def position(self, block: Block) -> int:
        """The position of `block` among the blocks (-1 if it is no longer part of the text)."""
        return self._positions.get(block, -1)

    def absolute(self, module: str, level: int) -> str | None:
        """The absolute name of a module that is imported here with `level` leading dots; None where the
        dots lead out of the package."""
        if level == 0:
            return module
        parts = self.name.split(".") if self.name else []
        keep = len(parts) - level + (1 if self.is_package else 0)
        if keep < 0 or (keep == 0 and not module):
            return None
        return ".".join([*parts[:keep], *([module] if module else [])])

    def exports(self, name: str) -> bool:
        """Whether `from this import *` binds `name`: listed in `__all__` where that is a plain list of
        strings, else any name without a leading underscore. A package's `torch` that computes such a list
        exports what it defines, and not the `torch` that it imports for that."""
        found = self.binding("__all__", None)
        if found is None:
            return not name.startswith("_")
        if self._exported is None or self._exported[0] is not found[1]:
            self._exported = found[1], _strings(found[1])
        listed = self._exported[1]
        if listed is not None:
            return name in listed
        return not name.startswith("_") and not self._is_namesake(name)

    def _is_namesake(self, name: str) -> bool:
        """Whether a name is this module's own, and that of another one that it imports."""
        found = self.binding(name, None) if self.name.rpartition(".")[2] == name else None
        return found is not None and isinstance(found[1], ImportedModule)


def _replaced(before: list[Block], now: list[Block]) -> list[tuple[int, Block]] | None:
    """The blocks that stand in the place of others, each with its position, where that is all that has
    changed and they bind the same names; else None."""
    if len(before) != len(now):
        return None
    found = [(position, new) for position, new in enumerate(now) if new is not before[position]]
    for position, new in found:
        old = before[position]
        if (old.part is None) != (new.part is None) or old.stars or new.stars:
            return None
        if old.defined_class is not None or new.defined_class is not None:
            return None
        if (
            old.names.keys() != new.names.keys()
            or old.global_names.keys() != new.global_names.keys()
            or old.added_names.keys() != new.added_names.keys()
        ):
            return None
    gone = {before[position] for position, _ in found}
    return None if any(new in gone for _, new in found) else found  # else they have changed places


def _relying_on_class(block: Block) -> set[Block]:
    """The blocks that asked for what this one says of a class."""
    dirty: set[Block] = set()
    if block.part is not None:
        for name in block.part.names():
            dirty.update(block.part.owner.dependents.get(name, NO_BLOCKS))
    if block.defined_class is not None:
        dirty.update(*block.defined_class.dependents.values())
    return dirty


def _strings(definition: Definition) -> set[str] | None:
    """The strings of `__all__ = [...]`; None where it is anything else."""
    value = definition.value if isinstance(definition, Assigned) else None
    if not isinstance(value, Display):
        return None
    texts = [
        item.value if isinstance(item, Constant) and item.kind == "str" else None for item in value.items
    ]
    return {text for text in texts if text is not None} if None not in texts else None
