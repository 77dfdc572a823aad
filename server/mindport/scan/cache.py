"""The cache of scans: what was found in a file, for as long as nothing that it rests on changes.

A record's key is made of all that its content depends on: the file and, through every module its analysis
asked for, their texts and places (`Fingerprints`); settings, form of the report, mapping data, and mindport
itself. So a record that is found holds, whoever wrote it and when; there is nothing to invalidate.

What calls in other files give to a module's functions counts like an installed package: the key says what it
is, of the names that were asked for.

Beside the records of files, each set of import roots has one with the facts about its modules, which the
fingerprints are made from, and one with what they give each other. Whatever those records say, a key that is
found was made from the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import mindport
from mindport.callgraph.call_facts import CallFact, by_name
from mindport.callgraph.reachability import ExportedParameter
from mindport.infer.stubs import package_name_of
from mindport.project.cache_store import CacheStore, cache_folder, compressed, program
from mindport.project.dependencies import (
    Digests,
    Fingerprints,
    ModuleFacts,
    Places,
    digest_of,
    of_latest_texts,
)

if TYPE_CHECKING:
    from mindport.callgraph.call_facts import CallFact
    from mindport.project.dependencies import FileCallFacts
    from mindport.project.setting_table import Settings
    from mindport.project.stub_index import PackageStubs
    from mindport.scan.tasks import CallFacts, FileResult, ScanFile


class KeptCallFacts:
    """What the files below some import roots give. `content` is what `packed` made; where it is of a form
    that is no more, nothing is known."""

    def __init__(self, content: bytes | None = None) -> None:
        self._known: dict[tuple[str, str], CallFacts] = {}
        self.is_changed = False
        if content is not None:
            try:
                self._known = {
                    (path, digest): tuple([_call_fact(*fact) for fact in call_facts])
                    for path, digest, call_facts in json.loads(content)
                }
            except (ValueError, TypeError):
                self.is_changed = True

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known of any file."""
        return not self._known

    def of(self, path: str, digest: str) -> CallFacts | None:
        """What a file with this text gives; None where that is not known."""
        return self._known.get((path, digest))

    def add(self, path: str, digest: str, call_facts: CallFacts) -> None:
        """Take up what a file with this text gives."""
        self._known[path, digest] = call_facts
        self.is_changed = True

    def packed(self) -> bytes:
        """As bytes: of each file the latest texts, those added last at the end."""
        kept = [(path, digest, self._known[path, digest]) for path, digest in of_latest_texts(self._known)]
        return json.dumps(kept).encode()


def _call_fact(
    callee: str, method: str, parameter: str, value: str, is_partial: bool, slot: list[Any], path: str
) -> CallFact:
    """A call fact from what JSON made of it."""
    return CallFact(callee, method, parameter, value, is_partial, ExportedParameter(*slot), path)


_FORM = 1
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
    the files: see `context_of`; `stubs` says what installed packages hold."""

    def __init__(
        self, store: CacheStore, packing: Packing[Entry], context: str, stubs: PackageStubs | None = None
    ) -> None:
        self._store = store
        self._packing = packing
        self._context = context
        self._stubs = stubs
        self._digests = Digests()
        self._places: dict[Roots, Places] = {}
        self._facts: dict[Roots, Facts] = {}
        self._known: dict[Roots, bytes] = {}
        """The facts as they are in the store."""
        self._found: dict[ScanFile, Entry] = {}
        """What `look_up` gave."""
        self._kept: dict[ScanFile, bytes] = {}
        """The keys under which files were found."""
        self._new: dict[ScanFile, bytes] = {}
        """What came of files, packed and compressed: there is time for that while other processes work."""
        self._call_facts: dict[Roots, KeptCallFacts] = {}
        self._given: Mapping[str, Sequence[CallFact]] = {}
        """What is given to the functions and classes of each name."""
        self._given_digests: dict[str, str] = {}
        self._has_moved = False
        self._has_news = False

    def call_facts(self, files: Sequence[ScanFile]) -> dict[ScanFile, CallFacts]:
        """What these files give to others, where it is known. To be called once, before anything is read."""
        keys = {self._call_facts_key(roots): roots for roots in {file.roots for file in files}}
        self._call_facts = {roots: KeptCallFacts() for roots in keys.values()}
        for key, content in self._store.get(keys).items():
            self._call_facts[keys[key]] = KeptCallFacts(content)
        found = {}
        for file in files:
            if self._call_facts[file.roots].is_empty:
                continue  # without looking what its text is: other processes could be at work meanwhile
            path = str(file.path.absolute())
            known = self._call_facts[file.roots].of(path, self._digests.of(path))
            if known is not None:
                found[file] = known
        return found

    def add_call_facts(self, file: ScanFile, told: FileCallFacts) -> None:
        """Take up what a file gives to others."""
        path = str(file.path.absolute())
        if told.digest is not None:
            self._digests.take(path, told.digest)
        self._call_facts[file.roots].add(path, self._digests.of(path), told.call_facts)

    def look_up(self, files: Sequence[ScanFile], call_facts: CallFacts = ()) -> dict[ScanFile, Entry]:
        """The entries that are known of these files, which give each other these `call_facts`. To be called
        once, before any is looked at."""
        self._given = by_name(call_facts)
        self._read_facts({file.roots for file in files})
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
        self._check_places(file, looked.learnt.located)
        known = self._facts[file.roots]
        for one in looked.learnt.modules:
            if one.digest != self._digests.of(one.path):
                self._has_moved = True
            before = known.pop((one.path, one.digest), None)
            if before is not None:
                one = one._replace(asked=tuple(sorted({*before.asked, *one.asked})))
            known[one.path, one.digest] = one

    def save(self) -> None:
        """Keep what is new. To be called when the scan is over and its result has been written, which shall
        not wait for it. What `look_up` gave is kept under another key if more was learnt. Nothing is kept
        when a file has changed while the scan ran: what rests on what is not sure then."""
        if self._has_moved or not self._has_news:
            return
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
        for roots, kept in self._call_facts.items():
            if kept.is_changed:
                records[self._call_facts_key(roots)] = compressed(kept.packed())
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
                    self._places_in(file.roots), facts, self._digests, described, self._digest_of_given
                )
            path = str(file.path.absolute())
            fingerprint = by_roots[file.roots].of(path).hex()
            keys[file] = _key(
                "file", self._context, file.path.as_posix(), path, *_texts(file.roots), fingerprint
            )
        return keys

    def _places_in(self, roots: Roots) -> Places:
        return self._places.setdefault(roots, Places(roots))

    def _digest_of_given(self, name: str) -> str:
        """A name for what is given to the functions and classes of a name."""
        if name not in self._given_digests:
            given = self._given.get(name)
            said = repr(sorted(given)).encode("utf-8", "surrogateescape") if given else None
            self._given_digests[name] = digest_of(said) if said is not None else ""
        return self._given_digests[name]

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

    def _call_facts_key(self, roots: Roots) -> bytes:
        return _key("call_facts", self._context, *_texts(roots))

    def _facts_key(self, roots: Roots) -> bytes:
        return _key("modules", str(_FORM), *_texts(roots))


def open_cache(settings: Settings, form: object, packing: Packing[Entry]) -> ScanCache[Entry]:
    """The user's cache, for entries that `form` makes; its `repr` says how. Raises IndexFileError."""
    from mindport.catalog.catalog import Catalog
    from mindport.project.stub_index import PackageStubs, package_folders

    catalog = Catalog.load()
    store = CacheStore(cache_folder())
    stubs = PackageStubs(catalog, package_folders(settings.python), store)
    return ScanCache(store, packing, context_of(settings, form, catalog.fingerprint), stubs)


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
    found = (ModuleFacts(path, digest, tuple(asked)) for path, digest, asked in json.loads(content))
    return {(one.path, one.digest): one for one in found}


def _texts(roots: Roots) -> Iterator[str]:
    return map(str, roots)


def _key(*parts: str) -> bytes:
    said = "\0".join(parts).encode("utf-8", "surrogateescape")
    return hashlib.blake2b(said, digest_size=20).digest()
