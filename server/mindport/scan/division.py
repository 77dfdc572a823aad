"""Dividing the files of a scan into lists, each for one process.

Every process loads the modules that its files import, so that files which share imports are better looked at
by one: those of a folder, and those that import one and the same large module.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from mindport.scan.tasks import ScanFile, file_size

_SMALLEST_LIST = 64 * 1024
"""Lists of files shorter than this, in bytes of source, are not worth the modules that are loaded twice."""
_LARGEST_LIST = 8 * 1024 * 1024
"""With longer ones, too many results would wait for those of files before them."""
_IMPORT = b" import "
_LARGE = 1 / 45
_LARGE_BYTES = 60_000
"""A module is large if it has so many bytes, or as much of the text that one process looks at."""
_SHARED = 0.1
"""What files with more than this part of all text import is loaded by every process anyway."""
_LONGER = 1.03
"""So much longer than the others may a list become for the sake of imports."""
_MOST_UNLIKE = 1.25
"""Where what imports the same large modules fills one list by so much, it is not kept together for that."""
_LARGEST_UNIT = 1 / 16
"""A folder stays together up to this part of what one process looks at."""
_MOST_ROUNDS = 6
_MOST_TOGETHER = 0.6
"""So much of what one process looks at is kept together at most: else the lists would not be of like size."""


def divide(files: Sequence[ScanFile], number: int) -> list[list[ScanFile]]:
    """About so many lists of files, if there is enough for each: the files of a list share the roots of their
    imports, and those of a folder are together as far as the lists stay of like size. The list with the first
    file is the first."""
    sizes = _sizes(files)
    return _in_order(files, sizes, _target(sizes, number))


def _in_order(files: Sequence[ScanFile], sizes: Mapping[int, int], target: int) -> list[list[ScanFile]]:
    lists: list[list[ScanFile]] = []
    filled = 0
    for file in sorted(files, key=by_roots):
        if not lists or filled >= target or lists[-1][-1].roots != file.roots:
            lists.append([])
            filled = 0
        lists[-1].append(file)
        filled += sizes[file.place]
    return sorted(lists, key=lambda files: min(file.place for file in files))


def divide_by_imports(files: Sequence[ScanFile], number: int) -> list[list[ScanFile]]:
    """As `divide`, but lists may be of any length, and files that import the same large module are together,
    too."""
    sizes = _sizes(files)
    target = _share(sizes, number)
    lists = _in_order(files, sizes, target)
    if len(lists) < 2:
        return lists
    home = {file.place: number for number, part in enumerate(lists) for file in part}
    moved: dict[int, int] = {}
    names = {file.place: _imported_from(_text(file.path)) for file in files}
    for group in _groups(files, sizes, target, names):
        largest = max(group, key=lambda file: sizes[file.place])
        same_roots = [file for file in group if file.roots == largest.roots]
        moved.update(dict.fromkeys([file.place for file in same_roots], home[largest.place]))
    together = _filled(lists, moved, sizes)
    longest = max(sum(sizes[file.place] for file in part) for part in together)
    is_like = longest <= sum(sizes.values()) / len(lists) * _MOST_UNLIKE
    return _Exchange(together if is_like else lists, sizes, _imported(files, names)).better()


class _Unit(NamedTuple):
    """Files that stay together: their number and size, which files they import, each with how many of them
    do, and the units that have to do with them."""

    number: int
    files: list[ScanFile]
    size: int
    imported: Counter[int]
    near: set[int]


class _Exchange:
    """Moves folders, and files of large folders, from list to list, so that less has to be read by processes
    that it is not looked at by. Lists get hardly longer. A file is told by its place."""

    def __init__(
        self,
        lists: Sequence[Sequence[ScanFile]],
        sizes: Mapping[int, int],
        imported: Mapping[int, set[int]],
    ) -> None:
        self._sizes = sizes
        self._longest = sum(sizes.values()) / len(lists) * _LONGER
        self._number = len(lists)
        files = [file for part in lists for file in part]
        home = {file.place: number for number, part in enumerate(lists) for file in part}
        self._units = self._in_units(files, self._longest * _LARGEST_UNIT)
        self._unit_of = {file.place: unit.number for unit in self._units for file in unit.files}
        self._list_of: list[int] = []
        """The list of each unit: that with the most of it."""
        self._room = [self._longest] * len(lists)
        self._importing: list[Counter[int]] = [Counter() for _ in lists]
        """For each list, how many of its files import a file."""
        for unit in self._units:
            shares = [0] * len(lists)
            for file in unit.files:
                shares[home[file.place]] += sizes[file.place]
            self._list_of.append(shares.index(max(shares)))
        for unit in self._units:
            for file in unit.files:
                unit.imported.update(imported[file.place])
            near = {self._unit_of[place] for place in unit.imported} - {unit.number}
            unit.near.update(near)
            for number in near:
                self._units[number].near.add(unit.number)
            self._importing[self._list_of[unit.number]].update(unit.imported)
            self._room[self._list_of[unit.number]] -= unit.size

    def _in_units(self, files: Sequence[ScanFile], largest: float) -> list[_Unit]:
        folders: dict[tuple[tuple[Path, ...], Path], list[ScanFile]] = {}
        for file in files:
            folders.setdefault((file.roots, file.path.parent), []).append(file)
        found: list[_Unit] = []
        for together in folders.values():
            size = sum(self._sizes[file.place] for file in together)
            for part in [together] if size <= largest else [[file] for file in together]:
                size = sum(self._sizes[file.place] for file in part)
                found.append(_Unit(len(found), part, size, Counter(), set()))
        return found

    def better(self) -> list[list[ScanFile]]:
        """The lists, once no move makes anything better, or after some rounds."""
        order = sorted(self._units, key=lambda unit: (-unit.size, unit.number))
        for _ in range(_MOST_ROUNDS):
            moved = [self._has_moved(unit) for unit in order]  # each, whatever came of those before
            if not any(moved):
                break
        lists: list[list[ScanFile]] = [[] for _ in range(self._number)]
        for unit in self._units:
            lists[self._list_of[unit.number]] += unit.files
        return [sorted(part, key=by_roots) for part in lists if part]

    def _has_moved(self, unit: _Unit) -> bool:
        """Whether a unit has moved to the list where least is read because of it."""
        before = self._list_of[unit.number]
        self._importing[before].subtract(unit.imported)
        self._room[before] += unit.size
        lists = {self._list_of[number] for number in unit.near} - {before}
        fitting = [number for number in sorted(lists) if self._room[number] >= unit.size]
        best = min([before, *fitting], key=lambda number: self._read(unit, number))
        self._importing[best].update(unit.imported)
        self._room[best] -= unit.size
        self._list_of[unit.number] = best
        return best != before

    def _read(self, unit: _Unit, number: int) -> int:
        """How much has to be read because a unit is in a list: of others by this list, less what the list
        would read of the unit in any case."""
        importing, sizes = self._importing[number], self._sizes
        own = sum([sizes[file.place] for file in unit.files if importing[file.place] > 0])
        return (
            sum(
                [
                    sizes[place]
                    for place in unit.imported
                    if self._unit_of[place] != unit.number
                    and self._list_of[self._unit_of[place]] != number
                    and importing[place] <= 0
                ]
            )
            - own
        )


def _imported(files: Sequence[ScanFile], names: Mapping[int, set[bytes]]) -> dict[int, set[int]]:
    """The files that each file imports from, of those with the same roots, by the `names` that its text has
    for them: where several have a name, that in its own folder, else all of them."""
    named: dict[tuple[tuple[Path, ...], bytes], list[ScanFile]] = {}
    for file in files:
        named.setdefault((file.roots, os.fsencode(file.path.stem)), []).append(file)
    found = {}
    for file in files:
        places: set[int] = set()
        for name in names[file.place]:
            those = named.get((file.roots, name), [])
            if len(those) > 1:
                those = [one for one in those if one.path.parent == file.path.parent] or those
            places.update([one.place for one in those])
        found[file.place] = places - {file.place}
    return found


def _sizes(files: Sequence[ScanFile]) -> dict[int, int]:
    return {file.place: file_size(file.path) for file in files}


def _target(sizes: Mapping[int, int], number: int) -> int:
    return min(_share(sizes, number), _LARGEST_LIST)


def _share(sizes: Mapping[int, int], number: int) -> int:
    return max(_SMALLEST_LIST, sum(sizes.values()) // number)


def _filled(
    lists: Sequence[Sequence[ScanFile]], moved: Mapping[int, int], sizes: Mapping[int, int]
) -> list[list[ScanFile]]:
    """The lists with the files in their places that have been `moved`, and the others, in their order, such
    that each list is as long as before. Lists with different roots are not mixed."""
    room = [sum(sizes[file.place] for file in part) for part in lists]
    found: list[list[ScanFile]] = [[] for _ in lists]
    rest: dict[tuple[Path, ...], list[ScanFile]] = {}
    alike: dict[tuple[Path, ...], list[int]] = {}
    for number, part in enumerate(lists):
        alike.setdefault(part[0].roots, []).append(number)
        for file in part:
            if file.place in moved:
                found[moved[file.place]].append(file)
                room[moved[file.place]] -= sizes[file.place]
            else:
                rest.setdefault(file.roots, []).append(file)
    for roots, others in rest.items():
        waiting = list(reversed(alike[roots]))
        for file in others:
            while len(waiting) > 1 and room[waiting[-1]] < sizes[file.place] / 2:
                waiting.pop()
            found[waiting[-1]].append(file)
            room[waiting[-1]] -= sizes[file.place]
    return [sorted(part, key=by_roots) for part in found if part]


def _groups(
    files: Sequence[ScanFile], sizes: Mapping[int, int], target: int, names: Mapping[int, set[bytes]]
) -> Iterator[list[ScanFile]]:
    """Files that import the same large modules, with these."""
    large = [file for file in files if sizes[file.place] >= min(target * _LARGE, _LARGE_BYTES)]
    large.sort(key=lambda file: sizes[file.place], reverse=True)
    most_shared = sum(sizes.values()) * _SHARED
    group_of: dict[int, list[ScanFile]] = {file.place: [file] for file in files}
    for module, importers in _importers(files, large, names):
        if sum(sizes[file.place] for file in importers) > most_shared:
            continue
        for file in importers:
            ours, theirs = group_of[module.place], group_of[file.place]
            if ours is theirs:
                continue
            if sum(sizes[one.place] for one in (*ours, *theirs)) <= target * _MOST_TOGETHER:
                ours += theirs
                group_of.update(dict.fromkeys([one.place for one in theirs], ours))
    every = {id(group): group for group in group_of.values()}
    yield from [group for group in every.values() if len(group) > 1]


def _importers(
    files: Sequence[ScanFile], large: Sequence[ScanFile], names: Mapping[int, set[bytes]]
) -> Iterator[tuple[ScanFile, list[ScanFile]]]:
    """Each large module with the files whose text says that they import from it, as far as that is plain."""
    found: dict[bytes, list[ScanFile]] = {os.fsencode(file.path.stem): [] for file in large}
    for file in files:
        for name in names[file.place] & found.keys():
            found[name].append(file)
    for file in large:
        yield file, found[os.fsencode(file.path.stem)]


def _imported_from(text: bytes) -> set[bytes]:
    """The last parts of the names of modules that something is imported from."""
    names = set()
    start = text.find(_IMPORT)
    while start >= 0:
        line = text[text.rfind(b"\n", 0, start) + 1 : start]
        names.add(line.rpartition(b".")[2].rpartition(b" ")[2])
        start = text.find(_IMPORT, start + 1)
    return names


def _text(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""  # told when the file is looked at


def by_roots(file: ScanFile) -> tuple[tuple[Path, ...], Path, Path]:
    """What files are sorted by, so that those come together that have to do with each other."""
    return file.roots, file.path.parent, file.path
