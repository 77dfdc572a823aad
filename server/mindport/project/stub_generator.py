"""Stubs of installed packages: what their source says of one name, as `mindport.infer.stubs` has it.

The source is read and evaluated as that of a project is, lazily: the modules that the name leads through. No
code of a package is run.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mindport.infer.evaluator import Evaluator
from mindport.infer.imports import imported_name
from mindport.infer.project_graph import ProjectGraph
from mindport.infer.stubs import package_name_of
from mindport.project.stub_text import StubText

if TYPE_CHECKING:
    from mindport.catalog.catalog import Catalog

_MOST_MODULES = 600
"""After so many modules were read, what is kept of them is dropped."""


class PackageStub(NamedTuple):
    """The stub of a name, empty where its source says nothing of use. `read` are the paths of the modules
    that this rests on, `places` where the modules are that those asked for, by name. `is_open`: another look
    may tell more, at what a function gives or at a name that no source binds."""

    text: str
    read: tuple[str, ...]
    places: dict[str, str | None]
    is_open: bool


class StubGenerator:
    """Looks into the packages in `folders`, which imports find there."""

    def __init__(self, catalog: Catalog, folders: Sequence[Path]) -> None:
        self._catalog = catalog
        self._folders = folders
        self._begin()

    def _begin(self) -> None:
        self._graph = ProjectGraph(self._catalog, self._folders, has_torch=False)
        self._evaluator = Evaluator(self._graph, self._catalog)

    def stub(self, dotted: str) -> PackageStub:
        """What the source says of a dotted name of a package; the package itself is there."""
        if len(self._graph.modules) > _MOST_MODULES:
            self._begin()
        module, _, name = dotted.rpartition(".")
        prefix = module
        while prefix and self._graph.locate(prefix) is None:
            prefix = prefix.rpartition(".")[0]
        written = StubText(self._evaluator)
        text = ""
        is_open = False
        if prefix == module:
            text = written.of(name, imported_name(self._evaluator, module, name))
            is_open = written.is_open
        read, places = self._rests_on(prefix)
        places.update({name: self._graph.locate(name) for name in (module, dotted)})
        ours = {name: path for name, path in places.items() if name and not self._is_torch(name)}
        return PackageStub(text, read, ours, is_open)

    def _is_torch(self, name: str) -> bool:
        return self._catalog.is_module(name.partition(".")[0])

    def _rests_on(self, start: str) -> tuple[tuple[str, ...], dict[str, str | None]]:
        """The modules that can be reached from one by what modules asked for, and where they are."""
        read: dict[str, None] = {}
        places: dict[str, str | None] = {start: self._graph.locate(start)}
        waiting = [places[start]]
        while waiting:
            path = waiting.pop()
            if path is None or path in read:
                continue
            read[path] = None
            for name in self._graph.asked.get(path, ()):
                if package_name_of(name) is None and name not in places:
                    places[name] = self._graph.locate(name)
                    waiting.append(places[name])
        return tuple(read), places
