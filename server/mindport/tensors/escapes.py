"""What else sees that a Tensor is changed in place.

A Tensor that is changed in place may be known by other names, be a view of another one, be stored somewhere,
or belong to whoever called. Where none of that is so, a change in place cannot be told from a new Tensor that
is bound to the name. What counts is said in `docs/resolution.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from mindport.index import nodes
from mindport.index.definitions import Definition, FreeVariable, LoopPhi, Phi
from mindport.tensors.aliases import Aliases, PointsTo
from mindport.tensors.facts import Shared, SharedKind

if TYPE_CHECKING:
    from mindport.index.block import Block
    from mindport.index.definitions import Augmented
    from mindport.infer.evaluator import Evaluator


class InPlaceChange(NamedTuple):
    """A place where a Tensor is changed: by what `name` it is reached (None, if by none), which memory it may
    be, where that has happened, and the outermost loop around (empty, if there is none)."""

    name: str | None
    origins: tuple[PointsTo, ...]
    start: int
    loop: range

    def is_round_again(self, position: int) -> bool:
        """Whether what stands at a position is run again once the change has happened."""
        return position in self.loop


class _Holder(NamedTuple):
    """What refers to memory at one place: a name that is read, or (`name` is None) what a value is given to.
    `is_inner`: in a function inside, it is read whenever that is called; `is_kept`: the name may be what an
    earlier round of a loop bound it to."""

    text: str
    start: int
    origin: PointsTo
    name: str | None = None
    is_inner: bool = False
    is_kept: bool = False

    def sees(self, change: InPlaceChange, mine: PointsTo) -> bool:
        """Whether it refers to changed memory, `mine`, when or after that is changed."""
        if self.name is None:
            return self._is_given_before(change, mine)
        return self.name != change.name and self._is_read_after(change, mine)

    def _is_given_before(self, change: InPlaceChange, mine: PointsTo) -> bool:
        """What is stored before the change, or before it happens again. Memory that is made anew in each
        round is stored by then only if the change finds what the last round left."""
        if self.start < change.start:
            return True
        is_left = mine.start >= change.start or mine.start < change.loop.start
        return is_left and change.is_round_again(self.start)

    def _is_read_after(self, change: InPlaceChange, mine: PointsTo) -> bool:
        """Another name that is the memory still: what was made before the change, or in the loop if the name
        keeps it for the next round. What it got from the changed name afterwards is what the change left, or
        was not changed."""
        is_after = self.start > change.start or self.is_inner
        if not is_after and not change.is_round_again(self.start):
            return False
        if self.is_kept:
            return True
        if any(name == change.name and at > change.start for name, at in self.origin.names):
            return False
        return mine.start < (change.start if is_after else change.loop.start)


class Escapes:
    """Answers for one block. What refers to memory there is collected when it is first asked for."""

    def __init__(self, evaluator: Evaluator, block: Block) -> None:
        self.block = block
        self.memory = Aliases(evaluator)
        self._holders: dict[Any, list[_Holder]] | None = None

    def of_augmented(self, augmented: Augmented) -> tuple[Shared, ...]:
        """What else refers to the Tensor that `name op= value` changes."""
        origins = self.memory.of_definition(augmented.before)
        loop = self._loop_around(augmented.start)
        return self._others(InPlaceChange(augmented.target.id, origins, augmented.value.end, loop))

    def of_receiver(self, receiver: nodes.Expression, call: nodes.CallExpression) -> tuple[Shared, ...]:
        """What else refers to the Tensor that a call of a method of `receiver` changes; also what it is a
        view of, be that read again or not: not every view can be written to."""
        name = receiver.id if isinstance(receiver, nodes.Name) else None
        origins = self.memory.of(receiver)
        found = self._others(InPlaceChange(name, origins, call.end, self._loop_around(call.start)))
        is_view = any(origin.is_view for origin in origins)
        if is_view and not any(one.is_view for one in found):
            found += (Shared("view", self._text(receiver), True),)
        return found

    def _loop_around(self, position: int) -> range:
        around = [range(start, end) for start, end in self.block.loops if start <= position < end]
        return min(around, key=lambda loop: loop.start, default=range(0))

    def _others(self, change: InPlaceChange) -> tuple[Shared, ...]:
        found: dict[Shared, None] = {}
        for mine in change.origins:
            if mine.kind != "made":
                found[Shared(mine.kind, mine.text, mine.is_view)] = None
            else:
                self._add_holders(change, mine, found)
        return tuple(found)

    def _add_holders(self, change: InPlaceChange, mine: PointsTo, found: dict[Shared, None]) -> None:
        """Add what in the block itself refers to memory that was made there."""
        if self._holders is None:
            self._holders = self._collect()
        for holder in self._holders.get(mine.key, ()):
            if mine.overlaps(holder.origin) and holder.sees(change, mine):
                kind: SharedKind = "stored" if holder.name is None else "name"
                found[Shared(kind, holder.text, mine.is_view or holder.origin.is_view)] = None

    def _collect(self) -> dict[Any, list[_Holder]]:
        """The names that are read for what is in them, and what is put into attributes and containers."""
        found: list[_Holder] = []
        waiting = list(self.block.roots)
        while waiting:
            expression = waiting.pop()
            if isinstance(expression, nodes.Name):
                found += self._read(expression)
                continue
            if isinstance(expression, nodes.Attribute) and expression.name in self.memory.facts.metadata:
                continue
            if isinstance(expression, nodes.CallExpression):
                found += self._added(expression)
            elif isinstance(expression, nodes.Parts) and expression.kind == "yield":
                for part in expression.parts:
                    found += self._given("yield", part)
            waiting.extend(nodes.children(expression))
        for stored in self.block.stored:  # what is assigned to an item of a Tensor is copied
            if stored.container is None or not self.memory.has_tensor(stored.container):
                found += self._given(self._text(stored), stored.value)
        found.sort(key=lambda holder: holder.start)
        holders: dict[Any, list[_Holder]] = {}
        for holder in found:
            holders.setdefault(holder.origin.key, []).append(holder)
        return holders

    def _read(self, name: nodes.Name) -> list[_Holder]:
        definition = name.definition
        is_inner, is_kept = isinstance(definition, FreeVariable), _is_kept_by_loop(definition)
        origins = self.memory.of_definition(definition)
        return [_Holder(name.id, name.start, origin, name.id, is_inner, is_kept) for origin in origins]

    def _added(self, call: nodes.CallExpression) -> list[_Holder]:
        function = call.function
        if not isinstance(function, nodes.Attribute) or function.name not in nodes.ADDING:
            return []
        position = nodes.ADDING[function.name]
        if len(call.arguments) != position + 1 or self.memory.has_tensor(function.value):
            return []
        return self._given(self._text(function.value), call.arguments[position].value)

    def _given(self, text: str, value: nodes.Expression) -> list[_Holder]:
        return [_Holder(text, value.start, origin) for origin in self.memory.of(value)]

    def _text(self, expression: nodes.Expression) -> str:
        return self.block.text[expression.start : expression.end].decode("utf-8", "replace")


def _is_kept_by_loop(definition: Definition) -> bool:
    """Whether a name may be what an earlier round of a loop bound it to."""
    if not isinstance(definition, Phi):
        return False
    waiting: list[Definition] = [definition]
    seen: set[Definition] = set()
    while waiting:
        current = waiting.pop()
        if isinstance(current, LoopPhi):
            return True
        if isinstance(current, Phi) and current not in seen:
            seen.add(current)
            waiting.extend(current.parts)
    return False
