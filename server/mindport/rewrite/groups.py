"""Groups: the units of a program that are converted together or not at all.

Two units belong together where one reads the other, or what the other binds: a base class, a layer that is
built, a function that is called, a value that is shared. Then a module, a Tensor or whatever else is
PyTorch's may pass between them, and both have to be of one framework. Units through which nothing can pass
from one of their users to another (functions and classes without state that have nothing of PyTorch's,
constants) join nobody.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.callgraph.units import OWN, Reference
from mindport.rewrite.unit_findings import FileUnits, Tally

if TYPE_CHECKING:
    from mindport.callgraph.units import Unit

_FRAMEWORKS: Final = frozenset({"torch", "mindspore"})
_HOLDING: Final = frozenset({"threading", "queue", "collections", "contextvars", "weakref", "types"})
"""Modules of the standard library whose objects may keep what they are given."""
_READS_ALL: Final = frozenset({"globals", "eval", "exec"})
"""The builtins by which a unit may read all of its module."""
_READS_ANY: Final = frozenset({"__import__"})
_MODULES: Final = ("sys", "modules")
_MOST_HOPS: Final = 50
"""A name is followed through no more imports than this."""
Taken = Callable[[str, str], Collection[str]]
"""The files outside of the program that take a name from the module at a path."""


class UnitKey(NamedTuple):
    """A unit: the path of its module, and its place there."""

    path: str
    number: int


@dataclass(frozen=True)
class ConversionGroup:
    """Units that are converted together. `users` are the files outside of the program that take something of
    it, `libraries` those that it hands PyTorch's values to, perhaps, and that are not converted."""

    units: tuple[UnitKey, ...]
    tally: Tally
    users: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    is_all: bool = False
    """Whether there is no other group."""

    @property
    def is_closed(self) -> bool:
        """Whether no code outside of what was given uses it, as far as is known."""
        return not self.users

    @property
    def is_safe(self) -> bool:
        """Whether it can be converted with everything in it proven."""
        is_alone = self.is_all or not self.tally.settings
        return self.is_closed and self.tally.is_proven and not self.libraries and is_alone


@dataclass
class _Read:
    """What a unit reads: other units, and the libraries that are not the project's."""

    units: set[UnitKey] = field(default_factory=set)
    libraries: set[str] = field(default_factory=set)


class ConversionPlan:
    """The groups of a program, from the units of its files. `is_harmless` says of a library, by its name,
    that it has nothing to do with Tensors."""

    def __init__(self, files: Iterable[FileUnits], is_harmless: Callable[[str], bool]) -> None:
        self._files = {file.module.path: file for file in files}
        self._is_harmless = is_harmless
        self._by_name: dict[str, list[str]] = {}
        for path, file in self._files.items():
            self._by_name.setdefault(file.module.name, []).append(path)
        self._binders: dict[str, dict[str, list[UnitKey]]] = {}
        self._imports: dict[str, dict[str, list[Reference]]] = {}
        for path, file in self._files.items():
            binders = self._binders[path] = {}
            for number, unit in enumerate(file.module.units):
                for name in unit.binds:
                    binders.setdefault(name, []).append(UnitKey(path, number))
            imports = self._imports[path] = {}
            for name, reference in file.module.imports:
                imports.setdefault(name, []).append(reference)
        self._reads = {key: self._read(key) for key in self._keys()}
        self._plain = self._plain_units()
        self.groups = tuple(self._groups())
        """The groups, by the first of their units."""

    @property
    def files(self) -> Mapping[str, FileUnits]:
        """The files, by path."""
        return self._files

    def unit(self, key: UnitKey) -> Unit:
        """The unit of a key."""
        return self._files[key.path].module.units[key.number]

    def group_of(self, key: UnitKey) -> ConversionGroup | None:
        """The group that a unit is in; None where it is in none, since nothing of it has to change."""
        return next((group for group in self.groups if key in group.units), None)

    def named(self, name: str) -> list[UnitKey]:
        """The units that a name means: `module:Name`, `path.py:Name`, `module.Name` or `Name`."""
        module, colon, member = name.rpartition(":")
        if not colon:
            module, _, member = name.rpartition(".")
        found = []
        for path, file in self._files.items():
            dotted = path.replace("\\", "/").endswith((f"/{module}", module)) if colon else False
            if module and not dotted and not f".{file.module.name}".endswith(f".{module}"):
                continue
            found += self._binders[path].get(member.partition(".")[0], [])
        return [key for key in found if self.group_of(key) is not None] or found

    def at(self, path: str, offset: int) -> UnitKey | None:
        """The unit at a byte of a file."""
        file = self._files.get(path)
        for number, unit in enumerate(file.module.units if file is not None else ()):
            if unit.start <= offset <= unit.end:
                return UnitKey(path, number)
        return None

    def known_to_others(self, taken: Taken) -> ConversionPlan:
        """The same, where it is known which files outside of the program take something of it."""
        is_all = len(self.groups) == 1
        self.groups = tuple(self._with_users(group, taken, is_all) for group in self.groups)
        return self

    def spans(self, groups: Iterable[ConversionGroup]) -> dict[str, tuple[tuple[int, int], ...]]:
        """What belongs to groups, by file, as spans of bytes."""
        found: dict[str, list[tuple[int, int]]] = {}
        for group in groups:
            for key in group.units:
                unit = self.unit(key)
                found.setdefault(key.path, []).append((unit.start, unit.end))
        return {path: tuple(sorted(spans)) for path, spans in found.items()}

    # -- what units read --------------------------------------------------------------------------------

    def _keys(self) -> Iterator[UnitKey]:
        for path, file in self._files.items():
            yield from (UnitKey(path, number) for number in range(len(file.module.units)))

    def _read(self, key: UnitKey) -> _Read:
        read = _Read()
        for reference in self.unit(key).reads:
            self._follow(reference, key.path, read, 0)
            if reference.module == OWN and reference.names[0] in _READS_ANY:
                read.units.update(self._keys())
            if (reference.module, *reference.names)[:2] == _MODULES or reference.module == "importlib":
                read.units.update(self._keys())
        return read

    def _follow(self, reference: Reference, path: str, read: _Read, hops: int) -> bool:
        """Find what a reference in the module at `path` means. Returns whether it is anything known."""
        if hops > _MOST_HOPS:
            return True
        if reference.module == OWN:
            return self._follow_own(reference.names, path, read, hops)
        paths = self._by_name.get(reference.module)
        if paths is None:
            return self._follow_elsewhere(reference, read, hops)
        if not reference.names:
            for one in paths:
                read.units.update(self._all(one))
            return True
        found = [self._member(one, reference, read, hops) for one in paths]
        return any(found)

    def _follow_own(self, names: tuple[str, ...], path: str, read: _Read, hops: int) -> bool:
        if self._bound(path, names, read, hops):
            return True
        if names[0] in _READS_ALL:
            read.units.update(self._all(path))
        return False

    def _follow_elsewhere(self, reference: Reference, read: _Read, hops: int) -> bool:
        """A module that is none of the program's: the folder of some, or a library."""
        prefix = f"{reference.module}."
        if not any(name.startswith(prefix) for name in self._by_name):
            read.libraries.add(reference.module.partition(".")[0])
            return True
        if not reference.names:
            return True
        return self._follow(Reference(prefix + reference.names[0], reference.names[1:]), "", read, hops + 1)

    def _member(self, path: str, reference: Reference, read: _Read, hops: int) -> bool:
        """A name that is read of a module of the program."""
        names = reference.names
        if self._bound(path, names, read, hops):
            return True
        inner = f"{reference.module}.{names[0]}"
        if inner in self._by_name or any(name.startswith(f"{inner}.") for name in self._by_name):
            return self._follow(Reference(inner, names[1:]), path, read, hops + 1)
        if not names[0].startswith("__") or names[0] == "__dict__":
            read.units.update(self._all(path))  # given by another way: `__getattr__`, `setattr`
        return True

    def _bound(self, path: str, names: tuple[str, ...], read: _Read, hops: int) -> bool:
        """What a module binds a name to, by its units and by its imports."""
        units = self._binders[path].get(names[0], [])
        read.units.update(units)
        references = self._imports[path].get(names[0], [])
        for one in references:
            self._follow(one._replace(names=(*one.names, *names[1:])), path, read, hops + 1)
        if units or references:
            return True
        stars = self._files[path].module.stars
        found = [self._of_star(star, names, read, hops) for star in stars]
        return any(found)

    def _of_star(self, star: str, names: tuple[str, ...], read: _Read, hops: int) -> bool:
        if hops > _MOST_HOPS:
            return False
        found = [self._bound(path, names, read, hops + 1) for path in self._by_name.get(star, ())]
        return any(found)

    def _all(self, path: str) -> Iterator[UnitKey]:
        return (UnitKey(path, number) for number in range(len(self._files[path].module.units)))

    # -- what belongs together --------------------------------------------------------------------------

    def _plain_units(self) -> set[UnitKey]:
        """The units that join nobody."""
        plain = {key for key in self._keys() if self._may_be_plain(key)}
        for key in self._keys():
            changed = _Read()
            for reference in self.unit(key).changes:
                if reference.names:
                    self._follow(reference, key.path, changed, 0)
            plain -= changed.units - {key} if self.unit(key).kind != "code" else changed.units
        readers: dict[UnitKey, list[UnitKey]] = {}
        for key, read in self._reads.items():
            for other in read.units:
                readers.setdefault(other, []).append(key)
        waiting = deque(key for key in self._reads if key not in plain)
        while waiting:
            for reader in readers.get(waiting.popleft(), ()):
                if reader in plain:
                    plain.remove(reader)
                    waiting.append(reader)
        return plain

    def _may_be_plain(self, key: UnitKey) -> bool:
        unit = self.unit(key)
        if not unit.is_plain or self._files[key.path].tallies[key.number].uses:
            return False
        holding = self._is_holding if unit.kind == "code" else self._is_foreign
        return not any(holding(library) for library in self._reads[key].libraries)

    def _is_foreign(self, library: str) -> bool:
        """Whether a library may keep what it is given, or give something of PyTorch's."""
        return library not in sys.stdlib_module_names and not self._is_harmless(library)

    def _is_holding(self, library: str) -> bool:
        return library in _HOLDING or self._is_foreign(library)

    def _groups(self) -> Iterator[ConversionGroup]:
        around: dict[UnitKey, UnitKey] = {key: key for key in self._reads}

        def top(key: UnitKey) -> UnitKey:
            while around[key] != key:
                around[key] = around[around[key]]
                key = around[key]
            return key

        for key, read in self._reads.items():
            for other in () if key in self._plain else read.units - self._plain:
                first, second = sorted((top(key), top(other)))
                around[second] = first
        members: dict[UnitKey, list[UnitKey]] = {}
        for key in sorted(self._reads):
            if key not in self._plain:
                members.setdefault(top(key), []).append(key)
        for units in members.values():
            tally = sum((self._files[key.path].tallies[key.number] for key in units), Tally())
            if tally.uses:
                libraries = {library for key in units for library in self._reads[key].libraries}
                foreign = sorted(filter(self._is_foreign, libraries - _FRAMEWORKS))
                yield ConversionGroup(tuple(units), tally, libraries=tuple(foreign))

    def _with_users(self, group: ConversionGroup, taken: Taken, is_all: bool) -> ConversionGroup:
        users = {
            user for key in group.units for name in self.unit(key).binds for user in taken(key.path, name)
        }
        return replace(group, users=tuple(sorted(users)), is_all=is_all)


def largest_first(groups: Sequence[ConversionGroup]) -> list[ConversionGroup]:
    """Groups, those with most to convert first."""
    return sorted(groups, key=lambda group: (-group.tally.findings, group.units))
