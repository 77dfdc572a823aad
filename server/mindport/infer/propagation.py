"""Propagation of arguments: what calls give for parameters, found to a fixpoint.

All calls are evaluated with what parameters are known to be given; what they give is then known for the next
round, in which only that is evaluated again which relies on something new. Within a round nothing of it
counts yet, so that the result depends neither on the order in which files are looked at nor on the process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import is_not
from typing import TYPE_CHECKING, Final

from mindport.callgraph.argument_facts import NOTHING, Given, ParameterKey, paths_in, united
from mindport.infer.call_arguments import given_by

if TYPE_CHECKING:
    from mindport.callgraph.argument_facts import ArgumentFacts
    from mindport.index.block import Block
    from mindport.index.module import Module
    from mindport.infer.evaluator import Evaluator

MOST_ROUNDS: Final = 8
"""What has not settled after so many rounds stays as it was found then."""


def given_by_module(evaluator: Evaluator, module: Module) -> Given:
    """What the calls in a module give, as far as is known what its parameters are given. The same object for
    as long as that is the same."""
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
    elsewhere, or not at all.

    Which parameters are given what in the end depends on the rounds before: a default value counts until a
    call is found, what changes too often is widened. So what each module gave in each round is kept, and
    after an edit the rounds are gone through again from nothing, in which only those modules are evaluated
    that the edit may concern, in whatever round.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._facts: ArgumentFacts = evaluator.project.argument_facts
        self._rounds: dict[str, list[Given]] = {}
        """By the path of each module, what it gave in each round; in later ones the same as in the last."""
        self._blocks: dict[str, list[Block]] = {}
        self._outside: dict[str, Given] = {}
        self._revision: object = None

    def settle(self, modules: Sequence[Module]) -> bool:
        """Bring what these modules give up to date, as if nothing had been known of it. Returns whether
        anything that was said before may be different now."""
        project = self._evaluator.project
        paths = {module.path: module for module in modules}
        gone = [path for path in self._rounds if path not in paths and not project.has_text(path)]
        settled = {*paths, *gone}
        outside = {path: self._facts.by(path) for path in self._facts.givers() if path not in settled}
        again = self._edited(paths, outside)
        if not again and not gone:
            return False
        asked = [key for key, blocks in self._facts.dependents.items() if blocks]
        before = {key: self._facts.said(key) for key in asked}
        while True:
            rounds, reached = self._gone_through(paths, again, gone)
            if not reached:
                break
            again |= reached
        self._rounds = rounds
        self._blocks = {path: list(module.blocks) for path, module in paths.items()}
        self._outside, self._revision = outside, project.revision
        self._facts.settled()
        return any(self._facts.said(key) != said for key, said in before.items())

    def _edited(self, paths: Mapping[str, Module], outside: Mapping[str, Given]) -> set[str]:
        """The modules that are to be evaluated: that are not as they were, and all that these may concern."""
        if self._revision != self._evaluator.project.revision or self._blocks.keys() != paths.keys():
            return set(paths)
        found = {path for path, module in paths.items() if module.blocks != self._blocks[path]}
        keys = {
            key
            for path in outside.keys() | self._outside.keys()
            for key in _different(outside.get(path, NOTHING), self._outside.get(path, NOTHING))
        }
        return self._concerned(found | self._asking(keys), paths)

    def _gone_through(
        self, paths: Mapping[str, Module], again: set[str], gone: Sequence[str]
    ) -> tuple[dict[str, list[Given]], set[str]]:
        """Go through the rounds from nothing, with the modules `again` evaluated anew. Returns what each
        module gave in each round, and the further modules that what those give otherwise now may concern:
        if there are any, it was in vain."""
        facts = self._facts
        facts.invalidate(facts.begin([*paths, *gone]))
        rounds: dict[str, list[Given]] = {path: [] for path in paths}
        different: set[ParameterKey] = set()
        for number in range(MOST_ROUNDS):
            for path, module in paths.items():
                kept = self._rounds.get(path)
                old = kept[min(number, len(kept) - 1)] if kept else NOTHING
                given = given_by_module(self._evaluator, module) if path in again else old
                rounds[path].append(given)
                if len(again) < len(paths):
                    different |= _different(old, given)
            changed = facts.take({path: given[-1] for path, given in rounds.items()})
            if not changed:
                break
            facts.invalidate(changed)
        return rounds, self._concerned(self._asking(different), paths) - again if different else set()

    def _asking(self, keys: set[ParameterKey]) -> set[str]:
        """The modules whose code was ever evaluated with what one of these parameters is given."""
        parameters = self._evaluator.project.parameters
        return {path for path, asked in parameters.items() if not keys.isdisjoint(asked)}

    def _concerned(self, changed: set[str], paths: Mapping[str, Module]) -> set[str]:
        """The modules that these may concern: they themselves, and those that asked for something in them, or
        are given something by them, directly or through others."""
        if not changed:
            return set()
        relying: dict[str, set[str]] = {}
        for path, others in self._relied_on(paths).items():
            for other in others:
                relying.setdefault(other, set()).add(path)
        found, waiting = set(changed), list(changed)
        while waiting:
            for path in relying.get(waiting.pop(), ()):
                if path not in found:
                    found.add(path)
                    waiting.append(path)
        return found & paths.keys()

    def _relied_on(self, paths: Mapping[str, Module]) -> dict[str, set[str]]:
        """By the path of each module, those that it may rely on, also of modules that only others know."""
        project = self._evaluator.project
        givers: dict[ParameterKey, set[str]] = {}
        for path, rounds in self._rounds.items():
            for given in {id(one): one for one in rounds}.values():
                for key, forms in given.items():
                    known = givers.setdefault(key, set())
                    known.add(path)
                    for form in forms:
                        known.update(paths_in(form))
        found: dict[str, set[str]] = {}
        for path in {*paths, *project.asked, *project.parameters}:
            places = {project.locate(name) for name in project.asked.get(path, ())}
            found[path] = {place for place in places if place is not None}
            for key in project.parameters.get(path, ()):
                found[path] |= givers.get(key, set())
        return found


def _different(before: Given, after: Given) -> set[ParameterKey]:
    """The parameters that are given something else."""
    if before is after:
        return set()
    return {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
