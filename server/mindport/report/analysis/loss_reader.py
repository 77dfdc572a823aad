"""What losses in a file are made of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from mindport.report.analysis.attribute_reader import AttributeReader
from mindport.report.analysis.code_facts import called_in, feeding, formula, given_at, is_all_seen, minimized
from mindport.report.analysis.entries import FormulaEntry, LossCall, RecipeEntry
from mindport.report.analysis.file_code import Named, last_part, spelled
from mindport.report.analysis.file_reader import BUILTINS, LOADING, names_used
from mindport.report.analysis.loss_formulas import FileFormulas

if TYPE_CHECKING:
    from mindport.catalog.migration_facts import RecipeItem

_UNNAMED: Final = re.compile(r"=\s*lambda\b")
"""What gives a name a function that has none."""


class LossReader(AttributeReader):
    """Reads what gradients are taken of."""

    @cached_property
    def _formulas(self) -> FileFormulas:
        return FileFormulas(self.code, self._loss, self.facts.computing)

    def formulas(self) -> Iterator[FormulaEntry]:
        """What functions compute that losses may be made of, in files that use torch."""
        if self.found.findings:
            for found in self._formulas.formulas(
                lambda one: self._entry(self._loss, one.name, one, names_used(one)), self._only_counts
            ):
                yield replace(found, entries=self._with_attributes(found.entries))

    def kept_values(self) -> Iterator[FormulaEntry]:
        """How objects compute what they put into their lists, in files that use torch."""
        if self.found.findings:
            yield from self._formulas.kept(
                lambda one: self._entry(self._loss, one.name, one, names_used(one)), self._only_evaluates
            )

    def loss_calls(self, recipe: Sequence[RecipeEntry]) -> Iterator[LossCall]:
        """The functions that the losses of the file are made of."""
        told = {entry.line for entry in recipe if entry.item == self._loss.name}
        lines: dict[int, list[Named]] = {}
        for one in [*self.code.computed, *self.code.returns, *self.code.calls]:
            line = self.at(one.start)["line"]
            if line in told:
                lines.setdefault(line, []).append(one)
        yield from self._formulas.calls_at(lines)

    def chosen_numbers(self, recipe: Sequence[RecipeEntry]) -> Iterator[RecipeEntry]:
        """The numbers that losses of the file are computed with which are one of several, on conditions."""
        told = {entry.line for entry in recipe if entry.item == self._loss.name}
        names = {
            (name, one.scope)
            for one in self.code.computed
            if one.is_computed and not one.is_augmented and self.at(one.start)["line"] in told
            for name in one.uses
        }
        numbers = [
            one
            for one in self.code.values
            if one.kind == "assigned" and not one.owner and (one.name, one.scope) in names
        ]
        counted = Counter((one.name, one.scope) for one in numbers)
        for one in numbers:
            is_number = one.value.lstrip("-")[:1].isdigit()
            is_chosen = any(each.start <= one.offset < each.end for each in self.code.branches)
            if is_number and is_chosen and counted[(one.name, one.scope)] > 1:
                yield self._of_value(self._loss, one)

    def _formula(self, item: RecipeItem, returned: Named) -> Iterator[RecipeEntry]:
        """What the function of a `return` computes for it, and those of the file that it calls."""
        if not item.minimized:
            return
        around = [one for one in self.code.functions if one.end <= returned.start < one.last]
        function = max(around, key=lambda one: one.start, default=None)
        losses = self._losses_of(item, returned)
        found = formula(self.code, function, self.facts.computing, losses) if function is not None else []
        fed = feeding(self.code, function, losses) if function is not None else []
        parts = [part for one in [*fed, returned] for part in self._parts_of_loss(one)]
        calling = [one for one in fed if self._calls_formula(one)]
        for one in [*found, *calling, *parts]:
            if not self._only_counts(one):
                yield self._entry(item, one.name, one, names_used(one))

    def _calls_formula(self, one: Named) -> bool:
        """Whether what is assigned calls a function of the file that computes something, or a loss."""
        return any(
            formula(self.code, function, self.facts.computing)
            or any(
                self._loss.has_api(call.name)
                for call in self.code.calls
                if function.end <= call.start < function.last
            )
            for function in called_in(self.code, one)
        )

    def _losses_of(self, item: RecipeItem, returned: Named) -> frozenset[str]:
        """The names of losses among several values that are returned; none where it is not seen which these
        are."""
        if len(returned.elements) < 2:
            return frozenset()
        names = [name for one in returned.elements if not one.made for name in one.uses[:1]]
        losses = [name for name in names if item.has_assigned(last_part(name), name, is_computed=False)]
        shares = [name for name in names if item.has_name(spelled(last_part(name)))]
        return frozenset([*losses, *shares] if losses else [])

    def _is_result(self, item: RecipeItem, one: Named) -> bool:
        """Whether what a call gives belongs to an item by its name: not what torch loads, and of what it was
        before only what a class makes of that."""
        if not one.made or one.made in BUILTINS or not item.has_result(one.name):
            return False
        made = self.code.full_name(one.made)
        if item.has_api(made):
            return False  # that is told with its parameters
        is_class = made.rpartition(".")[2][:1].isupper()
        return (is_class or one.written not in one.uses) and made not in LOADING

    def _is_of_meter(self, one: Named) -> bool:
        """Whether what is assigned stands in a class that uses nothing of torch, and computes no losses by
        its name."""
        name = "".join(one.scope.classes[-1:])
        if not name or self._loss.has_class(name) or (one.start, one.end) in self._minimized:
            return False
        return self._is_plain(one)

    def _is_average(self, one: Named) -> bool:
        """Whether what was only summed up for others to see is divided, as by the number of batches."""
        if not one.is_augmented or (one.start, one.end) in self._minimized:
            return False
        others = [
            each for each in self.code.computed if (each.written, each.scope) == (one.written, one.scope)
        ]
        return len(others) > 1 and all(each == one or self._only_counts(each) for each in others)

    @cached_property
    def _minimizing(self) -> frozenset[str]:
        """The functions of the file that are called for what gradients are taken of, also by others."""
        found: set[str] = set()
        waiting = list(self._minimized)
        while waiting:
            start, end = waiting.pop()
            for call in [one for one in self.code.calls if start <= one.start < end]:
                for one in self.code.functions:
                    name = one.scope.dotted(one.name)
                    if one.name == last_part(call.written) and name not in found:
                        found.add(name)
                        waiting.append((one.start, one.last))
        return frozenset(found)

    def _only_measures(self, place: Named) -> bool:
        """Whether what computes a loss is kept under a name that is called here alone, and gradients are
        taken of other things, all of which are seen."""
        made = [
            one.written
            for one in self.code.computed
            if one.start < place.start and place.end <= one.end and one.written.isidentifier()
        ]
        if not self._minimized or len(made) != 1 or place.scope.name:
            return False
        calls = [one for one in self.code.calls if one.written == made[0]]
        minimized = list(self._minimized)
        is_minimized = any(start <= one.start < end for one in calls for start, end in minimized)
        is_minimized = is_minimized or any(one.scope.name in self._minimizing for one in calls)
        words = Counter(name for name, _ in self.code.words(is_package=False))
        return bool(calls) and not is_minimized and words[made[0]] == len(calls) + 1

    def _is_of_evaluation(self, item: RecipeItem, one: Named) -> bool:
        """Whether what is assigned stands in a function that evaluates, by its name, and takes no
        gradients, nor gives what belongs to the item."""
        function = last_part(one.scope.name)
        if not self.facts.evaluates(function) or item.has_function(function):
            return False
        return function not in self._trained_by and not any(map(item.has_class, one.scope.classes))

    def _is_math(self, part: Named) -> bool:
        """Whether what is assigned is what a function computes that formulas have."""
        return last_part(part.made) in self.facts.computing

    def _is_part(self, item: RecipeItem, part: Named) -> bool:
        """Whether a part of what a function returns belongs to an item: computed, or by its name."""
        is_named = item.has_assigned(part.name, part.written, is_computed=False) or item.has_result(part.name)
        is_told = part.is_computed or is_named or self._is_math(part)
        return is_told and not (self._only_counts(part) or self._is_between(part))

    def _is_beside(self, item: RecipeItem, one: Named) -> bool:
        """Whether what is assigned has the name of what gradients are taken of, in a file that takes them of
        other things, all of which are seen: not in functions and classes that belong to the item, nor in
        networks."""
        if not self._minimized or (one.start, one.end) in self._minimized:
            return False
        if self._is_result(item, one):
            return False
        around = one.scope.name.split(".")
        if any(map(item.has_function, around)) or any(map(item.has_class, one.scope.classes)):
            return False
        return not any(map(self._derives_from_torch, one.scope.classes))

    @cached_property
    def _minimized(self) -> frozenset[tuple[int, int]]:
        """What gradients are taken of, where all of that is seen."""
        functions = next(item.minimized for item in self.facts.recipe if item.minimized)
        told = list(minimized(self.code, functions))
        if not is_all_seen(self.code, functions, told):
            return frozenset()
        parts = [part for one in told for part in self._parts_of_loss(one)]
        return frozenset([(one.start, one.end) for one in [*told, *parts]])

    def _parts_of_loss(self, one: Named) -> Iterator[Named]:
        """What functions of the file compute for what gradients are taken of, also through others."""
        waiting, seen = [one], set[int]()
        while waiting:
            part = waiting.pop()
            for function in called_in(self.code, part):
                if function.start not in seen and not self._is_forward(function):
                    seen.add(function.start)
                    inside = [
                        each for each in self.code.returns if function.end <= each.start < function.last
                    ]
                    names = given_at(self.code, function, part.position)
                    waiting += [*feeding(self.code, function, names), *inside]
                    yield from formula(self.code, function, self.facts.computing, names)

    def _parts_of_targets(self, one: Named) -> Iterator[Named]:
        """What functions of the file compute to give what a loss is given, of no network."""
        inside = [call for call in self.code.calls if one.start <= call.start and call.end <= one.end]
        given = {value for call in inside for _, value in call.arguments}
        for each in self.code.computed if given else ():
            is_before = each.scope == one.scope and each.end <= one.start and each.written in given
            own = list(called_in(self.code, each)) if is_before and each.made else []
            if own and not any(map(self._formulas.has_layers, own)):
                yield from self._parts_of_loss(each)

    def _unnamed_of(self, one: Named) -> Iterator[Named]:
        """The functions without names that a loss is given by."""
        called = {call.written for call in self.code.calls if one.start <= call.start and call.end <= one.end}
        for each in self.code.computed:
            if each.written in called and _UNNAMED.search(self.code.without_comments(each.start, each.end)):
                yield each._replace(is_computed=True)

    def _is_forward(self, function: Named) -> bool:
        """Whether a method is one of a network, and of no loss."""
        classes = function.scope.classes
        if any(map(self._loss.has_class, classes)):
            return False
        return any(map(self._derives_from_torch, classes))
