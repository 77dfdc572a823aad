"""How objects compute what they keep, where formulas have it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from mindport.report.analysis.code_facts import building, called_in, formula
from mindport.report.analysis.entries import RecipeEntry
from mindport.report.analysis.file_code import OF_SELF, WORD, Named, by_scope, last_part
from mindport.report.analysis.file_reader import FileReader, names_used

_CONSTRUCTOR: Final = "__init__"
_LAYERS: Final = "torch.nn."
_LIBRARIES: Final = ("torch.", "numpy.", "math.")
_MAKING: Final = frozenset(
    {"zeros", "ones", "empty", "tensor", "Tensor", "FloatTensor", "Parameter", "array"}
)
"""The functions that only make a Tensor, and compute nothing."""
_KEEPING: Final = frozenset({"register_buffer", "setattr"})
_ITEMS: Final = ".items()"
_QUOTES: Final = "\"'"
_NAME: Final = re.compile(r"(?:self\.)?" + WORD.pattern)
_MOST: Final = 30
"""As many statements are told of what one formula has."""

_Class = tuple[str, ...]
"""The names of a class and those around it."""


class AttributeReader(FileReader):
    """Reads what attributes are computed from where their object is made."""

    def _with_attributes(self, entries: Sequence[RecipeEntry]) -> list[RecipeEntry]:
        """Entries, and those for what the attributes that these name are computed from."""
        found: dict[int, Named] = {}
        for entry in entries:
            names = [one.value for one in entry.parameters if one.value.startswith(OF_SELF)]
            for name in names if entry.classes and last_part(entry.scope) != _CONSTRUCTOR else ():
                for one in self._kept_attribute(entry.classes, name, frozenset()):
                    found.setdefault(one.start, one)
        item = next(iter(entries)).item if entries else ""
        own = next((one for one in self.facts.recipe if one.name == item), None)
        made = sorted(found.values(), key=lambda one: one.start)[:_MOST]
        return [*entries, *[self._entry(own, one.name, one, names_used(one)) for one in made]]

    def _kept_attribute(self, classes: _Class, name: str, seen: frozenset[str]) -> Iterator[Named]:
        """What an attribute is computed from, also through others."""
        if name in seen:
            return
        attribute = name.partition("[")[0]
        places = [one for one in self._made_with.get(classes, ()) if one.written == attribute]
        kept = [one for one in self._kept_by_name.get(classes, ()) if one.written == attribute]
        for one in [*places, *kept]:
            if one in kept or self._is_computed(one):
                yield from self._computed_from(one, classes, seen | {name})
        if not (places or kept or self._is_method(classes, attribute)):
            yield from self._kept_in_loops(classes)

    def _computed_from(self, one: Named, classes: _Class, seen: frozenset[str]) -> Iterator[Named]:
        """A statement, what its names are in its function, and how functions of the file and other
        attributes compute what it has."""
        names = {name for name in one.uses if "." not in name}
        for part in [*[each for each in building(self.code, names, one) if self._is_computed(each)], one]:
            yield part
            for function in called_in(self.code, part):
                yield from formula(self.code, function, self.facts.computing)
            for each in part.uses:
                if each.startswith(OF_SELF):
                    yield from self._kept_attribute(classes, each, seen)

    def _is_computed(self, one: Named) -> bool:
        """Whether what is assigned is computed of numbers, and is no layer."""
        made = self.code.full_name(one.made)
        if made.startswith(_LAYERS) or last_part(made) in (*_MAKING, *self.facts.plain):
            return False
        if one.is_computed or made.startswith(_LIBRARIES):
            return True
        return any(
            formula(self.code, each, self.facts.computing)
            for each in called_in(self.code, one)
            if not self._is_layered(each)
        )

    def _is_layered(self, function: Named) -> bool:
        """Whether a function makes layers."""
        return any(
            self.code.full_name(call.written).startswith(_LAYERS)
            for call in self.code.calls
            if function.end <= call.start < function.last
        )

    @cached_property
    def _made_with(self) -> Mapping[_Class, Sequence[Named]]:
        """What is assigned where objects of each class are made, also in methods that this calls."""
        found: dict[_Class, list[Named]] = {}
        for one in self.code.computed:
            method = (last_part(one.scope.name), one.scope.classes)
            if method in self._making and one.written.startswith(OF_SELF):
                found.setdefault(one.scope.classes, []).append(one)
        return found

    @cached_property
    def _making(self) -> frozenset[tuple[str, _Class]]:
        """The methods that make objects, each with its class."""
        own = {(_CONSTRUCTOR, one.scope.classes) for one in self.code.functions if one.name == _CONSTRUCTOR}
        called = {
            (call.written.removeprefix(OF_SELF), call.scope.classes)
            for call in self.code.calls
            if call.written.startswith(OF_SELF) and last_part(call.scope.name) == _CONSTRUCTOR
        }
        return frozenset(own | called)

    @cached_property
    def _kept_by_name(self) -> Mapping[_Class, Sequence[Named]]:
        """The calls that keep what they compute under a name that is written out, as if they assigned it."""
        found: dict[_Class, list[Named]] = {}
        for call in self.code.calls:
            values = [value for name, value in call.arguments if not name]
            is_kept = last_part(call.written) in self.facts.registering and bool(call.scope.classes)
            if is_kept and len(values) > 1 and values[0][:1] in "'\"":
                name = f"{OF_SELF}{values[0].strip(_QUOTES)}"
                kept = found.setdefault(call.scope.classes, [])
                kept += [one._replace(written=name) for one in self._given(call, values[1])]
        return found

    def _given(self, call: Named, value: str) -> Iterator[Named]:
        """The call with the names in what it is given, or what that is where it is a name itself."""
        if not value.isidentifier():
            yield call._replace(uses=tuple(dict.fromkeys(_NAME.findall(value))))
            return
        for one in building(self.code, {value}, call):
            if one.written == value and self._is_computed(one):
                yield one

    def _is_method(self, classes: _Class, attribute: str) -> bool:
        """Whether a class has a method of that name, or gives it another value than a computed one."""
        name = attribute.removeprefix(OF_SELF).partition(".")[0]
        if any(one.name == name and one.scope.classes == classes for one in self.code.functions):
            return True
        return any(one.name == name.lower() and one.scope.classes == classes for one in self.code.values)

    def _kept_in_loops(self, classes: _Class) -> Iterator[Named]:
        """What functions of the file compute whose entries an object keeps, each under its key."""
        calls = by_scope(one for one in self.code.calls if last_part(one.written) in _KEEPING)
        for loop in self.code.loops:
            if loop.scope.classes != classes or not loop.over.endswith(_ITEMS):
                continue
            if not any(loop.start <= one.start < loop.last for one in calls.get(loop.scope.name, ())):
                continue
            for function in called_in(self.code, loop):
                yield from formula(self.code, function, self.facts.computing)
                yield from [one for one in self.code.returns if function.end <= one.start < function.last]
