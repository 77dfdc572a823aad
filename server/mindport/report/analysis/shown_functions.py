"""Which functions of a project are told as a whole with an item of the recipe: those whose steps the entries
alone do not tell."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from mindport.catalog.catalog import Catalog
from mindport.report.analysis.data_sources import DataSources
from mindport.report.analysis.dropped_code import DroppedCode
from mindport.report.analysis.entries import (
    LOOP,
    FileAnalysis,
    FunctionCode,
    GivenParameter,
    RecipeEntry,
    ShownCode,
    SourceEntry,
    entry_of,
)
from mindport.report.analysis.file_code import last_part
from mindport.report.analysis.function_code import (
    FILLED,
    RATES,
    SHUFFLING,
    STEP,
    WEIGHTS,
    called_in,
    in_short,
)
from mindport.report.analysis.known_values import HOLDING, KnownValues
from mindport.report.analysis.project_files import ProjectFiles
from mindport.source.decode import PACKAGE_FILE

if TYPE_CHECKING:
    from mindport.catalog.migration_facts import RecipeItem

LOOPS: Final = "loops"
"""What an item is told that counts steps."""
_NETWORK: Final = "network"
_DATA: Final = "data"
_SCHEDULE: Final = "schedule"
_GROUPS: Final = "groups"
_OPTIMIZER: Final = "optimizer"
_LOSS: Final = "loss"
_MOST_NETWORKS: Final = 4
"""As many networks of a project are asked for a method of theirs."""
_ACCUMULATION: Final = "accumulation"
_OF_SCHEDULE: Final = re.compile(r"sch(?:e?d)|^lr_|_lr$", re.IGNORECASE)
"""What stands in the names of schedules."""
_COUNTED: Final = re.compile(r"\brange\(|\bcount\(|^while .*[<>]")
"""What stands in the head of a loop that counts."""
_SELF: Final = "self."
_FOR_EVALUATION: Final = re.compile(r"(?:val(?:id(?:ation)?)?|test(?:ing)?|eval)(?=_[a-z]*$)")
"""What says in the name of a function that it is for evaluation."""
_PARAMETER: Final = "parameter"
_MAKING: Final = "__init__"
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_NAMED: Final = re.compile(r"(?<![\w.\"'])[A-Za-z_][\w.]*")
_CHOSEN: Final = re.compile(
    r"(?P<owner>[\w.]+)\.__dict__\[(?P<key>.+)\]|getattr\((?P<module>[\w.]+), (?P<name>.+)\)"
    r"|(?:globals|locals|vars)\(\)\[(?P<text>.+)\]"
)
"""What chooses a function or class by its name."""
_COMPUTED: Final = re.compile(r" = ([\"'])(?P<name>\w+)\1 \(")
"""What stands where an expression comes to a name."""
_PLACING: Final = re.compile(
    r"def [^\n]*\n(?: *(?:if [^\n]*:|else:|return \w+|return \w+\.(?:cuda|to)\([^\n]*\)"
    r"|return torch\.device\([^\n]*\)|\w+ = (?:\w+\.(?:cuda|to)|Variable|torch\.device)\([^\n]*\)"
    r"|return Variable\([^\n]*\))\n?)+"
)
"""A function that only puts something where the network is."""
_COPIES: Final = re.compile(
    r"^(?!def \w*optim)(?=.*\bfor\b)(?=.*\.state_dict\(\))(?=.*(?<!optim)(?<!optimizer)\.load_state_dict\()",
    re.DOTALL,
)
"""What stands in functions that give networks weights by their names."""
_FILLS: Final = re.compile(
    r"^(?!.*(?:\bema\b|average|momentum|target_net|soft_update))(?=.*(?:\bfor\b|load_url\())"
    r"(?=.*(?:named_parameters\(|\.state_dict\(|load_url\())"
    r"(?=.*(?:\.copy_\(|(?<!optim)(?<!optimizer)\.load_state_dict\())(?=.*(?:pickle\.|load\(|load_url\())",
    re.DOTALL,
)
"""What stands in functions that read weights and give them to networks, or take them from a zoo."""
_OF_SAMPLES: Final = (
    *("__init__", "__getitem__", "__iter__", "__next__", "__call__"),
    *("generate_batch", "create_batches", "sort_key"),
)
"""The methods of data sets, samplers and transforms that are told, with what they call."""
_COMPUTED_LENGTH: Final = re.compile(r"def __len__\((?:.|\n)*?(?:\s(?:\*|//?|\+|-|%)\s|\b(?:int|ceil)\()")
"""What stands in a method that computes how many samples there are."""
_OF_ARRAYS: Final = re.compile(
    r"= .*\b(?:torch|np|numpy|math)\.(?!nn\b|optim\b|device\b|load|cuda\b|utils\b|manual_seed|save)[a-z]\w*\("
)
"""A statement that computes with arrays."""
_PART: Final = re.compile(r" = [\w.]+\[[^\[\],'\"]*:[^\[\],'\"]*\]$")
"""A statement that gives something a part of a list."""
_CLEARING: Final = "zero_grad"
_OBJECT: Final = re.compile(r"(?P<name>[A-Za-z_]\w*) = (?P<made>[A-Za-z_][\w.]*)\(")
"""A statement that gives a name what is called, mostly an object of a class."""
_ASKED: Final = re.compile(r"(?P<name>[A-Za-z_]\w*) = (?P<owner>[A-Za-z_]\w*)\.(?P<method>\w+)\(")
"""A statement that gives a name what a method of an object gives."""
_GATHERED: Final = re.compile(r"\b(?:zip|cycle|chain)\(|\blist\(enumerate\(")
"""What goes through several loaders at once, or through one again."""
_FOLLOWED: Final = frozenset({"data", "augmentation", "loss", "ema"})
"""The items whose functions are told with the methods of objects that they call."""
_OF_DATA: Final = frozenset({"data", "augmentation"})
_FUNCTIONS_OF_LOADERS: Final = ("collate_fn", "transform", "sampler", "batch_sampler", "worker_init_fn")
"""The parameters of data sets and loaders that functions and objects of the project are given for."""
_WITH_NETWORKS: Final = frozenset({"network", "initialization", "groups", "optimizer"})
"""The items whose functions may make networks."""
_PARAMETERS: Final = ".parameters()"
"""What stands in methods that set up a whole training."""
_LOADING: Final = ".load_state_dict("
_GIVING: Final = "__getitem__"
_OF_NETWORK: Final = ("__init__", "forward", "__call__")
_OF_OBJECTS: Final = ("__init__", "__iter__", "__next__", "__call__", "forward", "get_lr", "step", "update")
"""The methods that say what an object does that an item names."""
_CLASS_ITEMS: Final = frozenset({"loss", "schedule", "ema", "augmentation"})
_OTHERS: Final = frozenset({"tensorflow", "keras", "jax", "mxnet", "paddle"})
"""Packages that files train with which do not use PyTorch."""
_FORWARD: Final = "forward"
_CALLING_ITSELF: Final = re.compile(r"\bself\(")
_THROUGH_LAYERS: Final = re.compile(r"for (\w+) in [^\n]*self\b[^\n]*:\n(?:.*\n)*?.*\w, \w+\)? = \1\(")
"""What stands in networks whose layers each give a part of the loss."""
_GIVING_SEVERAL: Final = re.compile(r"return \([^\n]*, ")
_MAIN: Final = "main"
_DRAWING: Final = "draw"
_SHOWING: Final = re.compile(r"\b(?:plt|pyplot|fig|ax|axes)\.|cv2\.(?:imshow|putText)|ImageDraw|\.show\(")
"""What stands in functions that show something to people."""
_PLOTTING: Final = re.compile(r"\b(?:plt|pyplot)\.(?:plot|figure|subplots?|show|savefig|imshow)\(")
"""What stands in functions that plot."""
_DEEPEST: Final = 3
"""As many functions are followed, one to the next."""
_IS_VALUE: Final = re.compile(r"[-\d\"'\[({]|True|False")
"""How a value begins that is written out."""
_LONGEST: Final = 80
_LONGEST_CHOICE: Final = 160
"""As much text where that says on which conditions a name has which value."""
_MOST_VALUES: Final = 12
_MOST_LINES: Final = 260
"""As many lines of functions are told of an item."""
_MOST_OF_OTHERS: Final = 120
"""As many where what follows is of data sets that the options do not choose."""


class ShownFunctions:
    """Finds the functions of each item: those that its entries stand `around`, those that are `named` in
    them, or `called` alone, those of its `classes`, the methods of data sets (`samples`), what gives the data
    that is trained with (`sources`), `makers` and `givers` of what the item tells, what `copies` weights by
    their names, and the `step`, `batches` and loops over `weights` of trainings; with the functions of the
    project that these call. What evaluates, logs or trains as a whole is not told, nor what the entries tell
    already."""

    def __init__(
        self,
        files: Sequence[FileAnalysis],
        project: ProjectFiles,
        values: KnownValues,
        dropped: DroppedCode,
        entries: Sequence[RecipeEntry],
    ) -> None:
        self._project = project
        self._dropped = dropped
        self._facts = Catalog.load().migration
        self._files = {file.path: file for file in files}
        self._whole: dict[tuple[str, str], FunctionCode] = {}
        self._parts: list[FunctionCode] = []
        for one in [one for file in files for one in file.code]:
            if one.kind:
                self._parts.append(one)
            else:
                self._whole.setdefault((one.path, one.name), one)
        self._training = {(one.path, one.name) for one in self._parts if one.kind == STEP}
        self._trainers = {f"{name.rpartition('.')[0]}.{_MAKING}" for _, name in self._training if "." in name}
        self._methods: dict[str, list[FunctionCode]] = {}
        self._of_class: dict[str, list[FunctionCode]] = {}
        for one in self._whole.values():
            if one.classes and one.name.count(".") == len(one.classes):
                self._methods.setdefault(last_part(one.name), []).append(one)
                self._of_class.setdefault(one.classes[-1], []).append(one)
        modules = {file.path: {each.module.partition(".")[0] for each in file.names} for file in files}
        self._of_others = {
            path for path, names in modules.items() if _OTHERS & names and "torch" not in names
        }
        self._defined = {last_part(one.name) for one in self._whole.values()} | set(self._of_class)
        self._bases = {one.name: one.bases for file in files for one in file.classes}
        self._networks = {one.name for one in entries if one.is_class and one.item == _NETWORK}
        self._evaluations = {(file.path, one) for file in files for one in file.evaluations}
        self._entries: dict[str, list[RecipeEntry]] = {}
        for entry in entries:
            self._entries.setdefault(entry.item, []).append(entry)
        self._values = values
        self.sources = DataSources(files, values.call_sites)
        self._shown: dict[tuple[str, str, str], str] = {}
        self._giving_losses: set[tuple[str, str]] = set()
        self._chosen_functions: set[tuple[str, str]] = set()

    def of_item(self, item: RecipeItem) -> list[ShownCode]:
        """The functions of an item, by their places; what another item has told before is only named."""
        entries = self._entries.get(item.name, [])
        if not item.shows:
            return []
        told: dict[tuple[str, int], None] = dict.fromkeys((one.path, one.line) for one in entries)
        first = [one for one in self._first(item, entries) if self._may_show(one, item)]
        found = list({(one.path, one.name): one for one in [*first, *self._called(first, item)]}.values())
        whole = {(one.path, one.name) for one in found}
        found = [one for one in found if not any((one.path, around) in whole for around in _around(one.name))]
        parts = [one for one in self._parts if one.kind in item.shows and not self._only_evaluates(one)]
        parts = [one for one in parts if one.kind != STEP or not self._facts.is_aside(last_part(one.name))]
        parts = [one for one in parts if one.kind != FILLED or self._is_given(one, item, whole)]
        lines_told = {(one.path, str(one.line)) for one in entries}
        parts = [
            one
            for one in parts
            if one.kind != RATES
            or ((one.path, one.name) not in whole and any((one.path, at) in lines_told for at in one.given))
        ]
        found += [one for one in parts if one.kind != WEIGHTS or self._is_of_weights(one, told, whole)]
        found = [
            one
            for one in found
            if (one.path, one.name) in self._chosen_functions
            or any((one.path, line) not in told for line in one.lines)
        ]
        return self._as_shown(sorted(found, key=lambda one: (one.path, one.cell or 0, one.line)), item)

    def pointers(self, item: str, shown: Mapping[str, Sequence[ShownCode]]) -> list[ShownCode]:
        """The functions that belong to data, or to what is done to it, that the other of both items shows:
        they are named under this one, too."""
        if item not in _OF_DATA:
            return []
        other = next(one for one in sorted(_OF_DATA) if one != item)
        told = {(one.path, one.line) for one in shown[item]}
        entries = self._entries.get(item, [])
        classes = {last_part(one.name) for one in entries if one.is_class}
        lines = {(one.path, one.line) for one in entries if not one.is_class}
        found = []
        for one in [one for one in shown[other] if one.code and (one.path, one.line) not in told]:
            is_of_class = any(name in classes for name in one.name.split(".")[:-1])
            if is_of_class or any((one.path, line) in lines for line in one.lines):
                found.append(replace(one, code="", known=[], shown=other))
        return found

    def _is_given(self, one: FunctionCode, item: RecipeItem, whole: Container[tuple[str, str]]) -> bool:
        """Whether what an item tells is given a list that loops fill, in a function that is not told."""
        if (one.path, one.name) in whole:
            return False
        data = {last_part(each.name) for each in self._entries.get(_DATA, ()) if each.is_class}
        if not data.isdisjoint(one.classes) and last_part(one.name) in _OF_SAMPLES:
            return False
        name = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, one.given))})\b")
        items = (item.name, _OPTIMIZER) if item.name == _GROUPS else (item.name,)
        entries = [each for name in items for each in self._entries.get(name, ())]
        texts = [
            text
            for each in entries
            if (each.path, each.scope) == (one.path, one.name) and not each.is_class
            for text in (
                each.code.partition("=")[2] or each.code,
                *[given.value for given in each.parameters],
            )
        ]
        if item.name == _DATA:
            sources = [each for path, each in self._sources if (path, each.scope) == (one.path, one.name)]
            texts += [each.code.partition("=")[2] for each in sources]
        return any(name.search(text) is not None for text in texts)

    @staticmethod
    def _is_of_weights(
        one: FunctionCode, told: Container[tuple[str, int]], whole: Container[tuple[str, str]]
    ) -> bool:
        """Whether entries stand in a loop over weights, whose function is not told."""
        return (one.path, one.name) not in whole and any((one.path, line) in told for line in one.lines)

    def _as_shown(self, found: Sequence[FunctionCode], item: RecipeItem) -> list[ShownCode]:
        shown, lines = [], 0
        others = self._not_chosen if item.name in _OF_DATA else frozenset[str]()
        for one in sorted(found, key=lambda one: not others.isdisjoint(one.classes)):
            key = (one.path, one.name, one.kind and f"{one.kind} {one.line}")
            before = self._shown.get(key)
            one = one if before is not None else self._dropped.without_branches(one)
            length = one.code.count("\n") + 1 if before is None else 0
            most = _MOST_LINES if others.isdisjoint(one.classes) else _MOST_OF_OTHERS
            lines += length
            if before is None and lines > most:
                lines -= length
                left_out = ShownCode(path=one.path, line=one.line, name=one.name, is_left_out=True)
                left_out.lines = [] if others.isdisjoint(one.classes) else one.lines
                shown.append(left_out)
                continue
            self._shown.setdefault(key, item.name)
            shown.append(
                ShownCode(
                    path=one.path,
                    line=one.line,
                    name=one.name,
                    kind=one.kind,
                    code=one.code if before is None else "",
                    known=self._known(one) if before is None else [],
                    shown=before or "",
                    lines=one.lines,
                )
            )
        return sorted(shown, key=_by_place)

    @cached_property
    def _not_chosen(self) -> frozenset[str]:
        """The data sets that the options choose others instead of, by their defaults: what gives the data
        that is trained with does not name them."""
        waiting = [
            one
            for path, each in self._sources
            for name in each.names
            for one in self._meant(name, path, each.scope, each.classes, None)
        ]
        words = {word for _, each in self._sources for word in _WORD.findall(each.code)}
        seen: set[tuple[str, str]] = set()
        while waiting:
            one = waiting.pop()
            if (one.path, one.name) in seen:
                continue
            seen.add((one.path, one.name))
            words.update(one.classes, _WORD.findall(one.code.partition("(")[2]))
            waiting += [
                each
                for name in one.names
                for each in self._meant(name, one.path, one.name, one.classes, None)
            ]
        classes = {last_part(one.name) for one in self._entries.get(_DATA, ()) if one.is_class}
        bases = {base for name in classes & words for base in self._bases.get(name, ())}
        return frozenset(classes - words - bases) if classes & words else frozenset()

    def _known(self, one: FunctionCode) -> list[GivenParameter]:
        """What the names that a function reads are, where that is written out."""
        entry = RecipeEntry(path=one.path, line=one.line, item="", name="", code="")
        entry.scope, entry.classes = one.name, one.classes
        names = [name for name in one.reads if not self._values.is_unused_default(one.path, name)]
        entry.parameters = [GivenParameter(name="", value=name) for name in names]
        found = [each for each in self._values.explained(entry).parameters if each.known]
        told = [
            each for each in found if _IS_VALUE.match(each.known) and len(each.known) <= _longest(each.known)
        ]
        return told[:_MOST_VALUES]

    def _first(self, item: RecipeItem, entries: Sequence[RecipeEntry]) -> Iterator[FunctionCode]:
        for entry in entries:
            if not item.shows.isdisjoint({"around", "makers", "givers"}):
                yield from self._around(entry, item)
            if "classes" in item.shows and entry.is_class:
                own = self._of_class.get(last_part(entry.name), ())
                yield from [one for one in own if last_part(one.name) in _OF_OBJECTS]
            if "called" in item.shows and not entry.is_class:
                written = called_in(entry.code) or entry.code.partition("(")[0].rpartition("=")[2].strip()
                yield from self._meant(written, entry.path, entry.scope, entry.classes, item)
            if "named" in item.shows:
                for name in self._names_in(entry, with_known=item.name in _OF_DATA):
                    yield from self._meant(name, entry.path, entry.scope, entry.classes, item)
        if "samples" in item.shows:
            yield from self._of_samples(item)
        if "copies" in item.shows:
            yield from self._copying()
        if "sources" in item.shows:
            for path, one in self._sources:
                for name in one.names:
                    yield from self._meant(name, path, one.scope, one.classes, item)
        if STEP in item.shows:
            called = self._called(list(self._steps()), item)
            yield from called
            layers = [*self._of_layers(called), *self._of_attributes()]
            self._giving_losses.update((one.path, one.name) for one in layers)
            yield from layers

    def _of_attributes(self) -> Iterator[FunctionCode]:
        """The methods that compute attributes of an object which the losses of its steps are computed
        from."""
        for step in [one for one in self._steps() if one.classes]:
            read = {name for name in step.reads if name.startswith(_SELF)} - set(step.given)
            for one in self._files[step.path].statements:
                if one.classes[-1:] == step.classes[-1:] and not read.isdisjoint(one.targets):
                    for name in [each for each in one.names if each.startswith(_SELF)]:
                        yield from self._of_self(name.removeprefix(_SELF), one.classes)

    def computed_entries(self, item: str) -> Iterator[RecipeEntry]:
        """The statements of `__init__` that compute attributes which the losses of an object's steps are
        computed from, with what gives the names in them values."""
        told = {(one.path, one.line) for each in self._entries.values() for one in each}
        for step in [one for one in self._steps() if one.classes]:
            read = {name for name in step.reads if name.startswith(_SELF)}
            own = [
                one
                for one in self._files[step.path].statements
                if one.scope == f"{'.'.join(step.classes)}.{_MAKING}" and one.classes == step.classes
            ]
            waiting = [one for one in own if not read.isdisjoint(one.targets)]
            while waiting:
                one = waiting.pop()
                if (step.path, one.line) in told or _OF_ARRAYS.search(one.code) is None:
                    continue
                told.add((step.path, one.line))
                entry = entry_of(one, step.path, item, one.targets[0], _read_in(one.code))
                yield self._values.explained(entry)
                waiting += [each for each in own if not set(one.reads).isdisjoint(each.targets)]

    def _of_layers(self, found: Sequence[FunctionCode]) -> Iterator[FunctionCode]:
        """What networks compute of their losses when they are called themselves, and what each of their
        layers gives for that, where they go through them."""
        for one in [one for one in found if self._networks.intersection(one.classes)]:
            if _CALLING_ITSELF.search(one.code) is None:
                continue
            for forward in [*self._of_self(_FORWARD, one.classes), *self._of_derived(_FORWARD, one.classes)]:
                yield forward
                if _THROUGH_LAYERS.search(forward.code) is not None:
                    own = [each for name in sorted(self._networks) for each in self._of_class.get(name, ())]
                    own = [each for each in own if last_part(each.name) == _FORWARD]
                    yield from [each for each in own if _GIVING_SEVERAL.search(each.code) is not None]

    @cached_property
    def _sources(self) -> list[tuple[str, SourceEntry]]:
        """The statements that give what is trained with, each with its file."""
        found = {
            (path, one.line): (path, one) for part in self._steps() for path, one in self.sources.of(part)
        }
        for entry in self._entries.get(_DATA, ()):
            if not entry.is_class and not entry.code.startswith("def "):
                found.update({(path, one.line): (path, one) for path, one in self.sources.of_entry(entry)})
        return [found[key] for key in sorted(found)]

    def _steps(self) -> Iterator[FunctionCode]:
        steps = [one for one in self._parts if one.kind == STEP and not self._only_evaluates(one)]
        yield from [one for one in steps if not self._facts.is_aside(last_part(one.name))]

    def without_unneeded_losses(
        self, entries: Sequence[RecipeEntry], item: str, chosen: Set[str]
    ) -> list[RecipeEntry]:
        """The entries without functions of losses that no step of a training needs, as far as it names what
        it calls, and that are not `chosen` by their names; all where no step is seen."""
        if not self._parts or not self._words_of_steps:
            return list(entries)
        words = self._words_of_steps.union(chosen, *[one.names_in_texts for one in self._files.values()])
        return [one for one in entries if one.item != item or self._is_needed(one, words)]

    def _is_needed(self, one: RecipeEntry, words: Set[str]) -> bool:
        """Whether an entry is no function of losses, or one that has one of these names, and stands in none
        that tries something out."""
        is_function = one.code.startswith("def ")
        return not self._facts.is_aside(last_part(one.scope)) and (not is_function or one.name in words)

    def restrict_to(self, entries: Sequence[RecipeEntry]) -> None:
        """Tell nothing with entries that are no longer among these."""
        kept = {(one.item, one.path, one.line, one.name) for one in entries}
        for item, own in self._entries.items():
            self._entries[item] = [one for one in own if (item, one.path, one.line, one.name) in kept]

    @cached_property
    def _words_of_steps(self) -> set[str]:
        """The names that the steps of trainings call and give to what they call, with those that these, and
        what has any such name, call and give."""
        found = {word for one in self._steps() for name in one.names for word in name.split(".")}
        if not found:
            return found
        found |= {last_part(one.name) for one in self._steps()}
        inside: dict[str, set[str]] = {}
        for one in self._whole.values():
            last = last_part(one.name)
            words = {word for name in one.names for word in name.split(".")}
            for name in (last, *(one.classes if last in _OF_OBJECTS else ())):
                inside.setdefault(name, set()).update(words)
        for file in self._files.values():
            for each in file.statements:
                words = {word for name in each.names for word in name.split(".")}
                words.update(_WORD.findall(each.code) if "(" not in each.code else ())
                for target in each.targets:
                    inside.setdefault(last_part(target), set()).update(words)
        waiting = list(found)
        while waiting:
            new = inside.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return found

    def without_evaluations(self, entries: Sequence[RecipeEntry], items: Set[str]) -> list[RecipeEntry]:
        """The entries without those of items for training alone that stand in functions which have a
        counterpart for training, by their names (`val_transform` beside `train_transform`), or that plot."""
        plotting = {where for where, one in self._whole.items() if _PLOTTING.search(one.code) is not None}
        plotting = {where for where in plotting if not self._trains(self._whole[where])}
        entries = [
            one
            for one in entries
            if one.item != _LOSS or one.is_class or not one.scope or (one.path, one.scope) not in plotting
        ]
        return [
            one
            for one in entries
            if one.item not in items
            or not self._facts.only_evaluates(last_part(one.scope).lower())
            or (one.path, _FOR_EVALUATION.sub("train", one.scope)) not in self._whole
        ]

    def without_unread_parameters(self, entries: Sequence[RecipeEntry]) -> list[RecipeEntry]:
        """The entries without parameters of constructors that are only kept, and nothing reads."""
        return [one for one in entries if one.kind != _PARAMETER or not self._is_only_kept(one)]

    def _is_only_kept(self, entry: RecipeEntry) -> bool:
        made = self._whole.get((entry.path, entry.scope))
        if made is None or last_part(entry.scope) != _MAKING or not entry.parameters:
            return False
        name = re.compile(rf"\b{re.escape(entry.parameters[0].name)}\b", re.IGNORECASE)
        _, _, body = made.code.partition("):\n")
        is_read = name.search(body) is not None
        return not is_read and not any(
            name.search(one.code) is not None for one in self._whole.values() if one is not made
        )

    def source_entries(self) -> Iterator[RecipeEntry]:
        """The statements that make what is trained with by functions and classes of the project, which
        nothing else tells."""
        told = {(one.path, one.line) for each in self._entries.values() for one in each}
        asked = [(path, one) for path, one, _ in self._asked_of_data()]
        for path, one in [*self._sources, *[each for each in asked if each not in self._sources]]:
            own = [
                each for name in one.names for each in self._meant(name, path, one.scope, one.classes, None)
            ]
            own = [each for each in own if self._may_show(each, None)]
            is_told = any((path, line) in told for line in range(one.line, one.last + 1))
            is_shuffled = last_part(one.code.partition("(")[0]) == SHUFFLING
            is_gathered = _GATHERED.search(one.code) is not None and (path, one.scope) in self._training
            is_asked = (path, one) in asked or self._is_part(path, one)
            if (
                (own or is_shuffled or is_gathered or is_asked)
                and not is_told
                and not self._is_of_networks(own)
            ):
                entry = entry_of(one, path, _DATA, one.targets[0], _read_in(one.code))
                if one.condition:
                    entry.conditions = [GivenParameter(name="", value=in_short(one.condition))]
                    if self._values.truth(one.condition, entry) is False:
                        continue
                yield self._values.explained(entry)

    def _is_part(self, path: str, one: SourceEntry) -> bool:
        """Whether a statement cuts what is kept as an attribute out of a list, where nothing trains."""
        is_kept = bool(one.classes) and any(name.startswith(_SELF) for name in one.targets)
        return is_kept and _PART.search(one.code) is not None and (path, one.scope) not in self._training

    def copying_entries(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        """The statements that call functions which give networks weights from elsewhere: on which part."""
        if "copies" not in item.shows:
            return
        told = {(one.path, one.line) for one in self._entries.get(item.name, ())}
        copying = {(one.path, one.name) for one in self._copying() if self._may_show(one, item)}
        for path, one in [(path, one) for path, file in self._files.items() for one in file.statements]:
            call = one.code.partition("(")[0]
            is_of_evaluation = self._facts.only_evaluates(PurePath(path).stem.lower())
            if one.targets or is_of_evaluation or (path, one.line) in told:
                continue
            meant = self._meant(call, path, one.scope, one.classes, item)
            if not copying.isdisjoint((each.path, each.name) for each in meant):
                entry = entry_of(one, path, item.name, call)
                conditions = [one.condition] if one.condition else []
                entry.conditions = [GivenParameter(name="", value=each) for each in conditions]
                yield self._values.explained(entry)

    def _copying(self) -> Iterator[FunctionCode]:
        """The functions that give networks weights by their names, or those of files."""
        for how in (_COPIES, _FILLS):
            yield from [one for one in self._whole.values() if how.search(one.code) is not None]

    def _is_of_networks(self, functions: Sequence[FunctionCode]) -> bool:
        return any(not self._networks.isdisjoint([*one.classes, *one.names]) for one in functions)

    def loop_entries(self, item: str) -> Iterator[RecipeEntry]:
        """The loops that count steps of trainings, which nothing else tells."""
        told = {(one.path, one.line) for one in self._entries.get(item, ())}
        for part in self._steps():
            for line, head, names in part.loops:
                if (part.path, line) in told:
                    continue
                entry = RecipeEntry(path=part.path, line=line, item=item, name="", code=head, kind=LOOP)
                entry.scope, entry.classes = part.name, part.classes
                entry.parameters = [GivenParameter(name="", value=name) for name in names]
                entry = self._values.explained(entry)
                known = " ".join(one.known for one in entry.parameters)
                if _COUNTED.search(f"{head} {known}"):
                    told.add((part.path, line))
                    yield entry

    def counted_entries(self, items: Sequence[RecipeItem]) -> Iterator[RecipeEntry]:
        """The steps of optimizers and schedules that are taken once every few batches, which nothing else
        tells."""
        told = {(each, one.path, one.line) for each, given in self._entries.items() for one in given}
        schedule = next(one for one in items if one.name == _SCHEDULE)
        for part in self._steps():
            for line, condition, code in part.counted:
                owner = last_part(code.partition("(")[0].rpartition(".")[0])
                is_schedule = schedule.has_result(owner.lower()) or _OF_SCHEDULE.search(owner) is not None
                item = _SCHEDULE if is_schedule else _ACCUMULATION
                if (item, part.path, line) in told:
                    continue
                entry = RecipeEntry(path=part.path, line=line, item=item, name=owner, code=code)
                entry.scope, entry.classes = part.name, part.classes
                entry.conditions = [GivenParameter(name="", value=condition)]
                yield self._values.explained(entry)

    def _names_in(self, entry: RecipeEntry, *, with_known: bool) -> Iterator[str]:
        """What an entry calls, and what it is given: functions and classes of the project, as written."""
        given = [one for one in entry.parameters if not one.is_default]
        for text in [entry.code, *[(with_known and one.known) or one.value for one in given]]:
            yield from _NAMED.findall(text)

    def _around(self, entry: RecipeEntry, item: RecipeItem) -> Iterator[FunctionCode]:
        """The function that an entry stands in, or that it is; of what makes something, those that give
        it."""
        if entry.code.startswith("def "):
            own = ".".join(filter(None, (entry.scope, entry.name)))
            yield from [one for one in [self._whole.get((entry.path, own))] if one is not None]
        scope = entry.scope
        one = self._whole.get((entry.path, scope))
        if one is None or last_part(scope) == _MAIN:
            return
        is_of_network = bool(self._networks.intersection(one.classes))
        if is_of_network and last_part(scope) in _OF_NETWORK:
            return
        is_making = not one.classes and ("return " in one.code or "givers" in item.shows)
        if item.shows.isdisjoint({"makers", "givers"}) or is_making:
            yield one

    def _of_samples(self, item: RecipeItem) -> Iterator[FunctionCode]:
        """The methods of data sets and samplers, and what puts batches together."""
        of_data = {last_part(one.name) for one in self._entries.get(_DATA, ()) if one.is_class}
        for one in self._called(list(self._steps()), item):
            if not of_data.isdisjoint(one.classes):
                yield one
        yield from self._renewing(item)
        for _, _, method in self._asked_of_data():
            yield method
        data = [one for each in self._entries.values() for one in each if one.item in ("data", item.name)]
        for name in dict.fromkeys(one.name for one in data if one.is_class):
            for method in self._of_class.get(last_part(name), ()):
                if last_part(method.name) in _OF_SAMPLES or _COMPUTED_LENGTH.match(method.code) is not None:
                    yield method
        for entry in data:
            for given in entry.parameters:
                if given.name in _FUNCTIONS_OF_LOADERS:
                    for name in _NAMED.findall(given.known or given.value):
                        yield from self._meant(name, entry.path, entry.scope, entry.classes, item)

    def _renewing(self, item: RecipeItem) -> Iterator[FunctionCode]:
        """The methods that functions which train call of what they take their batches of."""
        for step in self._steps():
            for call in self._files[step.path].calls:
                owner, _, last = call.written.rpartition(".")
                if call.scope == step.name and owner in step.given:
                    own = self._meant(call.written, step.path, step.name, step.classes, item)
                    yield from [one for one in own if one.classes and last_part(one.name) == last]

    def _asked_of_data(self) -> Iterator[tuple[str, SourceEntry, FunctionCode]]:
        """The statements of functions that train, which give the step of a training what a method of a data
        set gives, and the methods."""
        for step in self._steps():
            words = set(_WORD.findall(step.code))
            for one in self._files[step.path].statements:
                asked = _ASKED.match(one.code) if one.scope == step.name else None
                if asked is None or asked["name"] not in words:
                    continue
                for name in self._made_as(asked["owner"], step.path, step.name):
                    own = [each for each in self._of_class.get(name, ()) if last_part(each.name) != _MAKING]
                    gives = any(last_part(each.name) == _GIVING for each in own)
                    for method in own if gives else ():
                        if last_part(method.name) == asked["method"]:
                            yield step.path, one, method

    def _called(self, first: Sequence[FunctionCode], item: RecipeItem) -> list[FunctionCode]:
        """The functions of the project that functions call, also through others."""
        found: dict[tuple[str, str], FunctionCode] = {}
        seen = {(one.path, one.name) for one in first if not one.kind}
        own = {
            (each.path, each.name)
            for one in first
            for each in self._of_class.get("".join(one.classes[-1:]), ())
        }
        waiting = list(first)
        for _ in range(_DEEPEST):
            called = [
                each
                for one in waiting
                for name in one.names
                for each in self._meant(name, one.path, one.name, one.classes, item)
            ]
            waiting = []
            for one in called:
                key = (one.path, one.name)
                is_followed = not one.classes or item.name in _FOLLOWED or key in own
                if key not in seen and is_followed and self._may_show(one, item):
                    seen.add(key)
                    found[key] = one
                    waiting.append(one)
        return list(found.values())

    def _may_show(self, one: FunctionCode, item: RecipeItem | None) -> bool:
        """Whether a function is told with an item at all."""
        last = last_part(one.name)
        is_drawing = item is not None and item.name in _OF_DATA and self._draws_samples(one)
        is_drawing = is_drawing or _COMPUTED_LENGTH.match(one.code) is not None
        is_giving = item is not None and item.minimized and (one.path, one.name) in self._giving_losses
        if self._trains(one) or last == _MAIN:
            return False
        if self._only_evaluates(one) and not (is_drawing or is_giving):
            return False
        if self._facts.parses_options(one.code) or one.path in self._of_others:
            return False
        is_of_training = any(map(self._facts.keeps_settings, one.classes))
        if is_of_training and _PARAMETERS in one.code and (item is None or item.name not in _WITH_NETWORKS):
            return False
        if (
            not is_giving
            and self._networks.intersection(one.classes)
            and (last in _OF_NETWORK or item is None or item.name in _OF_DATA)
        ):
            return False
        if (item is None or item.name in _OF_DATA) and _LOADING in one.code:
            return False
        is_plain = not one.classes and item is not None and item.name not in _WITH_NETWORKS
        if is_plain and not self._networks.isdisjoint(map(last_part, one.calls)):
            return False
        if _PLOTTING.search(one.code) is not None and not is_drawing:
            return False
        if _PLACING.fullmatch(one.code) is not None or (self._facts.is_aside(last) and not is_drawing):
            return False
        if any(self._facts.only_keeps_settings(name) or self._is_table(name) for name in one.classes):
            return False
        return not (self._facts.only_logs(last.lower()) or any(map(self._logs, one.classes)))

    def _draws_samples(self, one: FunctionCode) -> bool:
        """Whether a function draws into what it is given and gives that back (`draw_labelmap`)."""
        last = last_part(one.name)
        is_named = last.startswith(_DRAWING) and self._facts.only_shows(last)
        return is_named and "return " in one.code and _SHOWING.search(one.code) is None

    def _is_table(self, name: str) -> bool:
        """Whether objects of a class keep what they are given under its names, by its bases."""
        return not HOLDING.isdisjoint(self._bases.get(name, ()))

    def _trains(self, one: FunctionCode) -> bool:
        """Whether a function trains, or makes what does."""
        return (one.path, one.name) in self._all_training or one.name in self._trainers

    @cached_property
    def _all_training(self) -> set[tuple[str, str]]:
        """The functions that take gradients, and those that call these."""
        trainers = {name.rpartition(".")[0] for _, name in self._training if "." in name}
        found = set(self._training)
        found |= {
            key for key, one in self._whole.items() if not trainers.isdisjoint(map(last_part, one.calls))
        }
        calls = {
            key: {
                (each.path, each.name)
                for name in one.calls
                for each in self._meant(name, one.path, one.name, one.classes, None)
            }
            for key, one in self._whole.items()
        }
        size = 0
        while size != len(found):
            size = len(found)
            found |= {key for key, called in calls.items() if not called.isdisjoint(found)}
        return found

    def _logs(self, name: str) -> bool:
        return self._facts.only_logs(name.lower())

    def _only_evaluates(self, one: FunctionCode) -> bool:
        last = last_part(one.name)
        if (one.path, one.name) in self._evaluations or self._facts.only_shows(last):
            return True
        if not one.kind and self._facts.only_evaluates(PurePath(one.path).stem.lower()):
            return True
        if not one.kind and ".eval()" in one.code and ".train(" not in one.code:
            return True
        return bool(last) and self._facts.only_evaluates(last.lower())

    def _meant(
        self, name: str, path: str, scope: str, classes: Sequence[str], item: RecipeItem | None
    ) -> Iterator[FunctionCode]:
        """The functions of the project that a name may be of where it stands."""
        if (chosen := _CHOSEN.fullmatch(name)) is not None:
            name = self._chosen(chosen, path, scope, classes)
            found = list(self._meant(name, path, scope, classes, item)) if name else []
            self._chosen_functions.update((one.path, one.name) for one in found if not one.classes)
            yield from found or (() if last_part(name) in self._defined else self._any_of(chosen, path))
            return
        if name.startswith(_SELF):
            yield from self._of_self(name.removeprefix(_SELF), classes)
            return
        owner, dot, last = name.rpartition(".")
        if not dot:
            yield from self._plain(name, path, scope, item)
        elif owner and (files := self._project.module_files(owner, path)):
            for file in files:
                yield from self._at(file, last, item)
        elif last_part(owner) in self._of_class:
            yield from self._of_self(last, (last_part(owner),))
        elif made := [
            one for name in self._made_as(owner, path, scope) for one in self._of_self(last, (name,))
        ]:
            yield from [one for one in made if not self._is_of_rates(one, item)]
        else:
            yield from self._only_method(last, item)

    def _is_of_rates(self, one: FunctionCode, item: RecipeItem | None) -> bool:
        """Whether a method takes steps or clears gradients, or is of a class of optimizers and schedules, and
        another item asks."""
        if item is None or item.name in (_OPTIMIZER, _SCHEDULE, _GROUPS):
            return False
        entries = [each for name in (_OPTIMIZER, _SCHEDULE) for each in self._entries.get(name, ())]
        classes = {last_part(each.name) for each in entries}
        is_step = last_part(one.name) in (*self._facts.taking_steps, _CLEARING)
        return is_step or not classes.isdisjoint(one.classes)

    def _made_as(self, name: str, path: str, scope: str) -> Iterator[str]:
        """The classes of the project that a function, or one around it, makes objects of under a name."""
        for around in _scopes(scope):
            if (found := self._made.get((path, around, name))) is not None:
                yield from dict.fromkeys(found)
                return

    @cached_property
    def _made(self) -> dict[tuple[str, str, str], list[str]]:
        """The names that functions give objects of classes of the project: the path of the file, the function
        and the name, each with the classes."""
        found: dict[tuple[str, str, str], list[str]] = {}
        for path, file in self._files.items():
            for one in file.statements:
                made = _OBJECT.match(one.code)
                if made is not None and last_part(made["made"]) in self._of_class:
                    found.setdefault((path, one.scope, made["name"]), []).append(last_part(made["made"]))
        return found

    def _any_of(self, chosen: re.Match[str], path: str) -> Iterator[FunctionCode]:
        """All functions that a name may be of that is chosen from a module."""
        for file in self._project.module_files(chosen["owner"] or chosen["module"] or "", path):
            folder = PurePath(file).parent if PurePath(file).name == PACKAGE_FILE else PurePath(file)
            inside = [
                one for one in self._project.all_imported_by(file) if PurePath(one).is_relative_to(folder)
            ]
            for each in sorted({file, *inside}):
                own = [one for (at, _), one in self._whole.items() if at == each]
                yield from [one for one in own if "." not in one.name]

    def _chosen(self, chosen: re.Match[str], path: str, scope: str, classes: Sequence[str]) -> str:
        """The name that a text chooses from a module."""
        text = chosen["text"] or chosen["key"] or chosen["name"]
        entry = RecipeEntry(path=path, line=0, item="", name="", code="", scope=scope)
        entry.classes = tuple(classes)
        entry.parameters = [GivenParameter(name="", value=text)]
        known = self._values.explained(entry).parameters[0].known or text
        computed = _COMPUTED.search(known)
        name = computed["name"] if computed is not None else known.strip("\"'")
        owner = chosen["owner"] or chosen["module"] or ""
        return (f"{owner}.{name}" if owner else name) if name.isidentifier() else ""

    def _of_self(self, name: str, classes: Sequence[str]) -> Iterator[FunctionCode]:
        """A method of the same object, be it of a base."""
        waiting = list(classes[-1:])
        for _ in range(_DEEPEST):
            own = [one for each in waiting for one in self._of_class.get(each, ())]
            found = [one for one in own if last_part(one.name) == name]
            if found:
                yield from found
                return
            waiting = [base for each in waiting for base in self._bases.get(each, ())]

    def _of_derived(self, name: str, classes: Sequence[str]) -> Iterator[FunctionCode]:
        """The methods of that name in the classes that derive from one."""
        found = set(classes[-1:])
        size = 0
        while size != len(found):
            size = len(found)
            found |= {each for each, bases in self._bases.items() if not found.isdisjoint(bases)}
        for each in sorted(found.difference(classes[-1:])):
            yield from [one for one in self._of_class.get(each, ()) if last_part(one.name) == name]

    def _plain(self, name: str, path: str, scope: str, item: RecipeItem | None) -> Iterator[FunctionCode]:
        """A function of the same one, of the file, or of what it imports."""
        for around in _scopes(scope):
            one = self._whole.get((path, f"{around}.{name}" if around else name))
            if one is not None and (not around or one.name.count(".") != len(one.classes)):
                yield one
                return
        if any(True for _ in self._at(path, name, item)):
            yield from self._at(path, name, item)
            return
        for file, imported in self._project.imported_as(name, path):
            yield from self._at(file, imported, item)

    def _at(self, path: str, name: str, item: RecipeItem | None) -> Iterator[FunctionCode]:
        """What a file has under a name: a function, or methods of a class."""
        if (one := self._whole.get((path, name))) is not None:
            yield one
            return
        own = [one for one in self._of_class.get(name, ()) if one.path == path]
        if name not in self._networks:
            gives = any(last_part(one.name) == _GIVING for one in own)
            told = _OF_OBJECTS if item is None or item.name in _CLASS_ITEMS or not gives else ()
            yield from [one for one in own if last_part(one.name) in told]
        if not own:
            for file, imported in self._project.imported_as(name, path):
                yield from [one for one in [self._whole.get((file, imported))] if one is not None]

    def _only_method(self, name: str, item: RecipeItem | None) -> Iterator[FunctionCode]:
        """The method of that name, where one class of the project alone has it; of what networks give for
        groups and losses, those of all networks."""
        own = self._methods.get(name, [])
        is_of_networks = item is not None and item.name in (_GROUPS, _LOSS)
        is_of_networks = is_of_networks and all(map(self._is_of_network, own)) and len(own) <= _MOST_NETWORKS
        if (len(own) == 1 or is_of_networks) and not self._facts.is_method_of_many(name):
            yield from own

    def _is_of_network(self, one: FunctionCode) -> bool:
        return not self._networks.isdisjoint(one.classes)


def _longest(known: str) -> int:
    return _LONGEST_CHOICE if " / " in known and " if " in known else _LONGEST


def _by_place(one: ShownCode) -> tuple[str, int, int]:
    return one.path, one.cell or 0, one.line


def _read_in(code: str) -> list[str]:
    """The names in what a statement assigns."""
    return list(dict.fromkeys(_NAMED.findall(code.partition("=")[2])))


def _around(name: str) -> Iterator[str]:
    """The names of what a function stands in."""
    yield from list(_scopes(name))[1:-1]


def _scopes(scope: str) -> Iterator[str]:
    """A function by its name with those around it, and those, to the module."""
    while scope:
        yield scope
        scope = scope.rpartition(".")[0]
    yield ""
