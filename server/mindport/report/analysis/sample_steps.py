"""What functions do with samples from where they read them to where they give them, whatever does that."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING, Final

from mindport.catalog.argument_form import is_dotted_name
from mindport.catalog.catalog import Catalog
from mindport.report.analysis.file_code import OF_SELF, WORD, FileCode, Named, by_scope, last_part, spelled
from mindport.report.analysis.file_reader import BUILTINS

if TYPE_CHECKING:
    from mindport.catalog.migration_facts import MigrationFacts

_SAMPLE: Final = "__getitem__"
_SELF: Final = "self"
_MAKING: Final = "__init__"
_KEY: Final = re.compile(r"(?<=[\w\])])\[\s*(?:\"[^\"]*\"|'[^']*')\s*\]")
"""The key of an entry of a dictionary."""
_CHOSEN: Final = re.compile(r"\bif\b.+\belse\b.+\bfor\b", re.DOTALL)
"""A list of one or the other for each of something, as a code of ones and zeros is."""
_COLLATING: Final = "collate_fn"
_LOOKED_UP: Final = re.compile(r"\[.*\w\[\s*[A-Za-z_].*\bfor\b", re.DOTALL)
"""A list of what is looked up for each of something."""
_LONGER: Final = re.compile(
    r"\w\s*\+\s*\[|\]\s*\*|\bfor _ in range\(|\w\[[\w.]*:[\w.]*\].*\bfor\b", re.DOTALL
)
"""A list that gets more items, to be as long as others, or is cut off."""
_MIRRORED: Final = re.compile(r"\[[^\[\]]*::\s*-1")
"""What is turned around."""
_OF_PLACES: Final = ("'", '"', "len(", "path")
_ENTERED: Final = re.compile(r"\bas\s+(?P<name>\w+)")
"""The name of what a `with` enters."""
_INDEX: Final = re.compile(r"(?<=[\w\])])\[[^\[\]:]*\]")
"""Which one of several is meant."""
_FILLED: Final = re.compile(
    r"\b(?:torch|np|numpy)\.(?:ones|zeros|full|empty)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
)
"""What makes a Tensor of a size."""
_COUNTING: Final = re.compile(r"[-+|&]=(?!.*\()|//=|%=", re.DOTALL)
"""What changes a number by one that is written out."""
_PART_OF_ITSELF: Final = re.compile(r"(?P<name>[\w.]+)\s*=\s*(?P=name)\[(?!\s*[\"']|\s*-?\d+\s*\])")
"""What is made some of what it was, or that in another order."""
_LOOKED_UP_AS: Final = re.compile(r"(?P<name>\w+)\s*=\s*[\w.]+\[\s*(?P=name)\s*\]")
"""What is looked up under the name that it gets."""
_LOOKED_UP_IN: Final = re.compile(
    r"\w+\s*=\s*(?:self\.)?(?:\w*_)?(?:\w+(?:_to_|2)\w+|map|mapping|dict|vocab|lookup)(?:_\w+)?\[\s*[A-Za-z_]\w*\s*\]\s*"
)
"""What is looked up in a table that is named for that."""
_CUT_OFF: Final = re.compile(
    r"(?:[\w.]+\s*=|return)\s*[\w.]+\[[^\]'\"]*,[^\]'\"]*:[^\]'\"]*[\w-][^\]'\"]*\]"
    r"|[\w.]+\s*=\s*[\w.]+\.(?:iloc|loc|values)\[\s*:\s*,"
)
"""What is made of something else, cut off along one of its dimensions, or columns of a table."""
_OF_TABLES: Final = (".iloc", ".loc")
"""The attributes that tables are cut by."""
_OF_EACH: Final = re.compile(r"\bmap\(\s*(?!(?:int|float|str|list|tuple|len|bool)\s*,)[\w.]+\s*,")
"""What a function gives for each of something."""
_NUMBERED: Final = re.compile(
    r"\{[^{}]*\bfor\b[^{}]*\benumerate\(|\bdict\(\s*zip\([^()]+,\s*range\(", re.DOTALL
)
"""A table of the numbers that things get in an order."""
_OFFSET: Final = re.compile(r"=\s*[\w.]+\[\s*\w+\s*[-+]\s*[\w.]+\s*\]\s*$")
"""What has a place that is computed."""
_OF_COUNTS: Final = re.compile(r"(?:n|num|count|total|idx|index)(?:_\w+)?$")
"""The names of what counts."""
_CHANGED: Final = re.compile(r"(?P<owner>\w+)\.\w+\([^()]*\)\[")
"""Entries of what a method gives, that are changed: it gives the same in another shape."""
_IN_PLACE: Final = re.compile(r"\.(?:sub|add|mul|div|clamp|pow|sqrt|abs|neg|copy|fill|normal|uniform)_$")
_REDUCING: Final = frozenset({"max", "min", "sum", "mean", "item", "argmax", "argmin", "size", "count"})
"""The methods that give one number."""
_CONTAINERS: Final = frozenset({"list", "tuple", "set", "dict", "sorted", "zip", "map", "filter", "reversed"})
"""Python's own functions that give several values."""
_ENTRY_OF_ENTRY: Final = re.compile(
    r"\w+\[\s*-?\d+\s*(?:,\s*-?\d+\s*)*\]\s*=\s*(?:[\w.]+(?:\[\s*-?\d+\s*\])+|-?\d+(?:\.\d*)?)\s*"
)
"""What puts an entry of one thing, or a number, at a place of another."""
_SHUFFLING: Final = "shuffle"
_TABLE: Final = re.compile(r"(?:[\w.]+\s*=|return)\s*[\[({]")
"""What begins as lists and dictionaries do that are assigned or returned."""
_OPERATOR: Final = re.compile(r"[-+*/@%&|:]")
_CUT: Final = re.compile(r"\w\[[^\]'\"]*:[^\]'\"]*\]")
"""What is cut out of something."""
_PLACED: Final = re.compile(r"(?P<name>\b[A-Za-z_]\w*)\[\s*-?\d+\s*\](?=\s*(?:[-+:,\]]))")
"""An entry of something, where it stands in an expression of another place."""
_FIELDS: Final = re.compile(
    r"[\w.]+\s*=\s*(?:[\w.]+\(\s*)*[\w.]+(?:\[\s*\w+\s*\])?(?<!shape)\[\s*(?:\d+\s*:\s*-?\d+|\d+\s*:|:\s*[A-Za-z_][\w.]*)\s*\](?!\s*[\[+])"
)
"""What is made of some of the entries of a row, from one place to another."""
_LISTS: Final = (_LONGER, _LOOKED_UP, _MIRRORED, _CHOSEN, _OF_EACH, _NUMBERED)
"""Lists and tables that are made of what was given, so that it is another."""
_APPENDING: Final = (".append", ".extend")
_OF_FILE: Final = re.compile(
    r"\b(?:exists|isfile|isdir|is_file|is_dir|endswith|startswith|splitext|isinstance|suffix\w*|None)\b|^\w+$"
)
"""What stands in conditions that ask for files, or whether there is something at all."""
_MOST_STEPS: Final = 60
"""As many steps of a function are told."""


_OF_PATHS: Final = re.compile(r"(?:path|file|file_?name|folder)s?$")
"""The names of places of files."""
_OF_FILES: Final = ("os.", "shutil.", "pathlib.", "logging.")
_EMPTY_YET: Final = re.compile(r"=\s*(?:\[\s*\]|\{\s*\}|(?:list|dict|set)\(\))\s*$")
"""What gives an entry something that is empty first."""
_FUNCTION: Final = re.compile(r"(?P<name>[A-Za-z_][\w.]*)(?:$|\()")
"""A function by its name, or what makes an object."""
_ANSWERS: Final = ("True", "False")
_ENCODING: Final = "encode"
_JOINING: Final = "numpy.append"
"""What has the name of a method of lists and puts Tensors together."""
_OPENING: Final = "open"
_WRITING: Final = "wax+"


class SampleSteps:
    """Follows what functions of a file give back to what they read."""

    def __init__(self, code: FileCode) -> None:
        self._code = code
        self._facts: MigrationFacts = Catalog.load().migration
        self._sizes = next(item for item in self._facts.recipe if item.cuts and item.arguments)
        self._data = next(item for item in self._facts.recipe if item.cuts and not item.arguments)

    def is_reading(self, call: Named) -> bool:
        """Whether a call reads files, or finds them."""
        return self._facts.reads_files(call.name, last_part(call.written) if "." in call.written else "")

    def closure(self, is_first: Callable[[Named], bool]) -> frozenset[str]:
        """The functions of the file, by their names with those around them, that fit or that these call, also
        through others, or give to something that calls them."""
        found = {self._dotted(one) for one in self._code.functions if is_first(one)}
        waiting = list(found)
        while waiting:
            scope = waiting.pop()
            for call in self._calls.get(scope, ()):
                for one in self._own(call):
                    name = self._dotted(one)
                    if name not in found:
                        found.add(name)
                        waiting.append(name)
            for name in self._listed(scope):
                if name not in found:
                    found.add(name)
                    waiting.append(name)
        return frozenset(found)

    def _listed(self, scope: str) -> Iterator[str]:
        """The functions of the file that a function names in lists and tables, and those that make such for
        the attributes that a method uses."""
        places = [*self._computed.get(scope, ()), *self._returns.get(scope, ())]
        for one in places:
            if self._is_table(one):
                yield from [name for name in one.uses if self._is_plain_function(name)]
        owner, _, method = scope.rpartition(".")
        if not owner or method.startswith("__init"):
            return
        used = {name for one in places for name in one.uses if name.startswith(OF_SELF)}
        used |= {value for call in self._calls.get(scope, ()) for _, value in call.arguments}
        used |= {call.written for call in self._calls.get(scope, ())}
        for one in self._computed.get(f"{owner}.__init__", ()):
            if one.written in used and one.written.startswith(OF_SELF):
                if self._is_table(one):
                    yield from [name for name in one.uses if self._is_plain_function(name)]
                elif self._is_plain_function(one.made):
                    yield one.made
                yield from self._given_methods(one, owner)

    def _given_methods(self, one: Named, owner: str) -> Iterator[str]:
        """The methods of the same object that an attribute is."""
        if one.made or one.is_computed:
            return
        for name in one.uses:
            method = name.removeprefix(OF_SELF)
            if method != name and any(each.scope.name == owner for each in self._functions.get(method, ())):
                yield f"{owner}.{method}"

    def _is_plain_function(self, name: str) -> bool:
        return any(not one.scope.name for one in self._functions.get(name, ()))

    def _is_table(self, one: Named) -> bool:
        """Whether a list or table is made of functions of the file, or returned."""
        names = [name for name in one.uses if self._is_plain_function(name)]
        return len(names) > 1 and not one.made and _TABLE.match(self._text(one)) is not None

    def _rows(self, one: Named) -> Iterator[Named]:
        """The lines of a table of functions, each for itself, or else what was given."""
        if not self._is_table(one):
            yield one
            return
        start = one.start
        for line in self._code.source(one.start, one.end).splitlines(keepends=True):
            row, _, _ = line.partition("#")
            begin = start + len(row.encode()) - len(row.lstrip().encode())
            if any(self._is_plain_function(name) for name in WORD.findall(row)):
                end = begin + len(row.strip().rstrip(",").encode())
                yield one._replace(start=begin, end=end, uses=())
            start += len(line.encode())

    @cached_property
    def _computed(self) -> Mapping[str, Sequence[Named]]:
        return by_scope(self._code.computed)

    @cached_property
    def _returns(self) -> Mapping[str, Sequence[Named]]:
        return by_scope(self._code.returns)

    def collating(self) -> frozenset[str]:
        """The last names of the functions that loaders put batches together with, or of the classes of what
        they call for that."""
        return frozenset(
            last_part(made["name"])
            for call in self._code.calls
            for name, value in call.arguments
            if name == _COLLATING and (made := _FUNCTION.match(value)) is not None
        )

    def called_in(self, functions: Iterable[str], *, with_given: bool) -> frozenset[str]:
        """The last names of what these functions call, and of what they give, but for Python's own."""
        names: set[str] = set()
        for scope in functions:
            for call in self._calls.get(scope, ()):
                given = [last_part(value) for _, value in call.arguments if is_dotted_name(value)]
                names.update([last_part(call.written), *(given if with_given else ())])
                names.update(map(last_part, self._defaults(call)))
        return frozenset(name for name in names - BUILTINS if not name.startswith("__"))

    def steps(self, function: Named) -> list[Named]:
        """What a function does to what it gives, the first first: not what reads it, nor what says which it
        is."""
        if self._only_checks(function):
            return []
        inside = self._inside(function)
        names: set[str] = set()
        returned = [one for one in [*self._code.returns, *self._code.yields] if self._is_in(one, function)]
        told = [one for one in returned if self._tells(one, or_reads=True)]
        for one in returned:
            names.update(_with_owners(one.uses))
            names.update(owner for each in (one, *one.elements) for owner in _owners(each))
        if not returned and not function.name.startswith("__"):
            names.update(self._filled_parameters(function, inside))
        skips = [one for one in self._code.skipped if self._is_in(one, function) and _chooses(one.over)]
        skips += [one for one in self._code.whiles if self._is_in(one, function) and one.is_compared]
        told += skips
        names.update(name for one in skips for name in one.uses)
        of_index = self._of_index(function, inside)
        for _ in range(2):  # what stands in loops may be computed with what comes later
            self._grow(names, function, inside)
        for one in inside:
            is_followed = _owner(one.written) in names and one.written not in of_index
            is_other = self._stands_in(one, inside) or self._is_own_on_condition(one, function)
            if is_followed and (self._tells(one) or is_other):
                told.append(one)
        told += [one for one in self._kept_in(names, function) if self._changes(one)]
        told += self._reordered(names, function)
        told += [one for one in self._called_in_turn(function, inside) if one not in told]
        kept = [call for call, _ in self._kept_on_condition(function)]
        told += [one for one in kept if one.written.rpartition(".")[0] in names and one not in told]
        told += self._changed_in_place(function)
        told = [row for one in told for row in self._rows(one)]
        return sorted(told, key=lambda one: one.start)[:_MOST_STEPS]

    def _is_own_on_condition(self, one: Named, function: Named) -> bool:
        """Whether a function of the file, that does something, is called on a condition alone."""
        own = [each for call in self._calls_in(one) for each in self._own_named([call.written], call)]
        around = [
            each
            for each in self._code.branches
            if each.start <= one.start < each.end and each.scope == one.scope
        ]
        does = any(self._tells(each) for each in own_parts(self._code, own))
        return does and any(function.end <= each.start for each in around)

    def _stands_in(self, one: Named, inside: Sequence[Named]) -> bool:
        """Whether what is made of a size is given, on a condition, in place of what was computed before."""
        made = self._text(one).removeprefix(one.written).strip(" =")
        if _FILLED.match(made) is None:
            return False
        before = [each for each in inside if each.written == one.written and each.start < one.start]
        around = [each for each in self._code.branches if each.start <= one.start < each.end]
        return any(not each.start <= other.start < each.end for other in before for each in around)

    @staticmethod
    def _filled_parameters(function: Named, inside: Sequence[Named]) -> Iterator[str]:
        """What a function that gives nothing is given and changes the entries of."""
        given = {name for name, _ in function.arguments}
        for one in inside:
            owner, entry, _ = one.written.partition("[")
            if owner in given and (entry or one.is_augmented):
                yield owner

    def steps_of_program(self, scope: str, until: int, is_data: Callable[[Named], bool]) -> Iterator[Named]:
        """What a program does to data under the names that it has, before a byte: what gives them is data by
        its call; with what draws their order."""
        names: set[str] = set()
        for one in [each for each in self._code.computed if each.scope.name == scope]:
            if one.start >= until:
                break
            owner = one.written.partition("[")[0]
            is_own = owner in names and owner in _with_itself(one)
            if is_own and self._tells(one) and not self._reads(one):
                yield one
            elif any(map(is_data, self._calls_in(one))):
                names.add(owner)
        for call in self._calls.get(scope, ()):
            given = {value for _, value in call.arguments}
            if last_part(call.written) == _SHUFFLING and call.start < until and not names.isdisjoint(given):
                yield call

    def _kept_in(self, names: Set[str], function: Named) -> Iterator[Named]:
        """What is put into lists of these names and cut out of something, or given to a function before."""
        for call in self._calls.get(self._dotted(function), ()):
            is_kept = call.written.endswith(_APPENDING) and call.written.rpartition(".")[0] in names
            given = [value for _, value in call.arguments]
            if is_kept and any(
                _CUT.search(value) or _CHOSEN.search(value) or self._is_sum(value) for value in given
            ):
                yield call._replace(is_computed=True)

    def _changed_in_place(self, function: Named) -> Iterator[Named]:
        """The methods that change Tensors in place which nothing is assigned of, the last of several."""
        given = [one for one in self._code.returns if self._is_in(one, function)]
        spans = [(one.start, one.end) for one in [*self._inside(function), *given]]
        found = [
            call
            for call in self._calls.get(self._dotted(function), ())
            if _IN_PLACE.search(call.written) is not None
            and call.arguments
            and not any(start <= call.start < end for start, end in spans)
        ]
        ends = {one.start: max(each.end for each in found if each.start == one.start) for one in found}
        yield from [one for one in found if one.end == ends[one.start]]

    def _called_in_turn(self, function: Named, inside: Sequence[Named]) -> Iterator[Named]:
        """The lists that are written out of functions that a loop calls one after the other."""
        called = {one.made for one in inside}
        loops = [one for one in self._code.loops if self._is_in(one, function)]
        lists = {one.over for one in loops if not called.isdisjoint(WORD.findall(one.name))}
        yield from [one for one in inside if one.written in lists and _TABLE.match(self._text(one))]

    def _reordered(self, names: Set[str], function: Named) -> Iterator[Named]:
        """What draws the order of what has these names."""
        for call in self._calls.get(self._dotted(function), ()):
            given = {value for _, value in call.arguments}
            if last_part(call.written) == _SHUFFLING and not names.isdisjoint(given):
                yield call

    def _is_sum(self, source: str) -> bool:
        """Whether an expression computes something, and no text or path."""
        is_computed = _OPERATOR.search(_INDEX.sub("", source)) is not None
        return is_computed and ":" not in source and not any(sign in source for sign in _OF_PLACES)

    def steps_from_reading(self, function: Named, *, is_called: bool) -> list[Named]:
        """What a function does with what it reads, or is given where it `is_called` for that."""
        if self._only_checks(function):
            return []
        inside = self._inside(function)
        calls = self._calls.get(self._dotted(function), ())
        read = {name for name, _ in function.arguments} if is_called else set()
        read.update(self._read_names(function, calls))
        read.update(self._kept_of_read(function))
        for _ in range(2):  # what stands in loops may be computed with what comes later
            for one in inside:
                if self._is_from(one, read):
                    read.add(one.written.partition("[")[0])
            for loop in self._code.loops:
                if self._is_in(loop, function) and not read.isdisjoint(WORD.findall(loop.over)):
                    read.update(WORD.findall(loop.name))
            for call in calls:
                given = [word for _, value in call.arguments for word in WORD.findall(value)]
                if call.written.endswith(_APPENDING) and not read.isdisjoint(given):
                    read.add(call.written.rpartition(".")[0])
        returned = [one for one in self._code.returns if self._is_in(one, function)]
        told = [one for one in [*inside, *returned] if self._tells(one)]
        told = [one for one in told if self._reads(one) or not read.isdisjoint(_with_itself(one))]
        told = [one for one in told if not self._facts.only_evaluates(one.name.lower())]
        told += [one for one in calls if one.written.rpartition(".")[0] in read and _is_inplace(one)]
        told += self._left_out(function, read)
        return sorted(told, key=lambda one: one.start)[:_MOST_STEPS]

    def _only_checks(self, function: Named) -> bool:
        """Whether all that a function gives is whether something is so."""
        returned = [one for one in self._code.returns if self._is_in(one, function)]
        texts = [self._text(one).removeprefix("return").strip() for one in returned]
        return bool(texts) and all(text in _ANSWERS for text in texts)

    def _left_out(self, function: Named, read: Set[str]) -> Iterator[Named]:
        """Where a function leaves out some of what it reads, or keeps some alone, by how these are."""
        read = read | {one.written for one in self._inside(function) if not read.isdisjoint(one.uses)}
        for one in self._code.skipped:
            if self._is_in(one, function) and _chooses(one.over) and not read.isdisjoint(one.uses):
                yield one
        for one in self._code.whiles:
            if self._is_in(one, function) and one.is_compared and not read.isdisjoint(one.uses):
                yield one
        for call, condition in self._kept_on_condition(function):
            if not read.isdisjoint(condition.uses):
                yield call

    def _kept_on_condition(self, function: Named) -> Iterator[tuple[Named, Named]]:
        """What a function puts into lists where a comparison holds, each with the nearest condition."""
        for call in self._calls.get(self._dotted(function), ()):
            around = [one for one in self._code.conditions if one.end <= call.start < one.last]
            around = [one for one in around if self._is_in(one, function)]
            nearest = max(around, key=lambda one: one.start, default=None)
            is_kept = call.written.endswith(_APPENDING) and nearest is not None and nearest.is_compared
            if is_kept and nearest is not None and _chooses(self._text(nearest)):
                yield call, nearest

    def _kept_of_read(self, function: Named) -> Iterator[str]:
        """The attributes that an object has of what a method of its class reads."""
        for one in self._code.computed if function.scope.classes else ():
            is_own = one.scope.classes == function.scope.classes and one.written.startswith(OF_SELF)
            if is_own and (self._reads(one) or self._is_of_base(one)):
                yield one.written

    def _is_of_base(self, one: Named) -> bool:
        """Whether an attribute is only made of what it was: a base of the class gives it first."""
        own = [
            each
            for each in self._code.computed
            if each.scope.classes == one.scope.classes and each.written == one.written
        ]
        return all(each.written in _with_owners(each.uses) for each in own)

    def _is_from(self, one: Named, read: Set[str]) -> bool:
        """Whether what is assigned is read, or made from what is, and is more than a number about it."""
        if self._reads(one):
            return True
        is_number = one.made in BUILTINS and one.made not in _CONTAINERS
        return not read.isdisjoint(_with_owners(one.uses)) and not is_number

    def _read_names(self, function: Named, calls: Sequence[Named]) -> Iterator[str]:
        """The names that a `with` or a loop gives what is read."""
        reading = [call for call in calls if self.is_reading(call)]
        for loop in self._code.loops:
            head = (loop.start, loop.end)
            if self._is_in(loop, function) and any(head[0] <= call.start < head[1] for call in reading):
                yield from WORD.findall(loop.name)
        for block in self._code.blocks:
            if any(block.start <= call.start < block.end for call in reading):
                yield from [found["name"] for found in _ENTERED.finditer(block.name)]

    def _grow(self, names: set[str], function: Named, inside: Sequence[Named]) -> None:
        """Add the names that what has these is made from, as far as it is not read."""
        for one in reversed(inside):
            _, _, entry = one.written.partition("[")
            owner = _owner(one.written)
            if owner in names and not self._reads(one):
                names.update([*_with_owners(one.uses), *_owners(one), *WORD.findall(entry)])
                names.update([one.made] if one.made.isidentifier() else [])
        for call in self._calls.get(self._dotted(function), ()):
            if call.written.endswith(_APPENDING) and call.written.rpartition(".")[0] in names:
                names.update(name for _, value in call.arguments for name in WORD.findall(value))
        for loop in self._code.loops:
            if self._is_in(loop, function) and not names.isdisjoint(WORD.findall(loop.name)):
                names.update(WORD.findall(loop.over))

    def _of_index(self, function: Named, inside: Sequence[Named]) -> frozenset[str]:
        """The names of numbers that are computed from the index of a sample alone."""
        is_asked = function.name == _SAMPLE
        given = {name for name, _ in function.arguments[:1]} if is_asked else set()
        found: set[str] = set()
        for one in inside:
            text = self._text(one)
            is_number = one.is_computed and not one.made and "[" not in text and "(" not in text
            is_own = any(name in given or name in found for name in one.uses)
            if (
                is_number
                and is_own
                and all(name in given | found or name.startswith(OF_SELF) for name in one.uses)
            ):
                found.add(one.written)
            else:
                found.discard(one.written)
        return frozenset(found)

    def _tells(self, one: Named, *, or_reads: bool = False) -> bool:
        """Whether a statement changes what it is given; where it reads, what it reads, at once."""
        if self.changes_read(one):
            return True
        return (or_reads or not self._reads(one)) and self._changes(one)

    def is_step(self, one: Named) -> bool:
        """Whether a statement changes what it is given, or computes which of it is meant, and reads
        nothing."""
        is_chosen = not one.is_augmented and _OFFSET.search(self._text(one)) is not None
        return (self._tells(one) or is_chosen) and not self._reads(one)

    def is_cut(self, one: Named) -> bool:
        """Whether a statement cuts something out of what it is given."""
        return _CUT.search(self._text(one).removeprefix(one.written)) is not None

    def changes_read(self, one: Named) -> bool:
        """Whether a statement changes at once what it reads, as `Image.open(path).convert("L")` does."""
        calls = list(self._calls_in(one))
        reading = [call for call in calls if self.is_reading(call)]
        for call in calls:
            is_known = self._facts.changes_read(last_part(call.written)) and call.arguments
            if is_known and any(each.start == call.start and each.end < call.end for each in reading):
                return True
        return False

    def _changes(self, one: Named) -> bool:
        """Whether a statement changes what it is given: computes with it, or gives it to something that is
        known to do more than to turn it into a Tensor, or to nobody here."""
        is_counter = one.is_augmented and not one.uses and _COUNTING.search(self._text(one)) is not None
        is_counter = is_counter and (one.written, one.scope.name) not in self._made
        is_counter = is_counter and not any(
            each.is_augmented and each.uses and each.written == one.written
            for each in self._computed.get(one.scope.name, ())
        )
        is_counter = is_counter or (one.is_augmented and _OF_COUNTS.match(one.written) is not None)
        if self._is_table(one):
            return True
        if one.is_compared or is_counter or self._facts.paints(last_part(one.made)):
            return False
        if _OF_PATHS.search(one.name) is not None:
            return any(self._is_change(call) for call in self._calls_in(one))
        is_number = _OPERATOR.search(_INDEX.sub("", self._text(one))) is None
        if one.is_computed and not is_number and self._is_of_values(one):
            return True
        is_own = one.written.startswith(OF_SELF) or one.name == "return"
        if _chooses_entries(one.written) and not is_own:
            return _EMPTY_YET.search(self._text(one)) is None
        if any(one_of.fullmatch(self._text(one)) for one_of in (_ENTRY_OF_ENTRY, _LOOKED_UP_IN)):
            return True
        flat = _PLACED.sub(r"\g<name>", self._text(one))
        if any(
            pattern.match(text) is not None
            for text in dict.fromkeys([self._text(one), flat])
            for pattern in (_PART_OF_ITSELF, _CUT_OFF, _LOOKED_UP_AS, _FIELDS)
        ):
            return True
        made = self._text(one).removeprefix(one.written)
        if any(pattern.search(made) is not None for pattern in _LISTS):
            return True
        return any(self._is_change(call) for call in self._calls_in(one))

    def _is_of_values(self, one: Named) -> bool:
        """Whether what is computed is no text, no path and no number of samples, or is a longer list."""
        text = _KEY.sub("", _FILLED.sub("", self._text(one)))
        return _LONGER.search(text) is not None or not any(sign in text for sign in _OF_PLACES)

    def _is_change(self, call: Named) -> bool:
        last = last_part(call.written)
        is_class = last.lstrip("_")[:1].isupper()
        owner = call.written.rpartition(".")[0].partition("[")[0]
        if (owner, call.scope.name) in self._assigned:  # a method, whatever function it is given
            is_own = any(True for _ in self._own_named([call.written], call))
        else:
            is_own = bool(self._own(call))
        if call.written in BUILTINS or not call.name or is_own or is_class:
            return False
        is_of_text = last == _ENCODING and all(value[:1] in "'\"" for _, value in call.arguments)
        if is_of_text or call.name.startswith(_OF_FILES) or self._data.has_library(call.name):
            return False
        if self._facts.shows_progress(last):
            return False
        is_joining = self._code.full_name(call.written) == _JOINING
        if self.is_reading(call) or self._facts.is_reader(last):
            return False
        if self._facts.only_turns(last) and not is_joining:
            return False
        if self._code.full_name(call.written).startswith(("torch.", "numpy.")) or "." not in call.written:
            return bool(call.arguments)
        if self._facts.changes_plainly(last):
            return True
        return bool(call.arguments) and not last.startswith("_")

    def _reads(self, one: Named) -> bool:
        return any(map(self.is_reading, self._calls_in(one)))

    def _text(self, one: Named) -> str:
        return self._code.without_comments(one.start, one.end)

    def _calls_in(self, one: Named) -> Iterator[Named]:
        for call in self._calls.get(one.scope.name, ()):
            if one.start <= call.start and call.end <= one.end:
                yield call

    def _inside(self, function: Named) -> list[Named]:
        return [one for one in self._code.computed if self._is_in(one, function)]

    def _is_in(self, one: Named, function: Named) -> bool:
        return function.end <= one.start < function.last and one.scope.name == self._dotted(function)

    def _dotted(self, function: Named) -> str:
        return function.scope.dotted(function.name)

    @cached_property
    def _calls(self) -> Mapping[str, Sequence[Named]]:
        return by_scope(self._code.calls)

    @cached_property
    def _functions(self) -> Mapping[str, Sequence[Named]]:
        found: dict[str, list[Named]] = {}
        for one in self._code.functions:
            found.setdefault(one.name, []).append(one)
        return found

    @cached_property
    def _assigned(self) -> frozenset[tuple[str, str]]:
        """The names that functions give a value or are given, each with the function."""
        parameters = [(name, self._dotted(one)) for one in self._code.functions for name, _ in one.arguments]
        return frozenset([*parameters, *[(one.written, one.scope.name) for one in self._code.computed]])

    @cached_property
    def _made(self) -> frozenset[tuple[str, str]]:
        """The names that functions give what other functions give, and no numbers."""
        return frozenset(
            (one.written, one.scope.name)
            for one in self._code.computed
            if one.made
            and one.made not in BUILTINS
            and last_part(one.made) not in _REDUCING
            and not one.is_augmented
        )

    def _own(self, call: Named) -> list[Named]:
        """The functions of the file that a call may be of, or is given: methods of the same object, functions
        of the module."""
        given = [
            value
            for name, value in call.arguments
            if (value, call.scope.name) not in self._assigned and not self._sizes.has_name(spelled(name))
        ]
        return list(self._own_named([call.written, *given, *self._defaults(call)], call))

    def _own_named(self, names: Sequence[str], call: Named) -> Iterator[Named]:
        """The functions of the file that names may be of where a call stands."""
        for name in names:
            for one in self._functions.get(name.removeprefix(OF_SELF), ()):
                is_of_self = name.startswith(OF_SELF) and one.scope.classes == call.scope.classes
                if is_of_self or not (name.startswith(OF_SELF) or one.scope.classes):
                    yield one

    def _defaults(self, call: Named) -> Iterator[str]:
        """The function that a call is of where nothing else is given: the default of a parameter, also of one
        that the object keeps."""
        kept = {call.written} if not call.written.startswith(OF_SELF) else self._kept_parameters(call)
        for one in self._code.functions if kept else ():
            is_own = self._dotted(one) == call.scope.name
            if call.written.startswith(OF_SELF):
                is_own = one.name == _MAKING and one.scope.classes == call.scope.classes
            yield from [
                value for name, value in one.arguments if is_own and name in kept and is_dotted_name(value)
            ]

    def _kept_parameters(self, call: Named) -> set[str]:
        """The names of what an object keeps, when it is made, as the attribute that is called."""
        if not call.scope.classes:
            return set()
        making = f"{call.scope.name.rpartition('.')[0]}.{_MAKING}"
        made = [one for one in self._computed.get(making, ()) if one.written == call.written]
        return {name for one in made if not one.made for name in one.uses}


def own_parts(code: FileCode, functions: Iterable[Named]) -> Iterator[Named]:
    """The assignments and returns of functions."""
    for function in functions:
        for one in [*code.computed, *code.returns]:
            if function.end <= one.start < function.last:
                yield one


def is_writing(call: Named) -> bool:
    """Whether a call opens a file to write."""
    modes = [value.strip("\"'") for name, value in call.arguments[1:2] if name in ("", "mode")]
    return last_part(call.name) == _OPENING and any(set(mode) & set(_WRITING) for mode in modes)


def _chooses(condition: str) -> bool:
    """Whether a condition asks what samples are, and not whether their files are there."""
    return _OF_FILE.search(condition) is None


def _with_itself(one: Named) -> tuple[str, ...]:
    """The names in a statement, with what it changes, be it some of its entries."""
    owner, is_entry, entry = one.written.partition("[")
    uses = (*_with_owners(one.uses), *WORD.findall(entry))
    return (*uses, owner) if one.is_augmented or is_entry else uses


def _owner(written: str) -> str:
    """What is assigned to, or what has the entries that are."""
    changed = _CHANGED.match(written)
    return changed["owner"] if changed is not None else written.partition("[")[0]


def _with_owners(names: Iterable[str]) -> Iterator[str]:
    """Names, and what those are entries of that are keys of dictionaries."""
    for name in names:
        yield name
        if "[" in name or name.endswith(_OF_TABLES):
            yield name.partition("[" if "[" in name else ".")[0]


def _is_inplace(call: Named) -> bool:
    """Whether a method changes a table where it is."""
    return ("inplace", "True") in call.arguments


def _owners(one: Named) -> tuple[str, ...]:
    """What the method is called on that gives what is assigned or returned."""
    owner, dot, _ = one.made.partition(".")
    return (owner,) if dot and owner.isidentifier() and owner != _SELF else ()


def _chooses_entries(written: str) -> bool:
    """Whether what is assigned to is entries of something, chosen with another name, or several of them."""
    if not written.endswith("]"):
        return False
    depth = 0
    for at in range(len(written) - 1, -1, -1):
        depth += (written[at] == "]") - (written[at] == "[")
        if not depth:
            inside = written[at + 1 : -1]
            is_chosen = WORD.search(inside) is not None or ":" in inside
            return is_chosen and not any(sign in inside for sign in "'\"")
    return False
