"""What a file contributes to the analysis of its project."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from mindport.catalog.argument_form import is_dotted_name
from mindport.catalog.binding import first_binding
from mindport.catalog.catalog import Catalog
from mindport.infer.values import Certainty
from mindport.report.analysis.call_sites import FROM_TABLE
from mindport.report.analysis.code_facts import (
    building,
    called_in,
    formula,
    in_dictionary,
    in_table,
    made_in,
    minimized,
    mixings,
    parts_of,
)
from mindport.report.analysis.entries import LOOP, FileAnalysis, GivenParameter, ProblemEntry, RecipeEntry
from mindport.report.analysis.file_code import (
    ALL,
    OF_SELF,
    WORD,
    FileCode,
    Named,
    dotted_keys,
    last_name,
    last_part,
    spelled,
)
from mindport.report.analysis.file_reader import (
    IMPORTED,
    LOADING,
    MODULE,
    RANDOM,
    SAVING,
    WHEN_CALLED,
    given_to,
    in_line,
    names_used,
)
from mindport.report.analysis.loss_reader import LossReader
from mindport.report.analysis.part_reader import PartReader
from mindport.report.analysis.sample_reader import SampleReader
from mindport.report.analysis.sample_steps import is_writing
from mindport.report.analysis.schedule_reader import ScheduleReader
from mindport.report.analysis.setting_reader import SettingReader
from mindport.report.problem import syntax_problems

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.catalog.migration_facts import RecipeItem
    from mindport.language import Language
    from mindport.report.analysis.file_code import NamedValue
    from mindport.uses.use import Call

_OF_FAILURE: Final = re.compile(
    r"\b(?P<name>[\w.]+) != (?P=name)\b|\.shape\b|\.size\(\)|isnan|isinf|isfinite"
)
"""What stands in conditions that ask whether something went wrong."""
_STATES: Final = frozenset({"state_dict", "get_state", "__getstate__", "save_state"})
"""The methods that give what is to be saved of an object."""
_NAME: Final = re.compile(r"(?!(?:True|False|None)$)[A-Za-z_][\w.]*")
_ASKING: Final = frozenset({"hasattr", "getattr", "dir", "vars", "isinstance"})
"""Functions that choose nothing to call of what they are given."""
_ASKING_CLASS: Final = ("isinstance", "issubclass")
_OLD_REDUCTIONS: Final = ("size_average", "reduce")
_DOTTED: Final = re.compile(r"""[A-Za-z_][\w.\[\]"']*""")
_WEIGHTS: Final = ("weight", "bias")
_ENDLESS: Final = "count"
_MAKING: Final = re.compile(r"lambda[^:]*:\s*(?P<name>[A-Za-z_][\w.]*)\(")
"""What makes something when it is called."""
_KEY: Final = re.compile(r"\[([A-Za-z_][\w.]*)\]")
"""The name of a key."""
_FILLING: Final = frozenset({"copy_", "from_pretrained"})
"""The functions that give weights values that are there."""
_CHANGING: Final = (".uniform_", ".normal_")
_OF_NUMBERS: Final = ("torch.", "numpy.", "scipy.", "math.")
_REPLACING: Final = (".uniform_", ".normal_", ".trunc_normal_", ".fill_", ".zero_", ".copy_")
"""The methods that give all of a Tensor other values."""
_REACHING: Final = (">=", "<=", ">", "<")
_ENDING: Final = re.compile(r"\b(?:break|return|exit|raise)\b|=\s*(?:True|False)\b|stop")
"""What stands where training ends, or where it is kept that it is to end."""
_OF_OTHERS: Final = re.compile(r"""["'](?:valid|val\b|test|eval)""")
"""What asks whether it is validated or tested."""
_VALUES: Final = ".data"
_OF_LOG: Final = re.compile(
    r"(?:^|[\W_])(?:loss|losses|log|logs|log_file|history|metrics?|results?)(?:[\W_]|$)"
)
"""What stands in the names of files that programs write about themselves."""
_LEAVING: Final = re.compile(r"^\s*(?:break\b|(?:sys\.)?exit\(|raise SystemExit)", re.MULTILINE)
_WEIGHTS_OF: Final = re.compile(r"[\w.]+\.state_dict\(\)")
_TEXT: Final = re.compile(r"""["'][^"']*["']""")
_STATE: Final = ".state_dict"
_OPTIMIZING: Final = "optim"
_OF_PART: Final = re.compile(
    r"(?:self\.\w+|(?!self\b)\w+)\.(?!module\b|load_state_dict)[\w.]+\.load_state_dict"
)
"""What gives a part of a network weights."""
_NO_WEIGHTS: Final = ("optim", "sched", "ema", "scaler")
"""What stands in the names of what has a state and no weights, or an average of them."""
_LOADING_STATE: Final = "load_state_dict"
_OPEN: Final = "open"
_PUTTING: Final = ("append", "extend", "add")
"""The methods that put something into lists and sets."""
_GRADIENTS: Final = (".grad", ".grad.data")
_FROZEN: Final = "requires_grad"
_LISTED: Final = re.compile(r"=\s*(?:list|\[)?.*\bself\.[\w.]+\.parameters\(\)")
"""What keeps the weights of some layers of a network."""
_LAYERS_LISTED: Final = re.compile(r"=\s*[\[(]\s*\w+(?:\.module)?\.[a-z]\w*\s*[,\])]")
"""What lists layers of a network."""
_GRADIENT: Final = re.compile(r"\.grad\b")
_NORM: Final = re.compile(r"norm\(")
_SCALING: Final = re.compile(r"[*/]")
_NEW_TENSOR: Final = re.compile(r"(?:torch\.)?(?:cuda\.)?(?:\w*Tensor|zeros|ones|empty|randn?)\(")
_APPLYING: Final = "apply"
_CLIPPING: Final = "torch.nn.utils.clip_grad_norm_"
_FOR_EVALUATION: Final = re.compile(r"(?:^|_)(?:test|val|valid|eval)_\w*(?:loader|data)")
"""The name of a function that gives data which is evaluated with."""
_EXCEPTIONS: Final = ("Error", "Exception", "Warning")
_DEFINED: Final = "def "
_REDUCING: Final = ("mean", "sum")
_PARAMETER: Final = "Parameter"
_LAYERS: Final = "torch.nn."
_WRAPPING: Final = frozenset({"DataParallel", "DistributedDataParallel", "SyncBatchNorm"})
"""The layers that give the network that they are given, in another place."""
_SEEDING: Final = "torch.manual_seed"
_OF_SETTINGS: Final = re.compile(r"param|config|setting|args|options")
"""What stands in the names of settings that are read of a file."""
_IN_PARAMETER: Final = re.compile(r"\bParameter\(")
_FIRST_VALUES: Final = re.compile(
    r"\b(?:torch|th|t|np|numpy|random)\.(?:\w+\.)*(?:rand|zeros|ones|full|eye|normal|uniform|linspace)"
    r"|\b(?:torch|th|t|np|numpy)\.(?:(?:tensor|array)\(\s*[-\[(\d.]|(?:Float)?Tensor\(\s*\[)"
    r"|\.(?:normal|uniform|zero|fill|trunc_normal)_\(|\bnew_(?:zeros|ones|full)"
    r"|(?<![\w.])(?:randn?|zeros|ones)\("
)
"""What gives a weight its first values where it is made."""
_TAKING: Final = re.compile(r"\b(?:from_numpy|tensor|as_tensor|array|asarray)\(\s*[A-Za-z_]")
"""What makes a Tensor of values that have a name."""
_DRAWN: Final = re.compile(r"\brand|\.normal_\(|\.uniform_\(")
_KEEPING: Final = frozenset({"register_buffer", "register_parameter", "Parameter"})
"""The functions that make weights of what they are given."""
_DEEPEST: Final = 2
"""As many names are followed, one to the next."""
_COPYING: Final = frozenset({"cuda", "cpu", "clone", "detach", "to", "float", "half", "contiguous"})
_OF_BASE: Final = ".__init__"
_PARAMETERS: Final = "parameters()"
_WEIGHTS_OF_PART: Final = re.compile(r"(?:(?!self\b)\w+\.|self\.\w+\.)\w+\.parameters\(\)|\bfilter\(|\bif\b")
"""The weights of a layer of a network, or those that a condition chooses."""
_FIRST: Final = re.compile(r"\brange\(\s*(?P<name>[A-Za-z_][\w.]*)\s*,")
"""Where a range begins that has a name."""
_CALLABLE: Final = ("class", "function", "method")
_FAMILIES: Final = ("MP4", "MP5")
"""The families of rules that the guide calls function compliance."""


def analyse_file(path: str, found: FileFindings, language: Language) -> FileAnalysis:
    """What is said of a file, from its findings and its syntax."""
    code = FileCode(found.analysis, Catalog.load().migration)
    reader = _Reader(path, found, code)
    shown = found.diagnostics()
    rules = [one for one in shown if one.code is not None and one.code.startswith(_FAMILIES)]
    others = [
        one for one in shown if one.code not in (None, IMPORTED) and not str(one.code).startswith(_FAMILIES)
    ]
    missing = [one for one in others if one.finding.status == "missing"]
    found_entries = list(reader.recipe())
    chosen = reader.chosen_numbers(found_entries)
    recipe = sorted([*found_entries, *chosen], key=lambda entry: entry.line)
    shown_code = reader.function_code()
    return FileAnalysis(
        path=path,
        is_program=reader.is_program(),
        evaluates=reader.evaluates,
        evaluations=sorted(reader.evaluations),
        main=reader.main(),
        defined=[one.name for one in [*code.functions, *code.classes]],
        training=reader.training,
        training_classes=reader.training_classes(),
        commands=reader.commands(),
        trainers=reader.trainers(),
        giving=list(dict.fromkeys(reader.giving())),
        free=reader.free(),
        sampled=list(reader.sampled()),
        called_for_samples=reader.called_for_samples(),
        read_files=list(reader.read_files()),
        called_for_data=reader.called_for_data(),
        mentioned=reader.mentioned(),
        strings=reader.strings(),
        names_in_texts=reader.names_in_texts(),
        named_files=reader.named_files(),
        read=reader.read(),
        read_plain=sorted(reader.read_plain()),
        read_for_values=reader.read_for_values(),
        read_in_texts=reader.read_in_texts(),
        counted_to=reader.counted_to(),
        kept=reader.kept(),
        unnamed=reader.unnamed(),
        is_opened=reader.is_opened(),
        methods=reader.methods(),
        chosen_from=reader.chosen_from(),
        branches=reader.branches(),
        in_place_of_none=reader.in_place_of_none(),
        loops=reader.loops(),
        options=reader.options(),
        recipe=recipe,
        formulas=list(reader.formulas()),
        kept_values=list(reader.kept_values()),
        loss_calls=list(reader.loss_calls(recipe)),
        hints=list(reader.hints()),
        made=list(reader.made()),
        problems=[
            ProblemEntry(path=path, line=one.line, cell=one.cell, message=one.message)
            for one in syntax_problems(found, language)[:1]
        ]
        + reader.failures(language),
        failed=bool(reader.failure),
        settings=[reader.setting(one) for one in code.values if not reader.is_of_test(one)],
        calls=list(reader.calls()),
        tables=list(reader.tables()),
        functions=list(reader.functions()),
        code=shown_code,
        statements=reader.statements(),
        adjusted=reader.adjusted(),
        conditions=reader.conditions(),
        references=reader.references(),
        changed=reader.changed(),
        rebound=reader.rebound(),
        default_names=reader.default_names(),
        replaced=reader.replaced(),
        returned=list(reader.returned()),
        names=list(code.names),
        classes=list(reader.classes()),
        rules=[reader.rule(one, language) for one in rules],
        imports=list(reader.imports()),
        missing=[reader.rule(one, language) for one in missing],
        safe=sum(one.finding.fix == "safe" for one in others),
        review=sum(one.finding.fix == "review" for one in others),
        waits=sum(one.finding.fix == "none" for one in others) - len(missing),
        waits_in_code=sum(one.finding.fix == "none" and one.finding.is_about_code for one in others),
    )


class _Reader(SampleReader, LossReader, ScheduleReader, SettingReader, PartReader):
    def recipe(self) -> Iterator[RecipeEntry]:
        """What belongs to the recipe, each place once for an item."""
        stem = PurePath(self.path).stem
        for item in [one for one in self.facts.recipe if not one.is_outside(stem)]:
            told: dict[int, set[str]] = {}
            entries = list(self._of_item(item))
            for entry in self._with_attributes(entries) if item.minimized else entries:
                if item.is_outside(entry.scope.rpartition(".")[2]) or item.is_outside(entry.name):
                    continue
                if item.not_copies and self._is_of_transform(entry):
                    continue
                at_line = told.setdefault(entry.line, set())
                is_sum = (entry.line, entry.code) in self._sums
                others = [one for one in at_line if "(" in one]
                if entry.code not in at_line and (is_sum or not any(one in entry.code for one in others)):
                    at_line.add(entry.code)
                    yield entry

    def _is_of_transform(self, entry: RecipeEntry) -> bool:
        """Whether an entry stands in a class that changes samples."""
        if not entry.classes or self._derives_from_torch(entry.classes[-1]):
            return False
        return any(item.is_random(RANDOM) and item.has_class(entry.classes[-1]) for item in self.facts.recipe)

    @cached_property
    def _sums(self) -> frozenset[tuple[int, str]]:
        """The lines and code of assignments and returns that compute more than what is called in them, or
        call what is made in them."""
        found = [one for one in self.code.computed if one.is_computed and (one.is_augmented or not one.made)]
        returned = [one for one in self.code.returns if one.is_computed and len(one.elements) == 1]
        found += [one for one in returned if not one.elements[0].made]
        found += [one for one in self.code.computed if "(" in one.made]
        codes = [in_line(self.code.without_comments(one.start, one.end)) for one in found]
        lines = [self.at(one.start)["line"] for one in found]
        return frozenset(zip(lines, codes, strict=True))

    def hints(self) -> Iterator[RecipeEntry]:
        """What belongs to the recipe where something else of its item does."""
        for item in self.facts.recipe:
            for value in self.code.values:
                if value.kind != "parameter" and self._is_setting(item, value, item.has_hint):
                    yield self._of_value(item, value)
            for one in self.code.computed if item.is_set(_FROZEN) else ():
                is_list = one.written.startswith(OF_SELF) and one.made in ("", "list")
                if is_list and _LISTED.search(in_line(self._source(one))):
                    yield self._entry(item, one.name, one, names_used(one))

    def _source(self, place: Named) -> str:
        return self.code.without_comments(place.start, place.end)

    def made(self) -> Iterator[RecipeEntry]:
        """The calls of what has the name of a class, or may be a function of the project that gives such, but
        for those of torch, and of what has the name of a function whose calls are told."""
        items = [item for item in self.facts.recipe if item.tells_calls]
        for call in self._calls_told:
            name = call.name.rpartition(".")[2]
            if self._is_torch(call):
                continue
            if name.lstrip("_")[:1].isupper() or name == ALL or self._is_known(call):
                given = [GivenParameter(name="", value=call.written)] if name == ALL else []
                given += [*given_to(call), *self._unpacked(call)]
                yield self._entry(None, call.name, call, given)
            elif self._is_kept_choice(call):
                yield self._entry(None, call.name, call, given_to(call))
            of_table = self._first_in_table(call)
            if of_table:
                chosen = list(_keys_of(call))
                yield self._entry(None, of_table, call, [*chosen, *given_to(call), *self._unpacked(call)])
            if call.arguments and not name[:1].isupper():
                for item in [one for one in items if one.has_function(name)]:
                    if item.only_training and (self._only_evaluates(call) or self._is_only_shown(call)):
                        continue
                    if item.tells_body and any(map(self._only_reads, self._own_called(call))):
                        continue
                    yield self._entry(item, call.name, call, given_to(call))

    def _only_reads_in(self, one: Named) -> bool:
        """Whether code stands in a function that gives what something has, and computes nothing."""
        around = [each for each in self.code.functions if each.end <= one.start < each.last]
        return any(map(self._only_reads, around))

    def _own_called(self, call: Named) -> list[Named]:
        """The functions of the file that have the name of what is called."""
        return [one for one in self.code.functions if one.name == last_part(call.written)]

    def _first_in_table(self, call: Named) -> str:
        """The first class or function of a dictionary of the file that what is called is chosen from: the
        others are mostly of the same item."""
        found = FROM_TABLE.match(call.written)
        pairs = in_dictionary(self.code, found["table"], call.scope.name)[0] if found is not None else []
        made = [(one, _MAKING.match(one)) for _, value in pairs for one in in_table(value)]
        names = [one["name"] if one is not None else value for value, one in made]
        return next(filter(is_dotted_name, names), "")

    def _is_known(self, call: Named) -> bool:
        """Whether what is called is a name of the file, or of what it imports."""
        first = call.written.partition(".")[0]
        return first in self._known_names or (self._has_stars and call.written.isidentifier())

    @cached_property
    def _has_stars(self) -> bool:
        """Whether imports bring names that are not written out."""
        return any(one.bound == ALL for one in self.code.names)

    @cached_property
    def _known_names(self) -> frozenset[str]:
        assigned = [one.written for one in self.code.computed if is_dotted_name(one.written)]
        names = [*assigned, *[one.bound for one in self.code.names]]
        own = [*self.code.functions, *self.code.classes]
        given = [name for one in self.code.functions for name, _ in one.arguments]
        return frozenset([*names, *given, *[one.name for one in own]])

    def _of_item(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        yield from self._apis(item)
        yield from self._classes(item)
        yield from self._calls(item)
        yield from self._functions(item)
        for loop in self.code.loops:
            if any(map(self._derives_from_torch, loop.scope.classes)) and not self._trains(loop):
                continue
            counted = _DOTTED.findall(loop.counted)
            if self._is_behind(loop, counted):
                continue
            is_told = any(item.has_loop(loop.name, spelled(last_name(name))) for name in counted or [""])
            is_endless = item.counts and loop.over.partition("(")[0].rpartition(".")[2] == _ENDLESS
            if (loop.counted or is_endless) and (is_told or (item.counts and self._trains(loop))):
                given = [GivenParameter(name="range", value=loop.counted)] if loop.counted else []
                first = _FIRST.search(loop.over) if loop.counted else None
                given += [GivenParameter(name="", value=first["name"])] if first is not None else []
                yield replace(self._entry(item, loop.name, loop, given), kind=LOOP)
        for loop in self.code.whiles:
            is_told = any(item.has_name(spelled(last_name(name))) for name in loop.uses)
            is_told = is_told or (self._trains(loop) and not self._asks_for_none(loop))
            if item.counts and is_told:
                yield replace(self._entry(item, loop.name, loop, names_used(loop)), kind=LOOP)
        yield from self._assignments(item)
        if item.not_copies:
            yield from self._copied_from(item)
            yield from self._computed_parameters(item)
        if item.joined_for:
            yield from self._joined(item)
        if item.has_steps:
            yield from self._steps(item)
        if item.has_api(_CLIPPING):
            yield from self._scaled_gradients(item)
        if item.cuts:
            yield from self._batches(item)
        if item == self._data:
            for one in [*self._environments(), *self._gone_over(), *self._splits()]:
                yield self._entry(item, one.name, one, names_used(one))
            for one in self._orders():
                yield self._entry(item, one.name, one, given_to(one))
        for key in self.code.keys:
            if item.has_key(key.name) and not self._is_saved(key):
                yield self._entry(item, key.name, key, names_used(key))
                yield from self._members(item, key)
                yield from self._gone_through(item, key)
        for value in self._values_told:
            if self._is_setting_of(item, value):
                yield self._of_value(item, value)

    @cached_property
    def _values_told(self) -> Sequence[NamedValue]:
        """The values that are not for what evaluates."""
        return [one for one in self.code.values if not self.is_of_test(one)]

    def _copied_from(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        """How a function computes what it copies into weights."""
        for call in self.code.calls:
            if not (
                last_part(call.name) in _FILLING
                and (item.has_call(call.written) or item.has_api(call.name) or self._fills_parameter(call))
            ):
                continue
            names = {word for _, value in call.arguments for word in WORD.findall(value)}
            for one in building(self.code, names, call):
                if one.is_computed or one.made or "[" in one.written:
                    yield self._entry(item, one.name, one, names_used(one))
            for function in called_in(self.code, call):
                for part in formula(self.code, function, self.facts.computing):
                    yield self._entry(item, part.name, part, names_used(part))

    def _joined(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        """How the weights are chosen that a call is given under a name: those of some layers, or of several
        networks."""
        others = [one for one in self.facts.recipe if one.name == item.joined_for]
        for call in self.code.calls:
            value = next((value for _, value in call.arguments), "")
            if value.isidentifier() and any(one.has_api(call.name) for one in others):
                for one in building(self.code, {value}, call):
                    source = self._source(one)
                    is_joined = source.count(_PARAMETERS) > 1 or _WEIGHTS_OF_PART.search(source)
                    if is_joined and "{" not in source:  # groups are told by their keys
                        yield self._entry(item, one.name, one, names_used(one))

    def _computed_parameters(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        """The parameters that are made of what a function computes, and how it does."""
        for call in self.code.calls:
            if last_part(call.written) != _PARAMETER or not call.arguments:
                continue
            value = call.arguments[0][1]
            names = set(WORD.findall(value))
            made = [one for one in building(self.code, names, call) if self._is_calculated(one)]
            is_whole = value.isidentifier() and any(one.written == value for one in made)
            if not (is_whole or any(one.written in names and self._has_values(one) for one in made)):
                continue
            functions = {each for one in made for each in called_in(self.code, one)}
            parts = [part for each in functions for part in formula(self.code, each, self.facts.computing)]
            for one in [*parts, *made, self._whole(call)]:
                yield self._entry(item, one.name, one, names_used(one))

    def _is_calculated(self, one: Named) -> bool:
        """Whether what is assigned is computed, or given by something that is called."""
        return one.is_computed or any(one.start <= each.start < one.end for each in self.code.calls)

    def _has_values(self, one: Named) -> bool:
        """Whether what is assigned may be the values of a weight, and is no size: a library gives it, or a
        function of the file."""
        calls = [each for each in self.code.calls if one.start <= each.start < one.end]
        names = [each.name for each in calls]
        return any(name.startswith(_OF_NUMBERS) for name in names) or bool([*called_in(self.code, one)])

    def _members(self, item: RecipeItem, dictionary: Named) -> Iterator[RecipeEntry]:
        """What is put into the lists that a dictionary names."""
        named = set(WORD.findall(self.code.without_comments(dictionary.start, dictionary.end)))
        for call in self.code.calls:
            owner, _, method = call.written.rpartition(".")
            is_put = method in _PUTTING and owner in named and call.arguments
            if is_put and call.scope == dictionary.scope and call.start < dictionary.start:
                yield self._entry(item, call.name, call, given_to(call))

    def _steps(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        """What changes weights by their gradients, where no optimizer does."""
        for one in self.code.computed:
            is_step = one.is_augmented and not _GRADIENT.search(one.written)
            is_step = is_step and _NORM.search(self._source(one)) is None
            if is_step and any(map(_GRADIENT.search, one.uses)) and not self._is_in_optimizer(one):
                yield self._entry(item, one.name, one, names_used(one))
        for call in self.code.calls:
            owner, _, method = call.written.rpartition(".")
            if not item.is_step(method) or _GRADIENT.search(owner) or self._is_in_optimizer(call):
                continue
            if any(_GRADIENT.search(value) for _, value in call.arguments):
                yield self._entry(item, call.name, call, given_to(call))

    def _scaled_gradients(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        """What makes gradients smaller by how large they are, and how that is computed."""
        told: dict[int, Named] = {}
        for one in self.code.computed:
            norms = self._norms_for(one)
            told |= {each.start: each for each in [*norms, one] if norms}
        for _, each in sorted(told.items()):
            yield self._entry(item, each.name, each, names_used(each))

    def _norms_for(self, one: Named) -> list[Named]:
        """What is computed of norms for a factor that gradients are changed by in place."""
        is_changed = one.written.endswith(_GRADIENTS) and (one.is_augmented or one.written in one.uses)
        if not is_changed or not _SCALING.search(self._source(one)):
            return []
        own = [each for each in self.code.computed if each.scope == one.scope and each.start < one.start]
        wanted, found = {name for name in one.uses if name.isidentifier()}, list[Named]()
        for each in reversed(own):
            if each.written in wanted and not _GRADIENT.search(each.written):
                wanted.update(name for name in each.uses if name.isidentifier())
                found.append(each)
        return found if any(_NORM.search(self._source(each)) for each in found) else []

    def _is_in_optimizer(self, place: Named) -> bool:
        """Whether code stands in a class that derives from torch's optimizers, or has the name of one."""
        return any(
            self._is_optimizer(name)
            or any(item.has_steps and item.has_class(name) for item in self.facts.recipe)
            for name in place.scope.classes
        )

    def _gone_through(self, item: RecipeItem, dictionary: Named) -> Iterator[RecipeEntry]:
        """What a loop goes over, for each of which it makes a dictionary."""
        named = set(WORD.findall(self.code.without_comments(dictionary.start, dictionary.end)))
        for loop in self.code.loops:
            is_around = loop.start <= dictionary.start < loop.last and loop.scope == dictionary.scope
            if is_around and not named.isdisjoint(WORD.findall(loop.name)):
                for one in self.code.computed:
                    is_before = one.scope == loop.scope and one.start < loop.start
                    if is_before and one.written in WORD.findall(loop.over):
                        yield self._entry(item, one.name, one, names_used(one))

    def _is_saved(self, dictionary: Named) -> bool:
        """Whether a dictionary is given to a function of torch that saves it, be it under a name."""
        calls = [one for one in self.code.calls if one.name in SAVING]
        if any(one.start <= dictionary.start < one.end for one in self._given_states):
            return True
        if any(one.start <= dictionary.start < one.end for one in calls):
            return True
        made = [one.written for one in self.code.computed if one.start <= dictionary.start < one.end]
        return any(
            value in made for one in calls if one.scope == dictionary.scope for _, value in one.arguments
        )

    @cached_property
    def _given_states(self) -> Sequence[Named]:
        """What methods return that give the state of an object, or keep it."""
        return [one for one in self.code.returns if last_part(one.scope.name) in _STATES]

    def _is_behind(self, loop: Named, counted: list[str]) -> bool:
        """Whether a loop counts to where one around it is, and trains nothing: over what is done already."""
        around = [one.name for one in self.code.loops if one.start < loop.start < one.last]
        return any(name in counted for name in around) and not self._trains(loop)

    def _asks_for_none(self, loop: Named) -> bool:
        """Whether a loop goes on while there is something."""
        return self.document.text(loop.start, loop.end).rstrip().endswith("None")

    def _calls(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        for call in self._calls_told:
            last = call.name.rpartition(".")[2]
            if item.only_training and self._only_evaluates(call):
                continue
            is_kept = call.written.startswith(OF_SELF)
            is_method = "." in call.written and not last.lstrip("_")[:1].isupper()
            is_kept = is_kept or is_method
            is_told = (
                (item.has_class(last) and not self._is_torch(call) and not (is_kept and not item.minimized))
                or (item.has_library(call.name) and not self._is_of_log(item, call))
                or (item.has_call(call.written) and not (item.mixes and not _gives_weights(call)))
                or any(item.is_set_to(last, value) for _, value in call.arguments)
                or (last == _PARAMETER and any(_may_be_set(item, *one) for one in call.arguments))
                or self._is_of_module(item, call)
                or (item.not_copies and (call.written in self._filling or self._fills(item, call)))
                or (item.not_copies and (self._takes_weights(call) or self._applies(item, call)))
                or (bool(item.tells_super) and self._is_of_base(item, call))
                or self._loads(item, call)
                or (item == self._data and self._reads_data(call))
            )
            if is_told:
                given = [*given_to(call), *self._unpacked(call), *_read(item, call)]
                place = self._with_keys(call) if item == self._data else self._chain(call)
                yield self._entry(item, call.name, place, given)
                yield from self._filled_with(item, call)
            elif self._is_random(item, call) and self._is_of_samples(item, call):
                yield self._of_random(item, call)
        if item.is_random(RANDOM):
            changed = [one for one in self._changed(item) if self._is_of_samples(item, one)]
            for one in [*changed, *self._prepared(item), *self._steps_of_samples(item)]:
                yield self._entry(item, one.name, one, [*names_used(one), *self._gone_over_by(one)])

    @cached_property
    def _calls_told(self) -> Sequence[Named]:
        """The calls that are no part of an error."""
        raised = self.code.raised
        return [one for one in self.code.calls if not any(start <= one.start < end for start, end in raised)]

    def _takes_weights(self, call: Named) -> bool:
        """Whether a network is given the weights that another has, once, or a part of it those of a file."""
        if last_part(call.written) != _LOADING_STATE:
            return False
        if not _gives_weights(call) and _OF_PART.fullmatch(call.written) is None:
            return False
        names = call.written + " ".join(value for _, value in call.arguments)
        in_loop = any(one.start <= call.start < one.last for one in [*self.code.loops, *self.code.whiles])
        return not in_loop and not any(word in names.lower() for word in _NO_WEIGHTS)

    def _is_of_log(self, item: RecipeItem, call: Named) -> bool:
        """Whether a call reads what programs keep of their losses and results."""
        given = [value for _, value in call.arguments[:1]]
        return item == self._data and any(_OF_LOG.search(value.lower()) for value in given)

    def _loads(self, item: RecipeItem, call: Named) -> bool:
        """Whether a call loads what belongs to an item, by its name, or opens a file of it to read."""
        if call.name != _OPEN and not item.is_loading(call.name):
            return False
        is_within = item.has_function(last_part(call.scope.name))
        if call.name == _OPEN:
            path = call.arguments[0][1] if call.arguments else ""
            texts = "".join(_TEXT.findall(path))
            is_told = (is_within and item.has_loading) or item.is_opened(texts or path)
            return is_told and not is_writing(call)
        names = [one for one in self._targets_around(call) if _OF_SETTINGS.search(one) is None]
        return is_within or any(map(item.is_loaded, names))

    def _unpacked(self, call: Named) -> Iterator[GivenParameter]:
        """What is in the dictionaries that a call is given the entries of."""
        for _, value in call.arguments:
            if value.startswith("**"):
                pairs, _ = in_dictionary(self.code, value.lstrip("*"), call.scope.name)
                yield from [GivenParameter(name=key, value=in_line(one)) for key, one in pairs]

    def _is_of_base(self, item: RecipeItem, call: Named) -> bool:
        """Whether a call makes an object of the base of a class, which is an API that belongs to the item."""
        if not call.written.endswith(_OF_BASE) or not call.scope.classes:
            return False
        name = call.scope.classes[-1]
        own = [one for one in self.code.classes if one.name == name]
        bases = [base for one in own for base in self._torch_bases.get(one.start, ())]
        return any(base in item.tells_super for base in bases)

    @cached_property
    def _filling(self) -> frozenset[str]:
        """The functions of the file that fill the weights that all calls give them, whatever their names."""
        found = {one.name: one for one in self.code.functions if not one.scope.name}
        given: dict[str, list[str]] = {}
        for call in self.code.calls:
            if call.written in found and call.arguments:
                given.setdefault(call.written, []).append(call.arguments[0][1])
        return frozenset(
            name
            for name, values in given.items()
            if all(last_part(value.removesuffix(_VALUES)) in _WEIGHTS for value in values)
            and any(self._fills_given(call, found[name]) for call in self.code.calls)
        )

    def _fills_given(self, call: Named, function: Named) -> bool:
        """Whether a call in a function fills what that is given first."""
        first = next((name for name, _ in function.arguments), "")
        is_inside = function.end <= call.start < function.last
        return is_inside and call.written.partition(".")[0] == first and call.written.endswith(_REPLACING)

    def _fills(self, item: RecipeItem, call: Named) -> bool:
        """Whether a call fills the weights that one of these functions is given, or any in a function that
        belongs to an item by its name."""
        if not call.written.endswith(_REPLACING):
            return False
        if self._fills_parameter(call):
            return True
        is_named = item.has_function(last_part(call.scope.name)) and not call.scope.classes
        if is_named and call.written.rpartition(".")[0].endswith(_VALUES):
            return True
        return any(
            self._fills_given(call, one)
            for one in self.code.functions
            if one.name in self._filling or (is_named and one.name == last_part(call.scope.name))
        )

    def _fills_parameter(self, call: Named) -> bool:
        """Whether a call fills a parameter that the object keeps."""
        owner = call.written.rpartition(".")[0].removesuffix(_VALUES)
        return call.written.endswith(_REPLACING) and (owner, call.scope.classes) in self._parameters_kept

    def _filled_with(self, item: RecipeItem, call: Named) -> Iterator[RecipeEntry]:
        """How a function computes what it fills weights with."""
        names = {word for _, value in call.arguments for word in WORD.findall(value)}
        made = building(self.code, names, call) if self._is_filling(item, call) else ()
        for one in made:
            if one.is_computed or one.made:
                yield self._entry(item, one.name, one, names_used(one))

    def _is_filling(self, item: RecipeItem, call: Named) -> bool:
        """Whether a call fills weights with something that a function computes."""
        return item.not_copies and call.written.endswith(_REPLACING) and bool(call.scope.name)

    def _chain(self, call: Named) -> Named:
        """A call with those of the methods of what it gives, where it changes weights."""
        if not call.written.endswith(_CHANGING):
            return call
        return max([one for one in self.code.calls if one.start == call.start], key=lambda one: one.end)

    def _is_of_module(self, item: RecipeItem, call: Named) -> bool:
        """Whether a call is of what is chosen from a torch module that belongs to the item, or is given that
        module to choose from."""
        owner, _, last = call.name.rpartition(".")
        if last == ALL:
            return item.has_module(owner)
        if call.name in _ASKING and not self._is_kept_choice(call):
            return False
        return any(map(item.has_module, self._modules_given[call.start, call.end]))

    @cached_property
    def _modules_given(self) -> Mapping[tuple[int, int], Sequence[str]]:
        """The names and texts that calls are given, as they may name modules, by where the calls are."""
        return {(one.start, one.end): list(self._may_be_modules(one)) for one in self._calls_told}

    def _may_be_modules(self, call: Named) -> Iterator[str]:
        names = [value for _, value in call.arguments if is_dotted_name(value)]
        yield from [self.code.full_name(one) for one in names if not self._is_local(one, call.scope.name)]
        yield from [value.strip("\"'") for _, value in call.arguments if value.startswith(('"', "'"))]

    def _applies(self, item: RecipeItem, call: Named) -> bool:
        """Whether a function that gives weights, by its name, is applied to a network or a part of it."""
        given = [last_part(value.partition("(")[0]) for _, value in call.arguments[:1]]
        return last_part(call.written) == _APPLYING and any(map(item.has_function, given))

    def _is_kept_choice(self, call: Named) -> bool:
        """Whether what is chosen by its name from a module gets another name, and is called by that."""
        if not self._chooses(call):
            return False
        kept = [one.written for one in self.code.computed if one.made == call.written and one.end == call.end]
        return any(each.written.partition(".")[0] in kept for each in self.code.calls)

    def _functions(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        for function in self.code.functions:
            is_setting = item.tells_body and function.name not in self._trained_by
            if item.tells_body and self._only_reads(function):
                continue
            if any(self.facts.only_logs(name.lower()) for name in function.scope.classes):
                continue
            is_told = self._is_meant(item, function) or (is_setting and self._sets(item, function))
            is_told = is_told or function.name in self._given_to(item)
            is_told = is_told or (item.not_copies and function.name in self._filling)
            if is_told or (item.is_random(RANDOM) and self._has_sizes(item, function)):
                yield self._entry(item, function.name, function)
            for one in self.code.computed if is_told and item.is_set(_FROZEN) else ():
                is_inside = function.end <= one.start < function.last
                if is_inside and _LAYERS_LISTED.search(in_line(self._source(one))):
                    yield self._entry(item, one.name, one, names_used(one))
            if is_told and item.not_copies and not function.scope.classes:
                returned = [one for one in self.code.returns if function.end <= one.start < function.last]
                for part in [*formula(self.code, function, self.facts.computing), *returned]:
                    source = self.code.with_full_names(self.document.text(part.start, part.end))
                    if part.is_computed or _FIRST_VALUES.search(source) or _DRAWN.search(source):
                        yield self._entry(item, part.name, part, names_used(part))
        if item.tells_body:
            yield from self._bodies(item)
        if item.tells_returns:
            for one in self.code.returns:
                if item.minimized and self._takes_own_gradients(one):
                    continue
                last, classes = one.scope.name.rpartition(".")[2], one.scope.classes
                is_called = last in WHEN_CALLED and bool(classes) and item.has_class(classes[-1])
                is_told = is_called or any(self._is_meant(item, each) for each in self._around(one))
                is_told = is_told or last in self._given_to(item)
                is_reduced = bool(item.minimized and one.uses) and _is_reduced(one)
                if (one.is_computed or is_reduced) and is_told:
                    yield self._entry(item, last, one, names_used(one))
                    yield from self._formula(item, one)
                elif is_told and item.minimized:
                    yield from self._formula(item, one)
                    terms = tuple(self._losses_of(item, one)) or one.uses
                    for part in parts_of(self.code, one._replace(is_computed=True, terms=terms)):
                        if part.is_computed and self._is_part(item, part):
                            yield self._entry(item, part.name, part, names_used(part))
        if item.mixes:
            for one in mixings(self.code, item.has_class):
                around = [
                    each for each in self.code.computed if each.start <= one.start and one.end <= each.end
                ]
                if not any(item.leaves_out(each.name) for each in around):
                    yield self._entry(item, one.name, one, names_used(one))

    def _takes_own_gradients(self, returned: Named) -> bool:
        """Whether the function of a `return` takes gradients itself: what it gives is for others to see, and
        what gradients are taken of is told."""
        return any(call.scope == returned.scope for call in self._training_calls) and bool(self._minimized)

    def _around(self, place: Named) -> list[Named]:
        """The functions and classes around a place."""
        return [
            one for one in [*self.code.classes, *self.code.functions] if one.end <= place.start < one.last
        ]

    def _is_meant(self, item: RecipeItem, function: Named) -> bool:
        """Whether a function belongs to an item, by its name and what stands in it."""
        return item.has_function(function.name) and item.is_meant(
            self.document.text(function.start, function.last)
        )

    def _has_sizes(self, item: RecipeItem, function: Named) -> bool:
        """Whether objects of a class that belongs to an item are called with values by default."""
        is_own = function.name == "__call__" and bool(function.scope.classes)
        has_values = any(value not in ("", "None") for _, value in function.arguments)
        return is_own and has_values and item.has_class(function.scope.classes[-1])

    def _is_counted_to(self, one: Named) -> bool:
        """Whether what is assigned is given to something, or a loop counts to it, or something is done every
        so many times."""
        if any(one.written in each.uses and self._is_every(each) for each in self.code.conditions):
            return True
        given = [value for call in self.code.calls for _, value in call.arguments]
        kept = "." in one.written or "[" in one.written
        return kept or any(one.written in WORD.findall(value) for value in given)

    def _assignments(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        for one in self.code.computed:
            if item.only_training and self._only_evaluates(one):
                continue
            if item.tells_body and (self._is_for_samples(one) or self._is_of_images(one)):
                continue  # `lr` is a sample of low resolution
            if item.tells_body and self._only_reads_in(one):
                continue
            is_rule = item.tells_body and any(map(self._is_optimizer, one.scope.classes))
            is_rule = is_rule and last_part(one.scope.name) == "step"  # how weights are changed
            is_told = item.has_assigned(one.name, one.written, is_computed=one.is_computed and not is_rule)
            if is_told and item.counts and not self._is_counted_to(one):
                continue
            is_weight = item.not_copies and (self._is_copied_weight(one) or self._is_row_of_parameter(one))
            is_own = one.is_computed or bool(one.made) or self._has_target(item, one) or is_weight
            if "[" in one.written and not is_own and not self._is_named_otherwise(item, one):
                continue  # what is kept under another name
            if self._is_kept_as(one) or self.facts.makes_parser(one.made):
                continue
            if item.counts and (one.scope.name, one.name) in self._times:
                continue
            is_setting = item.is_named(one.name) and self.facts.is_setting(dotted_keys(one.written))
            is_told = is_told or is_setting or ("[" in one.written and self._is_named_otherwise(item, one))
            is_told = (is_told or self._is_result(item, one)) and not one.is_compared
            is_told = is_told and not (item.counts and one.is_augmented)
            is_of_network = any(map(self._derives_from_torch, one.scope.classes))
            is_told = is_told and not (item.has_api(_SEEDING) and is_of_network)
            is_told = is_told and not (item.not_copies and self._is_copy(one))
            is_told = is_told or (item.not_copies and self._is_drawn_parameter(one))
            is_told = is_told or is_weight or (item.not_copies and _is_shared(one))
            is_told = is_told and not (item.has_target(one.written) and self._is_of_table(one))
            is_told = is_told and not (item.minimized and self._is_beside(item, one))
            is_told = is_told and not (item.minimized and any(map(self._is_of_data, one.scope.classes)))
            is_told = is_told and not (item.minimized and self._is_average(one))
            is_told = is_told and not (item.minimized and self._is_of_meter(one))
            is_told = is_told and not (item.minimized and self._is_of_evaluation(item, one))
            is_told = is_told and not (item.minimized and self._is_for_log(one))
            if is_told and (item.has_target(one.written) or not self._only_counts(one)):
                yield self._entry(item, one.name, one, names_used(one))
                parts = parts_of(self.code, one) if item.minimized else ()
                for part in [
                    *parts,
                    *(made_in(self.code, one, self.facts.computing) if item.minimized else ()),
                ]:
                    if self._is_part(item, part) and not self._is_behind_all(part):
                        yield self._entry(item, part.name, part, names_used(part))
        for one in self.code.computed if item.is_set(_FROZEN) else ():
            is_masked = one.is_augmented and one.written.endswith(_GRADIENTS) and one.uses != (one.written,)
            if is_masked and not self._norms_for(one):
                yield self._entry(item, one.name, one, names_used(one))
        for one in self.code.computed if item.assembled else ():
            if self._replaces_layer(one):
                yield self._entry(item, one.name, one, names_used(one))
        for one in minimized(self.code, item.minimized) if item.minimized else ():
            if self._is_between(one):
                continue
            inside = [*made_in(self.code, one, self.facts.computing), *self._parts_of_loss(one)]
            inside += self._unnamed_of(one)
            given = [
                each for each in self._parts_of_targets(one) if each.is_computed or each.name == "return"
            ]
            own = [each for each in self._formulas.around(one, self._is_between) if each != one]
            for part in [*own, *given, one, *[each for each in inside if self._is_part(item, each)]]:
                is_other = self._is_between(part) or self._is_behind_all(part)
                is_counting = part.scope == one.scope and self._only_counts(part)
                if not (is_counting or is_other):
                    yield self._entry(item, part.name, part, names_used(part))
        for one in self.code.returns if item.counts else ():
            names = [spelled(last_name(name)) for name in one.uses]
            is_asked = item.has_function(last_part(one.scope.name))
            if is_asked and self._is_comparison(one) and any(map(item.has_name, names)):
                yield self._entry(item, "return", one, names_used(one))
        for one in self.code.conditions:
            if not item.counts:
                is_told = one.is_compared and any(map(item.has_condition, _last_names(one)))
            else:
                is_told = not self._is_every(one) and self._ends_training(item, one)
            if is_told:
                kind = LOOP if item.counts and not self._trained_by else ""
                yield replace(self._entry(item, "if", one, names_used(one)), kind=kind)

    def _replaces_layer(self, one: Named) -> bool:
        """Whether a layer of a network that is there is replaced by another one, outside its class."""
        if "." not in one.written or one.written.startswith(OF_SELF) or one.scope.classes:
            return False
        made = self.code.full_name(one.made)
        is_layer = made.startswith(_LAYERS) and last_part(made)[:1].isupper()
        is_same = last_part(made) in _WRAPPING or last_part(made) == _PARAMETER
        return is_layer and not is_same and not self._loss.has_api(made)

    def _is_behind_all(self, one: Named) -> bool:
        """Whether code stands behind all that takes gradients in its function."""
        taken = [call.start for call in self._training_calls if call.scope == one.scope]
        return bool(taken) and one.start > max(taken)

    def _is_for_log(self, one: Named) -> bool:
        """Whether what is assigned is what evaluates gives, or is made of a loss behind its gradients, in a
        round of the loop in which nothing takes gradients of it any more."""
        if self.facts.only_evaluates(last_part(one.made).lower()):
            return True
        taken = [call for call in self._training_calls if call.scope == one.scope]
        owned = [call for call in taken if call.written.rpartition(".")[0] == one.written]
        behind = [call for call in taken if call.start < one.start]
        loops = [
            each for each in [*self.code.loops, *self.code.whiles] if each.start <= one.start < each.last
        ]
        inner = max(loops, key=lambda each: each.start, default=None)
        is_behind = inner is not None and any(inner.start <= call.start for call in behind)
        before = any(
            each.written == one.written and each.scope == one.scope and each.start < call.start
            for call in behind
            for each in self.code.computed
        )
        return is_behind and before and not any(call.start > one.start for call in [*owned, *taken])

    def _ends_training(self, item: RecipeItem, condition: Named) -> bool:
        """Whether training ends where a condition holds: its loop is left, or by the names in it that is
        what is asked."""
        body = self.document.text(condition.end, condition.last)
        names = [part.lower() for part in condition.scope.name.split(".")]
        if not _ENDING.search(body) or any(map(self.facts.evaluates, names)):
            return False
        text = self.document.text(condition.start, condition.end)
        if _OF_OTHERS.search(text) or _OF_FAILURE.search(text):
            return False
        if condition.is_compared and any(map(item.has_condition, _last_names(condition))):
            return True
        loops = [one for one in [*self.code.loops, *self.code.whiles] if one.scope == condition.scope]
        around = [one for one in loops if one.start <= condition.start < one.last]
        inner = max(around, key=lambda one: one.start, default=None)
        is_left = _LEAVING.search(body) is not None and self._is_innermost(condition)
        return is_left and inner is not None and (self._trains(inner) or self._counts_epochs(item, inner))

    def _counts_epochs(self, item: RecipeItem, loop: Named) -> bool:
        """Whether a loop counts epochs by its names, in a file that trains by functions of others."""
        counted = [spelled(last_name(name)) for name in _DOTTED.findall(loop.counted) or [""]]
        return not self._trained_by and any(item.has_loop(loop.name, name) for name in counted)

    def _is_innermost(self, condition: Named) -> bool:
        """Whether no other condition stands in what runs where a condition holds."""
        return not any(condition.end <= one.start < condition.last for one in self.code.conditions)

    def _is_drawn_parameter(self, one: Named) -> bool:
        """Whether a parameter is made with its first values, or what is drawn for one."""
        source = self.document.text(one.start, one.end)
        source = self.code.with_full_names(source)
        if _IN_PARAMETER.search(source):
            is_weight = last_part(one.written) in _WEIGHTS and one.written != f"{OF_SELF}{one.name}"
            return is_weight or any(each.search(source) for each in (_FIRST_VALUES, _TAKING))
        return (one.written, one.scope.name) in self._kept_weights and _DRAWN.search(source) is not None

    def _is_row_of_parameter(self, one: Named) -> bool:
        """Whether some values of a parameter that an object has are filled."""
        owner, is_row, _ = one.written.partition("[")
        names = (owner.removesuffix(_VALUES), one.scope.classes)
        return bool(is_row) and owner.endswith(_VALUES) and names in self._parameters_kept

    @cached_property
    def _parameters_kept(self) -> frozenset[tuple[str, tuple[str, ...]]]:
        """The attributes that are parameters, each with its class."""
        made = [one for one in self.code.computed if last_part(one.made) == _PARAMETER]
        return frozenset((one.written, one.scope.classes) for one in made if one.scope.classes)

    def _is_copied_weight(self, one: Named) -> bool:
        """Whether a weight of a network is given that of another one."""
        target, _, key = one.written.partition("[")
        if key:
            return (target, one.scope.name) in self._states
        if one.is_computed or one.made:
            return False
        is_of_values = len(one.uses) == 1 and all(name.endswith(_VALUES) for name in (one.written, *one.uses))
        return is_of_values and not self._is_averaging(one)

    def _is_averaging(self, one: Named) -> bool:
        """Whether what is assigned is what one network follows another with, by the names around it."""
        averaging = [item for item in self.facts.recipe if item.mixes]
        names = [*one.scope.name.split("."), *one.scope.classes]
        is_named = any(
            item.has_function(name) or item.has_class(name) for item in averaging for name in names
        )
        return is_named or "target" in f"{one.written}{one.scope.name}".lower()

    @cached_property
    def _states(self) -> frozenset[tuple[str, str]]:
        """The names of all weights of networks, each with the function, but for those that are only saved."""
        made = {
            (one.written, one.scope.name)
            for one in self.code.computed
            if one.made.endswith(_STATE) and _OPTIMIZING not in one.made.lower()
        }
        saved, loaded = (
            {(value, one.scope.name) for one in calls for _, value in one.arguments}
            for calls in (
                [one for one in self.code.calls if one.name in SAVING],
                [one for one in self.code.calls if last_part(one.written) == _LOADING_STATE],
            )
        )
        return frozenset(made - (saved - loaded))

    @cached_property
    def _kept_weights(self) -> frozenset[tuple[str, str]]:
        """The names that weights are made of, each with the function."""
        calls = [one for one in self.code.calls if last_part(one.written) in _KEEPING]
        return frozenset((value, one.scope.name) for one in calls for _, value in one.arguments)

    def _is_comparison(self, one: Named) -> bool:
        """Whether a function returns whether a number is reached."""
        return any(sign in self.document.text(one.start, one.end) for sign in _REACHING)

    def _is_every(self, condition: Named) -> bool:
        """Whether a condition holds every so many steps."""
        return "%" in self.document.text(condition.start, condition.end)

    def _is_copy(self, one: Named) -> bool:
        """Whether what is assigned is what something else has, or the same in another place or type."""
        if one.is_computed or len(one.uses) != 1:
            return False
        return last_part(one.made) in {"", *_COPYING} and any(part in one.uses[0] for part in _WEIGHTS)

    def _is_named_otherwise(self, item: RecipeItem, one: Named) -> bool:
        """Whether a key of the settings is given an option whose own name says nothing of an item."""
        given = one.uses[0] if len(one.uses) == 1 and not (one.is_computed or one.made) else ""
        is_option = "." in given and self.facts.is_setting(given)
        own = spelled(last_part(given))
        return is_option and item.has_name(one.name) and not (item.has_name(own) or item.has_option(own))

    @cached_property
    def _times(self) -> frozenset[tuple[str, str]]:
        """The names that times are computed for, each with the function."""
        found: set[tuple[str, str]] = set()
        for _ in range(_DEEPEST + 1):
            found |= {
                (one.scope.name, one.name)
                for one in self.code.computed
                if any(self.facts.tells_time(each) for each in (one.made, *one.uses))
                or any((one.scope.name, each) in found for each in one.uses)
            }
        return frozenset(found)

    def _is_kept_as(self, one: Named) -> bool:
        """Whether what is assigned is another name for something, or is read of a file."""
        if one.is_computed or one.made or len(one.uses) != 1 or "." in one.uses[0]:
            return False
        if one.uses[0] == one.written.removeprefix(OF_SELF):
            return True
        if one.written.startswith(OF_SELF) and self._is_local(one.uses[0], one.scope.name):
            return True
        return (one.uses[0].partition("[")[0], one.scope.name) in self._loaded

    @cached_property
    def _loaded(self) -> frozenset[tuple[str, str]]:
        """The names of what torch loads, each with the function."""
        return frozenset(
            (one.written, one.scope.name)
            for one in self.code.computed
            if self.code.full_name(one.made) in LOADING
        )

    def _is_noise(self, place: Named, filled: str) -> bool:
        """Whether what is filled is a new Tensor in a loop that trains: noise, and no weight."""
        loops = [one for one in [*self.code.loops, *self.code.whiles] if one.start <= place.start < one.last]
        return _NEW_TENSOR.match(filled) is not None and any(map(self._trains, loops))

    def _apis(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        for placed in self.found.findings:
            use = placed.finding.use
            if use.certainty is Certainty.POSSIBLE or use.kind not in ("call", "reference"):
                continue
            call, shift = use.call, placed.shift
            if call is None and self._catalog.kind(use.api) not in _CALLABLE:
                continue
            if call is None and self.document.text(placed.start, placed.end) in self._assigned_names:
                continue  # another name of what has been told
            if call is not None and use.api in item.assembled:
                place = Named(use.api, placed.start, shift + call.end, self._scope_at(placed.start))
                if self._is_assembled(place):
                    yield self._entry(item, use.api, place)
                continue
            chosen = item.arguments.get(use.api) if call is not None else None
            if chosen is None and (not item.has_api(use.api) or item.leaves_out(last_name(use.api))):
                continue
            if call is None and (self._is_followed_by(_OF_BASE, placed.end) or self._is_asked(placed.start)):
                continue
            end = placed.end if call is None else shift + call.end
            place = Named(use.api, placed.start, end, self._scope_at(placed.start))
            if item.minimized and (self._is_unused(place) or self._is_for_others(item, place)):
                continue
            if item.minimized and self._only_measures(place):
                continue
            if any(item.is_outside(name) for name in self._targets_around(place)):
                continue
            if item.only_training and (self._only_evaluates(place) or self._is_read_to_evaluate(place)):
                continue
            if item.minimized and self._is_of_evaluation(item, place):
                continue
            if chosen is not None and item.cuts and self._gives_to_evaluate(place, call):
                continue
            given = self._parameters(use.api, call, place.scope.name) if call is not None else []
            if item.not_copies and given and self._is_noise(place, given[0].value):
                continue
            if chosen is None:
                root = WORD.match(given[0].value) if given and "weights" in item.shows else None
                given += self._of_loop(root[0], place.start) if root is not None else []
                yield self._entry(item, use.api, place, given)
            elif instead := [one for one in given if one.name in chosen.instead and not one.is_default]:
                yield self._entry(item, use.api, place, instead)
            elif chosen.unless.isdisjoint(one.name for one in given if not one.is_default):
                told = [one for one in given if one.name in chosen.names]
                if not told or any(one.value not in chosen.but for one in told):
                    yield self._entry(item, use.api, place, told)

    def _is_asked(self, offset: int) -> bool:
        """Whether what stands at a byte is only asked for: whether something is of that class."""
        return any(start <= offset < end for start, end in self._asked)

    @cached_property
    def _asked(self) -> Sequence[tuple[int, int]]:
        return [(one.start, one.end) for one in self.code.calls if one.name in _ASKING_CLASS]

    def _gives_to_evaluate(self, place: Named, call: Call | None) -> bool:
        """Whether a loader is kept under a name, or given data with one, that says that it is evaluated."""
        first = next(iter(call.arguments), None) if call is not None else None
        given = [first.source.lower()] if first is not None and first.source.isidentifier() else []
        if any(map(self.facts.only_evaluates, [*given, *self._targets_around(place)])):
            return True
        if _FOR_EVALUATION.search(last_part(place.scope.name).lower()) is not None:
            return True
        return self._is_beside_training(place)

    @cached_property
    def _assigned_names(self) -> frozenset[str]:
        return frozenset(one.written for one in self.code.computed)

    def _is_for_others(self, item: RecipeItem, place: Named) -> bool:
        """Whether what a call gives has a name that is no part of an item, such as a loss of validation, and
        no gradients are taken of it, in a file that takes them of other things; not where an object is made
        with it."""
        made = [one for one in self.code.computed if one.start < place.start and place.end <= one.end]
        named = [one for one in made if item.leaves_out(one.name) and not _is_given_to_object(place, one)]
        return bool(self._minimized) and any((one.start, one.end) not in self._minimized for one in named)

    def _is_read_to_evaluate(self, place: Named) -> bool:
        """Whether all that reads the name of what is made evaluates, in a training or behind it, or in
        functions that do, or where what these read is made."""
        made = [one for one in self.code.computed if one.start < place.start and place.end <= one.end]
        return any(self._is_name_to_evaluate(one, 0) for one in made if one.written.isidentifier())

    def _is_name_to_evaluate(self, made: Named, depth: int) -> bool:
        function = [one for one in self.code.functions if made.scope.name == one.scope.dotted(one.name)]
        text = self.document.text(0, len(self.document.data))
        is_global = re.search(rf"\bglobal\b[^\n]*\b{re.escape(made.written)}\b", text) is not None
        reads = [
            offset
            for name, offset in self.code.read
            if name == made.name
            and (is_global or not function or function[0].start <= offset < function[0].last)
        ]
        if not reads:  # others may import it, but for what is made of such
            return bool(depth) or any(
                self._is_name_to_evaluate(one, 1)
                for one in self.code.computed
                if one.written in made.uses and one.scope == made.scope and one.start < made.start
            )
        return all(self._reads_to_evaluate(offset, depth) for offset in reads)

    def _reads_to_evaluate(self, offset: int, depth: int) -> bool:
        if any(start <= offset < end for start, end, _ in self._between) or self._stands_in_evaluation(
            offset
        ):
            return True
        around = [one for one in self.code.computed if one.start <= offset < one.end]
        names = [
            one for one in around if one.written.isidentifier() and one.start + len(one.written) <= offset
        ]
        return (
            depth < _DEEPEST
            and bool(names)
            and all(self._is_name_to_evaluate(one, depth + 1) for one in names)
        )

    def _is_assembled(self, place: Named) -> bool:
        """Whether a network is put together of layers where it is trained, or kept by what trains it: not in
        a network, nor in a function that gives parts of one."""
        if any(map(self._derives_from_torch, place.scope.classes)):
            return False
        made = [one for one in self.code.computed if one.start < place.start and place.end <= one.end]
        is_kept = any(one.made and not one.is_computed for one in made)
        function = last_part(place.scope.name)
        is_here = not place.scope.name or bool(place.scope.classes) or function in self._trained_by
        is_trained = bool(self._trained_by or self._training_calls)
        return is_kept and is_here and (is_trained or not place.scope.name)

    def _is_unused(self, place: Named) -> bool:
        """Whether a call only gives a local name its value that nothing reads."""
        if not place.scope.name and not self._main_branches:
            return False  # others may import it
        made = [one for one in self.code.computed if one.start <= place.start and one.end == place.end]
        return any(one.written.isidentifier() and one.name not in self._read_names for one in made)

    @cached_property
    def _read_names(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.code.read)

    def _parameters(self, name: str, call: Call, scope: str) -> list[GivenParameter]:
        """The parameters of a call in a function, with the defaults of those that it leaves out, where that
        is known."""
        api = self._catalog.api(name)
        signatures = api.signatures if api is not None else ()
        plain = [one for one in call.arguments if not one.unpack]
        known = {one.name for signature in signatures for one in signature.parameters}
        bound = first_binding(
            [one for one in plain if one.keyword is None or one.keyword in known], signatures
        )
        if bound is None:
            return [
                GivenParameter(name=one.keyword or "", value=in_line(one.source)) for one in call.arguments
            ]
        signature, pairs = bound
        given = [GivenParameter(name=one.parameter.name, value=in_line(one.argument.source)) for one in pairs]
        given += [
            GivenParameter(name=one.keyword, value=in_line(one.source))
            for one in plain
            if one.keyword is not None and one.keyword not in known
        ]
        for one in call.arguments:
            if one.unpack:
                given.append(GivenParameter(name=one.unpack, value=in_line(one.source)))
                pairs_of, is_all = in_dictionary(self.code, one.source.lstrip("*"), scope)
                given += [GivenParameter(name=key, value=in_line(value)) for key, value in pairs_of]
                if not is_all:
                    return given
        taken = {one.name for one in given}
        if not taken.isdisjoint(_OLD_REDUCTIONS):
            taken.add("reduction")  # what these say counts
        return given + [
            GivenParameter(name=one.name, value=one.default, is_default=True)
            for one in signature.parameters
            if one.default not in (None, "...") and one.name not in taken and not one.name.startswith("_")
        ]

    def _classes(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        for one in self.code.classes:
            bases = self._torch_bases.get(one.start, ())
            is_derived = any(base in item.bases or item.has_api(base) for base in bases)
            is_layer = MODULE in bases and not item.has_layers
            is_derived = is_derived or any(map(item.has_library_base, one.uses))
            if any(base.endswith(_EXCEPTIONS) for base in one.bases):
                continue
            is_derived = is_derived and not item.leaves_out(one.name) and not self._is_of_others(item)
            is_named = item.has_class(one.name) and not is_layer
            is_derived = is_derived or (item == self._data and self._reads_and_gives(one.name))
            body = self.document.text(one.end, one.last)
            if is_derived or (is_named and (_DEFINED not in body or item.is_meant_class(body))):
                yield self._entry(item, one.name, one, self.read_by(one) if item.is_reading else ())

    def _is_of_others(self, item: RecipeItem) -> bool:
        """Whether the file has a name that says that its classes belong to another item."""
        stem = PurePath(self.path).stem
        return any(other.has_file(stem) and other.has_layers for other in self.facts.recipe if other != item)


def _is_given_to_object(place: Named, made: Named) -> bool:
    """Whether a call is an argument of what makes an object of a class."""
    name = last_part(made.made)
    return name[:1].isupper() and name != last_part(place.name)


def _is_shared(one: Named) -> bool:
    """Whether a layer gets the weights of another one."""
    last = last_part(one.written)
    return (
        last in _WEIGHTS
        and "." in one.written
        and len(one.uses) == 1
        and not (one.made or one.is_computed or last_part(one.uses[0]) != last)
    )


def _may_be_set(item: RecipeItem, name: str, value: str) -> bool:
    """Whether a setting has the value with which it belongs to an item, or one that has a name."""
    return item.is_set_to(name, value) or (item.is_set(name) and _NAME.fullmatch(value) is not None)


def _gives_weights(call: Named) -> bool:
    """Whether a call is given the weights of a network that is there, and loads none."""
    return any(_WEIGHTS_OF.fullmatch(value) for _, value in call.arguments)


def _is_reduced(returned: Named) -> bool:
    """Whether a function returns the mean or the sum of something."""
    return len(returned.elements) == 1 and last_part(returned.elements[0].made) in _REDUCING


def _keys_of(call: Named) -> Iterator[GivenParameter]:
    """The names of the keys by which what is called is chosen from a dictionary."""
    found = FROM_TABLE.fullmatch(call.written)
    if found is not None:
        for key in _KEY.findall(found["keys"] or ""):
            yield GivenParameter(name=found["table"], value=key)


def _last_names(place: Named) -> list[str]:
    """The last parts of the names in an expression."""
    return [spelled(last_name(name)) for name in place.uses]


def _read(item: RecipeItem, call: Named) -> list[GivenParameter]:
    """What a function of another library reads of its first argument."""
    given = next((value for name, value in call.arguments if not name), "")
    names = item.reads.get(call.name, ()) if is_dotted_name(given) else ()
    return [GivenParameter(name=name, value=f"{given}.{name}", is_read=True) for name in names]
