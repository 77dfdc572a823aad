"""What was evaluated in one block, what it relied on, and who relies on it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import count
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mindport.index.block import Block
    from mindport.index.definitions import Definition
    from mindport.index.nodes import Expression

Query = tuple[Any, ...]
"""What a block asked of the rest of the project; see `Context.ask`."""


class Memo:
    """What is remembered of one block.

    `definitions` and `values` hold the results of its definitions and expressions, `uses` the uses found in
    it, `answers` what it asked of other blocks and was told, `followed` what follows from these alone. All of
    it holds for as long as every answer is still the same. `dirty` says that something it relies on, directly
    or not, may have changed since that was last found true, at `held_at`; `is_suspect`, that something has
    changed that it relies on directly: all that it asked has to be asked again then, or, of other things,
    what it asked of the `changed` ones. `evicted_at` is when all of it was dropped last.

    `dependents` are the blocks that asked for something evaluated in this one, `relies_on` those of which
    this block is a dependent, each with the queries that led there; `listed_in` are the other sets of
    dependents that it is in.
    """

    __slots__ = (
        "answers",
        "changed",
        "checking",
        "definitions",
        "dependents",
        "dirty",
        "evicted_at",
        "followed",
        "given",
        "held_at",
        "is_suspect",
        "listed_in",
        "relies_on",
        "uses",
        "values",
    )

    def __init__(self) -> None:
        self.dirty = True
        self.checking = False
        self.is_suspect = False
        self.changed: dict[Hashable, None] = {}
        self.held_at = 0
        self.evicted_at = 0
        self.definitions: dict[Definition, Any] = {}
        self.values: dict[Expression, Any] = {}
        self.answers: dict[Query, Any] = {}
        self.followed: dict[Query, Any] = {}
        self.uses: Any = None
        self.given: Any = None
        self.dependents: set[Block] = set()
        self.relies_on: dict[Block, list[Query]] = {}
        self.listed_in: list[set[Block]] = []

    def hold(self) -> None:
        """All that is remembered is as it would be found now."""
        self.dirty = False
        if self.is_suspect:
            self.is_suspect = False
        if self.changed:
            self.changed = {}
        self.held_at = next(_MOMENTS)


_MOMENTS: Final = count(1)
"""Moments, one after the other, whatever thread asks."""


def rely_on(block: Block, other: Block, query: Query) -> None:
    """Note that the answer to a query of `block` relies on something evaluated in `other`."""
    relies_on = block.memo.relies_on
    queries = relies_on.get(other)
    if queries is None:
        relies_on[other] = [query]
        other.memo.dependents.add(block)
    elif query is not queries[-1] and query not in queries:
        queries.append(query)


def evict(block: Block) -> None:
    """Drop what a block remembers, and with it what it relies on: from now on that is as found."""
    memo = block.memo
    for dependents in memo.listed_in:
        dependents.discard(block)
    for other in memo.relies_on:
        other.memo.dependents.discard(block)
    memo.relies_on = {}
    memo.listed_in = []
    memo.definitions = {}
    memo.values = {}
    memo.answers = {}
    memo.followed = {}
    memo.uses = None
    memo.given = None
    memo.evicted_at = next(_MOMENTS)


def mark_dirty(blocks: Iterable[Block], changed: Hashable = None) -> None:
    """Something that these blocks asked for may be something else now, what they asked of `changed`, if that
    is said: they are dirty, and so is all that relies on them. A dirty block's dependents are dirty already.
    """
    waiting = []
    for block in blocks:
        memo = block.memo
        if changed is None:
            memo.is_suspect = True
        else:
            memo.changed[changed] = None
        if not memo.dirty:
            waiting.append(block)
    while waiting:
        block = waiting.pop()
        if not block.memo.dirty:
            block.memo.dirty = True
            if block.module is not None:
                block.module.touch(block)
            waiting.extend(block.memo.dependents)


def dirty_cycles(block: Block) -> list[list[Block]]:
    """The dirty blocks that a dirty block relies on, directly or through each other, with itself: each with
    those that rely on it as it does on them, and behind all others that it relies on. Those that are being
    checked are left out.

    This is Tarjan's algorithm, without recursion: chains of blocks are as long as a project has it."""
    found: list[list[Block]] = []
    numbers = {block: 0}
    lowest = [0]
    open_blocks = [block]
    path = [(block, iter(block.memo.relies_on))]
    while path:
        current, rest = path[-1]
        number = numbers[current]
        for other in rest:
            memo = other.memo
            if not memo.dirty or memo.checking:
                continue
            known = numbers.get(other)
            if known is None:
                numbers[other] = len(lowest)
                lowest.append(len(lowest))
                open_blocks.append(other)
                path.append((other, iter(memo.relies_on)))
                break
            lowest[number] = min(lowest[number], lowest[known])
        else:
            path.pop()
            if path:
                before = numbers[path[-1][0]]
                lowest[before] = min(lowest[before], lowest[number])
            if lowest[number] == number:
                cycle: list[Block] = []
                while not cycle or cycle[-1] is not current:
                    cycle.append(open_blocks.pop())
                    lowest[numbers[cycle[-1]]] = _DONE
                found.append(cycle)
    return found


_DONE: Final = 1 << 60
"""Higher than the number of any block: of one whose cycle is complete."""
