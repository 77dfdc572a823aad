"""What functions of a project compute where losses are made of what they give: networks that return their
loss, and functions and classes of other files, whatever their names."""

from __future__ import annotations

import builtins
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.catalog.catalog import Catalog
from mindport.report.analysis.batches import cut_size
from mindport.report.analysis.code_facts import building, formula, is_in_place, owner_of
from mindport.report.analysis.entries import FormulaEntry, LossCall, RecipeEntry
from mindport.report.analysis.file_code import (
    OF_SELF,
    WORD,
    FileCode,
    Named,
    Surroundings,
    by_scope,
    last_part,
    spelled,
)

if TYPE_CHECKING:
    from mindport.catalog.migration_facts import RecipeItem
    from mindport.report.analysis.entries import FileAnalysis
    from mindport.report.analysis.known_values import KnownValues
    from mindport.report.analysis.project_files import ProjectFiles

_SELF: Final = "self"
_CALLED: Final = ("forward", "__call__")
"""The methods that give what an object is called for."""
_BUILTINS: Final = frozenset(dir(builtins))
_LIBRARIES: Final = ("torch.", "numpy.", "math.")
_LAYERS: Final = "torch.nn."
_REDUCING: Final = ("mean", "sum")
_GRADIENTS: Final = ("autograd.grad",)
_MOST_PARTS: Final = 50
"""As many statements of a formula are told."""
_MOST_CLASSES: Final = 30
"""As many classes at most may an object be of that nobody knows the class of."""
_ENTRIES: Final = re.compile(r"\[[^\]'\"]*\]$")
"""What is assigned to where some entries of a Tensor are."""
_APPENDING: Final = ".append"
_OF_BATCH: Final = re.compile(r"\.(?:mean|sum)\((?:dim=|axis=)?0\)\s*$")
"""What gives the mean or the sum over a batch."""
_ALONG: Final = frozenset({"min", "max", "sum", "mean"})
"""The methods that give one value for all along a dimension."""
_MOVING: Final = frozenset({"to", "cuda", "cpu", "float", "double", "half", "long", "contiguous"})
"""The methods that give the same values in another place or type."""
_EITHER: Final = frozenset({"min", "max"})
"""The functions that give one of two values for each entry."""
_DIMENSION: Final = re.compile(r"-?\d+|dim|axis")
_COMPUTED: Final = re.compile(r"\w\(|[-+*/@]")
"""What stands in an expression that computes something."""
_MASKED: Final = re.compile(r"=.*\w\[~?[A-Za-z][\w.]*\]", re.DOTALL)
"""An assignment of entries that are chosen with another name."""
_TAKEN: Final = re.compile(r"""(?P<owner>\w+)(?:\[["'](?P<key>\w+)["']\]|\.(?P<attribute>\w+))""")
"""An entry of a dictionary or an attribute."""
_REST_OF_BATCHES: Final = re.compile(r"\[[^\[\]]*\bbatch\w*[^\[\]]*:\s*\]$")
"""What is left of samples for the last batch."""
_WEIGHT: Final = "weight"
_NAME: Final = re.compile(r"[A-Za-z_][\w.]*")
_ATTRIBUTES: Final = re.compile(r"(?<=[\w\])])\.([a-z]\w+)\b(?!\s*\()")
_WRAPPED: Final = (".module",)
"""The attributes under which what is wrapped has the network."""


class _Followed(NamedTuple):
    """What a returned value is made from: what is told of that, the functions that it adds up results of, and
    whether it can be seen that it is a loss."""

    told: list[Named]
    calls: list[tuple[str, int]]
    is_loss: bool


class FileFormulas:
    """Finds what the functions of a file compute to return it, back to what layers give: these and what goes
    into them are no part of a loss."""

    def __init__(self, code: FileCode, item: RecipeItem, computing: frozenset[str]) -> None:
        self._code = code
        self._item = item
        self._computing = computing
        self._catalog = Catalog.load()
        self._shaping = self._catalog.migration.shaping
        self._call_starts = [one.start for one in code.calls]
        self._computed_starts = [one.start for one in code.computed]

    def formulas(
        self, entry: Callable[[Named], RecipeEntry], is_left_out: Callable[[Named], bool]
    ) -> Iterator[FormulaEntry]:
        """A formula for each value that a function gives, with an `entry` for all that it is made of but what
        `is_left_out`."""
        for function in self._code.functions:
            name = function.scope.dotted(function.name)
            for position, found in self._of(function, name).items():
                entries = [entry(one) for one in found.told if not is_left_out(one)]
                if entries or found.calls:
                    yield FormulaEntry(
                        name=name,
                        classes=function.scope.classes,
                        line=entries[0].line if entries else 0,
                        position=position,
                        entries=entries,
                        calls=found.calls,
                        is_loss=found.is_loss,
                    )

    def kept(
        self, entry: Callable[[Named], RecipeEntry], is_left_out: Callable[[Named], bool]
    ) -> Iterator[FormulaEntry]:
        """How objects compute what they put into lists that they have, by the names of these lists."""
        for call in self._code.calls:
            owner, _, method = call.written.rpartition(".")
            if (
                f".{method}" != _APPENDING
                or not call.scope.name
                or owner.count(".") != 1
                or is_left_out(call)
            ):
                continue
            value = call.arguments[0][1] if call.arguments else ""
            if value.isidentifier():
                made = building(self._code, {value}, call)
                told = [one for one in made if self._computes(one) and not is_left_out(one)]
            else:
                is_made = any(each.start > call.start for each in self._calls_in(call))
                told = [call] if is_made and not self._is_library(value.partition("(")[0]) else []
            entries = [entry(one) for one in told]
            if entries:
                yield FormulaEntry(name=last_part(owner), line=entries[0].line, entries=entries)

    def calls_at(self, lines: Mapping[int, Sequence[Named]]) -> Iterator[LossCall]:
        """The functions whose results are added up in what begins at these lines; of several values that one
        gives, those that losses are made of."""
        terms = {(name, one.scope) for found in lines.values() for one in found for name in one.terms}
        for line, found in lines.items():
            for one in [*found, *self._keeping(found), *self._given_noise(found)]:
                is_used = (one.written, one.scope) in terms or self._is_named(one)
                for written in one.adds if one.position < 0 or is_used else ():
                    if not self._is_library(written):
                        place = one.scope
                        yield LossCall(
                            written=written,
                            position=one.position,
                            line=line,
                            scope=place.name,
                            classes=place.classes,
                        )
            for written, place in self._giving_weights(found):
                yield LossCall(
                    written=written,
                    position=-1,
                    line=line,
                    is_given=True,
                    scope=place.name,
                    classes=place.classes,
                )

    def _giving_weights(self, found: Sequence[Named]) -> Iterator[tuple[str, Surroundings]]:
        """The functions that the weights are computed with which losses are made with, each with where it is
        called."""
        for call in found:
            if not (self._item.has_api(call.name) and call.arguments):
                continue
            is_class = last_part(call.name)[:1].isupper()
            given = [value for name, value in call.arguments if _WEIGHT in name or (is_class and not name)]
            names = {word for value in given for word in _NAME.findall(value)}
            places = [
                one
                for one in self._code.computed
                if one.written in names
                and one.start < call.start
                and one.scope in (call.scope, Surroundings())
            ]
            for one in [*places, call]:
                for inside in self._calls_in(one):
                    if inside != call and not self._is_library(inside.written):
                        yield inside.written, inside.scope

    def _given_noise(self, found: Sequence[Named]) -> Iterator[Named]:
        """The assignments of what networks give that get something that is drawn at random, of which losses
        are computed."""
        for one in found if self._drawn else ():
            drawn = {
                each.written for each in self._drawn if each.scope == one.scope and each.start < one.start
            }
            before = [
                each
                for each in (self._code.computed if drawn else ())
                if each.scope == one.scope and each.start < one.start
            ]
            for each in before:
                calls = self._calls_in(each) if each.written in one.uses else ()
                if any(value in drawn for call in calls for _, value in call.arguments):
                    yield each._replace(adds=tuple(call.written for call in calls))

    @cached_property
    def _drawn(self) -> Sequence[Named]:
        """What is assigned that is drawn at random."""
        drawing = [one.start for one in self._code.calls if self._is_drawing(one)]
        return [one for one in self._code.computed if any(one.start <= start < one.end for start in drawing)]

    def _keeping(self, found: Sequence[Named]) -> Iterator[Named]:
        """The assignments of the dictionaries and objects that losses are taken out of."""
        for one in found:
            owners = [
                taken["owner"]
                for name in one.uses
                if (taken := _TAKEN.fullmatch(name)) is not None
                and self._item.has_assigned(taken["key"] or taken["attribute"], "", is_computed=False)
            ]
            for each in self._code.computed if owners else ():
                if each.written in owners and each.scope == one.scope and each.start < one.start:
                    yield each

    def _of(self, function: Named, name: str) -> dict[int, _Followed]:
        found: dict[int, _Followed] = {}
        for returned in self._returns.get(name, ()):
            elements = returned.elements
            is_dictionary = any(one.name != returned.name for one in elements)
            if is_dictionary:
                elements = tuple(
                    one for one in elements if self._item.has_assigned(one.name, "", is_computed=False)
                )
            for at, element in enumerate(elements):
                position = at if len(elements) > 1 else -1
                is_part = is_dictionary or len(elements) > 1
                root = element if is_part else returned._replace(made=element.made)
                new = self._followed(root, element, function)
                is_other = bool(function.scope.classes) and not self._is_added(function)
                if not new.is_loss and not new.calls and (is_other or not new.told):
                    continue
                old = found.get(position)
                found[position] = new if old is None else _merged(old, new)
        return found or self._filling(function)

    def _filling(self, function: Named) -> dict[int, _Followed]:
        """What a function that gives nothing puts into what it is given."""
        given = {name for name, _ in function.arguments}
        found: _Followed | None = None
        for one in self._inside(function) if function.scope.name == "" else ():
            owner, is_entry, _ = one.written.partition("[")
            if is_entry and owner in given:
                new = self._followed(one, one, function)
                found = new if found is None else _merged(found, new)
        return {-1: found} if found is not None else {}

    @cached_property
    def _returns(self) -> dict[str, list[Named]]:
        return by_scope(self._code.returns)

    def _is_added(self, method: Named) -> bool:
        """Whether what an object computes with a method of its own is added up with something."""
        return (method.name, method.scope.classes) in self._added

    @cached_property
    def _added(self) -> frozenset[tuple[str, tuple[str, ...]]]:
        """The methods whose results objects add up themselves, or give names, with their classes."""
        places = [*self._code.computed, *self._code.returns]
        return frozenset(
            (written.removeprefix(OF_SELF), one.scope.classes)
            for one in places
            for written in one.adds
            if written.startswith(OF_SELF)
        )

    def around(self, minimized: Named, is_left_out: Callable[[Named], bool]) -> list[Named]:
        """What a function computes of its own for what gradients are taken of there, but for what it gives to
        layers, and what `is_left_out`."""
        around = [one for one in self._code.functions if one.end <= minimized.start < one.last]
        function = max(around, key=lambda one: one.start, default=None)
        inside = self._inside(function) if function is not None else self._code.computed
        here = [one for one in inside if one.scope == minimized.scope and not is_left_out(one)]
        given = set(self._given_to_layers(here))
        noisy, _ = self._noisy(here)
        able = [one for one in here if one.written not in given or one.start in noisy]
        able = [one for one in able if not self._is_cut(one)]
        return self._follow(minimized, minimized, able).told

    def _is_cut(self, one: Named) -> bool:
        """Whether a batch is cut out of something, or the order of its samples is."""
        source = self._code.without_comments(one.start, one.end)
        return bool(cut_size(source)) or _REST_OF_BATCHES.search(source) is not None

    def _given_to_layers(self, found: Sequence[Named]) -> Iterator[str]:
        """The names that layers are given in these assignments, but for those that gradients are taken by."""
        by = {
            name
            for one in found
            if any(call.name.endswith(_GRADIENTS) for call in self._calls_in(one))
            for name in one.uses
        }
        for one in found:
            for call in self._calls_in(one):
                if not self._is_library(call.written) and not self._is_loss(call):
                    yield from [value for _, value in call.arguments if value not in by]

    def _inside(self, function: Named) -> Sequence[Named]:
        start = bisect_left(self._computed_starts, function.end)
        return self._code.computed[start : bisect_left(self._computed_starts, function.last)]

    def _followed(self, root: Named, element: Named, function: Named) -> _Followed:
        is_called = function.name in _CALLED and bool(function.scope.classes)
        names = {name for name, _ in function.arguments} if is_called else set()
        given = frozenset(filter(self._catalog.migration.is_noise, names))
        found = self._follow(root, element, self._inside(function), given)
        if is_called and not found.is_loss and not self._has_layers(function):
            is_loss = _OF_BATCH.search(self._code.without_comments(root.start, root.end)) is not None
            return found._replace(is_loss=is_loss)
        return found

    def _has_layers(self, function: Named) -> bool:
        """Whether the class of a method makes layers."""
        return any(
            one.scope.classes == function.scope.classes and self._code.full_name(one.made).startswith(_LAYERS)
            for one in self._code.computed
        )

    def _follow(
        self, root: Named, element: Named, inside: Sequence[Named], given: Set[str] = frozenset()
    ) -> _Followed:
        told: list[Named] = []
        calls: list[tuple[str, int]] = []
        is_loss = any(
            self._item.has_assigned(last_part(name), name, is_computed=False) for name in element.terms
        )
        waiting, seen = [(root, True)], {(root.start, root.position)}
        noisy, drawn = self._noisy(inside, given)
        mixing = [each for each in inside if each.start in noisy and not self._is_of_loss(each)]
        mixed = {name for each in mixing for name in each.uses}
        is_loss = is_loss or bool(given and noisy)
        while waiting and len(told) < _MOST_PARTS:
            one, is_summed = waiting.pop()
            if is_summed:
                calls += [(each, one.position) for each in one.adds if not self._is_library(each)]
            is_of_layers = self._is_of_layers(one)
            is_of_loss = self._is_of_loss(one)
            is_counter = one.is_augmented and not one.uses
            is_noisy = one.start in noisy
            is_drawn = one.written in mixed and any(self._draws(call) for call in self._calls_in(one))
            is_chosen = element.name == "return" and self._is_masked(one)
            is_told = (
                (self._computes(one) or is_chosen)
                and not is_counter
                and (not is_of_layers or is_of_loss or one is root or is_noisy)
            )
            if is_told and not is_summed:
                called = [each for each in one.adds if _is_plain(each) and not self._is_library(each)]
                calls += [(each, one.position) for each in called]
            if is_told or (is_of_loss and one.made) or is_noisy or is_drawn:
                told += [one, *self._given_by(one, is_noisy=is_noisy)]
                is_loss = is_loss or is_of_loss
            told += [each for each in self._given_functions(one) if each not in told]
            kept = [each for each in self._appended_to(one) if each not in told]
            told += kept
            calls += [(each, -1) for each in self._filled_by(one)]
            names = (
                [*one.terms, *[name for name in one.uses if name in drawn]]
                if is_of_layers and not is_of_loss and not is_noisy
                else [*one.uses, *[name for each in kept for name in each.uses], *self._kept_in(one)]
            )
            gone_over = self._gone_over([one, *kept])
            for each in inside:
                name = each.written.partition("[")[0]
                key = (each.start, each.position)
                is_named = name in names or (each.is_computed and name in gone_over)
                if is_named and key not in seen and self._may_be_before(each, one):
                    seen.add(key)
                    is_given = _is_plain(each.made) and is_of_loss
                    is_part = name in one.terms or is_given
                    is_part = is_part or (element.name == "return" and _is_plain(one.made))
                    is_part = is_part or element.written.endswith("]")
                    waiting.append((each, is_summed and is_part))
        told.sort(key=lambda one: one.start)
        return _Followed(told, list(dict.fromkeys(calls)), is_loss)

    def _filled_by(self, one: Named) -> Iterator[str]:
        """The functions that are called before for what they do to what is used here."""
        for call in self._alone.get(one.scope.name, ()):
            is_given = any(value in one.uses for _, value in call.arguments)
            if is_given and self._may_be_before(call, one):
                yield call.written

    @cached_property
    def _alone(self) -> dict[str, list[Named]]:
        """The calls of functions of projects that give several things, and of which nothing is made."""
        places = [*self._code.computed, *self._code.returns]
        taken = {call.start for one in places for call in self._calls_in(one)}
        return by_scope(
            one
            for one in self._code.calls
            if one.start not in taken
            and len(one.arguments) > 1
            and one.scope.name
            and not self._is_library(one.written)
        )

    def _given_functions(self, one: Named) -> Iterator[Named]:
        """What the functions of the file compute that a library is given where this is computed."""
        for call in self._calls_in(one):
            for _, value in call.arguments if self._is_library(call.written) else ():
                found = self._functions.get(value, ()) if value.isidentifier() else ()
                for function in found if len(found) == 1 else ():
                    inside = [
                        each for each in self._code.returns if function.end <= each.start < function.last
                    ]
                    yield from [*formula(self._code, function, self._computing), *inside]

    def _gone_over(self, places: Sequence[Named]) -> frozenset[str]:
        """The names of what loops go over that give these places names which stand there."""
        found: set[str] = set()
        for one in places:
            for loop in self._loops.get(one.scope.name, ()):
                is_around = loop.start <= one.start < loop.last
                if is_around and not set(WORD.findall(loop.name)).isdisjoint(one.uses):
                    found.update(WORD.findall(loop.over))
        return frozenset(found)

    @cached_property
    def _loops(self) -> dict[str, list[Named]]:
        return by_scope(self._code.loops)

    def _kept_in(self, one: Named) -> Iterator[str]:
        """The names of what is put before into the lists that an expression names."""
        for call in self._code.calls:
            is_kept = call.scope == one.scope and call.written.endswith(_APPENDING)
            if is_kept and call.written.rpartition(".")[0] in one.uses and self._may_be_before(call, one):
                yield from [value for _, value in call.arguments]

    def _appended_to(self, one: Named) -> Iterator[Named]:
        """What is appended before to the lists that an expression names, or changed in place of the Tensors
        there, with the names in it."""
        for call in self._appending:
            is_kept = call.scope == one.scope and owner_of(call) in one.uses
            if is_kept and self._may_be_before(call, one):
                given = [name for _, value in call.arguments for name in WORD.findall(value)]
                yield call._replace(uses=tuple(dict.fromkeys(given)))

    @cached_property
    def _appending(self) -> Sequence[Named]:
        return [
            one
            for one in self._code.calls
            if (
                one.written.endswith(_APPENDING)
                and any(_COMPUTED.search(value) for _, value in one.arguments)
            )
            or is_in_place(one)
        ]

    def _noisy(self, inside: Sequence[Named], given: Set[str] = frozenset()) -> tuple[set[int], set[str]]:
        """Where a function mixes what it draws at random, or is `given` of that, with something else, to give
        it to layers, and the names of what is drawn or mixed."""
        drawing = [one for one in inside if any(self._draws(call) for call in self._calls_in(one))]
        drawn = {one.written for one in drawing} | given
        noisy: set[int] = set()
        for one in inside if drawn else ():
            others = [name for name in one.uses if name not in drawn and name not in self._constants]
            is_drawn = one in drawing or any(name in drawn for name in one.uses)
            is_own = any(self._own_functions(call) for call in self._calls_in(one))
            if is_drawn and others and (one.is_computed or is_own or self._computes(one)):
                noisy.add(one.start)
                drawn.add(one.written)
        return noisy, drawn

    @cached_property
    def _lists(self) -> frozenset[str]:
        """The names of what Python's own functions make, and of no Tensors."""
        return frozenset(one.written for one in self._code.computed if one.made in _BUILTINS)

    @cached_property
    def _constants(self) -> frozenset[str]:
        """The plain names that are given literals."""
        return frozenset(one.name for one in self._code.values if one.value and not one.owner)

    def _draws(self, call: Named) -> bool:
        """Whether a call draws at random, or a function of the file does that it is of."""
        if self._is_drawing(call):
            return True
        own = self._own_functions(call)
        inside = [each for one in own for each in self._calls_in(one._replace(end=one.last))]
        return any(map(self._is_drawing, inside))

    def _is_drawing(self, call: Named) -> bool:
        method = last_part(call.written) if "." in call.written else ""
        return self._catalog.migration.draws_noise(call.name, method)

    def _own_functions(self, call: Named) -> Sequence[Named]:
        """The one function or method of the file that a call may be of, by its name."""
        if self._is_library(call.written):
            return ()
        found = self._functions.get(last_part(call.written), ())
        return found if len(found) == 1 else ()

    @cached_property
    def _functions(self) -> Mapping[str, Sequence[Named]]:
        found: dict[str, list[Named]] = {}
        for one in self._code.functions:
            found.setdefault(one.name, []).append(one)
        return found

    def _given_by(self, place: Named, *, is_noisy: bool) -> Iterator[Named]:
        """What the functions of the file compute that mix in what is drawn at random."""
        for call in self._calls_in(place) if is_noisy else ():
            for function in self._own_functions(call):
                yield from formula(self._code, function, self._computing)

    def _may_be_before(self, one: Named, other: Named) -> bool:
        """Whether an assignment stands before another, or a loop goes through both; of an `if`, only one of
        its branches runs."""
        first, last = sorted((one.start, other.start))
        around = [each for each in self._code.loops if each.start <= first and last < each.last]
        if one.start < other.start:
            is_gone = self._is_in_other_branch(one, other) or self._is_made_anew(one, other)
            return bool(around) or not is_gone
        return bool(around) and not self._is_replaced(one, other, max(each.start for each in around))

    def _is_made_anew(self, one: Named, other: Named) -> bool:
        """Whether a name always gets another value between what it is assigned at one place, and another."""
        if "[" in one.written:
            return False
        branches = [each for each in self._code.branches if each.scope == other.scope]
        loops = [each for each in self._code.loops if each.scope == other.scope]
        return any(
            one.end <= each.start < other.start
            and each.end <= other.start
            and not each.is_augmented
            and all(b.start <= other.start < b.end for b in branches if b.start <= each.start < b.end)
            and all(b.start <= other.start < b.last for b in loops if b.start <= each.start < b.last)
            for each in self._assigned.get((one.written, one.scope), ())
        )

    @cached_property
    def _assigned(self) -> Mapping[tuple[str, Surroundings], Sequence[Named]]:
        found: dict[tuple[str, Surroundings], list[Named]] = {}
        for one in self._code.computed:
            found.setdefault((one.written, one.scope), []).append(one)
        return found

    def _is_in_other_branch(self, one: Named, other: Named) -> bool:
        """Whether two places stand in different branches of the same `if`."""
        branches = self._code.branches if one.scope == other.scope else ()
        here = {(each.at, each.start) for each in branches if each.start <= other.start < each.end}
        ifs = {at for at, _ in here}
        return any(
            each.at in ifs and (each.at, each.start) not in here
            for each in branches
            if each.start <= one.start < each.end
        )

    def _is_replaced(self, one: Named, other: Named, start: int) -> bool:
        """Whether what comes later in a loop that starts there is always assigned anew before a place."""
        branches = [(each.start, each.end) for each in self._code.branches if each.scope == other.scope]
        return any(
            each.written == one.written
            and each.scope == one.scope
            and start <= each.start < other.start
            and all(begin <= other.start < end for begin, end in branches if begin <= each.start < end)
            for each in self._code.computed
            if not each.is_augmented
        )

    def _calls_in(self, place: Named) -> Sequence[Named]:
        start = bisect_left(self._call_starts, place.start)
        return self._code.calls[start : bisect_left(self._call_starts, place.end)]

    def _computes(self, place: Named) -> bool:
        """Whether a statement computes values, and gives them no other shape alone."""
        calls = self._calls_in(place)
        if any(last_part(one.name) in self._computing or one.name.endswith(_GRADIENTS) for one in calls):
            return True
        if any(map(_is_either, calls)) or _is_reduced(place):
            return True
        if _ENTRIES.search(place.written) and place.written.partition("[")[0] not in self._lists:
            owner, _, last = place.made.rpartition(".")
            return place.is_computed or owner != place.written or last not in _MOVING
        return (place.is_computed or place.is_compared) and last_part(place.made) not in self._shaping

    def _is_masked(self, place: Named) -> bool:
        """Whether entries of a Tensor are chosen with another one."""
        return _MASKED.search(self._code.without_comments(place.start, place.end)) is not None

    def _is_of_layers(self, place: Named) -> bool:
        """Whether an expression calls what may be a layer: neither a function of a library or the file, nor a
        method of Tensors."""
        return any(
            not self._is_library(one.written) and not self._is_function(one.written)
            for one in self._calls_in(place)
        )

    def has_layers(self, function: Named) -> bool:
        """Whether a function of the file calls what may be a layer."""
        names = {one.name for one in self._code.functions}
        return any(
            not self._is_library(one.written) and last_part(one.written) not in names
            for one in self._calls_in(function._replace(start=function.end, end=function.last))
        )

    def _is_function(self, written: str) -> bool:
        """Whether a name is that of a function of the file."""
        return any(not one.scope.classes for one in self._functions.get(written, ()))

    def _is_library(self, written: str) -> bool:
        owner, _, last = written.rpartition(".")
        if not owner:
            known = self._code.full_name(written)
            return written in _BUILTINS or known.startswith(_LIBRARIES)
        if self._code.full_name(written).startswith(_LIBRARIES) or written in self._plain_layers:
            return True
        return owner != _SELF and self._catalog.api(f"torch.Tensor.{last}") is not None

    @cached_property
    def _plain_layers(self) -> frozenset[str]:
        """The attributes that are layers without weights, which compute what formulas have."""
        made = {one.written: self._code.full_name(one.made) for one in self._code.computed}
        return frozenset(
            written
            for written, name in made.items()
            if name.startswith(_LAYERS) and last_part(name) in self._catalog.migration.computing_layers
        )

    def _is_of_loss(self, place: Named) -> bool:
        """Whether an expression calls what belongs to losses by its name, or makes one number of many."""
        return self._is_named(place) or any(self._is_loss(one) for one in self._calls_in(place))

    def _is_named(self, place: Named) -> bool:
        """Whether what is assigned has the name of a loss."""
        is_assigned = bool(place.written) and place.name != "return"
        return is_assigned and self._item.has_assigned(place.name, place.written, is_computed=False)

    def _is_loss(self, call: Named) -> bool:
        last = last_part(call.written)
        if self._item.has_api(call.name) or self._item.has_function(last):
            return True
        if self._item.has_result(spelled(last)):
            return True
        if last not in _REDUCING or any(name for name, _ in call.arguments if name != "dtype"):
            return False
        is_function = call.name.startswith("torch.")
        return len(call.arguments) == is_function


def _merged(old: _Followed, new: _Followed) -> _Followed:
    """What is told of both."""
    return _Followed(
        [*old.told, *[one for one in new.told if one not in old.told]],
        list(dict.fromkeys([*old.calls, *new.calls])),
        old.is_loss or new.is_loss,
    )


def _is_reduced(place: Named) -> bool:
    """Whether what is assigned is the extremes, the sums or the means that a Tensor has along dimensions."""
    owner, _, last = place.made.rpartition(".")
    return owner.isidentifier() and last in _ALONG


def _is_plain(function: str) -> bool:
    """Whether what is called is a function by its name, and no method, nor a class."""
    return function.isidentifier() and not function[:1].isupper()


def _is_either(call: Named) -> bool:
    """Whether a call gives one of two values for each entry, and is no extreme of one Tensor."""
    if last_part(call.name) not in _EITHER:
        return False
    given = [value for name, value in call.arguments if not name]
    others = given[1:] if call.name.startswith("torch.") else given
    return bool(others) and not _DIMENSION.fullmatch(others[0])


class LossFormulas:
    """Finds what the functions, methods and objects compute that losses are made of, in all files."""

    def __init__(self, files: Sequence[FileAnalysis], project: ProjectFiles, values: KnownValues) -> None:
        self._files = files
        self._project = project
        self._values = values
        self._formulas: dict[tuple[str, str], list[FormulaEntry]] = {}
        self._places: dict[str, list[str]] = {}
        self._bases: dict[str, Sequence[str]] = {}
        self._found: dict[tuple[tuple[str, str], int, bool], tuple[bool, list[RecipeEntry]]] = {}
        self._defined = {(file.path, name) for file in files for name in file.defined}
        for file in files:
            for one in file.formulas:
                self._formulas.setdefault((file.path, one.name), []).append(one)
            for each in file.classes:
                self._places.setdefault(each.name, []).append(file.path)
                self._bases[each.name] = each.bases
        self._item = next(item for item in Catalog.load().migration.recipe if item.minimized)

    def entries(self, found: Sequence[RecipeEntry]) -> list[RecipeEntry]:
        """Entries for what the losses among these are made of, but for what is told."""
        told: dict[tuple[str, int], list[str]] = {}
        for one in found:
            if one.item == self._item.name:
                told.setdefault((one.path, one.line), []).append(one.code)
        new: list[RecipeEntry] = []
        for file in self._files:
            for call in file.loss_calls:
                if (file.path, call.line) in told:
                    new += self._of(call, file.path)[1]
        for one in new:
            known = told.setdefault((one.path, one.line), [])
            if not any(one.code.endswith(code) or one.code in code for code in known):
                known.append(one.code)
                found = [*found, one]
        return [*found, *self._kept(found)]

    def _kept(self, found: Sequence[RecipeEntry]) -> list[RecipeEntry]:
        """Entries for what is in the lists of objects that losses are computed from, but for what is told."""
        losses = [one for one in found if one.item == self._item.name]
        told = {(one.path, one.line) for one in losses}
        named = {name for one in losses if not one.is_class for name in _ATTRIBUTES.findall(one.code)}
        new: list[RecipeEntry] = []
        for one in [one for file in self._files for one in file.kept_values if one.name in named]:
            for entry in one.entries:
                if (entry.path, entry.line) not in told:
                    told.add((entry.path, entry.line))
                    new.append(entry)
        return new

    def _of(self, call: LossCall, path: str, *, is_part: bool = False) -> tuple[bool, list[RecipeEntry]]:
        """What a call computes, and whether that can be seen to be a loss; of a function that `is_part` of
        one, or a method of the same object, all counts."""
        found = []
        for place in self._meant(call, path):
            is_method = call.written == f"{OF_SELF}{last_part(place[1])}"
            is_loss, entries = self._computed(place, call.position, is_own=is_part and is_method)
            found.append((is_loss, entries, "." not in place[1] or is_method))
        told = [
            one
            for is_loss, entries, is_own in found
            if is_loss or call.is_given or (is_part and is_own)
            for one in entries
        ]
        return any(is_loss for is_loss, _, _ in found), told

    def _computed(
        self, place: tuple[str, str], position: int, *, is_own: bool
    ) -> tuple[bool, list[RecipeEntry]]:
        """What a function, or a method that `is_own` of an object that computes a loss, computes for one of
        its values; nothing while that is being found."""
        key = (place, position, is_own)
        if key in self._found:
            return self._found[key]
        self._found[key] = (False, [])
        losses: list[RecipeEntry] = []
        is_any = False
        for one in self._at(place, position):
            inside = [
                self._of(
                    LossCall(
                        written=written, position=at, line=one.line, scope=one.name, classes=one.classes
                    ),
                    place[0],
                    is_part=True,
                )
                for written, at in one.calls
            ]
            if one.is_loss or any(is_loss for is_loss, _ in inside):
                is_any = True
                losses += one.entries
                losses += [each for _, found in inside for each in found]
            elif "." not in place[1] or is_own:
                losses += [*one.entries, *[each for _, found in inside for each in found]]
        self._found[key] = (is_any, losses)
        return self._found[key]

    def _at(self, place: tuple[str, str], position: int) -> list[FormulaEntry]:
        """The formulas of a function for one of its values, or for all."""
        found = self._formulas.get(place, [])
        chosen = [one for one in found if one.position == position]
        return chosen or [one for one in found if position < 0 or one.position < 0]

    def _meant(self, call: LossCall, path: str) -> list[tuple[str, str]]:
        """The functions that a call may be of, each by its file and its name with those around it."""
        for wrapped in _WRAPPED:
            if call.written.endswith(wrapped):
                call = replace(call, written=call.written.removesuffix(wrapped))
        owner, _, last = call.written.replace(".module.", ".").rpartition(".")
        if not owner:
            if (path, last) in self._defined:
                return [(path, last)]
            imported = [one for one in self._project.imported_as(last, path) if one in self._defined]
            return imported or self._of_object(last, "", call, path)
        if owner == _SELF:
            methods = self._methods(call.classes[-1:], last)
            return methods or self._of_object(call.written, "", call, path)
        if owner == "super()":
            return self._methods(self._bases.get("".join(call.classes[-1:]), ()), last)
        if owner.isidentifier() and self._project.is_module(owner, path):
            return [(one, last) for one in self._project.module_files(owner, path)]
        return self._of_object(owner, last, call, path)

    def _methods(self, classes: Sequence[str], name: str) -> list[tuple[str, str]]:
        """The methods of a name that classes or their bases have."""
        waiting, seen, found = list(classes), set[str](), list[tuple[str, str]]()
        while waiting and not found:
            owner = waiting.pop(0)
            if owner not in seen:
                seen.add(owner)
                places = [(path, f"{owner}.{name}") for path in self._places.get(owner, ())]
                found = [one for one in places if one in self._formulas]
                waiting += self._bases.get(owner, ())
        return found

    def _of_object(self, name: str, method: str, call: LossCall, path: str) -> list[tuple[str, str]]:
        """What an object does when it is called, or one of its methods. Where nobody knows its class, that
        may be any of the file and of those that it imports, or the only one with such a method."""
        methods = _CALLED if method in ("", *_CALLED) else (method,)
        made = self._values.made_of(name, path, call)
        if made is not None:
            return [one for each in methods for one in self._methods(made, each)]
        is_named = self._item.has_result(spelled(last_part(name))) or self._item.has_function(last_part(name))
        if is_named or (name.startswith(f"{_SELF}.") and last_part(call.scope) in _CALLED):
            return []  # no loss by its name, nor a layer
        near = {path, *self._project.all_imported_by(path)}
        able = [
            place
            for place, found in self._formulas.items()
            if place[0] in near
            and last_part(place[1]) in methods
            and "." in place[1]
            and any(one.position == call.position for one in found)
        ]
        if not able and method and method not in _CALLED:
            able = [place for place in self._formulas if place[1].endswith(f".{method}")]
            able = able if len(able) == 1 else []  # the only one of that name
        return able if len(able) <= _MOST_CLASSES else []
