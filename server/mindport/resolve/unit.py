"""What was evaluated in one block, and what it relied on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mindport.resolve.definitions import Definition
    from mindport.resolve.uses import BlockUses
    from mindport.resolve.values import Result

Question = tuple[Any, ...]
"""What a block asked of the rest of the project; see `Evaluator.ask`."""


class Unit:
    """The memory of one block.

    `definitions` holds the results of its definitions, `answers` what it asked of other blocks and modules
    and was told, `uses` the uses found in it. All of it holds for as long as every answer is still the same;
    `revision` is the project's revision for which that was last found true.
    """

    __slots__ = ("answers", "checking", "definitions", "revision", "uses")

    def __init__(self) -> None:
        self.revision = -1
        self.checking = False
        self.definitions: dict[Definition, Result] = {}
        self.answers: dict[Question, object] = {}
        self.uses: BlockUses | None = None

    def forget(self) -> None:
        """Drop everything."""
        self.definitions = {}
        self.answers = {}
        self.uses = None
