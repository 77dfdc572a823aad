"""What was evaluated in one block, what it relied on, and who relies on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mindport.index.block import Block
    from mindport.index.definitions import Definition
    from mindport.index.nodes import Expression

Query = tuple[Any, ...]
"""What a block asked of the rest of the project; see `Context.ask`."""


class Memo:
    """What is remembered of one block.

    `definitions` and `values` hold the results of its definitions and expressions, `uses` the uses found in
    it, `answers` what it asked of other blocks and was told. All of it holds for as long as every answer is
    still the same. `dirty` says that something it relies on, directly or not, may have changed since that
    was last found true. `dependents` are the blocks that asked for something evaluated in this one;
    `listed_in` are the sets of dependents that this block is in.
    """

    __slots__ = (
        "answers",
        "checking",
        "definitions",
        "dependents",
        "dirty",
        "given",
        "listed_in",
        "uses",
        "values",
    )

    def __init__(self) -> None:
        self.dirty = True
        self.checking = False
        self.definitions: dict[Definition, object] = {}
        self.values: dict[Expression, object] = {}
        self.answers: dict[Query, object] = {}
        self.uses: object = None
        self.given: Any = None
        self.dependents: set[Block] = set()
        self.listed_in: list[set[Block]] = []


def depend_on(block: Block, dependents: set[Block]) -> None:
    """Note that `block` relies on something whose dependents are `dependents`."""
    if block not in dependents:
        dependents.add(block)
        block.memo.listed_in.append(dependents)


def evict(block: Block) -> None:
    """Drop what a block remembers, and with it what it relies on."""
    memo = block.memo
    for dependents in memo.listed_in:
        dependents.discard(block)
    memo.listed_in = []
    memo.definitions = {}
    memo.values = {}
    memo.answers = {}
    memo.uses = None
    memo.given = None


def mark_dirty(blocks: set[Block]) -> None:
    """Something that these blocks rely on may have changed: they are dirty, and so is all that relies on
    them. A dirty block's dependents are dirty already."""
    waiting = [block for block in blocks if not block.memo.dirty]
    while waiting:
        block = waiting.pop()
        if not block.memo.dirty:
            block.memo.dirty = True
            waiting.extend(block.memo.dependents)
