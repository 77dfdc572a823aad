"""What the result of a file rests on: the texts of modules, and where the modules they ask for are."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mindport.infer.project_graph import Location, search
from mindport.infer.stubs import package_name_of
from mindport.source.decode import SourceError, is_notebook, read_source
from mindport.source.document import digest_of

if TYPE_CHECKING:
    from mindport.callgraph.argument_facts import Given, ParameterKey
    from mindport.infer.project_graph import ProjectGraph

_MOST_TEXTS = 4
"""What is known of so many texts of a file is kept: going back to another branch shall cost nothing."""
_FOLDER = "folder"
_UNREADABLE = "unreadable"


class ModuleFacts(NamedTuple):
    """A module that was read: its path, the digest of its text, and the absolute names of the modules that
    its code was seen to ask for (others may be found when more of it is evaluated), among them names of
    installed packages (see `as_dependency`); and the parameters that it was evaluated with what is given
    for. As news, only what was not told before."""

    path: str
    digest: str
    asked: tuple[str, ...]
    parameters: tuple[ParameterKey, ...] = ()


class DependencyRecord(NamedTuple):
    """What was found out about modules: what they ask for, and where modules are, by name."""

    modules: Sequence[ModuleFacts]
    located: Mapping[str, str | None]


NO_DEPENDENCIES = DependencyRecord((), {})
NOT_ASKED: Final[dict[Any, None]] = {}


class FileArguments(NamedTuple):
    """What the calls in a file give for parameters, None where that is as it was last told, and the digest of
    its text; None for a notebook. `learnt` is what else was found out on the way, since the file before."""

    given: Given | None
    digest: str | None
    learnt: DependencyRecord = NO_DEPENDENCIES


class DependencyLog:
    """Tells what a project graph has found out, each time only what is new."""

    def __init__(self, graph: ProjectGraph) -> None:
        self._graph = graph
        self._digests: dict[str, str] = {}
        self._told: dict[str, tuple[int, int]] = {}
        """By path, how much was told of what the module asked for: of modules, and of parameters."""
        self._located = 0

    def news(self) -> DependencyRecord:
        """What was found out since the last time."""
        if not self._graph.news and self._located == len(self._graph.located):  # as after most files
            return NO_DEPENDENCIES
        return DependencyRecord(list(self._modules()), self._new_places())

    def _modules(self) -> Iterator[ModuleFacts]:
        news, self._graph.news = self._graph.news, {}
        for path in news:
            digest = self._graph.digest(path)
            asked = self._graph.asked.get(path, NOT_ASKED)
            parameters = self._graph.parameters.get(path, NOT_ASKED)
            numbers = len(asked), len(parameters)
            told = self._told.get(path)
            if digest is None or told == numbers:
                continue
            if path not in self._digests:
                # What a notebook says is more than its code: where its cells begin, for one.
                self._digests[path] = _digest(path) if is_notebook(path) else digest
            self._told[path] = numbers
            first = told or (0, 0)
            yield ModuleFacts(
                path,
                self._digests[path],
                tuple(sorted(islice(asked, first[0], None))),
                tuple(sorted(islice(parameters, first[1], None))),
            )

    def _new_places(self) -> dict[str, str | None]:
        located = self._graph.located
        told = self._located if self._located <= len(located) else 0  # else it was begun anew
        self._located = len(located)
        if told == len(located):
            return {}
        return dict(islice(located.items(), told, None))


def of_latest_texts(texts: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Of these texts (path and digest, the latest last) the latest few of each path, in the same order."""
    count: Counter[str] = Counter()
    kept = []
    for text in reversed(list(texts)):
        count[text[0]] += 1
        if count[text[0]] <= _MOST_TEXTS:
            kept.append(text)
    return kept[::-1]


class Digests:
    """The digests of the files on disk, each read once."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def take(self, path: str, digest: str) -> None:
        """Take up the digest of a file that somebody else has read."""
        self._known[path] = digest

    def agrees(self, path: str, digest: str) -> bool:
        """Whether the digest of a file that somebody else has read is what is known of it, be it only from
        now on."""
        return self._known.setdefault(path, digest) == digest

    def of(self, path: str) -> str:
        """The digest of the text of a file; a word that is no digest for what is no text."""
        if path not in self._known:
            self._known[path] = _digest(path)
        return self._known[path]


def _digest(path: str) -> str:
    if os.path.isdir(path):  # noqa: PTH112
        return _FOLDER
    try:
        if is_notebook(path):
            return digest_of(Path(path).read_bytes())
        return digest_of(read_source(Path(path)).text_utf8)
    except (SourceError, OSError):
        return _UNREADABLE


class Places:
    """Where the modules below `roots` are, each looked for once."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self._roots = roots
        self._known: dict[str, Location] = {}

    def of(self, name: str) -> Location:
        """The place of the module with this absolute name."""
        if name not in self._known:
            self._known[name] = search(self._roots, name)
        return self._known[name]


def _nothing(key: ParameterKey) -> str:
    return ""


def _no_paths(key: ParameterKey) -> Iterable[str]:
    return ()


class Fingerprints:
    """Names for what a file's result may rest on: two are equal only if the file, every module that can be
    reached from it by what modules asked for, and the place of each of them are the same.

    `facts` are by path and digest. A text that is not in them counts as asking for nothing: then nobody
    relied on what it asks for.
    """

    def __init__(
        self,
        places: Places,
        facts: Mapping[tuple[str, str], ModuleFacts],
        digests: Digests,
        described: Callable[[str], str] = str,
        given: Callable[[ParameterKey], str] = _nothing,
        named: Callable[[ParameterKey], Iterable[str]] = _no_paths,
    ) -> None:
        """`described` says what results may rest on of a name of an installed package, `given` what is given
        for a parameter, `named` the paths of modules whose classes and functions that are."""
        self._places = places
        self._facts = facts
        self._digests = digests
        self._described = described
        self._given = given
        self._named = named
        self._found: dict[str, bytes] = {}
        # What many modules ask for, each looked up once.
        self._names: dict[str, tuple[str, str | None]] = {}
        self._parameters: dict[ParameterKey, tuple[str, Sequence[str]]] = {}
        self._next: dict[str, list[str]] = {}

    def of(self, path: str) -> bytes:
        """The fingerprint of the file at `path`."""
        if path not in self._found:
            self._visit(path)
        return self._found[path]

    def _visit(self, start: str) -> None:
        """Find the fingerprints of all modules that can be reached: those of a cycle share one, made of all
        of them (Tarjan's algorithm, without recursion: chains of imports may be long)."""
        order: dict[str, int] = {}
        lowest: dict[str, int] = {}
        open_modules: list[str] = []
        is_open: set[str] = set()
        path: list[tuple[str, Iterator[str]]] = []

        def enter(module: str) -> None:
            order[module] = lowest[module] = len(order)
            open_modules.append(module)
            is_open.add(module)
            path.append((module, iter(self._following(module))))

        enter(start)
        while path:
            module, following = path[-1]
            for other in following:
                if other in self._found:
                    continue
                if other not in order:
                    enter(other)
                    break
                if other in is_open:
                    lowest[module] = min(lowest[module], order[other])
            else:
                path.pop()
                if path:
                    before = path[-1][0]
                    lowest[before] = min(lowest[before], lowest[module])
                if lowest[module] == order[module]:
                    cycle = open_modules[open_modules.index(module) :]
                    del open_modules[-len(cycle) :]
                    is_open.difference_update(cycle)
                    self._close(cycle)

    def _close(self, cycle: Sequence[str]) -> None:
        """Name modules that reach each other."""
        inside = set(cycle)
        following = {other for module in cycle for other in self._following(module)} - inside
        name = hashlib.blake2b(digest_size=16)
        for module in sorted(cycle):
            name.update(self._own(module))
        for fingerprint in sorted({self._found[other] for other in following}):
            name.update(fingerprint)
        self._found.update(dict.fromkeys(cycle, name.digest()))

    def _own(self, module: str) -> bytes:
        """What is to be said of one module by itself."""
        facts = self._facts_of(module)
        asked = [self._of_name(name)[0] for name in facts.asked]
        given = [text for key in facts.parameters if (text := self._of_parameter(key)[0])]
        said = "\0".join([module, self._digests.of(module), *asked, *given])
        return hashlib.blake2b(said.encode("utf-8", "surrogateescape"), digest_size=16).digest()

    def _of_name(self, name: str) -> tuple[str, str | None]:
        """What is to be said of a name that was asked for, and the path of the module that it is."""
        found = self._names.get(name)
        if found is None:
            package = package_name_of(name)
            path = self._places.of(name).path if package is None else None
            said = path if package is None else self._described(package)
            found = self._names[name] = f"{name}={said}", path
        return found

    def _of_parameter(self, key: ParameterKey) -> tuple[str, Sequence[str]]:
        """What is to be said of what a parameter is given, and the paths of the modules that this names."""
        found = self._parameters.get(key)
        if found is None:
            text = self._given(key)
            found = self._parameters[key] = f"{key}={text}" if text else "", sorted(self._named(key))
        return found

    def _following(self, module: str) -> Sequence[str]:
        found = self._next.get(module)
        if found is None:
            facts = self._facts_of(module)
            paths = dict.fromkeys([self._of_name(name)[1] for name in facts.asked])
            for key in facts.parameters:
                paths.update(dict.fromkeys(self._of_parameter(key)[1]))
            found = self._next[module] = [path for path in paths if path is not None]
        return found

    def _facts_of(self, module: str) -> ModuleFacts:
        digest = self._digests.of(module)
        return self._facts.get((module, digest)) or ModuleFacts(module, digest, ())
