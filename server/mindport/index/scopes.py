"""Scopes and the flow of definitions through them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from mindport.index.definitions import (
    NO_DICT,
    NO_LIST,
    NO_SET,
    UNBOUND,
    Definition,
    FreeVariable,
    LoopPhi,
    Narrowed,
    Phi,
)

if TYPE_CHECKING:
    from mindport.index.block import Block

ScopeKind = Literal["module", "class", "function"]
Names = dict[str, Definition]


class Scope:
    """A namespace of the program. The module's own scope is cut into one per block.

    `bound` are the names that are bound here: those of `binding`, once all of it is lowered. `outer_names`
    are the names of the flow around at the point where this scope was opened, `outer_log` all that flow binds
    from `outer_position` on: a class body sees the former, a closure both. `rebound` is what functions inside
    bind here by `nonlocal`.
    `is_part`: of a class whose body is cut into blocks, the part that one block holds.
    """

    __slots__ = (
        "binding",
        "block",
        "bound",
        "global_names",
        "is_part",
        "kind",
        "nonlocal_names",
        "outer_log",
        "outer_names",
        "outer_position",
        "parent",
        "rebound",
    )

    def __init__(self, kind: ScopeKind, parent: Scope | None, block: Block) -> None:
        self.kind = kind
        self.parent = parent
        self.block = block
        self.is_part = False
        self.binding: set[str] = set()
        self.bound: tuple[str, ...] = ()
        self.global_names: set[str] = set()
        self.nonlocal_names: set[str] = set()
        self.outer_names: Names = {}
        self.outer_log: list[tuple[str, Definition]] = []
        self.outer_position = 0
        self.rebound: list[tuple[str, Definition]] = []

    def seal(self) -> None:
        """See `Block.seal`."""
        self.bound = tuple(self.binding)
        self.binding = NO_SET
        self.global_names = self.global_names or NO_SET
        self.nonlocal_names = self.nonlocal_names or NO_SET
        self.outer_names = self.outer_names or NO_DICT
        self.rebound = self.rebound or NO_LIST

    def opened_in(self, flow: Flow) -> None:
        """Remember what is visible at this point of the flow around."""
        for frame in flow.loops:
            self.outer_names.update(frame.outer)
            self.outer_names.update(frame.heads)
        self.outer_names.update(flow.names)
        self.outer_log, self.outer_position = flow.log, len(flow.log)

    def rebind_outside(self, name: str, definition: Definition) -> None:
        """`nonlocal`: bind `name` in the enclosing function that owns it."""
        scope = self.parent
        while scope is not None and not (scope.kind == "function" and scope.is_local(name)):
            scope = scope.parent
        if scope is not None:
            scope.rebound.append((name, definition))

    def captured(self, name: str) -> list[Definition]:
        """What a name of the scope around may be for code that runs later: what it was when this scope was
        opened, or what is bound after."""
        found = [self.outer_names[name]] if name in self.outer_names else []
        later = self.outer_log[self.outer_position :] + (self.parent.rebound if self.parent else [])
        return found + [definition for bound, definition in later if bound == name]

    def is_local(self, name: str) -> bool:
        """Whether `name` is bound in this scope and belongs to it."""
        is_bound = name in self.bound or name in self.binding
        return is_bound and name not in self.global_names and name not in self.nonlocal_names


def join(parts: list[Definition]) -> Definition:
    """One definition for several that reach the same place. Nested joins are flattened, except the heads of
    loops: those may still grow. What a test has shown of a name still holds where all paths that do not bind
    it anew come from there."""
    flat: list[Definition] = []
    for part in parts:
        for piece in part.parts if type(part) is Phi and part.parts else (part,):
            if piece is not UNBOUND and piece not in flat:
                flat.append(piece)
    if len(flat) > 1 and any(type(piece) is Narrowed for piece in flat):
        flat = _without_tests(flat)
    if not flat:
        return UNBOUND
    return flat[0] if len(flat) == 1 else Phi(tuple(flat))


def _without_tests(parts: list[Definition]) -> list[Definition]:
    """The same definitions; those that differ but by what tests have shown become what they were before."""
    untested = [part.untested() if isinstance(part, Narrowed) else part for part in parts]
    kept = [
        part if untested.count(before) == 1 else before for part, before in zip(parts, untested, strict=True)
    ]
    return list(dict.fromkeys(kept))


class LoopFrame:
    """The names at the head of a loop: each name read in the body before it is bound there gets a joined
    definition, completed with what the end of the body brings back to the head."""

    __slots__ = ("breaks", "continues", "heads", "outer")

    def __init__(self, outer: Names) -> None:
        self.outer = outer
        self.heads: dict[str, LoopPhi] = {}
        self.breaks: list[Names] = []
        self.continues: list[Names] = []


class Flow:
    """The names of one scope at the current point of a walk over its statements.

    `names` holds what was bound since the innermost loop head (or since the scope's start); `dead` says that
    the point cannot be reached.
    """

    __slots__ = ("_entries", "dead", "log", "loops", "names", "scope")

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._entries: dict[str, FreeVariable] = {}
        self.names: Names = {}
        self.loops: list[LoopFrame] = []
        self.dead = False
        self.log: list[tuple[str, Definition]] = []

    def read(self, name: str) -> Definition:
        """What binds `name` here."""
        found = self.names.get(name)
        if found is not None:
            return found
        return self._at_head(name, len(self.loops) - 1) if self.loops else self._entry(name)

    def _entry(self, name: str) -> FreeVariable:
        """The definition that stands for `name` at the entry of the scope."""
        found = self._entries.get(name)
        if found is None:
            found = self._entries[name] = FreeVariable(self.scope, name)
        return found

    def bind(self, name: str, definition: Definition) -> None:
        """Bind `name` from here on."""
        self.names[name] = definition
        self.log.append((name, definition))
        if definition is not UNBOUND:
            scope = self.scope
            scope.binding.add(name)
            if not scope.global_names and not scope.nonlocal_names:  # as most
                return
            if name in scope.global_names:
                scope.block.global_definitions.setdefault(name, []).append(definition)
            elif name in scope.nonlocal_names:
                scope.rebind_outside(name, definition)

    def _at_head(self, name: str, depth: int) -> Definition:
        if depth < 0:
            return self._entry(name)
        frame = self.loops[depth]
        head = frame.heads.get(name)
        if head is None:
            before = frame.outer.get(name)
            if before is None:
                before = self._at_head(name, depth - 1)
            head = frame.heads[name] = LoopPhi((before,))
        return head

    def merge(self, branches: list[tuple[Names, bool]]) -> None:
        """Continue where several branches, each its names and whether it is dead, come together."""
        live = [names for names, dead in branches if not dead]
        self.dead = not live
        if not live:
            live = [names for names, _ in branches]
        if len(live) == 1:
            self.names = live[0]
            return
        first, rest = live[0], live[1:]
        merged = dict(first)
        changed = {
            name for other in rest for name, definition in other.items() if merged.get(name) is not definition
        }
        changed.update(name for name in first if any(name not in other for other in rest))
        for name in changed:
            merged[name] = join(
                [names.get(name) or self._at_head(name, len(self.loops) - 1) for names in live]
            )
        self.names = merged

    def enter_loop(self) -> None:
        """Start the body of a loop."""
        self.loops.append(LoopFrame(self.names))
        self.names = {}

    def leave_loop(self) -> None:
        """End the body: complete the head's definitions, and continue after the loop (which may have run
        no time at all)."""
        frame = self.loops[-1]
        ends = ([] if self.dead else [self.names]) + frame.continues
        for name, head in frame.heads.items():
            parts = list(head.parts)
            parts.extend(names[name] for names in ends if name in names and names[name] is not head)
            head.parts = tuple(dict.fromkeys(part for part in parts if part is not UNBOUND)) or (UNBOUND,)
        after = ends + frame.breaks
        self.loops.pop()
        self.dead = False
        merged = dict(frame.outer)
        for name in {name for names in after for name in names}:
            outer = frame.outer.get(name) or self._at_head(name, len(self.loops) - 1)
            merged[name] = join([outer, *(names[name] for names in after if name in names)])
        self.names = merged
