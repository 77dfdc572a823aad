"""Propagation of arguments: what calls give for parameters, found to a fixpoint.

All calls are evaluated with what parameters are known to be given; what they give is then known for the next
round, in which only that is evaluated again which relies on something new. Within a round nothing of it
counts yet, so that the result depends neither on the order in which files are looked at nor on the process.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_not
from typing import TYPE_CHECKING, Final

from mindport.callgraph.argument_facts import Given, ParameterKey, united
from mindport.index.memo import mark_dirty
from mindport.infer.call_arguments import given_by

if TYPE_CHECKING:
    from mindport.callgraph.argument_facts import ArgumentFacts
    from mindport.index.block import Block
    from mindport.index.module import Module
    from mindport.infer.evaluator import Evaluator

MOST_ROUNDS: Final = 8
"""What has not settled after so many rounds stays as it was found then."""


def given_by_module(evaluator: Evaluator, module: Module) -> Given:
    """What the calls in a module give, as far as is known what its parameters are given. The same object for as
    long as that is the same."""
    blocks = [block for block in module.blocks if block.calls or block.classes or block.part is not None]
    parts = [_given_by_block(evaluator, block) for block in blocks]
    known = module.given
    if known is None or len(known[0]) != len(parts) or any(map(is_not, known[0], parts)):
        known = module.given = parts, united(parts)
    return known[1]


def _given_by_block(evaluator: Evaluator, block: Block) -> Given:
    memo = block.memo
    if memo.dirty:
        evaluator.enter(block)
    if memo.given is None:
        memo.given = given_by(evaluator, block)
    given: Given = memo.given
    return given


class Propagation:
    """Keeps what the calls in some modules give up to date, in a project whose other modules are looked at
    elsewhere, or not at all."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._facts: ArgumentFacts = evaluator.project.argument_facts

    def settle(self, modules: Sequence[Module]) -> bool:
        """Bring what these modules give up to date, as if nothing had been known of it. Returns whether
        anything that was said before may be different now."""
        found = {module.path: given_by_module(self._evaluator, module) for module in modules}
        lost = {
            key
            for path, given in found.items()
            for key, forms in self._facts.by(path).items()
            if not forms <= given.get(key, frozenset())
        }
        has_changed = self._withdraw(lost, {module.path for module in modules}) if lost else False
        for _ in range(MOST_ROUNDS):
            changed = self._facts.take(found)
            if not changed:
                break
            has_changed = self._facts.invalidate(changed) or has_changed
            found = {module.path: given_by_module(self._evaluator, module) for module in modules}
        self._facts.settled()
        return has_changed

    def _withdraw(self, lost: set[ParameterKey], paths: set[str]) -> bool:
        """Let modules that rely on what is given no more, directly or through others, give nothing: what they
        gave may be all that supports itself."""
        waiting, withdrawn = set(lost), False
        left = set(paths)
        while waiting:
            relying: set[Block] = set()
            for key in waiting:
                relying |= self._facts.dependents.get(key, set())
            mark_dirty(relying)
            waiting = set()
            for path in [one for one in left if self._is_dirty(one)]:
                left.discard(path)
                waiting |= self._facts.withdraw(path)
                withdrawn = True
        return withdrawn

    def _is_dirty(self, path: str) -> bool:
        module = self._evaluator.project.modules.get(path)
        return module is not None and any(block.memo.dirty for block in module.blocks)
