"""Propagation of arguments: what calls give for parameters, found to a fixpoint.

All calls are evaluated with what parameters are known to be given; what they give is then known for the next
round, in which only that is evaluated again which relies on something new. Within a round nothing of it
counts yet, so that the result depends neither on the order in which files are looked at nor on the process.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from operator import is_not
from typing import TYPE_CHECKING, Final

from mindport.callgraph.argument_facts import ArgumentFacts, Given, ParameterKey, paths_in, united
from mindport.infer.call_arguments import defined_by, given_by

if TYPE_CHECKING:
    from mindport.index.block import Block
    from mindport.index.module import Module
    from mindport.infer.evaluator import Evaluator

MOST_ROUNDS: Final = 8
"""What has not settled after so many rounds stays as it was found then."""

OF_ALL_FILES: Final = ""
"""The giver that says which parameters all files of a scan together give too much; see
`ArgumentFacts.too_much`."""


def given_by_module(evaluator: Evaluator, module: Module) -> Given:
    """What the calls in a module give, as far as is known what its parameters are given. The same object for
    as long as that is the same."""
    known: tuple[list[Given], Given] | None = module.given
    if known is not None and not module.is_stale:
        return known[1]
    parts = [_given_by_block(evaluator, block) for block in module.giving()]
    module.is_stale = False
    if known is None or len(known[0]) != len(parts) or any(map(is_not, known[0], parts)):
        known = module.given = parts, united(parts)
    return known[1]


def defined_by_module(evaluator: Evaluator, module: Module) -> Given:
    """What of that the classes in a module define. It rests on the text alone: so it can be known before the
    first round, in which else all would be evaluated as if no class had such members, and then again."""
    return united([defined_by(evaluator, block) for block in module.giving()])


def _given_by_block(evaluator: Evaluator, block: Block) -> Given:
    memo = block.memo
    if memo.dirty:
        evaluator.enter(block)
    if memo.given is None:
        memo.given = given_by(evaluator, block)
    given: Given = memo.given
    return given


_Parts = dict[str, "dict[Block, Given]"]
"""What each block of modules gives, by the modules' paths."""
_DONE: Final = object()


class Propagation:
    """Keeps what the calls in some modules give up to date, in a project whose other modules are looked at
    elsewhere, or not at all."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._elsewhere: ArgumentFacts | None = None
        """What modules give that are looked at elsewhere."""
        self._settled: _Parts = {}
        """What was found when the modules were settled last."""
        self._expected: set[ParameterKey] | None = None
        """The parameters that others may give something else since then; None, where there was no news."""

    @property
    def elsewhere(self) -> ArgumentFacts:
        """What modules give that are looked at elsewhere: in the beginning, all that is known."""
        if self._elsewhere is None:
            self._elsewhere = self.evaluator.project.argument_facts.copy()
        return self._elsewhere

    def expect(self, arguments: Mapping[str, Given]) -> set[ParameterKey]:
        """Take up what modules give that are looked at elsewhere, by their paths, when modules are settled
        next. Returns the parameters that it is about."""
        keys = {key for given in arguments.values() for key in given}
        for path in arguments:
            keys |= self.elsewhere.withdraw(path)
        self.elsewhere.take(arguments)
        self.elsewhere.settled()
        self._expected = keys | (self._expected or set())
        return keys

    def take(self, arguments: Mapping[str, Given]) -> bool:
        """The same, at once. Returns whether anything that was said before may be different now."""
        keys, before = self.expect(arguments), self.evaluator.project.argument_facts
        now = self.elsewhere.copy()
        keys |= _withdraw(now, self._settled)
        now.take({path: before.by(path) for path in self._settled})
        now.settled()
        self.evaluator.project.argument_facts = now
        return now.invalidate({key for key in keys if before.said(key) != now.said(key)})

    def settle(self, modules: Sequence[Module]) -> bool:
        """Bring what these modules give up to date, as if nothing had been known of it. What they give counts
        instead of what was taken up of them, and what others gave when they were settled counts no more.
        Returns whether anything that was said before may be different now."""
        settling = self.settling(modules)
        while not settling.step():
            pass
        return settling.has_changed

    def settling(self, modules: Sequence[Module]) -> Settling:
        """The same, step by step."""
        return Settling(self, modules)

    def is_settled(self, found: _Parts) -> bool:
        """Whether what was found is what is known, and would be found if nothing were known."""
        if self._expected is not None or found.keys() != self._settled.keys():
            return False
        return all(_giving(self._settled[path]) == _giving(parts) for path, parts in found.items())

    def beginning(self, paths: Sequence[str]) -> tuple[ArgumentFacts, set[ParameterKey]]:
        """What is known while modules give nothing yet, and the parameters of which that says something
        else than what is known now."""
        before, now = self.evaluator.project.argument_facts, self.elsewhere.copy()
        keys = {key for path in {*paths, *self._settled} for key in before.by(path)}
        keys |= _withdraw(now, paths) | (self._expected or set())
        keys.update(key for path in self._settled for key in now.by(path))
        return now, {key for key in keys if before.said(key) != now.said(key)}

    def finish(self, found: _Parts) -> None:
        """Note what was found in the end."""
        self._settled = found
        self._expected = None


class Settling:
    """Modules are settled, a step at a time; see `Propagation.settle`. While something else is looked at, it
    is to be suspended: what was known before holds until the next step. Whoever changes modules, or what
    others give, has to cancel it.

    `path` is that of the module at hand. `has_changed` says in the end whether anything that was said before
    may be different now."""

    def __init__(self, propagation: Propagation, modules: Sequence[Module]) -> None:
        self._propagation = propagation
        self._project = propagation.evaluator.project
        self._modules = modules
        self._before = self._project.argument_facts
        self._now = self._before
        self._touched: set[ParameterKey] = set()
        """What was said of these since the beginning has changed, for a while at least."""
        self._relied_on: set[ParameterKey] = set()
        """Those of them that results rested on."""
        self._work = self._run()
        self._is_done = False
        self.path = ""
        self.has_changed = False
        self.is_cancelled = False

    def step(self) -> bool:
        """Go on, until one more block has been evaluated. Returns whether there is nothing more to do."""
        if not self.is_cancelled and not self._is_done:
            self._put(self._now)
            try:
                self._is_done = next(self._work, _DONE) is _DONE
            except BaseException:
                self.cancel()
                raise
        return self.is_cancelled or self._is_done

    def suspend(self) -> None:
        """Let hold what was known before, unless all is done."""
        if not self._is_done:
            self._put(self._before)

    def cancel(self) -> None:
        """Let hold what was known before, for good, unless all is done."""
        if not self.is_cancelled and not self._is_done:
            self.suspend()
            self.is_cancelled = True
            self._work.close()

    def _put(self, facts: ArgumentFacts) -> None:
        if self._project.argument_facts is not facts:
            self._project.argument_facts = facts
            facts.invalidate(self._touched)

    def _run(self) -> Generator[None, None, None]:
        found = yield from self._collected()
        if not self._propagation.is_settled(found):
            self._now, changed = self._propagation.beginning([module.path for module in self._modules])
            self._put(self._now)
            yield from self._touch(changed)
            for _ in range(MOST_ROUNDS):
                found = yield from self._collected()
                changed = self._now.take({path: united(parts.values()) for path, parts in found.items()})
                if not changed:
                    break
                yield from self._touch(changed)
            self._now.settled()
            self.has_changed = any(self._before.said(key) != self._now.said(key) for key in self._relied_on)
        self._propagation.finish(found)

    def _touch(self, keys: set[ParameterKey]) -> Generator[None, None, None]:
        """Something else is said of these parameters now. Modules that this is the first to speak of are
        read, so that no block has to wait for all of them."""
        self._touched |= keys
        asked = [key for key in keys if self._now.dependents.get(key)]
        self._relied_on.update(asked)
        self._now.invalidate(keys)
        for path in {path for key in asked for form in self._now.of(key) for path in paths_in(form)}:
            if path not in self._project.modules:
                self.path = path
                self._project.module(path)
                yield

    def _collected(self) -> Generator[None, None, _Parts]:
        """What every block gives, as far as is known what parameters are given."""
        found: _Parts = {}
        for module in self._modules:
            self.path = module.path
            parts = found[module.path] = {}
            for block in module.giving():
                is_known = block.memo.given is not None and not block.memo.dirty
                parts[block] = _given_by_block(self._propagation.evaluator, block)
                if not is_known:
                    yield
        return found


def _withdraw(facts: ArgumentFacts, paths: Iterable[str]) -> set[ParameterKey]:
    """Let modules give nothing. Returns the parameters that they gave something."""
    keys = {key for path in paths for key in facts.withdraw(path)}
    too_much = facts.by(OF_ALL_FILES)
    if not keys.isdisjoint(too_much):  # which stays too much, whoever gives it
        facts.withdraw(OF_ALL_FILES)
        facts.take({OF_ALL_FILES: too_much})
        facts.settled()
    return keys


def _giving(parts: dict[Block, Given]) -> dict[Block, Given]:
    """Those of them that give something, or may have given something in some round before. Where one of these
    was edited, what the others give may rest on that, though it gives the same in the end."""
    return {block: given for block, given in parts.items() if given}
