"""Propagation of arguments: what calls give for parameters, found to a fixpoint.

All calls are evaluated with what parameters are known to be given; what they give is then known for the next
round, in which only that is evaluated again which relies on something new. Within a round nothing of it
counts yet, so that the result does not depend on the order in which blocks are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from mindport.callgraph.argument_facts import Given, ParameterKey
from mindport.infer.call_arguments import given_by

if TYPE_CHECKING:
    from mindport.index.block import Block
    from mindport.index.module import Module
    from mindport.infer.evaluator import Evaluator

MOST_ROUNDS: Final = 8
"""What has not settled after so many rounds stays as it was found then."""


def propagate(evaluator: Evaluator, modules: Iterable[Module]) -> int:
    """Bring what the calls in these modules give up to date. Returns how many rounds that took."""
    facts = evaluator.project.argument_facts
    listed = list(modules)
    for number in range(MOST_ROUNDS):
        found: list[tuple[Block, Given]] = []
        for module in listed:
            for block in module.blocks:
                if (block.calls or block.classes or block.part) and (block.memo.dirty or block.memo.given is None):
                    evaluator.enter(block)
                    if block.memo.given is None:
                        block.memo.given = given_by(evaluator, block)
                    found.append((block, block.memo.given))
        changed: set[ParameterKey] = set()
        for block, given in found:
            changed |= facts.take(block, given)
        import os
        if os.environ.get("ROUNDS"): print("round", number, len(found), len(changed))
        if not changed:
            return number + 1
        facts.invalidate(changed)
    return MOST_ROUNDS
