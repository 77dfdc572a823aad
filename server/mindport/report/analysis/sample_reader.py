"""Which code draws samples, changes them at random, or cuts batches out of data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from mindport.report.analysis.batches import cut_size, draws_batch
from mindport.report.analysis.entries import GivenParameter, RecipeEntry
from mindport.report.analysis.file_code import WORD, Named, last_name, last_part, spelled
from mindport.report.analysis.file_reader import BUILTINS, RANDOM, FileReader, given_to, names_used

if TYPE_CHECKING:
    from mindport.catalog.migration_facts import RecipeItem

_LAYERS: Final = "torch.nn."
_SAMPLE: Final = "__getitem__"
"""The method of a data set that gives a sample."""
_SAMPLES: Final = (_SAMPLE, "__iter__", "__next__")
"""The methods that give samples, one or one after the other."""
_FULL: Final = re.compile(r"/\s*\(?(?:255|256|127\.5|128)(?:\.0*)?\b")
"""What divides by the greatest value of a pixel, or half of it."""
_NUMBERS: Final = frozenset({"int", "round", "float", "min", "max"})


class SampleReader(FileReader):
    """Reads what happens to samples."""

    def _batches(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        """What loops that train cut their batches out with, and what draws batches; each with what says how
        many samples they have."""
        training = [one for one in [*self.code.loops, *self.code.whiles] if self._trains(one)]
        for one in self.code.computed:
            if not any(loop.start <= one.start < loop.last for loop in training):
                continue
            size = cut_size(self.code.without_comments(one.start, one.end))
            if size:
                yield self._entry(item, one.name, one, [GivenParameter(name="", value=size)])
        sizes = next(each for each in self.facts.recipe if each.arguments and each.cuts)
        for call in self.code.calls:
            given = [value for _, value in call.arguments]
            named = [value for value in given if sizes.has_name(spelled(last_name(value.strip("(), "))))]
            if named and draws_batch(call, given, self.facts) and not item.arguments:
                used = [GivenParameter(name="", value=value) for value in named]
                yield self._entry(item, call.name, self._whole(call), used)

    def _is_random(self, item: RecipeItem, call: Named) -> bool:
        return item.is_random(call.name) and not item.leaves_out(last_part(call.name))

    def _of_random(self, item: RecipeItem, call: Named) -> RecipeEntry:
        place = self._whole(call)
        return self._entry(item, call.name, place, names_used(place) if place != call else given_to(call))

    def _changed(self, item: RecipeItem) -> list[Named]:
        """What functions compute with what they draw at random, or where a condition holds that they draw."""
        calls = [one for one in self.code.calls if self._is_random(item, one) and _is_drawn(one.name)]
        drawn: dict[tuple[str, str], int] = {}
        spans: list[tuple[str, int, int]] = []
        for call in calls:
            for one in self.code.computed:
                is_given = one.start <= call.start and call.end <= one.end and one.scope == call.scope
                if is_given and not one.is_augmented and one.written not in one.uses:
                    drawn.setdefault((one.written, one.scope.name), one.end)
        for loop in self.code.loops:
            over = WORD.findall(loop.over)
            if any(drawn.get((name, loop.scope.name), loop.start) < loop.start for name in over):
                drawn.update({(name, loop.scope.name): loop.start for name in WORD.findall(loop.name)})
        for one in self.code.computed:
            others = [name for name in one.uses if (name, one.scope.name) not in drawn]
            is_of_data = any(
                name.startswith("self.") or self._is_local(name, one.scope.name) for name in others
            )
            if self._uses_any(one, drawn) and not is_of_data:
                drawn.setdefault((one.written, one.scope.name), one.end)
        near = {
            (one.written, one.scope.name): one.end
            for one in self.code.computed
            if self._uses_any(one, drawn)
            and one.written not in one.uses
            and (one.is_computed or one.is_compared or last_part(one.made) in _NUMBERS)
        }
        near = {**near, **drawn}
        for one in self.code.conditions:
            is_drawn = any(one.start <= call.start and call.end <= one.end for call in calls)
            if is_drawn or self._uses_any(one, drawn):
                spans.append((one.scope.name, one.end, one.last))
        return [
            one
            for one in self.code.computed
            if one.scope.name
            and not any(one.start <= call.start and call.end <= one.end for call in calls)
            and (
                self._uses_any(one, near)
                or any(scope == one.scope.name and start <= one.start < end for scope, start, end in spans)
            )
        ]

    def _prepared(self, item: RecipeItem) -> Iterator[Named]:
        """What is done with all samples where they are made: another size of images, another scale."""
        for one in [*self.code.computed, *self.code.returns]:
            if not one.scope.name or not (one.is_computed or "(" in self.document.text(one.start, one.end)):
                continue
            if (self._is_scaled(one) or self._is_resized(one)) and self._is_of_samples(item, one):
                yield one

    def _is_scaled(self, one: Named) -> bool:
        if not one.is_computed:
            return False
        source = self.code.without_comments(one.start, one.end)
        if _FULL.search(source) is not None:
            return True
        calls = [call for call in self.code.calls if one.start <= call.start and call.end <= one.end]
        scales = [name for name in one.uses if self.facts.is_scale(spelled(last_part(name)))]
        return any(name != one.written for name in scales) and not any(map(self._is_torch, calls))

    def _is_resized(self, one: Named) -> bool:
        calls = [call for call in self.code.calls if one.start <= call.start and call.end <= one.end]
        return any(
            self.facts.prepares(last_part(call.name)) and call.arguments and not self._is_torch(call)
            for call in calls
        )

    def _uses_any(self, one: Named, drawn: Mapping[tuple[str, str], int]) -> bool:
        """Whether names are used after they are drawn, each with where that ends."""
        return any(drawn.get((name, one.scope.name), one.start) < one.start for name in one.uses)

    def sampled(self) -> Iterator[RecipeEntry]:
        """What functions draw at random and compute with that, which samples of other files may see."""
        for item in [one for one in self.facts.recipe if one.is_random(RANDOM)]:
            drawing = {
                one.scope.name for one in self.code.calls if item.is_random(one.name) and _is_drawn(one.name)
            }
            drawing -= {""}
            for call in self.code.calls:
                is_told = call.scope.name in drawing and self._is_random(item, call)
                if is_told and not self._is_of_samples(item, call):
                    yield self._of_random(item, call)
            for one in self._changed(item):
                if not self._is_of_samples(item, one):
                    yield self._entry(item, one.name, one, names_used(one))

    def called_for_samples(self) -> list[str]:
        """The names of what is called where samples are made."""
        item = next(one for one in self.facts.recipe if one.is_random(RANDOM))
        calls = [one for one in self.code.calls if one.scope.name and not self._is_torch(one)]
        found = {last_part(one.written) for one in calls if self._is_of_samples(item, one)}
        return sorted(found - BUILTINS)

    def _whole(self, call: Named) -> Named:
        """What is computed with a call, or the condition that it stands in; else the call."""
        around = [*self.code.computed, *self.code.conditions, *self.code.returns]
        found = [one for one in around if one.start <= call.start and call.end <= one.end]
        return min(found, key=lambda one: one.end - one.start, default=call)

    def _is_of_samples(self, item: RecipeItem, call: Named) -> bool:
        """Whether a call stands in a method that makes what a data set gives, or in a class or function that
        belongs to the item."""
        function = call.scope.name.rpartition(".")[2]
        if item.has_function(function) or self.facts.samples(function):
            return True
        if not call.scope.classes:
            return ("", function) in self._called_for_samples
        name = call.scope.classes[-1]
        is_network = any(
            base.startswith(_LAYERS)
            for one in self.code.classes
            if one.name == name
            for base in self._torch_bases.get(one.start, ())
        )
        is_callable = function == "__call__" or item.has_file(PurePath(self.path).stem)
        is_callable = is_callable and not item.leaves_out(name)
        if (item.has_class(name) or is_callable) and not is_network:
            return True
        if self.facts.draws_batches(name):
            return False
        is_data = self._data.has_class(name) or any(
            one.name == name and any(map(self.facts.is_data_class, (name, *one.bases)))
            for one in self.code.classes
        )
        return is_data and (function in _SAMPLES or (name, function) in self._called_for_samples)

    @cached_property
    def _called_for_samples(self) -> frozenset[tuple[str, str]]:
        """The classes and names of the methods of an object that `__getitem__` calls, also through others,
        and the functions of the file that these do (of no class)."""
        functions = {one.name for one in self.code.functions if not one.scope.name}
        calls = [
            ("".join(one.scope.classes[-1:]), last_part(one.scope.name), one.written)
            for one in self.code.calls
        ]
        found = {(name, _SAMPLE) for name, _, _ in calls if name}
        is_changed = True
        while is_changed:
            inside = [(name, called) for name, function, called in calls if (name, function) in found]
            new = {(name, called.removeprefix("self.")) for name, called in inside if name}
            new |= {("", called) for _, called in inside if called in functions}
            new -= found
            found |= new
            is_changed = bool(new)
        return frozenset(found)


def _is_drawn(name: str) -> bool:
    """Whether a function draws at random."""
    return "rand" in name
