"""What learning rates in a file are computed from, and when they change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from mindport.report.analysis.code_facts import called_in, formula
from mindport.report.analysis.entries import RecipeEntry
from mindport.report.analysis.file_code import OF_SELF, Named, NamedValue, last_part, spelled
from mindport.report.analysis.file_reader import MAIN_NAME, FileReader, given_to, names_used

if TYPE_CHECKING:
    from mindport.catalog.migration_facts import RecipeItem

_STEP: Final = "step"
_LAMBDA: Final = re.compile(r"=\s*lambda\b")
_OTHER_RATE: Final = re.compile(r"^\s*(?:[\w.]*\.)?(?:\w+_)?(?:lr|learning_rate)\s*[*/]")
"""A rate that is computed from another one."""
_COUNTED: Final = re.compile(r"epoch|step|iter")
_OF_TEXT: Final = re.compile(r"^[\w.\[\]\"']+\s*[!=]=\s*[\"'][^\"']*[\"']$")
"""A condition that compares with a text alone."""
_GROUP: Final = "group"
_SAMPLE: Final = "__getitem__"
_FORWARD: Final = "forward"
_ONE_MORE: Final = re.compile(r"\+=\s*\[[^-+*/]*\]\s*$")
"""What puts something into a list."""


class ScheduleReader(FileReader):
    """Reads functions and classes that set learning rates."""

    def _only_reads(self, function: Named) -> bool:
        """Whether a function gives what something has, and computes nothing."""
        places = [*self.code.computed, *self.code.returns]
        inside = [one for one in places if function.end <= one.start < function.last]
        computing = [one for one in inside if one.is_computed and not self._collects(one)]
        return self.facts.reads(function.name) and not computing

    def _collects(self, one: Named) -> bool:
        """Whether a list gets one more thing."""
        source = self.code.without_comments(one.start, one.end)
        return one.is_augmented and _ONE_MORE.search(source) is not None

    def _sets(self, item: RecipeItem, function: Named) -> bool:
        """Whether a function assigns what belongs to an item, by how it is written."""
        return any(
            self._has_target(item, one)
            for one in self.code.computed
            if function.end <= one.start < function.last
        )

    def _bodies(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        """What is computed in the functions that belong to an item, and on which conditions; of those that
        assign what does, but have other names, only what that is computed from. Then the conditions on which
        such functions are called, or what belongs to it is assigned."""
        given = self._given_to(item)
        own_functions = [
            one
            for one in self.code.functions
            if (item.has_function(one.name) or one.name in given) and not self._only_reads(one)
        ]
        functions = [(one.end, one.last) for one in own_functions]
        parts = list(self._named_in_classes(item))
        for one in self.code.returns:
            if _is_within(one, parts) and not _is_within(one, functions) and one.is_computed:
                yield self._entry(item, one.name, one, names_used(one))
        for one in self._given_expressions(item):
            yield self._entry(item, one.name, one, names_used(one))
        for call in self._with_other_rates():
            yield self._entry(item, call.name, call, given_to(call))
        own = [*functions, *parts]
        needed = self._needed(item)
        told = [one for one in self.code.calls if item.has_function(one.name.rpartition(".")[2])]
        told = [one for one in told if not self.facts.reads(last_part(one.name))]
        told += [one for one in self.code.computed if self._has_target(item, one)]
        taken = [one for one in self.code.calls if self._is_taken(item, one)]
        told += taken
        for one in self.code.computed:
            is_counter = one.is_augmented and not one.uses
            is_own = (
                _is_within(one, own) and (one.is_computed or self._is_computed_with(one)) and not is_counter
            )
            is_own = is_own or (_is_within(one, functions) and self._is_plain_rate(item, one))
            is_found = one.is_computed or (one.made.startswith(OF_SELF) and bool(called_in(self.code, one)))
            is_found = is_found and bool(one.scope.name) and (one.written, one.scope.name) in needed
            if is_own or is_found:
                yield self._entry(item, one.name, one, names_used(one))
                for part in [
                    part
                    for called in called_in(self.code, one)
                    for part in formula(self.code, called, self.facts.computing)
                ]:
                    yield self._entry(item, part.name, part, names_used(part))
        for one in self.code.conditions:
            if one.is_compared and _is_within(one, functions):
                yield self._entry(item, one.name, one, names_used(one))
        for value in self.code.values:
            place = Named(value.name, value.offset, value.offset, value.scope)
            is_needed = (value.name, value.scope.name) in needed and not value.owner
            is_needed = is_needed and (bool(value.scope.name) or self._is_in_branch(place))
            is_named = item.has_calculated(value.name) or self._is_chosen(value)
            is_told = is_needed or (_is_within(place, own) and is_named)
            if value.kind == "assigned" and value.value and is_told:
                yield self._of_value(item, value)
                told.append(place)
        for one in self._counted_for_rates(item):
            yield self._entry(item, one.name, one, names_used(one))
        for call in self.code.calls:
            if self._is_taken(item, call) and self._is_measure(call):
                yield self._entry(item, call.name, call, given_to(call))
        for one in told:
            around = [each for each in self.code.conditions if each.end <= one.start < each.last]
            inner = max(around, key=lambda each: each.start, default=None)
            if inner is None or (one.written.endswith(_STEP) and self._is_around_training(inner)):
                continue
            if _OF_TEXT.search(self.document.text(inner.start, inner.end)) is not None:
                continue  # which of several it is, and not when
            is_asked = one in taken and any(map(self.facts.is_setting, inner.uses))
            if (inner.is_compared or is_asked) and MAIN_NAME not in inner.uses:
                yield self._entry(item, "if", inner, names_used(inner))

    def _counted_for_rates(self, item: RecipeItem) -> Iterator[Named]:
        """What counts on conditions and is given to functions that compute rates."""
        for call in self.code.calls if item.tells_body else ():
            given = {value for _, value in call.arguments if value.isidentifier()}
            if not given or not item.has_function(last_part(call.written)) or self._is_torch(call):
                continue
            for one in self.code.computed:
                is_counter = one.is_augmented and one.written in given and one.scope == call.scope
                if is_counter and any(
                    each.start <= one.start < each.end
                    and not each.start <= call.start < each.end
                    and _OF_TEXT.search(each.condition) is None
                    for each in self.code.branches
                    if each.scope == one.scope
                ):
                    yield one

    def _with_other_rates(self) -> Iterator[Named]:
        """The calls that are given a rate that is computed from another one, after some epochs or steps."""
        for call in self.code.calls:
            if any(_OTHER_RATE.search(value) for _, value in call.arguments) and not self._is_torch(call):
                around = [one for one in self.code.branches if one.start <= call.start < one.end]
                if any(_COUNTED.search(one.condition) and one.scope == call.scope for one in around):
                    yield call

    def _is_taken(self, item: RecipeItem, call: Named) -> bool:
        """Whether a schedule goes on with a call."""
        owner, _, last = call.written.rpartition(".")
        return last == _STEP and item.has_result(spelled(last_part(owner)))

    @staticmethod
    def _is_measure(call: Named) -> bool:
        """Whether a schedule goes on by something else than how often: what it watches."""
        values = [value for _, value in call.arguments]
        return len(values) == 1 and len(values[0]) > 1 and _COUNTED.search(values[0].lower()) is None

    def _is_around_training(self, condition: Named) -> bool:
        """Whether gradients are taken in what runs where a condition holds."""
        return any(condition.end <= one.start < condition.last for one in self._training_calls)

    def _is_plain_rate(self, item: RecipeItem, one: Named) -> bool:
        """Whether a function that computes a rate takes another as it is, on one of its ways."""
        if one.made or one.is_computed or "." in one.written:
            return False
        is_of_branch = (one.name, one.scope.name) in self._computed_with and self._is_in_branch(one)
        if not item.has_calculated(one.name) and not is_of_branch:
            return False
        if any(_GROUP in name for name in one.uses):
            return False  # what the optimizer has
        same = [each for each in self.code.computed if (each.written, each.scope) == (one.written, one.scope)]
        return any(each.is_computed for each in same)

    def _given_expressions(self, item: RecipeItem) -> Iterator[Named]:
        """The functions without a name of their own that the APIs of an item are given by another name."""
        given = {value for one in self.code.calls if item.has_api(one.name) for _, value in one.arguments}
        for one in self.code.computed if given else ():
            if one.written in given and _LAMBDA.search(self.document.text(one.start, one.end)) is not None:
                yield one

    def _given_to(self, item: RecipeItem) -> frozenset[str]:
        """The functions of the file that the APIs of an item are given."""
        if not item.tells_body:
            return frozenset()
        if item.name not in self._given_functions:
            own = {one.name for one in self.code.functions if not one.scope.classes}
            calls = [one for one in self.code.calls if item.has_api(one.name)]
            given = {value for call in calls for _, value in call.arguments}
            rates = [one for one in self.code.computed if item.has_calculated(one.name)]
            given |= {one.made for one in rates if not self._is_of_images(one)}
            self._given_functions[item.name] = frozenset((own & given) - self._trained_by)
        return self._given_functions[item.name]

    def _is_of_images(self, one: Named) -> bool:
        """Whether what is computed is no rate, as a network computes it, or a class that gives samples: what
        is of low resolution."""
        sampling = {each.scope.classes for each in self.code.functions if each.name == _SAMPLE}
        is_of_layer = last_part(one.scope.name) == _FORWARD and bool(one.scope.classes)
        return is_of_layer or (bool(one.scope.classes) and one.scope.classes in sampling)

    def _named_in_classes(self, item: RecipeItem) -> Iterator[tuple[int, int]]:
        """Where the classes stand that belong to an item, and what these are put together from: the classes
        and functions of the file that they name, also through others."""
        outer = {
            spelled(one.name): one for one in [*self.code.classes, *self.code.functions] if not one.scope.name
        }
        waiting = [
            one
            for one in self.code.classes
            if item.has_class(one.name) and item.is_meant_class(self.document.text(one.end, one.last))
        ]
        seen = {one.start for one in waiting}
        while waiting:
            inside = waiting.pop()
            yield inside.end, inside.last
            methods = [one for one in self.code.functions if inside.start <= one.start < inside.last]
            given = {spelled(name) for one in methods for name, _ in one.arguments}
            named = {name for name, offset in self.code.read if inside.end <= offset < inside.last}
            for one in [outer[name] for name in sorted(named) if name in outer]:
                is_other = one in self.code.functions and spelled(one.name) in given
                if one.start not in seen and not is_other:
                    seen.add(one.start)
                    waiting.append(one)

    def _is_computed_with(self, one: Named) -> bool:
        """Whether what a call gives is what its function computes or returns something with."""
        return bool(one.made) and (one.name, one.scope.name) in self._computed_with

    def _needed(self, item: RecipeItem) -> frozenset[tuple[str, str]]:
        """The names that functions compute what belongs to an item with, each with its function."""
        if item.name not in self._for_targets:
            found: set[tuple[str, str]] = set()
            for target in [one for one in self.code.computed if self._has_target(item, one)]:
                names, scope = {*target.uses, *target.terms}, target.scope.name
                for one in reversed(self.code.computed):
                    if one.scope.name == scope and one.written in names and one.is_computed:
                        names.update(one.uses)
                found.update((name, scope) for name in names if name != target.written)
            self._for_targets[item.name] = frozenset(found)
        return self._for_targets[item.name]

    def _is_chosen(self, value: NamedValue) -> bool:
        """Whether a number is one of several that a local name may be, with which its function computes."""
        key = (value.name, value.scope.name)
        if value.owner or not value.value[:1].isdigit() or key not in self._computed_with:
            return False
        if self._given_numbers[key] > 1:
            return True
        place = Named(value.name, value.offset, value.offset, value.scope)
        return self._is_in_branch(place) and any(
            one.is_computed and not one.is_augmented and (one.name, one.scope.name) == key
            for one in self.code.computed
        )

    def _is_in_branch(self, place: Named) -> bool:
        """Whether code runs on a condition in its function."""
        return any(
            one.start <= place.start < one.end and one.scope == place.scope for one in self.code.branches
        )

    @cached_property
    def _given_numbers(self) -> Counter[tuple[str, str]]:
        """How often names are given a number, each with their function."""
        given = [one for one in self.code.values if one.kind == "assigned" and one.value[:1].isdigit()]
        return Counter([(one.name, one.scope.name) for one in given])

    @cached_property
    def _computed_with(self) -> frozenset[tuple[str, str]]:
        """The names in what functions compute or return, each with the function."""
        places = [one for one in self.code.computed if one.is_computed or one.made]
        places += self.code.returns
        return frozenset((spelled(name), one.scope.name) for one in places for name in one.uses)


def _is_within(place: Named, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place.start < end for start, end in spans)
