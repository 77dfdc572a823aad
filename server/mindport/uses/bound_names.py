"""How each name that a module reads is bound: where, and whether on every path that leads to the read.

The analysis of uses asks what a name may be; here it is asked whether it is anything at all.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from mindport.index.definitions import UNBOUND, FreeVariable, FunctionParameter, Iterated, sources
from mindport.index.nodes import AssignmentTarget, Name, children

if TYPE_CHECKING:
    from mindport.index.block import Block
    from mindport.index.definitions import ClassDefinition, Definition, NameResolution

Binder = Literal["own", "lambda", "outer", "class", "module", "star", "builtin", "nothing"]
"""Who binds a name: the scope that reads it, a lambda as its parameter, a function around it, the class whose
body reads it, the module, perhaps a star import, Python, or nobody."""
BUILTIN_NAMES: Final = frozenset({*dir(builtins), "__file__", "__name__", "__doc__", "__path__", "__class__"})
"""Names that Python binds."""


class BoundName(NamedTuple):
    """How a name is bound where it is read. `definite`: on every path that leads there. Of what a function
    reads of the module, it is what stands before the function. `later`: the read is run later than the
    statement at the top level that it is in."""

    binder: Binder
    definite: bool
    later: bool


class NameRead(NamedTuple):
    """A name that is read: where (bytes of the document), and how it is bound. `iterable`: of the target of a
    loop or a comprehension, where that starts which it runs over."""

    start: int
    name: str
    bound: BoundName
    iterable: int | None = None


NOBODY: Final = BoundName("nothing", False, False)


class BoundNames:
    """The names of a module, from its blocks in source order and where these start."""

    def __init__(self, blocks: Sequence[Block], starts: Sequence[int]) -> None:
        self.blocks = blocks
        self.starts = starts
        self.deleted: set[str] = set()
        """The names that the module's own statements delete, as far as they are plainly deleted."""
        self._bindings: dict[str, list[tuple[int, Definition]]] = {}
        self._members: dict[tuple[ClassDefinition, str], list[tuple[int, Definition]]] = {}
        self._stars: list[int] = []
        self._reads: dict[int, NameRead] | None = None
        for position, block in enumerate(blocks):
            self._take_up(position, block)

    def _take_up(self, position: int, block: Block) -> None:
        for name, definition in block.names.items():
            if definition is UNBOUND:
                self.deleted.add(name)
            if block.part is None:
                self._bindings.setdefault(name, []).append((position, definition))
        if block.part is not None:
            for name, definition in block.part.namespace.items():
                self._members.setdefault((block.part.owner, name), []).append((position, definition))
        for name, definition in block.global_names.items():
            if block.part is not None or name not in block.names:
                self._bindings.setdefault(name, []).append((position, definition))
        if block.stars:
            self._stars.append(position)

    def at_the_end(self) -> set[str]:
        """The names that the module may have bound when it has run."""
        return {name for name, found in self._bindings.items() if found[-1][1] is not UNBOUND}

    def reads(self) -> dict[int, NameRead]:
        """Every name that is read, however deep, by where that is."""
        if self._reads is None:
            self._reads = {read.start: read for read in self._walk()}
        return self._reads

    def is_bound_anew(self, name: str, start: int, position: int) -> bool:
        """Whether a name of the module that is read at an offset, in the block of that number, surely is what
        another statement than an import has bound before (`transforms = transforms.Compose(...)`)."""
        read = self.reads().get(start)
        if read is None or read.bound.binder != "module" or not read.bound.definite:
            return False
        for at, definition in reversed(self._bindings.get(name, [])):
            if at < position:
                parts = sources(definition, before_tests=True)
                return not any(type(part) is FreeVariable or part.is_import() for part in parts)
        return False

    def _walk(self) -> Iterator[NameRead]:
        for position, block in enumerate(self.blocks):
            start = self.starts[position]
            known: dict[Definition, BoundName] = {}
            waiting = list(block.roots)
            seen: set[int] = set()
            while waiting:
                expression = waiting.pop()
                if isinstance(expression, Name):
                    if expression.start in seen:
                        continue
                    seen.add(expression.start)
                    definition = expression.definition
                    bound = known.get(definition)
                    if bound is None:
                        bound = known[definition] = self._bound(expression.id, definition, position)
                    over = definition.iterable.start + start if isinstance(definition, Iterated) else None
                    yield NameRead(start + expression.start, expression.id, bound, over)
                elif isinstance(expression, AssignmentTarget):
                    waiting.append(expression.attribute)
                else:
                    waiting.extend(children(expression))

    def _bound(self, name: str, definition: Definition, position: int) -> BoundName:
        parts = sources(definition, before_tests=True)
        entries = [part for part in parts if type(part) is FreeVariable]
        if not entries:
            is_of_lambda = all(_is_of_lambda(part) for part in parts)
            return BoundName("lambda" if parts and is_of_lambda else "own", bool(parts), False)
        outside = self._from_outside(name, entries[0], position)
        if len(entries) == len(parts) or outside.definite:
            return outside
        return BoundName("own", False, outside.later)

    def _from_outside(self, name: str, entry: FreeVariable, position: int) -> BoundName:
        """How a name is bound when control enters its scope."""
        origin = entry.origin()
        if origin.local:
            return BoundName("outer", True, origin.deferred) if origin.definitions else NOBODY
        if origin.owner is not None and not origin.deferred:
            found = self._last(self._members.get((origin.owner, name), ()), position)
            if found is not None and found[1]:
                return BoundName("class", True, False)
        return self._of_module(name, origin, position)

    def _of_module(self, name: str, origin: NameResolution, position: int) -> BoundName:
        later = origin.deferred
        bindings = self._bindings.get(name, [])
        before = self._last(bindings, position)
        if before is not None and before[1] and not (later and name in self.deleted):
            return BoundName("module", True, later)
        if (before is not None and before[0]) or (later and bindings):
            return BoundName("module", False, later)
        if any(star < position or later for star in self._stars):
            return BoundName("star", False, later)
        if name in BUILTIN_NAMES:
            return BoundName("builtin", True, later)
        return BoundName("nothing", False, later)

    def _last(self, bindings: Sequence[tuple[int, Definition]], position: int) -> tuple[bool, bool] | None:
        """Whether the statements before `position` may bind a name, and whether they do so in any case; None
        where none has to do with it."""
        may_bind = False
        is_known = False
        for at, definition in reversed(bindings):
            if at >= position:
                continue
            is_known = True
            parts = sources(definition, before_tests=True)
            if not parts:
                return may_bind, False
            may_bind = True
            if not any(type(part) is FreeVariable for part in parts) and not self._is_of_function(
                at, definition
            ):
                return True, True
        return (may_bind, False) if is_known else None

    def _is_of_function(self, position: int, definition: Definition) -> bool:
        """Whether a function of a block binds a name of the module by `global`: if it is called."""
        return definition in self.blocks[position].global_names.values()


def _is_of_lambda(definition: Definition) -> bool:
    return isinstance(definition, FunctionParameter) and definition.function.name == "<lambda>"
