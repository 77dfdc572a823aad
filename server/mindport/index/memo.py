"""What was evaluated in one block, what it relied on, and who relies on it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Union

if TYPE_CHECKING:
    from mindport.index.block import Block
    from mindport.index.definitions import Definition
    from mindport.index.nodes import Expression

Query = tuple[Any, ...]
"""What a block asked of the rest of the project; see `Context.ask`."""
Blocks = Union["list[Block]", "set[Block]"]
"""Blocks, each once: a list, if they are few."""
Dependents = dict[Any, Blocks]
"""The blocks that depend on what a name is, by name; see `depend`."""


class Memo:
    """What is remembered of one block.

    `definitions` and `values` hold the results of its definitions and expressions, `uses` the uses found in
    it, `answers` what it asked of other blocks and was told, `followed` what follows from these alone. All of
    it holds for as long as every answer is still the same. `dirty` says that something it relies on, directly
    or not, may have changed since that was last found true, at `held_at`; `is_suspect`, that something has
    changed that it relies on directly: all that it asked has to be asked again then, or, of other things,
    what it asked of the `changed` ones. `evicted_at` is when all of it was dropped last.

    `dependents` are the blocks that asked for something evaluated in this one, `relies_on` those of which
    this block is a dependent, each with the query that led there, or a list of several; `listed_in` is where
    else it is noted as one: dependents by name, and the name, one after the other. What is empty is `EMPTY`,
    `NO_BLOCKS` or `NO_PLACES`, which nothing may be put into: most blocks are asked little.
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
        self.changed: dict[Hashable, None] = EMPTY
        self.held_at = 0
        self.evicted_at = 0
        self.definitions: dict[Definition, Any] = EMPTY
        self.values: dict[Expression, Any] = EMPTY
        self.answers: dict[Query, Any] = EMPTY
        self.followed: dict[Query, Any] = EMPTY
        self.uses: Any = None
        self.given: Any = None
        self.dependents: Blocks = NO_BLOCKS
        self.relies_on: dict[Block, Query | list[Query]] = EMPTY
        self.listed_in: list[Any] = NO_PLACES

    def known_definitions(self) -> dict[Definition, Any]:
        """The results of definitions, to put more into it."""
        if self.definitions is EMPTY:
            self.definitions = {}
        return self.definitions

    def known_answers(self) -> dict[Query, Any]:
        """What was asked of others, to put more into it."""
        if self.answers is EMPTY:
            self.answers = {}
        return self.answers

    def follow(self, query: Query, found: object) -> None:
        """Remember what follows from answers."""
        if self.followed is EMPTY:
            self.followed = {}
        self.followed[query] = found

    def hold(self) -> None:
        """All that is remembered is as it would be found now."""
        self.dirty = False
        if self.is_suspect:
            self.is_suspect = False
        self.changed = EMPTY
        self.held_at = next(_MOMENTS)


EMPTY: Final[dict[Any, Any]] = {}
NO_BLOCKS: Final[list[Block]] = []
NO_PLACES: Final[list[Any]] = []
_FEW: Final = 4
"""So few blocks are a list: a set takes twice the memory of all that a list of these does."""


def with_block(blocks: Blocks, block: Block) -> Blocks:
    """These blocks and one that is not among them, which are changed."""
    if not isinstance(blocks, list):
        blocks.add(block)
    elif len(blocks) < _FEW:
        blocks.append(block)
    else:
        return {*blocks, block}
    return blocks


def depend(block: Block, dependents: Dependents, name: Hashable) -> None:
    """Note that a block depends on what a name is, which it is not known to do."""
    relying = dependents.get(name)
    dependents[name] = [block] if relying is None else with_block(relying, block)
    memo = block.memo
    if memo.listed_in is NO_PLACES:
        memo.listed_in = [dependents, name]
    else:
        memo.listed_in += (dependents, name)


_MOMENTS: Final = count(1)
"""Moments, one after the other, whatever thread asks."""


def rely_on(block: Block, other: Block, query: Query) -> None:
    """Note that the answer to a query of `block` relies on something evaluated in `other`."""
    memo = block.memo
    relies_on = memo.relies_on
    queries = relies_on.get(other)
    if queries is None:
        if relies_on is EMPTY:
            relies_on = memo.relies_on = {}
        relies_on[other] = query
        theirs = other.memo
        if theirs.dependents is NO_BLOCKS:
            theirs.dependents = [block]
        else:
            theirs.dependents = with_block(theirs.dependents, block)
    elif isinstance(queries, list):
        if query is not queries[-1] and query not in queries:
            queries.append(query)
    elif query is not queries and query != queries:
        relies_on[other] = [queries, query]


def led_to(queries: Query | list[Query]) -> list[Query]:
    """The queries that led from a block to one that it relies on."""
    return queries if isinstance(queries, list) else [queries]


def evict(block: Block) -> None:
    """Drop what a block remembers, and with it what it relies on: from now on that is as found."""
    memo = block.memo
    places = iter(memo.listed_in)
    for dependents, name in zip(places, places, strict=True):
        blocks: Blocks = dependents.get(name, NO_BLOCKS)
        if not isinstance(blocks, list):
            blocks.discard(block)
        elif block in blocks:
            blocks.remove(block)
    for other in memo.relies_on:
        blocks = other.memo.dependents
        if not isinstance(blocks, list):
            blocks.discard(block)
        elif block in blocks:
            blocks.remove(block)
    memo.relies_on = EMPTY
    memo.listed_in = NO_PLACES
    memo.definitions = EMPTY
    memo.values = EMPTY
    memo.answers = EMPTY
    memo.followed = EMPTY
    memo.uses = None
    memo.given = None
    memo.evicted_at = next(_MOMENTS)


def evict_unasked(blocks: Sequence[Block]) -> None:
    """Drop what those of these blocks remember that no other relies on: the last first, since most rely on
    some that stand before them."""
    for block in reversed(blocks):
        memo = block.memo
        if memo.answers and not memo.dependents and not memo.checking:
            evict(block)


def mark_dirty(blocks: Iterable[Block], changed: Hashable = None) -> None:
    """Something that these blocks asked for may be something else now, what they asked of `changed`, if that
    is said: they are dirty, and so is all that relies on them. A dirty block's dependents are dirty already.
    """
    waiting = []
    for block in blocks:
        memo = block.memo
        if changed is None:
            memo.is_suspect = True
        elif memo.changed is EMPTY:
            memo.changed = {changed: None}
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
