"""What all readers of a file's code share: places, uses of torch, what trains, and entries."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, TypedDict

from mindport.catalog.catalog import Catalog
from mindport.report.analysis.entries import CodeLine, GivenParameter, RecipeEntry
from mindport.report.analysis.file_code import (
    OF_SELF,
    WORD,
    Branch,
    FileCode,
    Named,
    NamedValue,
    Surroundings,
    last_part,
)
from mindport.report.analysis.function_code import ASKING_FOR_EVALUATION

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.catalog.migration_facts import RecipeItem
    from mindport.source.document import Document

_LONGEST: Final = 400
_CONTINUED: Final = re.compile(r"\\\r?\n")
"""How a statement goes on in the next line."""
BUILTINS: Final = frozenset(dir(builtins))
MAIN_NAME: Final = "__name__"
SAVING: Final = frozenset({"torch.save", "torch.jit.save"})
LOADING: Final = frozenset({"torch.load", "torch.jit.load", "torch.compile"})
MODULE: Final = "torch.nn.Module"
OPTIMIZERS: Final = "torch.optim."
WHEN_CALLED: Final = ("forward", "__call__", "call", "step", "get_lr", "rate")
"""The methods that give what an object is called for."""
RANDOM: Final = "random.random"
_EVAL: Final = ".eval"
_BACKWARD: Final = "backward"
EVALUATING: Final = re.compile(
    r"(?:evaluate|eval|test|validate|predict|infer|inference)(?:_model|_epoch|_one_epoch)?"
)
"""The names of functions and files that only evaluate, in lower case."""
_LEAVING_BRANCH: Final = re.compile(r"(?:\breturn|\bexit\(\d*\)|\braise SystemExit)\s*;?\s*$")
_JUDGING: Final = re.compile(r"(?:evaluate|eval|test|validate)(?:_model|_epoch|_one_epoch)?")
"""The names of functions that see how good a network is, which are no parts of a training."""
_EMPTY_TABLE: Final = re.compile(r"^[ \t]*(\w+) *= *(?:\{ *\}|dict\(\)) *$", re.MULTILINE)
"""The name of a table that begins empty."""
_TRAIN: Final = ".train"
_TESTING: Final = "TestCase"
"""How the names of the classes end that tests derive from."""
_OFF: Final = "False"
_FROZEN: Final = "requires_grad"
OF_MODULES: Final = re.compile(r"\.(?:(?:named_)?(?:modules|children)|parameters)\(")
"""What gives the layers of a network, or their weights."""
_NO_GRADIENTS: Final = ("no_grad(", "inference_mode(")
_SETTING_GRADIENTS: Final = "set_grad_enabled"
DECORATORS: Final = ("@torch.no_grad", "@torch.inference_mode", "@no_grad", "@inference_mode")
APPENDING: Final = ".append"
IMPORTED: Final = "MP601"
_ALWAYS: Final = frozenset({"True", "1"})
"""Conditions that always hold."""


class _Place(TypedDict):
    """The fields of a `CodeLine`."""

    path: str
    line: int
    cell: int | None


class FileReader:
    """A file with its findings and its code."""

    def __init__(self, path: str, found: FileFindings, code: FileCode) -> None:
        self.path = path
        self.found = found
        self.code = code
        self._for_targets: dict[str, frozenset[tuple[str, str]]] = {}
        self._given_functions: dict[str, frozenset[str]] = {}
        self._catalog = Catalog.load()
        self.facts = self._catalog.migration

    @property
    def document(self) -> Document:
        return self.found.document

    def at(self, offset: int) -> _Place:
        """Where a byte is."""
        part = self.document.part(offset)
        line, _ = part.lines.code_point_position(part.offset(offset))
        return {"path": self.path, "line": line, "cell": part.number}

    def _is_followed_by(self, text: str, offset: int) -> bool:
        """Whether a text stands at a byte."""
        return self.document.data.startswith(text.encode(), offset)

    def _line_before(self, place: Named) -> str:
        """The line above a place."""
        line = self.document.lines.line_of(place.start) - 1
        lines = self.document.lines
        return self.document.text(lines.line_start(line), lines.line_end(line)).strip() if line >= 0 else ""

    @cached_property
    def _main_branches(self) -> Sequence[Branch]:
        return [one for one in self.code.branches if not one.scope.name and MAIN_NAME in one.uses]

    @cached_property
    def _training_calls(self) -> Sequence[Named]:
        """The calls that take gradients."""
        calls = [
            one for one in self.code.calls if one.written.endswith(self.facts.training) or _trains_with(one)
        ]
        layers = {one.written for one in self.code.computed if one.written.startswith(OF_SELF)}
        return [
            one
            for one in calls
            if one.scope.name not in self._derivatives
            and one.written not in layers
            and self._tests.isdisjoint(one.scope.classes)
        ]

    @cached_property
    def _tests(self) -> frozenset[str]:
        """The classes of the file that are tests."""
        return frozenset(
            one.name for one in self.code.classes if any(base.endswith(_TESTING) for base in one.bases)
        )

    @cached_property
    def _derivatives(self) -> frozenset[str]:
        """The methods that compute gradients from gradients they are given."""
        found = [
            one for one in self.code.functions if any(name.startswith("grad") for name, _ in one.arguments)
        ]
        return frozenset(one.scope.dotted(one.name) for one in found if one.name == "backward")

    @cached_property
    def training(self) -> list[str]:
        """The functions that take gradients, by their last names."""
        return list(dict.fromkeys([one.scope.name.rpartition(".")[2] for one in self._training_calls]))

    @cached_property
    def _loss(self) -> RecipeItem:
        return next(item for item in self.facts.recipe if item.minimized)

    @cached_property
    def _data(self) -> RecipeItem:
        return next(item for item in self.facts.recipe if item.cuts and not item.arguments)

    def _is_torch(self, call: Named) -> bool:
        return (call.start, call.end) in self._torch_places

    @cached_property
    def _torch_places(self) -> frozenset[tuple[int, int]]:
        return frozenset(self._torch_calls)

    def _targets_around(self, place: Named) -> Iterator[str]:
        """The names of what a place is computed for."""
        for one in self.code.computed:
            if one.start <= place.start and place.end <= one.end:
                yield one.name

    def _trains(self, loop: Named) -> bool:
        """Whether gradients are taken in a loop, be it by a function of the file that is called there."""
        return any(
            loop.start <= one.start < loop.last and one.scope == loop.scope for one in self._calls_that_train
        )

    @cached_property
    def _calls_that_train(self) -> Sequence[Named]:
        """The calls that take gradients, be it in a function of the file."""
        return [
            one
            for one in self.code.calls
            if one.written.endswith(self.facts.training) or _trains_with(one) or self._is_trained_by(one)
        ]

    def _is_trained_by(self, call: Named) -> bool:
        """Whether a call is of a function that takes gradients, or is given one."""
        names = [last_part(call.written), *[value for _, value in call.arguments]]
        return not self._trained_by.isdisjoint(names)

    @cached_property
    def _trained_by(self) -> frozenset[str]:
        """The functions of the file that take gradients, or call such."""
        own = {one.name for one in self.code.functions}
        found = set(self.training) & own
        is_changed = True
        while is_changed:
            calls = [one for one in self.code.calls if self._own_function(one) in found]
            new = {last_part(one.scope.name) for one in calls} & own - found
            found |= new
            is_changed = bool(new)
        return frozenset(found)

    def _own_function(self, call: Named) -> str:
        """The last name of what a call is of, but for functions of modules and classes that are imported."""
        owner, _, last = call.written.rpartition(".")
        if owner.partition(".")[0] in self._bound:
            return ""
        if owner and last not in self._methods:
            return ""
        is_of_part = owner.startswith(OF_SELF) and self._catalog.api(f"{MODULE}.{last}") is not None
        return "" if is_of_part else last

    @cached_property
    def _methods(self) -> frozenset[str]:
        """The names of the methods of the file's classes."""
        return frozenset(one.name for one in self.code.functions if one.scope.classes)

    @cached_property
    def _bound(self) -> frozenset[str]:
        return frozenset(one.bound for one in self.code.names)

    def _of_value(self, item: RecipeItem | None, value: NamedValue) -> RecipeEntry:
        name = value.option or value.name
        place = Named(name, value.offset, value.offset, value.scope)
        written = value.value or (in_line(value.source) if value.kind == "option" else "")
        given = [GivenParameter(name=value.name, value=written), *self._frozen_in_loop(value)]
        return replace(self._entry(item, name, place, given), kind=value.kind)

    def _frozen_in_loop(self, value: NamedValue) -> Iterator[GivenParameter]:
        """The weights that a loop goes over which freezes them."""
        if value.name == _FROZEN:
            yield from self._of_loop(value.owner, value.offset)

    def _of_loop(self, name: str, offset: int) -> Iterator[GivenParameter]:
        """What the innermost loop around a byte goes over that gives a name its values."""
        around = [
            one
            for one in self.code.loops
            if one.start <= offset < one.last and name and name in WORD.findall(one.name)
        ]
        for one in around[-1:]:
            at = CodeLine(**self.at(one.start))
            yield GivenParameter(name="", value=name, known=in_line(one.over), at=at)

    def _chooses(self, call: Named) -> bool:
        """Whether a call gives what has a name, which is not written out."""
        return call.name == "getattr" and len(call.arguments) > 1 and call.arguments[1][1][:1] not in "'\""

    def _is_local(self, name: str, scope: str) -> bool:
        """Whether a function has a parameter or a variable of a name."""
        return (name, scope) in self._locals

    @cached_property
    def _locals(self) -> frozenset[tuple[str, str]]:
        given = [
            (name, one.scope.dotted(one.name)) for one in self.code.functions for name, _ in one.arguments
        ]
        return frozenset([*given, *[(one.written, one.scope.name) for one in self.code.computed]])

    def _only_evaluates(self, place: Named) -> bool:
        """Whether code stands in a function that turns a network to evaluation and takes no gradients, or
        where these are turned off."""
        if any(one.start <= place.start < one.last for one in self._without_gradients):
            return True
        if self._is_between(place):
            return True
        name = place.scope.name
        last = name.rpartition(".")[2]
        is_named = self.facts.evaluates(last) or name in self.evaluations
        return name in self._evaluating and is_named and last not in self._trained_by

    @cached_property
    def evaluates(self) -> bool:
        """Whether the file has nothing but functions that evaluate, by its name, and trains nothing."""
        stem = PurePath(self.path).stem
        is_named = is_named_for_evaluation(stem) and "train" not in stem.lower().split("_")
        is_training = any(one.written.endswith(_BACKWARD) for one in self._training_calls)
        return is_named and not (is_training or self.code.classes)

    def _is_between(self, place: Named) -> bool:
        """Whether code evaluates in the midst of a function that trains, or behind its training."""
        return any(start <= place.start < end and place.scope == scope for start, end, scope in self._between)

    @cached_property
    def _between(self) -> Sequence[tuple[int, int, Surroundings]]:
        """What evaluates in functions that train, from byte to byte: in or behind a loop that trains, what
        follows the `eval()` of a network until it is turned back or its block ends, and loops over data with
        a name that says so. None of that takes gradients."""
        loops = [*self.code.loops, *self.code.whiles]
        training = [one for one in loops if self._trains(one)]
        found = [
            (call.end, self._turned_back(call), call.scope)
            for call in self.code.calls
            if _turns_off(call)
            and any(one.scope == call.scope and one.start < call.start for one in training)
            and not self._trains_later(call, training)
        ]
        found += [
            (one.start, one.last, one.scope)
            for one in loops
            if any(each.scope == one.scope for each in training)
            and any(self.facts.only_evaluates(name.lower()) for name in WORD.findall(one.over))
        ]
        found += self._evaluating_branches
        return [one for one in found if not self._takes_gradients(*one)]

    @cached_property
    def _evaluating_branches(self) -> Sequence[tuple[int, int, Surroundings]]:
        """What a program does instead of a training, where it is asked to evaluate: it takes no gradients."""
        return [
            (one.start, one.end, one.scope)
            for one in self.code.branches
            if ASKING_FOR_EVALUATION.search(one.condition) is not None
            and _LEAVING_BRANCH.search(self.code.without_comments(one.start, one.end)) is not None
            and not self._takes_gradients(one.start, one.end, one.scope)
        ]

    def _trains_later(self, call: Named, training: Sequence[Named]) -> bool:
        """Whether a call stands between two loops that train in its function, and in none, and no loop goes
        over anything until that turns back."""
        own = [one for one in training if one.scope == call.scope]
        if any(one.start < call.start < one.last for one in own):
            return False
        end = self._turned_back(call)
        loops = [*self.code.loops, *self.code.whiles]
        is_looping = any(call.end <= one.start < end and one not in training for one in loops)
        return not is_looping and any(one.start > call.start for one in own)

    def _turned_back(self, call: Named) -> int:
        """Where the block of a call ends, or a network is turned to training before."""
        code = self.code
        spans = [(one.start, one.last) for one in [*code.loops, *code.whiles, *code.blocks, *code.functions]]
        spans += [(one.start, one.end) for one in code.branches]
        ends = [end for start, end in spans if start <= call.start < end]
        turned = [
            one.start
            for one in code.calls
            if one.written.endswith(_TRAIN)
            and one.scope == call.scope
            and one.start > call.end
            and not _turns_off(one)
        ]
        return min([*ends, *turned], default=len(self.document.data))

    def _takes_gradients(self, start: int, end: int, scope: Surroundings) -> bool:
        """Whether gradients are taken from a byte to another, be it by a function of the file."""
        return any(
            start <= one.start < end
            and one.scope == scope
            and (one.written.endswith(self.facts.training) or self._is_trained_by(one))
            for one in self.code.calls
        )

    def _has_target(self, item: RecipeItem, one: Named) -> bool:
        """Whether what belongs to an item is assigned: not an entry of a table that the file begins empty."""
        return item.has_target(one.written) and not self._is_of_table(one)

    def _is_of_table(self, one: Named) -> bool:
        """Whether an entry is assigned of a table that the file begins empty."""
        owner = one.written.partition("[")[0]
        return owner.isidentifier() and owner in self._empty_tables

    @cached_property
    def _empty_tables(self) -> frozenset[str]:
        return frozenset(_EMPTY_TABLE.findall(self.document.text(0, len(self.document.data))))

    def _is_evaluation(self, scope: str) -> bool:
        """Whether a function, or one around it, only evaluates."""
        if self.evaluates:
            return True
        return bool(scope) and any(f"{scope}.".startswith(f"{one}.") for one in self.evaluations)

    @cached_property
    def evaluations(self) -> frozenset[str]:
        """The functions that only evaluate, by their names with those around them: they have the name of
        that, or their class has, turn a network to evaluation or gradients off, and take none; and those that
        by their names show something, or do nothing but evaluate."""
        blocks = [one for one in self._without_gradients if one not in self.code.functions]
        decorated = [one for one in self._without_gradients if one in self.code.functions]
        scopes = {*self._evaluating, *[one.scope.name for one in blocks]}
        scopes |= {one.scope.dotted(one.name) for one in decorated}
        showing = [
            one
            for one in self.code.functions
            if self.facts.only_shows(one.name.lower()) or _JUDGING.fullmatch(one.name.lower())
        ]
        scopes |= {one.scope.dotted(one.name) for one in showing}
        scopes |= set(self._of_evaluators(scopes))
        return frozenset(one for one in scopes if self._is_named_for_evaluation(one))

    def _of_evaluators(self, scopes: Set[str]) -> Iterator[str]:
        """The methods of classes that are named for evaluation, have a method with one of these names, and
        none that takes gradients."""
        for one in self.code.classes:
            if not self.facts.only_evaluates(one.name.lower()):
                continue
            name = one.scope.dotted(one.name)
            methods = [each.name for each in self.code.functions if each.scope.name == name]
            own = [f"{name}.{each}" for each in methods]
            if not scopes.isdisjoint(own) and self._trained_by.isdisjoint(methods):
                yield from own

    def _is_named_for_evaluation(self, scope: str) -> bool:
        names = scope.split(".")
        is_named = any(
            self.facts.only_evaluates(name) or self.facts.shows(name) or self.facts.only_shows(name)
            for name in map(str.lower, names)
        )
        return (is_named or self._evaluates_data(scope)) and self._trained_by.isdisjoint(names)

    def _evaluates_data(self, scope: str) -> bool:
        """Whether a function turns a network to evaluation and goes over data then, whatever its name: not
        what is named for making data, nor what gives the network back."""
        if self.facts.gives_data(last_part(scope).lower()):
            return False
        turned = [one for one in self.code.calls if one.scope.name == scope and _turns_off(one)]
        owners = {one.written.rpartition(".")[0] for one in turned}
        given = {name for one in self.code.returns if one.scope.name == scope for name in one.uses}
        loops = [one for one in [*self.code.loops, *self.code.whiles] if one.scope.name == scope]
        loops = [one for one in loops if OF_MODULES.search(one.over) is None]
        if any(one.name == _FROZEN and one.scope.name == scope for one in self.code.values):
            return False  # it freezes layers
        return owners.isdisjoint(given) and any(one.start < loop.start for one in turned for loop in loops)

    @cached_property
    def _without_gradients(self) -> Sequence[Named]:
        """The blocks of `with` and the functions that turn gradients off."""
        blocks = [one for one in self.code.blocks if any(name in one.name for name in _NO_GRADIENTS)]
        return [*blocks, *[one for one in self.code.functions if self._is_decorated(one)]]

    @cached_property
    def _evaluating(self) -> frozenset[str]:
        """The functions in which a call of a network's `eval()` stands, or one that turns gradients off."""
        calls = [one for one in self.code.calls if _turns_off(one) or _ends_gradients(one)]
        return frozenset({one.scope.name for one in calls} - {""})

    def _is_decorated(self, function: Named) -> bool:
        """Whether a function has a decorator that turns gradients off."""
        return self._line_before(function).startswith(DECORATORS)

    def _is_plain(self, place: Named) -> bool:
        """Whether the class around a place uses nothing of torch."""
        around = [one for one in self.code.classes if one.end <= place.start < one.last]
        places = [placed.start for placed in self.found.findings]
        return not any(one.start <= start < one.last for one in around for start in places)

    def _derives_from_torch(self, name: str) -> bool:
        """Whether a class of the file names one of torch as its base."""
        return any(one.name == name and self._torch_bases.get(one.start) for one in self.code.classes)

    def _is_optimizer(self, name: str) -> bool:
        """Whether a class of the file derives from one of torch's optimizers."""
        found = [one for one in self.code.classes if one.name == name]
        return any(
            base.startswith(OPTIMIZERS) for one in found for base in self._torch_bases.get(one.start, ())
        )

    def _only_counts(self, computed: Named) -> bool:
        """Whether an assignment sums up or shows what was computed before."""
        source = self.document.text(computed.start, computed.end)
        if computed.written.endswith(APPENDING) and computed.arguments:
            source = computed.arguments[0][1]
            if WORD.fullmatch(source):
                return True  # what is kept in a list has been told
        return self.facts.counts(source)

    @cached_property
    def _torch_calls(self) -> Sequence[tuple[int, int]]:
        calls = [(one.shift, one.finding.use.call) for one in self.found.findings]
        return [(shift + call.start, shift + call.end) for shift, call in calls if call is not None]

    def _scope_at(self, offset: int) -> Surroundings:
        """Where the byte stands: in the innermost function or class around it."""
        around = [one for one in [*self.code.classes, *self.code.functions] if one.end <= offset < one.last]
        inner = max(around, key=lambda one: one.start, default=None)
        if inner is None:
            return Surroundings()
        classes = inner.scope.classes
        if inner in self.code.classes:
            classes = (*classes, inner.name)
        return Surroundings(inner.scope.dotted(inner.name), classes)

    @cached_property
    def _torch_bases(self) -> Mapping[int, Sequence[str]]:
        """The torch classes that each class of the file names as a base, by where the class starts."""
        bases: dict[int, list[str]] = {}
        for placed in self.found.findings:
            use = placed.finding.use
            if use.kind != "base":
                continue
            for one in self.code.classes:
                if one.start <= placed.start < one.end:
                    bases.setdefault(one.start, []).append(use.api)
        return bases

    def _entry(
        self, item: RecipeItem | None, name: str, place: Named, parameters: Sequence[GivenParameter] = ()
    ) -> RecipeEntry:
        code = self.code.without_comments(place.start, place.end) or self._option_text(place.start)
        is_function = code.startswith("def ")
        around = place.scope.dotted(place.name) if is_function else place.scope.name
        return RecipeEntry(
            **self.at(place.start),
            item=item.name if item is not None else "",
            name=name,
            code=in_line(code),
            parameters=list(parameters),
            conditions=[
                one for one in self._conditions(place) if f" if {one.value} else " not in in_line(code)
            ],
            scope=place.scope.name,
            classes=place.scope.classes,
            is_evaluation=self._is_evaluation(around)
            or any(start <= place.start < end for start, end, _ in self._evaluating_branches),
        )

    def _conditions(self, place: Named) -> list[GivenParameter]:
        """On which conditions code in its function runs."""
        around = [
            one
            for one in [*self.code.branches, *self.code.choices]
            if one.start <= place.start < one.end and one.scope.name == place.scope.name
        ]
        conditions = [in_line(one.condition) for one in around if MAIN_NAME not in one.uses]
        told = [one for one in dict.fromkeys(conditions) if one not in _ALWAYS]
        return [GivenParameter(name="", value=one) for one in told]

    def _option_text(self, offset: int) -> str:
        """The call that makes an option at a byte, or else the line there."""
        for one in self.code.calls:
            if one.start <= offset < one.end and one.name.endswith("add_argument"):
                return self.code.without_comments(one.start, one.end)
        return self._line_text(offset)

    def _line_text(self, offset: int) -> str:
        lines = self.document.lines
        line = lines.line_of(offset)
        return _within_brackets(self.document.text(lines.line_start(line), lines.line_end(line)).strip())


def _trains_with(call: Named) -> bool:
    """Whether an object trains with several things that it is given: a network is only turned to training."""
    plain = [value for name, value in call.arguments if not name]
    return call.written.endswith(_TRAIN) and len(plain) > 1 and not any(one.startswith("*") for one in plain)


def is_named_for_evaluation(stem: str) -> bool:
    """Whether a word of a file's name says that it evaluates or predicts."""
    return any(EVALUATING.fullmatch(word) for word in stem.lower().split("_"))


def _turns_off(call: Named) -> bool:
    """Whether a call turns a network to evaluation."""
    if call.written.endswith(_EVAL):
        return not call.arguments
    return call.written.endswith(_TRAIN) and any(value == _OFF for _, value in call.arguments)


def _ends_gradients(call: Named) -> bool:
    """Whether a call turns gradients off from there on."""
    return last_part(call.written) == _SETTING_GRADIENTS and any(value == _OFF for _, value in call.arguments)


def given_to(call: Named) -> list[GivenParameter]:
    """What a call is given."""
    return [GivenParameter(name=name, value=in_line(value)) for name, value in call.arguments]


def names_used(place: Named) -> list[GivenParameter]:
    """The names in an expression."""
    return [GivenParameter(name="", value=name) for name in place.uses if name != place.written]


def _within_brackets(text: str) -> str:
    """A line up to where it ends what began in a line before."""
    depth = 0
    for at, one in enumerate(text):
        depth += (one in "([{") - (one in ")]}")
        if depth < 0:
            return text[:at].rstrip()
    return text


def in_line(source: str) -> str:
    """Source in one line, and not too long."""
    text = " ".join(_CONTINUED.sub(" ", source).split()).rstrip(" :")
    if len(text) <= _LONGEST:
        return text
    at = text.rfind(", ", _LONGEST // 2, _LONGEST - 1)
    return (text[: at + 1] if at > 0 else text[: _LONGEST - 1]) + "…"
