"""Which code draws samples, changes them at random, or cuts batches out of data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from mindport.catalog.argument_form import is_dotted_name
from mindport.report.analysis.batch_flow import BatchFlow
from mindport.report.analysis.batches import cut_size, draws_batch
from mindport.report.analysis.call_sites import is_literal
from mindport.report.analysis.entries import LOOP, GivenParameter, RecipeEntry
from mindport.report.analysis.file_code import OF_SELF, WORD, Named, last_name, last_part, spelled
from mindport.report.analysis.file_reader import (
    APPENDING,
    BUILTINS,
    LOADING,
    RANDOM,
    FileReader,
    given_to,
    names_used,
)
from mindport.report.analysis.program_flow import ProgramFlow
from mindport.report.analysis.sample_steps import SampleSteps, is_writing

if TYPE_CHECKING:
    from mindport.catalog.migration_facts import RecipeItem

_DEVICE: Final = "torch.device"
_COMPOSING: Final = "Compose"
_BATCH: Final = "batch"
_SAMPLING: Final = "sample"
_SHUFFLING: Final = "shuffle"
_LAYERS: Final = "torch.nn."
_SAMPLE: Final = "__getitem__"
"""The method of a data set that gives a sample."""
_TARGET: Final = "target"
"""What a process is given to run."""
_OBJECT: Final = "__call__"
"""The method that an object is called for."""
_ITERATING: Final = "__iter__"
_SAMPLES: Final = (_SAMPLE, _ITERATING, "__next__")
"""The methods that give samples, one or one after the other."""
_FULL: Final = re.compile(r"/\s*\(?(?:255|256|127\.5|128)(?:\.0*)?\b")
"""What divides by the greatest value of a pixel, or half of it."""
_GIVEN_SCALED: Final = re.compile(
    r"(?:[(,]\s*|=\s+)\w+(?:\.float\(\))?\s*/\s*(?:255|127\.5)(?:\.0*)?\s*(?:[,)]|[-+]\s*1|$)"
)
"""What divides what has a name by that, to give it on."""
_WRAPPED: Final = re.compile(
    r"(?:[\w.]*\.)?(?:enumerate|zip|tqdm\w*|iter|list)\((?P<inside>.*)\)$", re.DOTALL
)
"""What counts what it is given, or puts it together with others."""
_OVERALL: Final = re.compile(
    r"(?:^|_)(?:avg|average|mean|ep|episode|total|sum|running|best|max|last|cumulative)_"
)
"""What stands in the names of rewards that are only watched."""
_TORCH: Final = ("torch.", "torchvision.", "torchaudio.", "torchtext.")
_ENTRIES: Final = re.compile(r"^return\b.*\w\[\s*[A-Za-z_]", re.DOTALL)
"""A return of entries that are chosen with another name."""
_ATTRIBUTE_OVER: Final = re.compile(r"(?P<name>self\.\w+)(?:\.(?:items|keys|values)\(\))?")
"""An attribute that a loop goes over."""
_EVALUATION: Final = re.compile(r"eval|metric")
"""What stands in the names of methods that evaluate."""
_DATA_FOLDER: Final = re.compile(r"data_?sets?|data_?loaders?|data_?utils")
_SAMPLER: Final = "SubsetRandomSampler"
_PARTS_OF_DATA: Final = frozenset({"Subset", _SAMPLER, "random_split"})
"""What makes a part of data, or draws from one."""
_TAKING_KEY: Final = "get"
_KEYED_FILE: Final = "h5py.File"
_NO_DATA: Final = re.compile(
    r"checkpoint|ckpt|weight|\.pth|\.pt\b|resume|yaml"
    r"|(?:^|[_\W])(?:log|run|result|save|model|config|cfg)s?(?:_|\b)(?![\['.])"
)
"""What stands where files are read that are no data."""
_SETTINGS: Final = re.compile(r"config|cfg|param|args|setting|opt(?:ion)?s?$")
"""What stands in the names of settings that are read."""
_FINDING: Final = frozenset({"glob", "iglob", "listdir", "walk", "scandir", "rglob", "iterdir"})
"""The functions that find files."""
_OF_RUNS: Final = re.compile(
    r"arg|option|config|param|setting|logger|device|model|net(?:work)?(?:_|$)|token|seed|path|dir(?:_|$)"
)
"""What stands in the names of functions that give no samples: settings, networks, places."""
_RANGE: Final = re.compile(r"\b(?:range|arange|permutation|randperm|choice|sample)\(")
"""What gives numbers of samples."""
_OF_TRAINING: Final = frozenset({"train", "training", "tr"})
"""The words that stand in the names of what is for training alone."""
_DRAWING_ORDERS: Final = ("permutation", "randperm")
_ORDER: Final = re.compile(r"\b(?:permutation|randperm|shuffle\w*)\(")
"""What draws an order."""
_LOADER: Final = "Loader"
_GIVEN_ALONE: Final = re.compile(
    r"(?:\w+\s*,\s*)+\w+\s*=\s*[A-Za-z_][\w.]*(?:\[['\"]\w+['\"]\])?(?:\s*,\s*[A-Za-z_][\w.]*(?:\[['\"]\w+['\"]\])?)*"
)
"""What gives names to the parts of something, or to several things, and does no more."""
_GOING_OVER: Final = re.compile(
    r"iter|cycle|zip|enumerate|next|chain|infinite|loop|fetch|prepare|tqdm|list|cuda"
)
"""What stands in the names of functions that give what they are given, to be gone over."""
_TAKEN: Final = re.compile(r"(?:\[[^\[\]\n]*\])+")
"""The entries that are taken out of what a call gives."""
_LONGEST_KEYS: Final = 100
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
                told = [size, *self._orders_in(one)] if not item.arguments else [size]
                yield self._entry(item, one.name, one, [GivenParameter(name="", value=each) for each in told])
        if item == self._data:
            yield from self._drawn_orders(training)
        if item.arguments:
            yield from self._given_to_loaders(item)
        sizes = next(each for each in self.facts.recipe if each.arguments and each.cuts)
        for call in self.code.calls:
            given = [value for _, value in call.arguments]
            named = [value for value in given if sizes.has_name(spelled(last_name(value.strip("(), "))))]
            if named and draws_batch(call, given, self.facts) and not item.arguments:
                used = [GivenParameter(name="", value=value) for value in named]
                yield self._entry(item, call.name, self._whole(call), used)

    def _orders_in(self, one: Named) -> Iterator[str]:
        """The names in an assignment that are given an order which is drawn."""
        for name in one.uses:
            before = [
                each
                for each in self.code.computed
                if each.written == name and each.scope == one.scope and each.start < one.start
            ]
            if before and _ORDER.search(self._text_of(before[-1])) is not None:
                yield name

    def _drawn_orders(self, training: Sequence[Named]) -> Iterator[RecipeEntry]:
        """The loops that train and go over an order which they draw."""
        for loop in training:
            if loop.over and not loop.counted and _ORDER.search(loop.over) is not None:
                given = [GivenParameter(name="", value=loop.over)]
                yield replace(self._entry(self._data, loop.name, loop, given), kind=LOOP)

    def _given_to_loaders(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        """What loaders of the project are given as the size of a batch, where that has a name."""
        for call in self.code.calls:
            sizes = [
                each for each in call.arguments if item.has_name(spelled(each[0])) and not is_literal(each[1])
            ]
            if not sizes or self._is_torch(call) or _LOADER not in last_part(call.written):
                continue
            given = [value.lower() for _, value in call.arguments[:1] if value.isidentifier()]
            if not any(map(self.facts.only_evaluates, [*given, *self._targets_around(call)])):
                used = [GivenParameter(name=name, value=value) for name, value in sizes]
                yield self._entry(item, call.name, call, used)

    def _environments(self) -> Iterator[Named]:
        """Where the objects are made whose methods give rewards."""
        rewarded = {one.start for one in self.code.computed if self.facts.is_reward(one.name)}
        for one in self.code.computed:
            owner, _, method = one.made.rpartition(".")
            if one.start not in rewarded or one.position != 0 or not method or owner in BUILTINS:
                continue
            for made in self.code.computed:
                if made.written == owner and made.made and made.start != one.start:
                    yield made

    def _gone_over(self) -> Iterator[Named]:
        """What gives what loops that train go over, and is no number."""
        for loop in self.code.loops:
            if loop.counted or not self._trains(loop):
                continue
            names = set(_iterated(loop.over))
            for one in self.code.computed:
                is_before = one.scope == loop.scope or not one.scope.name
                if one.written in names and is_before and one.start < loop.start and self._gives_data(one):
                    yield one

    def _gives_data(self, one: Named) -> bool:
        """Whether what is assigned is what a function or method gives that is not told for itself."""
        last = last_part(one.made)
        if not one.made or one.made in BUILTINS or one.written in one.uses:
            return False
        if self.facts.shows_progress(last) or self._code_of_torch(one.made):
            return False
        return not (self._data.has_class(last) or self._data.has_function(last))

    def _code_of_torch(self, written: str) -> bool:
        """Whether a function is one of torch, or of a library whose functions are data."""
        name = self.code.full_name(written)
        return name.startswith(_TORCH) or self._data.has_library(name)

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
                name.startswith(OF_SELF) or self._is_local(name, one.scope.name) for name in others
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
        returned = [one for one in self.code.returns if _ENTRIES.search(self._text_of(one)) is not None]
        return [
            one
            for one in [*self.code.computed, *returned]
            if one.scope.name
            and not any(one.start <= call.start and call.end <= one.end for call in calls)
            and (
                self._uses_any(one, near)
                or (
                    any(scope == one.scope.name and start <= one.start < end for scope, start, end in spans)
                    and _GIVEN_ALONE.fullmatch(self._text_of(one)) is None
                )
            )
        ]

    def _text_of(self, one: Named) -> str:
        return self.code.without_comments(one.start, one.end)

    def _prepared(self, item: RecipeItem) -> Iterator[Named]:
        """What is done with all samples where they are made: another size of images, another scale."""
        yield from self._scaled_in_training()
        yield from self._composed_lambdas()
        for one in [*self.code.computed, *self.code.returns]:
            if not one.scope.name or not (one.is_computed or "(" in self.document.text(one.start, one.end)):
                continue
            if (self._is_scaled(one) or self._is_resized(one)) and self._is_of_samples(item, one):
                yield one

    def _composed_lambdas(self) -> Iterator[Named]:
        """The functions without names that transforms are put together of."""
        for one in self.code.lambdas:
            around = [call for call in self.code.calls if call.start < one.start and one.end <= call.end]
            nearest = max(around, key=lambda call: call.start, default=None)
            if nearest is not None and last_part(nearest.name) == _COMPOSING:
                yield one

    def _scaled_in_training(self) -> Iterator[Named]:
        """What functions that take gradients, or call such, divide by the greatest value of a pixel."""
        training = set(map(last_part, self._trained_by))
        spans = [(one.start, one.end) for one in self.code.computed]
        calls = [one for one in self.code.calls if not any(a <= one.start < b for a, b in spans)]
        for one in [*self.code.computed, *calls]:
            is_told = last_part(one.scope.name) in training and not self._only_evaluates(one)
            if is_told and _GIVEN_SCALED.search(self.code.without_comments(one.start, one.end)) is not None:
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
            for one in self._steps_of_others():
                yield self._entry(item, one.name, one, names_used(one))

    def _steps_of_others(self) -> Iterator[Named]:
        """What functions that samples of other files may go through do to what they give."""
        for function in self.code.functions:
            name = function.scope.dotted(function.name)
            is_own = name in self._for_samples or (
                name in self._reading_sets and not self._may_override(function)
            )
            is_network = any(map(self._is_network, function.scope.classes))
            is_hidden = function.name.startswith("__") and function.name != _OBJECT
            is_other = is_own or is_network or is_hidden
            is_other = is_other or self.facts.evaluates(function.name)
            if not (is_other or function.name in self._trained_by):
                yield from self._sample_steps.steps(function)

    def _may_override(self, function: Named) -> bool:
        """Whether a method may be called by a class of the project that its own derives from."""
        own = [one for one in self.code.classes if one.name in function.scope.classes[-1:]]
        return any(len(self._torch_bases.get(one.start, ())) < len(one.bases) for one in own)

    def called_for_samples(self) -> list[str]:
        """The names of what is called where samples are made."""
        item = next(one for one in self.facts.recipe if one.is_random(RANDOM))
        calls = [one for one in self.code.calls if one.scope.name and not self._is_torch(one)]
        sure = [
            one
            for one in calls
            if last_part(one.scope.name) != _OBJECT or self._is_transform(item, one) or self._is_plain(one)
        ]
        found = {last_part(one.written) for one in sure if self._is_of_samples(item, one)}
        found |= self._sample_steps.called_in(self._for_samples, with_given=True)
        found |= self._sample_steps.called_in(self._reading_sets, with_given=False)
        found |= self._given_to_sets
        found |= {last_part(name) for name in self._for_samples if "." in name and "__" not in name}
        found |= {name for name in self._composed if name[:1].isupper()} | self._sample_steps.collating()
        return sorted((found | self._batch_flow.of_others | self._program_flow.called) - BUILTINS)

    @cached_property
    def _given_to_sets(self) -> frozenset[str]:
        """The last names of the functions that compute what data sets are made of: which samples they have,
        how their labels are numbered."""
        given = {
            (name, call.scope.name)
            for call in self.code.calls
            if (last := last_part(call.written))[:1].isupper() and self._is_of_data(last)
            for _, value in call.arguments
            for name in WORD.findall(value)
        }
        made = [
            one
            for one in self.code.computed
            if (one.written, one.scope.name) in given and is_dotted_name(one.made)
        ]
        return frozenset(
            last
            for one in made
            if not (last := last_part(one.made))[:1].isupper()
            and not one.made.startswith(OF_SELF)
            and not self._code_of_torch(one.made)
            and _OF_RUNS.search(last.lower()) is None
        )

    @cached_property
    def _reading_sets(self) -> frozenset[str]:
        """The functions that make data, but for those of what keeps or draws samples, and of environments."""
        return self._sample_steps.closure(self._makes_sets)

    def _makes_sets(self, function: Named) -> bool:
        if function.scope.classes:
            owner = function.scope.classes[-1]
            if self._is_source(owner) and _EVALUATION.search(function.name) is not None:
                return False
            is_set = self._is_source(owner) or any(
                map(
                    self.facts.is_data_class,
                    [owner, *[base for one in self.code.classes if one.name == owner for base in one.bases]],
                )
            )
            if not is_set or self.facts.is_store(owner) or self.facts.draws_batches(owner):
                return self._data.has_function(function.name) and function.name not in self._trained_by
        return self._makes_data(function)

    @cached_property
    def _sample_steps(self) -> SampleSteps:
        return SampleSteps(self.code)

    @cached_property
    def _for_data(self) -> frozenset[str]:
        """The functions that make data, also for others, by their names with those around them."""
        return self._sample_steps.closure(self._makes_data)

    def _makes_data(self, function: Named) -> bool:
        """Whether a function makes data, by its name, or is of a class that gives samples."""
        if function.scope.classes:
            owner = function.scope.classes[-1]
            if self._is_source(owner) and _EVALUATION.search(function.name) is not None:
                return False
            if self._is_of_data(owner) and not self._is_network(owner):
                return True
        return self._data.has_function(function.name) and function.name not in self._trained_by

    @cached_property
    def _for_samples(self) -> frozenset[str]:
        """The functions that give samples, or what is done to these, also for others."""
        collating = self._sample_steps.collating() | self._started | self._given_batches
        item = next(one for one in self.facts.recipe if one.is_random(RANDOM))

        def is_first(function: Named) -> bool:
            name, classes = function.name, function.scope.classes
            if function.scope.dotted(name) in self._batch_flow.functions:
                return True
            if not classes:
                is_given = name in self._program_flow.called or name in self._given_to_sets
                return is_given or name in collating or self.facts.samples(name)
            owner = classes[-1]
            if self._is_network(owner) or self.facts.draws_batches(owner):
                return False
            if self.facts.observes(name):
                return True
            if name == _OBJECT:
                return self._is_transform(item, function) or owner in collating
            is_sample = name in _SAMPLES or name in collating or self.facts.samples(name)
            return is_sample and self._is_of_data(owner)

        return self._sample_steps.closure(is_first)

    @cached_property
    def _batch_flow(self) -> BatchFlow:
        return BatchFlow(self.code, self._trained_by, self._trains, self._only_evaluates)

    @cached_property
    def _started(self) -> frozenset[str]:
        """The functions that classes of data start in processes of their own."""
        return frozenset(
            last_part(value)
            for call in self.code.calls
            if any(map(self._is_of_data, call.scope.classes))
            for name, value in call.arguments
            if name == _TARGET
        )

    @cached_property
    def _given_batches(self) -> frozenset[str]:
        """The functions that what loops that train go over is given, to make batches with."""
        own = {one.name for one in self.code.functions if not one.scope.classes}
        made = list(self._gone_over())
        return frozenset(
            value
            for call in self.code.calls
            if any(one.start <= call.start < one.end for one in made)
            for _, value in call.arguments
            if value in own and not self._is_local(value, call.scope.name)
        )

    def _steps_of_programs(self) -> Iterator[Named]:
        """What programs do to data before they train, at the top level or in functions with such a loop, and
        to batches before networks get them."""
        for scope, until in self._first_training.items():
            yield from self._sample_steps.steps_of_program(scope, until, self._gives_samples)
        yield from [one for one in self._program_flow.steps if not self._is_only_shown(one)]
        flow = self._batch_flow
        steps = self._sample_steps
        fed = [one for one in flow.steps if not (self._is_only_shown(one) or self._is_place(one))]
        yield from [one for one in fed if steps.is_step(one) or steps.is_cut(one)]
        yield from filter(steps.is_step, [*flow.of_objects, *self._rewards()])

    def _is_place(self, one: Named) -> bool:
        """Whether what is assigned is where something is put."""
        return self.code.full_name(one.made) == _DEVICE

    @cached_property
    def _first_training(self) -> Mapping[str, int]:
        """The functions with loops that train, or with calls of such, and where the first of these begins."""
        loops = [one for one in self._all_loops if self._trains(one)]
        first = {one.scope.name: one.start for one in sorted(loops, key=lambda one: -one.start)}
        if self._trained_by:
            first.setdefault("", len(self.document.data))
        for one in self.code.calls:
            if self._trained_by and last_part(one.written) in self._trained_by:
                first.setdefault(one.scope.name, one.start)
        return first

    @cached_property
    def _program_flow(self) -> ProgramFlow:
        return ProgramFlow(
            self.code, self._sample_steps, self._first_training, self._loads_data, self._is_trained_by
        )

    def _loads_data(self, call: Named) -> bool:
        """Whether a call gives data, by its name or that of what is assigned, or reads a table."""
        return self._gives_samples(call) or self._data.has_library(call.name)

    @property
    def _all_loops(self) -> Sequence[Named]:
        return [*self.code.loops, *self.code.whiles]

    def _rewards(self) -> Iterator[Named]:
        """What is made of rewards under the name that they have: not what adds them up."""
        for one in self.code.computed:
            is_own = self.facts.is_reward(one.name) and not one.is_augmented
            is_own = is_own and _OVERALL.search(one.name) is None
            is_here = bool(one.scope.name) or any(
                loop.start <= one.start < loop.last for loop in self._all_loops
            )
            if is_own and is_here and one.written in one.uses and not self._only_evaluates(one):
                yield one._replace(is_computed=True)

    def _gives_samples(self, call: Named) -> bool:
        """Whether a call gives what networks are trained with: it loads data, by its name or that of what is
        assigned."""
        if self._data.has_function(last_part(call.written)):
            return True
        made = [one for one in self.code.computed if one.start <= call.start and call.end <= one.end]
        return self._data.is_loading(call.name) and any(self._data.is_loaded(one.name) for one in made)

    def _is_only_shown(self, place: Named) -> bool:
        """Whether a place computes what a function that trains only gives to what shows it, or evaluates."""
        return any(one.start <= place.start < one.end for one in self._shown) or self._is_after_step(place)

    def _is_after_step(self, place: Named) -> bool:
        """Whether a loop that trains gives a name something on a condition, behind its last gradients, and
        gives it something else always before they are taken the next time."""
        loops = [one for one in self._all_loops if one.start <= place.start < one.last]
        taken = [one.start for one in self._training_calls if one.scope == place.scope]
        around = [
            one
            for one in self.code.branches
            if one.start <= place.start < one.end and one.scope == place.scope
        ]
        name = place.written.partition("[")[0]
        for loop in loops:
            inside = [at for at in taken if loop.start <= at < loop.last]
            on_condition = [one for one in around if inside and max(inside) < one.start]
            if any(
                each.written == name and loop.start <= each.start < max(inside)
                for each in self.code.computed
                if on_condition and each.scope == place.scope
            ):
                return True
        return False

    @cached_property
    def _shown(self) -> Sequence[Named]:
        """The assignments of names that are read only where they are shown, or made into such."""
        own: dict[str, list[Named]] = {}
        for one in self.code.computed:
            if one.scope.name in self._first_training and one.written.isidentifier():
                own.setdefault(spelled(one.written), []).append(one)
        showing = [one for one in self.code.calls if self._shows(last_part(one.written).lower())]
        given = [(one.start, one.end) for one in showing]
        others = {
            name: {at for read, at in self.code.read if read == name and not _is_within(at, given)}
            for name in own
        }
        shown = {name for name in own if any(_is_within(at, given) for at in self._read_at(name))}
        is_changed = True
        while is_changed:
            spans = [(one.start, one.end) for name in shown for one in own[name]]
            kept = {name for name in shown if all(_is_within(at, spans) for at in others[name])}
            is_changed = kept != shown
            shown = kept
        return [one for name in shown for one in own[name]]

    def _read_at(self, name: str) -> Iterator[int]:
        yield from [at for read, at in self.code.read if read == name]

    def _shows(self, function: str) -> bool:
        return self.facts.only_shows(function) or self.facts.only_evaluates(function)

    def _is_beside_training(self, place: Named) -> bool:
        """Whether a function trains with another loader that it makes, and only gives this one to functions
        that do not train."""
        scope = place.scope.name
        made = [one for one in self.code.computed if one.scope.name == scope and one.made.endswith(_LOADER)]
        own = {one.written for one in made if one.start <= place.start < one.end}
        loops = [one for one in self.code.loops if one.scope.name == scope]
        calls = [one for one in self.code.calls if one.scope.name == scope]
        uses = [(one, WORD.findall(value)) for one in calls for _, value in one.arguments]
        trained = {name for one in loops if self._trains(one) for name in WORD.findall(one.over)}
        training = [names for one, names in uses if last_part(one.written) in self._trained_by]
        trained.update(name for names in training for name in names)
        if not own or not own.isdisjoint(trained) or trained.isdisjoint({one.written for one in made} - own):
            return False
        given = [last_part(one.written) for one, names in uses if not own.isdisjoint(names)]
        plain = [one for one in self.code.returns if one.scope.name == scope]
        plain += [one for one in self.code.computed if one.scope.name == scope and not one.made]
        is_kept = any(not own.isdisjoint(one.uses) for one in plain)
        is_gone_over = any(not own.isdisjoint(WORD.findall(one.over)) for one in loops)
        is_given = bool(given) and not any(map(_keeps_on, given))
        return is_given and not is_kept and not is_gone_over

    def _is_transform(self, item: RecipeItem, place: Named) -> bool:
        """Whether the class around a place changes samples, by its name or that of its file."""
        name = "".join(place.scope.classes[-1:])
        is_named = item.has_class(name) or item.has_file(PurePath(self.path).stem) or name in self._composed
        return is_named and not item.leaves_out(name)

    @cached_property
    def _composed(self) -> frozenset[str]:
        """The last names of what is made where transforms are put together, or data sets."""
        lists = [
            one
            for one in self.code.calls
            if last_part(one.name) == _COMPOSING or self._is_of_data(last_part(one.name))
        ]
        return frozenset(
            last_part(call.name)
            for call in self.code.calls
            if any(one.start < call.start and call.end <= one.end for one in lists)
        )

    def _is_network(self, name: str) -> bool:
        """Whether a class of the file is made of layers, by its bases, also through others."""
        waiting, seen = [name], set[str]()
        while waiting:
            owner = waiting.pop()
            seen.add(owner)
            for one in [each for each in self.code.classes if each.name == owner]:
                if any(base.startswith(_LAYERS) for base in self._torch_bases.get(one.start, ())):
                    return True
                waiting += [base for base in one.bases if base not in seen]
        return False

    def _is_of_data(self, name: str) -> bool:
        """Whether a class gives samples, by its name and those of its bases, or what these are read from."""
        if self._is_source(name):
            return True
        return self._data.has_class(name) or any(
            one.name == name
            and (any(map(self.facts.is_data_class, (name, *one.bases))) or self._has_data_base(one))
            for one in self.code.classes
        )

    def _has_data_base(self, one: Named) -> bool:
        """Whether a class derives from one of torch's for data, whatever its name."""
        return any(base in self._data.bases for base in self._torch_bases.get(one.start, ()))

    def _is_source(self, name: str) -> bool:
        """Whether a class that has files read stands in a folder for data, and is no network."""
        return name in self._sources

    @cached_property
    def _sources(self) -> frozenset[str]:
        reading = {
            call.scope.classes[-1]
            for call in self.code.calls
            if call.scope.classes and self._sample_steps.is_reading(call) and not is_writing(call)
        }
        if _DATA_FOLDER.fullmatch(PurePath(self.path).parent.name.lower()) is None:
            reading = {one for one in reading if self._gives_batches(one)}
        return frozenset(one for one in reading if not self._is_network(one))

    def _reads_and_gives(self, name: str) -> bool:
        """Whether a class has files read and makes batches of them, and is no network."""
        return self._is_source(name) and self._gives_batches(name)

    def _gives_batches(self, name: str) -> bool:
        """Whether a class has a method that makes batches, by its name, or gives one after the other, and
        none that trains."""
        methods = [one for one in self.code.functions if one.scope.classes[-1:] == (name,)]
        if any(one.name in self._trained_by for one in methods):
            return False
        yielding = {one.scope.name for one in self.code.yields}
        return any(
            self._data.has_function(one.name) or one.scope.dotted(one.name) in yielding for one in methods
        )

    def _is_for_samples(self, place: Named) -> bool:
        """Whether code stands in a class that gives samples, or in a function that changes these."""
        return place.scope.name in self._for_samples or any(map(self._is_of_data, place.scope.classes))

    def _reads_data(self, call: Named) -> bool:
        """Whether a call reads files where data is made, or what an object keeps of which it makes data."""
        is_here = call.scope.name in self._for_data or self._is_kept_for_data(call)
        is_read = is_here and self._is_read(call)
        return is_read or self._takes_key(call) or self._is_read_by_program(call)

    def _takes_key(self, call: Named) -> bool:
        """Whether what a file has under a key is taken out of it, where data is made."""
        owner, _, method = call.written.rpartition(".")
        is_key = method == _TAKING_KEY and bool(call.arguments) and call.arguments[0][1][:1] in "\"'"
        if not is_key or call.scope.name not in self._for_data:
            return False
        made = [one for one in self.code.computed if one.written == owner and one.scope == call.scope]
        return any(self.code.full_name(one.made) == _KEYED_FILE for one in made)

    def _is_read_by_program(self, call: Named) -> bool:
        """Whether a function that trains, or the module, reads files before, and what it makes of these goes
        into data, or into objects of the project."""
        until = self._first_training.get(call.scope.name)
        if until is None or call.start >= until or not self._is_read(call) or call.name in LOADING:
            return False
        made = [one for one in self.code.computed if one.start <= call.start and call.end <= one.end]
        heads = [one for one in self.code.loops if one.start <= call.start and call.end <= one.end]
        if _NO_DATA.search(self._text_of(call).lower()) or any(_SETTINGS.search(one.name) for one in made):
            return False
        names = {one.written for one in made}
        names.update(name for one in heads for name in WORD.findall(one.name))
        names = self._made_from(names, call)
        finds = last_part(call.written) in _FINDING
        return any(
            one.scope == call.scope
            and not names.isdisjoint(_words_given(one))
            and self._takes_data(one, finds)
            for one in self.code.calls
        )

    def _takes_data(self, call: Named, only_data: bool) -> bool:
        """Whether a call makes data of what it is given, or an object of the project."""
        last = last_part(call.written)
        if self._is_of_data(last) or self._data.has_function(last) or self._data.has_library(call.name):
            return True
        if self._data.has_api(call.name):
            return True
        is_object = last[:1].isupper() and not self._is_torch(call)
        return is_object and not only_data and not self.facts.only_logs(last.lower())

    def _made_from(self, names: set[str], call: Named) -> set[str]:
        """These names, and those of what is made of them in the same function."""
        inside = [one for one in self.code.computed if one.scope == call.scope]
        for _ in range(2):  # what stands in loops may be made of what comes later
            for one in inside:
                if not names.isdisjoint(_first_names(one)):
                    names.add(one.written.partition("[")[0])
            for loop in self.code.loops:
                if loop.scope == call.scope and not names.isdisjoint(WORD.findall(loop.over)):
                    names.update(WORD.findall(loop.name))
            for one in self.code.calls:
                is_put = one.scope == call.scope and one.written.endswith(APPENDING)
                if is_put and not names.isdisjoint(_words_given(one)):
                    names.add(one.written.rpartition(".")[0])
        return names

    def _is_kept_for_data(self, call: Named) -> bool:
        """Whether what a call gives is kept as an attribute that methods read which make data."""
        if not call.scope.classes:
            return False
        kept = [one.written for one in self.code.computed if one.start <= call.start and call.end <= one.end]
        return any((name, call.scope.classes) in self._read_for_data for name in kept)

    @cached_property
    def _read_for_data(self) -> frozenset[tuple[str, tuple[str, ...]]]:
        """The attributes that methods read which make data, each with the classes around."""
        spans = [one for one in self.code.functions if one.scope.dotted(one.name) in self._for_data]
        return frozenset(
            (written, one.scope.classes)
            for one in spans
            for written, offset in self.code.attributes
            if one.scope.classes and one.end <= offset < one.last and written.startswith(OF_SELF)
        )

    def _orders(self) -> Iterator[Named]:
        """What functions that make batches cut these out with, what draws their order, and what memories
        draw samples with."""
        for function in self.code.functions:
            is_sampler = any(map(self.facts.draws_batches, function.scope.classes[-1:]))
            if is_sampler and function.name == _ITERATING:
                yield from self._sample_steps.steps(function)
        for call in self.code.calls:
            is_store = any(map(self.facts.is_store, call.scope.classes)) and _is_drawn(call.name)
            if is_store and _SAMPLING in last_part(call.scope.name):
                yield self._whole(call)
            if call.scope.name in self._for_data and last_part(call.written) in _DRAWING_ORDERS:
                yield self._whole(call)
            if call.scope.name not in self._for_data or _BATCH not in last_part(call.scope.name):
                continue
            is_cut = call.written.endswith(APPENDING) and any(cut_size(one) for _, one in call.arguments)
            if is_cut or last_part(call.written) == _SHUFFLING:
                yield call

    def _gone_over_by(self, one: Named) -> Iterator[GivenParameter]:
        """The attributes that the loops around a step go over for the names in it."""
        used = set(WORD.findall(self._text_of(one)))
        for loop in self.code.loops:
            is_around = loop.start <= one.start < loop.last and loop.scope == one.scope
            over = _ATTRIBUTE_OVER.fullmatch(loop.over) if is_around else None
            if over is not None and not used.isdisjoint(WORD.findall(loop.name)):
                yield GivenParameter(name="", value=over["name"])

    def _splits(self) -> Iterator[Named]:
        """How it is computed, and drawn, which samples a part of data has."""
        told: dict[int, Named] = {}
        for call in [one for one in self.code.calls if last_part(one.written) in _PARTS_OF_DATA]:
            first = 0 if last_part(call.written) == _SAMPLER else 1
            own, rest = call.arguments[:first], call.arguments[first:]
            sets = {name for _, value in own for name in WORD.findall(value)}
            names = {name for _, value in rest for name in WORD.findall(value)}
            before = [
                one
                for one in self.code.computed
                if one.scope == call.scope and one.end <= call.start and not self._makes_set(one)
            ]
            for one in reversed(before):
                if one.written in names - sets and not self._only_evaluates(one):
                    told[one.start] = one
                    names.update(one.uses)
            for other in self.code.calls:
                given = {value for _, value in other.arguments}
                is_before = other.scope == call.scope and other.end <= call.start
                if is_before and last_part(other.written) == _SHUFFLING and not names.isdisjoint(given):
                    told[other.start] = other
        told.update({one.start: one for one in self._numbered_parts()})
        yield from told.values()

    def _numbered_parts(self) -> Iterator[Named]:
        """Which samples are for training, by their numbers, where data is made or before it is trained with,
        with what those numbers are chosen from."""
        for one in self.code.computed:
            scope = one.scope.name
            is_here = scope in self._for_data or one.start < self._first_training.get(scope, -1)
            if not is_here or _OF_TRAINING.isdisjoint(one.name.split("_")):
                continue
            before = [
                each
                for each in self.code.computed
                if each.scope == one.scope and each.end <= one.start and each.written in one.uses
            ]
            orders = [each for each in before if _ORDER.search(self._text_of(each)) is not None]
            if _RANGE.search(self._text_of(one)) is not None or (orders and "[" in self._text_of(one)):
                yield from [*orders[-1:], one]

    def _makes_set(self, one: Named) -> bool:
        """Whether what is assigned is data, or a network."""
        last = last_part(one.made)
        return self._is_of_data(last) or self._data.has_library(one.made) or last[:1].isupper()

    def _is_read(self, call: Named) -> bool:
        return self._sample_steps.is_reading(call) and not is_writing(call) and not self._is_inner(call)

    def _is_inner(self, call: Named) -> bool:
        """Whether what a call reads is what another one is given to read, as in `json.load(open(path))`."""
        around = [one for one in self.code.calls if one.start <= call.start and call.end <= one.end]
        return any(one != call and self._sample_steps.is_reading(one) for one in around)

    def _steps_of_samples(self, item: RecipeItem) -> Iterator[Named]:
        """What is done to samples before they are given, whatever does it."""
        for function in self.code.functions:
            if function.scope.dotted(function.name) in self._for_samples:
                yield from [one for one in self._sample_steps.steps(function) if not self._is_read_at(one)]
            elif function.scope.dotted(function.name) in self._reading_sets:
                is_called = not self._makes_sets(function) or self._is_given_read(function)
                yield from self._sample_steps.steps_from_reading(function, is_called=is_called)

        yield from self._steps_of_programs()

    def _is_given_read(self, function: Named) -> bool:
        """Whether a method is given what its object has read, by another method."""
        kept = {
            one.written
            for one in self.code.computed
            if one.scope.classes == function.scope.classes
            and any(one.start <= call.start < one.end and self._is_read(call) for call in self.code.calls)
        }
        return any(
            last_part(call.written) == function.name
            and not kept.isdisjoint(value for _, value in call.arguments)
            for call in self.code.calls
            if call.scope.classes == function.scope.classes
        )

    def _is_read_at(self, one: Named) -> bool:
        """Whether a statement reads, and does no more than that."""
        if self._sample_steps.changes_read(one):
            return False
        return any(one.start <= call.start < one.end and self._is_read(call) for call in self.code.calls)

    def read_files(self) -> Iterator[RecipeEntry]:
        """What functions read that data of other files may be made with."""
        for call in self.code.calls:
            is_function = bool(call.scope.name) and not call.scope.classes
            if is_function and call.scope.name not in self._for_data and self._is_read(call):
                yield self._entry(self._data, call.name, self._with_keys(call), given_to(call))

    def _with_keys(self, call: Named) -> Named:
        """A call with the keys that are taken out of what it gives at once."""
        end = min(call.end + _LONGEST_KEYS, len(self.document.data))
        taken = _TAKEN.match(self.document.data[call.end : end].decode(errors="ignore"))
        if taken is None or not any(quote in taken[0] for quote in "\"'"):
            return call
        return call._replace(end=call.end + len(taken[0].encode()))

    def called_for_data(self) -> list[str]:
        """The names of what is called where data is made."""
        return sorted(self._sample_steps.called_in(self._for_data, with_given=True))

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
            is_named = call.scope.name in self._for_samples and function not in self._trained_by
            return is_named or ("", function) in self._called_for_samples
        name = call.scope.classes[-1]
        is_network = self._is_network(name)
        is_callable = function == _OBJECT or item.has_file(PurePath(self.path).stem)
        is_callable = is_callable and not item.leaves_out(name)
        if (item.has_class(name) or is_callable) and not is_network:
            return True
        if self.facts.draws_batches(name):
            return False
        return self._is_of_data(name) and (
            function in _SAMPLES or (name, function) in self._called_for_samples
        )

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
            new = {(name, called.removeprefix(OF_SELF)) for name, called in inside if name}
            new |= {("", called) for _, called in inside if called in functions}
            new -= found
            found |= new
            is_changed = bool(new)
        return frozenset(found)


def _iterated(over: str) -> Iterator[str]:
    """The names of what a loop goes over, be it counted, with others, or with its progress shown."""
    wrapped = _WRAPPED.match(over)
    if wrapped is None:
        if over.isidentifier():
            yield over
        return
    for part in wrapped["inside"].split(","):
        yield from _iterated(part.strip())


def _words_given(call: Named) -> set[str]:
    """The words in what a call is given."""
    return {word for _, value in call.arguments for word in WORD.findall(value)}


def _first_names(one: Named) -> set[str]:
    """The first parts of the names in an assignment, and of what gives what is assigned."""
    names = {name.partition(".")[0].partition("[")[0] for name in one.uses}
    return names | ({one.made.partition(".")[0]} if "." in one.made else set())


def _is_within(offset: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a byte stands in one of several spans."""
    return any(start <= offset < end for start, end in spans)


def _is_drawn(name: str) -> bool:
    """Whether a function draws at random."""
    return "rand" in name


def _keeps_on(function: str) -> bool:
    """Whether a function may give what it is given to be gone over, or an object that keeps it."""
    return function[:1].isupper() or _GOING_OVER.search(function) is not None
