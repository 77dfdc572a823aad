"""What is done to batches in functions that train, from where they have them to where networks get them."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from mindport.catalog.catalog import Catalog
from mindport.report.analysis.batches import cut_size
from mindport.report.analysis.file_code import OF_SELF, WORD, FileCode, Named, by_scope, last_part, spelled

if TYPE_CHECKING:
    from mindport.catalog.migration_facts import RecipeItem

_BUILTINS: Final = frozenset(dir(builtins))
_SELF: Final = "self"
_COUNTING: Final = "enumerate("
_SEVERAL: Final = 2
_FORWARD: Final = "forward"
_DRAWN: Final = re.compile(r"rand|normal|noise|bernoulli|multinomial|sample")
"""What stands where something is drawn at random."""
_SIZE: Final = re.compile(
    r"\blen\([^()]*\)|[\w.]+\.(?:shape\b(?:\[[^\]]*\])?|size\([^()]*\)|device\b|dtype\b)"
)
"""What asks for a size, a place or a type."""


class BatchFlow:
    """Follows batches in the functions of a file that take gradients or call such (`training`, by their last
    names): `trains` says of a loop whether it does, `is_left_out` what only evaluates."""

    def __init__(
        self,
        code: FileCode,
        training: frozenset[str],
        trains: Callable[[Named], bool],
        is_left_out: Callable[[Named], bool],
    ) -> None:
        self._code = code
        self._training = training
        self._trains = trains
        self._is_left_out = is_left_out
        self._catalog = Catalog.load()
        facts = self._catalog.migration
        self._losses: RecipeItem = next(item for item in facts.recipe if item.minimized)
        self._data: RecipeItem = next(item for item in facts.recipe if item.cuts and not item.arguments)
        self._bound = frozenset(one.bound for one in code.names)

    @cached_property
    def steps(self) -> Sequence[Named]:
        """The assignments that make what networks are given of batches, the first first."""
        scopes = {one.scope.name for one in self._loops}
        scopes |= {one.scope.dotted(one.name) for one in self._code.functions if one.name in self._training}
        return [one for scope in sorted(scopes) for one in self._of_scope(scope)]

    @cached_property
    def functions(self) -> frozenset[str]:
        """The functions and methods of the file that these call, by their names with those around them, but
        for those that call networks themselves."""
        return frozenset(
            function.scope.dotted(function.name)
            for call in self._called
            for function in self._own(call)
            if not self._applies_any(function)
        )

    @cached_property
    def of_others(self) -> frozenset[str]:
        """The names of functions of other files that these call."""
        return frozenset(
            call.written
            for call in self._called
            if call.written in self._bound and not call.written[:1].isupper()
        ) | frozenset(
            last_part(call.written)
            for call in self._called
            if self._data.is_loaded(call.written.partition(".")[0]) and not self._is_method(call)
        )

    @cached_property
    def _called(self) -> Sequence[Named]:
        return [call for one in self.steps for call in self._calls_in(one)]

    @cached_property
    def _loops(self) -> Sequence[Named]:
        loops = [*self._code.loops, *self._code.whiles]
        return [one for one in loops if self._trains(one) and not self._is_left_out(one)]

    def _of_scope(self, scope: str) -> Iterator[Named]:
        inside = [one for one in self._computed.get(scope, ()) if not self._is_left_out(one)]
        raw, made = self._first(scope), dict[str, bool]()
        after: list[Named] = []
        fed: set[str] = set()
        for one in inside:
            names = used_in(one, self._code)
            owner = one.written.partition("[")[0]
            networks = [call for call in self._calls_in(one) if self._applies(call, raw)]
            networks += [call for call in self._calls_in(one) if self._hands_on(call)]  # gives what it makes
            if networks:
                given = [value for call in networks for _, value in call.arguments]
                fed.update(word for value in given for word in WORD.findall(value))
            if one.position == 0 and one.made in self._observing:
                raw.add(owner)
                made.pop(owner, None)
            elif networks or any(made.get(name) for name in names):
                made[owner] = True
                raw.discard(owner)
            elif names & raw:
                raw.add(owner)
                made.pop(owner, None)
                after.append(one)
            elif self._is_taken(one):
                raw.add(owner)
        handed = [call for call in self._of(scope) if self._hands_on(call)]
        fed.update(word for call in handed for _, value in call.arguments for word in WORD.findall(value))
        yield from reversed(list(self._feeding(after, fed, raw, scope)))

    def _feeding(self, after: Sequence[Named], fed: set[str], raw: set[str], scope: str) -> Iterator[Named]:
        """What is assigned to the names that networks get, the last first, and is made of batches, but of
        nothing that is drawn."""
        own = {
            one.written
            for one in self._computed.get(scope, ())
            if _DRAWN.search(self._code.without_comments(one.start, one.end)) is not None
        } - raw
        for one in reversed(after):
            names = names_in(one) - self._bound
            owner, is_entry, _ = one.written.partition("[")
            is_mixed = bool(is_entry) and owner in names  # some of a batch in place of others
            if owner in fed and (own.isdisjoint(names) or is_mixed):
                fed.update(names - {_SELF})
                yield one
            if owner in fed and is_mixed:
                yield from self._drawn_for(one, scope)

    def _drawn_for(self, one: Named, scope: str) -> Iterator[Named]:
        """What is drawn before to say which samples of a batch, and what of these, are mixed."""
        names = {*names_in(one), *WORD.findall(one.written)}
        for each in self._computed.get(scope, ()):
            is_before = each.end <= one.start and each.written in names
            if is_before and self._draws(each):
                yield each

    def _draws(self, one: Named) -> bool:
        """Whether what is assigned is drawn, or a function of the file gives it."""
        if _DRAWN.search(self._code.without_comments(one.start, one.end)) is not None:
            return True
        return any(map(self._own, self._calls_in(one)))

    def _hands_on(self, call: Named) -> bool:
        """Whether a call is of a function that trains with what it is given."""
        name = call.written.removeprefix(OF_SELF)
        return name in self._training and name in self._functions

    @cached_property
    def of_objects(self) -> Sequence[Named]:
        """What objects do with their own data that batches are taken out of: what is assigned to attributes
        of what these are."""
        taken = {
            (name, one.scope.classes)
            for one in self._code.computed
            if one.scope.classes
            and any(one.start <= step.start <= one.end for step in [*self.steps, *self._cuts])
            for name in one.uses
            if name.startswith(OF_SELF)
        }
        return [
            one
            for one in self._code.computed
            if (one.written, one.scope.classes) in taken and one.written in one.uses and one.is_computed
        ]

    @cached_property
    def _cuts(self) -> Sequence[Named]:
        return [one for one in self._code.computed if self._is_taken(one)]

    def _first(self, scope: str) -> set[str]:
        """The names that batches have where they are first: those of loops that train, and parameters of
        functions without such loops, but for those that are called or have methods of their own."""
        loops = [one for one in self._loops if one.scope.name == scope]
        found = {
            name
            for one in loops
            if one.over and not one.counted
            for name in WORD.findall(
                one.name.partition(",")[2] if one.over.startswith(_COUNTING) else one.name
            )
        }
        functions = [one for one in self._code.functions if one.scope.dotted(one.name) == scope]
        if not loops:
            found |= {name for one in functions for name, value in one.arguments if not value}
            called = {call.written.partition(".")[0] for call in self._of(scope) if not self._is_method(call)}
            found -= called
            found = {name for name in found if not self._catalog.migration.is_setting(f"{name}.x")}
        for one in self._code.loops:
            if one.scope.name == scope and not found.isdisjoint(WORD.findall(one.over)):
                found.update(WORD.findall(one.name))
        return found

    def _is_taken(self, one: Named) -> bool:
        """Whether a batch is cut out of data, or given by what makes data."""
        if not any(loop.start <= one.start < loop.last for loop in self._loops):
            return False
        is_given = bool(one.made) and self._data.has_function(last_part(one.made))
        return is_given or bool(cut_size(self._code.without_comments(one.start, one.end)))

    @cached_property
    def _observing(self) -> frozenset[str]:
        """The methods of environments that give what these show first, and rewards."""
        facts = self._catalog.migration
        given = [one for one in self._code.computed if one.position > 0 and "." in one.made]
        return frozenset(one.made for one in given if facts.is_reward(one.name))

    def _is_method(self, call: Named) -> bool:
        """Whether a call is of a method that Tensors have."""
        return (
            "." in call.written and self._catalog.api(f"torch.Tensor.{last_part(call.written)}") is not None
        )

    def _is_of_module(self, call: Named) -> bool:
        """Whether a call is of a method of networks that applies none, such as `parameters`."""
        last = last_part(call.written)
        is_method = "." in call.written and self._catalog.api(f"torch.nn.Module.{last}") is not None
        return is_method and last != _FORWARD and len(call.arguments) < _SEVERAL

    def _applies(self, call: Named, raw: set[str]) -> bool:
        """Whether a call may be of a network: of an object, and no function of a library or of the project,
        nor what computes losses."""
        first, dot, _ = call.written.partition(".")
        last = last_part(call.written)
        if call.written in self._observing or not call.arguments:
            return False
        if not call.name or first in raw or first in self._bound or first in _BUILTINS:
            return False
        if dot and self._data.is_loaded(first):
            return False
        if self._losses.has_result(spelled(last)) or self._losses.has_function(last) or self._own(call):
            return False
        is_class = last[:1].isupper() and not dot and last not in self._objects
        if is_class or self._is_of_module(call):
            return False
        return not self._is_method(call) or last == _FORWARD

    @cached_property
    def _objects(self) -> frozenset[str]:
        """The names that are given what something else gives."""
        return frozenset(one.written for one in self._code.computed if one.made)

    def _applies_any(self, function: Named) -> bool:
        given = {name for name, _ in function.arguments}
        return any(
            self._applies(call, set()) and (call.written.startswith(OF_SELF) or call.written in given)
            for call in self._of(function.scope.dotted(function.name))
        )

    def _own(self, call: Named) -> list[Named]:
        """The functions that a call is of: methods of the same object, functions of the module."""
        is_method = call.written.startswith(OF_SELF)
        return [
            one
            for one in self._functions.get(call.written.removeprefix(OF_SELF), ())
            if one.name not in self._training
            and (one.scope.classes == call.scope.classes if is_method else not one.scope.classes)
        ]

    @cached_property
    def _functions(self) -> Mapping[str, Sequence[Named]]:
        found: dict[str, list[Named]] = {}
        for one in self._code.functions:
            found.setdefault(one.name, []).append(one)
        return found

    @cached_property
    def _computed(self) -> Mapping[str, Sequence[Named]]:
        return by_scope(self._code.computed)

    @cached_property
    def _calls(self) -> Mapping[str, Sequence[Named]]:
        return by_scope(self._code.calls)

    def _of(self, scope: str) -> Sequence[Named]:
        return self._calls.get(scope, ())

    def _calls_in(self, one: Named) -> Iterator[Named]:
        for call in self._of(one.scope.name):
            if one.start <= call.start and call.end <= one.end:
                yield call


def used_in(one: Named, code: FileCode) -> set[str]:
    """The first parts of the names in an assignment, but for those of which only the size is asked."""
    text = _SIZE.sub("", code.without_comments(one.start, one.end).removeprefix(one.written))
    return names_in(one).intersection(WORD.findall(text))


def names_in(one: Named) -> set[str]:
    """The first parts of the names in an assignment, with what a method is called on that gives what is
    assigned."""
    found = {name.partition(".")[0].partition("[")[0] for name in one.uses}
    return found | ({one.made.partition(".")[0]} if "." in one.made else set())
