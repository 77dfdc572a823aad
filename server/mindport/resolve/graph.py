"""The modules of the user's project, found by name and loaded when first asked for."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.resolve.module import Module
from mindport.resolve.unit import invalidate
from mindport.resolve.values import NEVER, ProjectModule, Result, just
from mindport.source.decode import SourceError, read_source
from mindport.source.document import Document

if TYPE_CHECKING:
    from mindport.catalog.catalog import Catalog
    from mindport.resolve.blocks import Block

_LOGGER = logging.getLogger(__name__)


class ProjectGraph:
    """Which modules there are.

    `roots` are the folders that imports start from (as on `sys.path`). Documents that are open in an editor
    stand in for the files on disk. `unsettled` are blocks that rely on unfinished results. Not thread-safe.
    """

    def __init__(self, catalog: Catalog, roots: Sequence[Path] = ()) -> None:
        self.unsettled: set[Block] = set()
        self._catalog = catalog
        self._roots: list[Path] = list(roots)
        self._modules: dict[str, Module | None] = {}
        self._located: dict[str, str | None] = {}

    def add_roots(self, roots: Sequence[Path]) -> None:
        """Let imports start from these folders too."""
        new = [root for root in roots if root not in self._roots]
        if new:
            self._roots.extend(new)
            self._located.clear()
            self._invalidate_all()

    def set_document(self, path: str, name: str, document: Document) -> Module:
        """Take up the text of the module at `path`: a file path, or a URI for a text without one."""
        module = self._modules.get(path)
        if module is None or module.name != name:
            module = self._modules[path] = Module(path, name, Path(path).name == "__init__.py")
            self._located.clear()
            self._invalidate_all()
        if module.update(document):
            invalidate(self.unsettled)
            self.unsettled.clear()
        return module

    def _invalidate_all(self) -> None:
        """Which modules there are has changed: nothing that was found out is sure any more."""
        for module in self._modules.values():
            if module is not None:
                invalidate(set(module.blocks))

    def file(self, path: str, name: str) -> Module:
        """The module of a file under its dotted name, read unless it is known. Raises SourceError."""
        module = self._modules.get(path)
        if module is not None and module.name == name and module.document is not None:
            return module
        document = Document.open(path, read_source(Path(path)).text_utf8)
        if path in self._modules or self.locate(name) != path:
            return self.set_document(path, name, document)
        # Whoever asked for it was told that it is there; nobody has seen into it: no answer changes.
        module = self._modules[path] = Module(path, name, Path(path).name == "__init__.py")
        module.update(document)
        return module

    def forget(self, path: str) -> None:
        """Drop what is known of the module at `path`: the next question reads the disk again."""
        if self._modules.pop(path, None) is not None or path not in self._modules:
            self._located.clear()
            self._invalidate_all()

    def module(self, path: str) -> Module | None:
        """The module at `path`; None where it cannot be read or is no text."""
        if path not in self._modules:
            self._modules[path] = self._load(path)
        return self._modules[path]

    def _load(self, path: str) -> Module | None:
        file = Path(path)
        name = self._name_of(file)
        if file.is_dir():
            return Module(path, name, True)
        try:
            source = read_source(file)
        except SourceError as error:
            _LOGGER.info("%s: %s", path, error)
            return None
        module = Module(path, name, file.name == "__init__.py")
        module.update(Document.open(path, source.text_utf8))
        return module

    def _name_of(self, file: Path) -> str:
        for located, path in self._located.items():
            if path == str(file):
                return located
        return file.stem

    def locate(self, name: str) -> str | None:
        """The path of the project's module with this absolute dotted name; None if it has none. A folder
        without `__init__.py` counts, unless torch has a module of that name."""
        if name not in self._located:
            self._located[name] = self._search(name)
        return self._located[name]

    def _search(self, name: str) -> str | None:
        parts = name.split(".")
        if not all(parts):
            return None
        for path, module in self._modules.items():
            if module is not None and module.name == name and module.document is not None:
                return path
        folders = []
        for root in self._roots:
            base = root.joinpath(*parts)
            for candidate in (base / "__init__.py", base.with_name(base.name + ".py")):
                if candidate.is_file():
                    return str(candidate)
            if base.is_dir():
                folders.append(str(base))
        return folders[0] if folders and not self._catalog.is_module(name) else None

    def find(self, name: str) -> Result:
        """The project's module of that name as a value; never, if there is none."""
        path = self.locate(name)
        return just(ProjectModule(path)) if path is not None else NEVER

    def submodule(self, module: Module, name: str) -> Result | None:
        """The module `name` inside the package `module`, if there is one."""
        if not module.is_package or not module.name:
            return None
        found = self.find(f"{module.name}.{name}")
        return found if found.alternatives else None
