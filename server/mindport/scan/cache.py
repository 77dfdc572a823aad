"""The cache of scans: what was found in a file, for as long as nothing that it rests on changes.

A record's key is made of all that its content depends on: the file and, through every module its analysis
asked for, their texts and places (`Fingerprints`); settings, form of the report, mapping data, and mindport
itself. So a record that is found holds, whoever wrote it and when; there is nothing to invalidate.

What calls give for parameters counts like an installed package: the key says what it is, of the parameters
that were asked for.

Beside the records of files, each set of import roots has one with the facts about its modules, which the
fingerprints are made from, and each set of files one with what the calls in them give. Whatever those records
say, a key that is found was made from the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import mindport
from mindport.callgraph.argument_facts import ArgumentFacts, ParameterKey
from mindport.infer.stubs import package_name_of
from mindport.project.cache_store import CacheStore, cache_folder, compressed, program
from mindport.project.dependencies import (
    DependencyRecord,
    Digests,
    FileArguments,
    Fingerprints,
    ModuleFacts,
    Places,
    of_latest_texts,
)

if TYPE_CHECKING:
    from mindport.project.setting_table import Settings
    from mindport.project.stub_index import PackageStubs
    from mindport.scan.tasks import Arguments, FileResult, ScanFile


_FORM = 2
"""The number of the records' form."""
_NOT_IN_FINDINGS = {"jobs", "limit", "exclude", "diagnostics", "completion"}
"""Settings that no finding depends on."""

Entry = TypeVar("Entry")
Roots = tuple[Path, ...]
Facts = dict[tuple[str, str], ModuleFacts]
"""By path and digest."""


@dataclass(frozen=True)
class Packing(Generic[Entry]):
    """How an entry becomes bytes, and is made from them again; the latter may raise ValueError."""

    pack: Callable[[Entry], bytes]
    unpack: Callable[[bytes], Entry]


class ScanCache(Generic[Entry]):
    """What earlier scans found, and what this one finds. `context` names all that entries depend on beside
    the files: see `context_of`; `stubs` says what installed packages hold. `arguments_context` is the same of
    what calls give, which does not depend on the form of entries."""

    def __init__(
        self,
        store: CacheStore,
        packing: Packing[Entry],
        context: str,
        stubs: PackageStubs | None = None,
        arguments_context: str = "",
    ) -> None:
        self._store = store
        self._packing = packing
        self._context = context
        self._arguments_context = arguments_context or context
        self._stubs = stubs
        self._digests = Digests()
        self._places: dict[Roots, Places] = {}
        self._facts: dict[Roots, Facts] = {}
        self._news: dict[Roots, dict[tuple[str, str], tuple[set[str], set[ParameterKey]]]] = {}
        """What was learnt of texts since the facts were last asked for, those of which most lately at the
        end: the modules that they asked for, and the parameters."""
        self._known: dict[Roots, bytes] = {}
        """The facts as they are in the store."""
        self._found: dict[ScanFile, Entry] = {}
        """What `look_up` gave."""
        self._kept: dict[ScanFile, bytes] = {}
        """The keys under which files were found."""
        self._new: dict[ScanFile, bytes] = {}
        """What came of files, packed and compressed: there is time for that while other processes work."""
        self._files: Sequence[ScanFile] = ()
        self._arguments: Arguments | None = None
        """What the calls in the files give, where that is not in the store."""
        self._given = ArgumentFacts()
        self._has_moved = False
        self._has_news = False

    def arguments(self, files: Sequence[ScanFile]) -> Arguments | None:
        """What the calls in these files give for parameters, where nothing that this rests on has changed. To
        be called once, before anything is read."""
        self._files = files
        self._read_facts({file.roots for file in files})
        if any(file.roots not in self._known for file in files):
            return None  # without looking what texts are: other processes could be at work meanwhile
        key = self._arguments_key()
        content = self._store.get([key]).get(key)
        try:
            return _arguments_from(content) if content is not None else None
        except (ValueError, TypeError, KeyError):
            return None  # from a form that is no more

    def take_up(self, file: ScanFile, found: FileArguments) -> None:
        """Take up what was found out about a file that somebody else has read, while it was asked what its
        calls give."""
        if found.digest is not None:
            self._digests.take(str(file.path.absolute()), found.digest)
        self._learn(file, found.learnt)

    def add_arguments(self, arguments: Arguments) -> None:
        """Take up what the calls in all files give."""
        self._has_news = True
        self._arguments = arguments

    def look_up(self, files: Sequence[ScanFile], arguments: Arguments) -> dict[ScanFile, Entry]:
        """The entries that are known of these files, where calls give these `arguments`. To be called once,
        before any is looked at."""
        self._given.take(arguments)
        self._take_up_news()
        keys = self._keys([file for file in files if file.roots in self._known])
        records = self._store.get(keys.values())
        for file, key in keys.items():
            try:
                if key in records:
                    self._found[file] = self._packing.unpack(records[key])
                    self._kept[file] = key
            except ValueError:
                continue  # from a form that is no more
        return self._found

    def add(self, file: ScanFile, looked: FileResult[Entry]) -> None:
        """Take up what came of a file."""
        self._has_news = True
        if looked.lasts:
            self._new[file] = compressed(self._packing.pack(looked.entry))
        self._learn(file, looked.learnt)

    def _learn(self, file: ScanFile, learnt: DependencyRecord) -> None:
        self._check_places(file, learnt.located)
        news = self._news.setdefault(file.roots, {})
        for one in learnt.modules:
            if not self._digests.agrees(one.path, one.digest):
                self._has_moved = True
            asked, parameters = news.pop((one.path, one.digest), (set(), set()))
            asked.update(one.asked)
            parameters.update(one.parameters)
            news[one.path, one.digest] = asked, parameters

    def _take_up_news(self) -> None:
        """Put what was learnt into the facts, that which was learnt last at the end."""
        for roots, news in self._news.items():
            facts = self._facts[roots]
            for text, (asked, parameters) in news.items():
                before = facts.pop(text, None)
                if before is not None:
                    asked.update(before.asked)
                    parameters.update(before.parameters)
                facts[text] = ModuleFacts(*text, tuple(sorted(asked)), tuple(sorted(parameters)))
        self._news.clear()

    def save(self) -> None:
        """Keep what is new. To be called when the scan is over and its result has been written, which shall
        not wait for it. What `look_up` gave is kept under another key if more was learnt. Nothing is kept
        when a file has changed while the scan ran: what rests on what is not sure then."""
        if self._has_moved or not self._has_news:
            return
        self._take_up_news()
        records = {}
        for file, key in self._keys([*self._kept, *self._new]).items():
            if file in self._new:
                records[key] = self._new[file]
            elif key != self._kept[file]:
                records[key] = compressed(self._packing.pack(self._found[file]))
        for roots, facts in self._facts.items():
            packed = _packed(facts)
            if packed != self._known.get(roots):
                records[self._facts_key(roots)] = compressed(packed)
        if self._arguments is not None:
            records[self._arguments_key()] = compressed(_packed_arguments(self._arguments))
        self._store.put(records)

    def _check_places(self, file: ScanFile, located: Mapping[str, str | None]) -> None:
        """Notice a module that has come or gone since it was asked for."""
        places = self._places_in(file.roots)
        for name, path in located.items():
            found = places.of(name)
            is_itself = path == str(file.path.absolute())  # it may hide another module of its name
            if found.path != path and not found.is_folder and not is_itself:
                self._has_moved = True

    def _keys(self, files: Iterable[ScanFile]) -> dict[ScanFile, bytes]:
        by_roots: dict[Roots, Fingerprints] = {}
        keys = {}
        described = self._described()
        for file in files:
            if file.roots not in by_roots:
                facts = self._facts[file.roots]
                by_roots[file.roots] = Fingerprints(
                    self._places_in(file.roots),
                    facts,
                    self._digests,
                    described,
                    self._given.said_of,
                    self._given.named_by,
                )
            path = str(file.path.absolute())
            fingerprint = by_roots[file.roots].of(path).hex()
            keys[file] = _key(
                "file", self._context, file.path.as_posix(), path, *_texts(file.roots), fingerprint
            )
        return keys

    def _places_in(self, roots: Roots) -> Places:
        return self._places.setdefault(roots, Places(roots))

    def _arguments_key(self) -> bytes:
        """The key of what the calls in all files give: it rests on all that these can be evaluated with."""
        described = self._described()
        fingerprints: dict[Roots, Fingerprints] = {}
        told = []
        for file in self._files:
            if file.roots not in fingerprints:
                facts = self._facts[file.roots]
                places = self._places_in(file.roots)
                fingerprints[file.roots] = Fingerprints(places, facts, self._digests, described)
            told.append(
                f"{file.path.absolute()}={fingerprints[file.roots].of(str(file.path.absolute())).hex()}"
            )
        return _key("arguments", self._arguments_context, *sorted(told))

    def _described(self) -> Callable[[str], str]:
        """What says what results may rest on of a name of an installed package."""
        if self._stubs is None:
            return str
        asked = {name for facts in self._facts.values() for one in facts.values() for name in one.asked}
        names = {package_name_of(name) or "" for name in asked}
        self._stubs.ready(sorted(name for name in names if "." in name))
        return self._stubs.described

    def _read_facts(self, every: Iterable[Roots]) -> None:
        keys = {self._facts_key(roots): roots for roots in every}
        self._facts = {roots: {} for roots in keys.values()}
        for key, content in self._store.get(keys).items():
            roots = keys[key]
            try:
                self._facts[roots] = _unpacked(content)
                self._known[roots] = content
            except (ValueError, TypeError):
                continue  # from a form that is no more

    def _facts_key(self, roots: Roots) -> bytes:
        return _key("modules", str(_FORM), *_texts(roots))


def open_cache(settings: Settings, form: object, packing: Packing[Entry]) -> ScanCache[Entry]:
    """The user's cache, for entries that `form` makes; its `repr` says how. Raises IndexFileError."""
    from mindport.catalog.catalog import Catalog
    from mindport.project.stub_index import PackageStubs, package_folders

    catalog = Catalog.load()
    store = CacheStore(cache_folder())
    stubs = PackageStubs(catalog, package_folders(settings.python), store)
    context = context_of(settings, form, catalog.fingerprint)
    without_form = context_of(settings, None, catalog.fingerprint)
    return ScanCache(store, packing, context, stubs, without_form)


def context_of(settings: Settings, form: object, data: str) -> str:
    """All that entries depend on beside the files. `form` is what makes them, whose `repr` says how; `data`
    names the mapping data."""
    told = {name: value for name, value in settings.as_json().items() if name not in _NOT_IN_FINDINGS}
    said = json.dumps(told)
    return "\0".join([str(_FORM), said, repr(form), data, mindport.__version__, program()])


def _packed(facts: Facts) -> bytes:
    """The facts about the latest texts of each module, those learnt last at the end."""
    return json.dumps([facts[text] for text in of_latest_texts(facts)]).encode()


def _unpacked(content: bytes) -> Facts:
    found = (
        ModuleFacts(path, digest, tuple(asked), tuple([ParameterKey(*key) for key in parameters]))
        for path, digest, asked, parameters in json.loads(content)
    )
    return {(one.path, one.digest): one for one in found}


def _packed_arguments(arguments: Arguments) -> bytes:
    told = {
        path: [(key, sorted(forms, key=repr)) for key, forms in given.items()]
        for path, given in arguments.items()
    }
    return json.dumps(told).encode("utf-8", "surrogateescape")


def _arguments_from(content: bytes) -> Arguments:
    return {
        path: {ParameterKey(*key): frozenset(map(_form, forms)) for key, forms in given}
        for path, given in json.loads(content).items()
    }


def _form(value: Any) -> Any:
    """A form from what JSON made of it."""
    return tuple([_form(one) for one in value]) if isinstance(value, list) else value


def _texts(roots: Roots) -> Iterator[str]:
    return map(str, roots)


def _key(*parts: str) -> bytes:
    said = "\0".join(parts).encode("utf-8", "surrogateescape")
    return hashlib.blake2b(said, digest_size=20).digest()
