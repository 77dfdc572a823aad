"""What files take from other modules of the project: by `from .acts import torch`, by `from .acts import *`,
or as members of the module.

Told from the texts alone, so that it is cheap; it may take for taken what is not, hardly the other way round.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from mindport.project.discover import discover, package_root, project_root
from mindport.project.setting_table import Settings
from mindport.source.decode import PACKAGE_FILE, is_notebook

_FROM = re.compile(
    rb"from[ \t]+(\.*)[ \t]*([\w.]*)[ \t]+import\b[ \t]*"
    rb"(\((?:[^()#]|#[^\r\n]*)*\)|(?:\\\r?\n|[^\r\n;#\\])*)"
)
_IMPORT = re.compile(rb"^[ \t\"]*import[ \t]+((?:\\\r?\n|[^\r\n;#\\])*)", re.MULTILINE)
_NAMED = re.compile(rb"([\w.]+)(?:[ \t]+as[ \t]+(\w+))?")
_COMMENT = re.compile(rb"#[^\r\n]*")
_NOT_OF_PROJECT = (b"torch", b"numpy", b"typing", b"collections", b"functools", b"math", b"os", b"sys")
"""Modules that much is imported from, and that no project has."""
_MOST_FILES = 10_000
"""Of a project with more files, other files are taken to need everything."""
_SUFFIXES = (".py", ".ipynb")

Parts = tuple[bytes, ...]


class Taking(NamedTuple):
    """What a file takes from other modules. `names`: by the last part of a module's name, the parts of the
    name as far as they are written, and the names (`*` for all). `modules`: the same of modules that are
    imported themselves, or may be, with the names they get."""

    names: Mapping[bytes, Sequence[tuple[Parts, frozenset[bytes]]]]
    modules: Mapping[bytes, Sequence[tuple[Parts, bytes]]]


def taken_by(text: bytes) -> Taking:
    """What the Python code `text` takes (UTF-8, or the bytes of a notebook)."""
    names: dict[bytes, list[tuple[Parts, frozenset[bytes]]]] = {}
    modules: dict[bytes, list[tuple[Parts, bytes]]] = {}
    for dots, dotted, listed in _FROM.findall(text):
        parts = tuple(dotted.split(b".")) if dotted else ()
        if not dots and parts[:1] and parts[0] in _NOT_OF_PROJECT:
            continue
        found = _NAMED.findall(_COMMENT.sub(b"", listed) if b"#" in listed else listed)
        if parts:
            every = {name for name, _ in found} | ({b"*"} if b"*" in listed else set())
            names.setdefault(parts[-1], []).append((parts, frozenset(every)))
        for name, alias in found:
            modules.setdefault(name, []).append(((*parts, name), alias or name))
    for listed in _IMPORT.findall(text):
        for dotted, alias in _NAMED.findall(listed):
            parts = tuple(dotted.split(b"."))
            if parts[0] not in _NOT_OF_PROJECT:
                modules.setdefault(parts[-1], []).append((parts, alias or parts[-1]))
    return Taking(names, modules)


class Takers:
    """The files that may take names from others: those that it is told of, and those around each file that it
    is asked about. Not thread-safe. Texts are read when first needed."""

    def __init__(self, files: Iterable[Path] = (), exclude: Sequence[str] = Settings().exclude) -> None:
        self._exclude = tuple(exclude)
        self._texts: dict[str, bytes] = {}
        """Of files that are open: their texts."""
        self._waiting: dict[str, None] = {str(file.absolute()): None for file in files}
        self._known: dict[str, Taking] = {}
        self._names: dict[bytes, dict[str, Sequence[tuple[Parts, frozenset[bytes]]]]] = {}
        self._modules: dict[bytes, dict[str, Sequence[tuple[Parts, bytes]]]] = {}
        self._searched: set[Path] = set()
        """Projects and packages."""
        self._asked: set[Path] = set()
        """The folders of the files that it was asked about."""
        self._is_too_large = False

    def changed(self, path: str, text: bytes | None) -> None:
        """A file is another, or new: with `text` where it is open, else as it is on disk."""
        if text is None:
            self._texts.pop(path, None)
        else:
            self._texts[path] = text
        self._waiting[path] = None

    def of(self, path: str) -> Callable[[str, bool], bool]:
        """What tells whether other files may take a name from the module at a path."""
        return partial(self.is_taken, path)

    def is_taken(self, path: str, name: str, is_exported: bool) -> bool:
        """Whether other files may take the name from the module at `path`; `is_exported` says whether a star
        import brings it. Nobody takes anything from a notebook, or from a text without a file."""
        found = self._takers(path, name, is_exported)
        return found is None or next(found, None) is not None

    def takers_of(self, path: str, name: str) -> list[str]:
        """The files that may take the name from the module at `path`. Of a project that is too large to be
        looked through, none."""
        found = self._takers(path, name, True)
        return [] if found is None else sorted(set(found))

    def texts_of_takers(self, path: str, name: str) -> list[bytes]:
        """The texts of the files that may take the name from the module at `path`."""
        return [self._text(taker) for taker in self.takers_of(path, name)]

    def _takers(self, path: str, name: str, is_exported: bool) -> Iterator[str] | None:
        """The files that may take a name; None where that may be any."""
        own = self._module(path)
        if own is None:
            return iter(())
        if self._is_too_large:
            return None
        wanted = name.encode()
        passes_on = is_exported and not name.startswith("_")
        return chain(self._naming(path, own, wanted, passes_on), self._with_member(path, own, wanted))

    def _module(self, path: str) -> Parts | None:
        """The module at a path, by its parts, when all files around are known; None where nobody takes
        anything."""
        file = Path(path)
        if not file.is_absolute() or is_notebook(path):
            return None
        self._search_around(file)
        if not self._is_too_large:
            self._read_waiting()
        module = file.parent if file.name == PACKAGE_FILE else file.with_suffix("")
        return tuple(os.fsencode(part) for part in module.parts)

    def _naming(self, path: str, own: Parts, name: bytes, passes_on: bool) -> Iterator[str]:
        """The files that import a name from the module, or everything, and use it or hand it on."""
        for taker, is_named in self._importing(path, own, name):
            if is_named or (passes_on and self._uses(taker, name, path)):
                yield taker

    def _importing(self, path: str, own: Parts, name: bytes) -> Iterator[tuple[str, bool]]:
        """The files that import a name from the module, or everything, and whether it is the former."""
        for taker, listed in list(self._names.get(own[-1], {}).items()):
            if taker != path and self._is_there(taker):
                for parts, names in listed:
                    if own[-len(parts) :] == parts and (name in names or b"*" in names):
                        yield taker, name in names

    def _uses(self, taker: str, name: bytes, path: str) -> bool:
        """Whether a file names what its star import brings from the module at `path`, or others take it from
        there in turn. Each file is looked at once, however many ways lead to it."""
        seen, left = {path}, [taker]
        word = re.compile(rb"\b%b\b" % re.escape(name))
        while left:
            file = left.pop()
            if file in seen:
                continue
            seen.add(file)
            if word.search(self._text(file)):
                return True
            own = self._module(file)
            if own is None:
                continue
            importing = list(self._importing(file, own, name))
            is_taken = any(is_named for _, is_named in importing) or any(self._with_member(file, own, name))
            if self._is_too_large or is_taken:
                return True
            left += [other for other, _ in importing]
        return False

    def _with_member(self, path: str, own: Parts, name: bytes) -> Iterator[str]:
        """The files that import the module and name it as its member."""
        for taker, listed in self._modules.get(own[-1], {}).items():
            owners = {alias for parts, alias in listed if own[-len(parts) :] == parts}
            if taker == path or not owners:
                continue
            either = b"|".join(map(re.escape, sorted({*owners, own[-1]})))
            member = re.compile(rb"\b(?:%b)[ \t]*\.[ \t]*%b\b" % (either, re.escape(name)))
            if member.search(self._text(taker)):
                yield taker

    def _search_around(self, file: Path) -> None:
        """Take up the files of the project, the package and the folder that a file is in."""
        if file.parent in self._asked:
            return
        self._asked.add(file.parent)
        project, root = project_root(file), package_root(file)
        folders = {root / part for part in file.relative_to(root).parts[:1] if root != file.parent}
        for top in {project} if project is not None else folders:
            if top not in self._searched:
                self._searched.add(top)
                self._take_up(discover([top], self._exclude).files)
        for folder in {file.parent, root}:
            with suppress(OSError), os.scandir(folder) as entries:
                self._take_up(Path(entry.path) for entry in entries if entry.name.endswith(_SUFFIXES))

    def _take_up(self, files: Iterable[Path]) -> None:
        for found in files:
            path = str(found.absolute())
            if path not in self._known:
                self._waiting[path] = None
        self._is_too_large = len(self._waiting) + len(self._known) > _MOST_FILES

    def _read_waiting(self) -> None:
        for path in self._waiting:
            before = self._known.pop(path, None)
            if before is not None:
                for last in before.names:
                    del self._names[last][path]
                for last in before.modules:
                    del self._modules[last][path]
            taking = self._known[path] = taken_by(self._text(path))
            for last, listed in taking.names.items():
                self._names.setdefault(last, {})[path] = listed
            for last, modules in taking.modules.items():
                self._modules.setdefault(last, {})[path] = modules
        self._waiting.clear()

    def _text(self, path: str) -> bytes:
        """The text of a file; an empty one, where there is none any more."""
        text = self._texts.get(path)
        if text is not None:
            return text
        try:
            return Path(path).read_bytes()
        except OSError:
            return b""

    def _is_there(self, path: str) -> bool:
        return path in self._texts or Path(path).is_file()
