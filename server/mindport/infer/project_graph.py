"""The modules of the user's project, found by name and loaded when first asked for."""

from __future__ import annotations

import logging
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.callgraph.argument_facts import ArgumentFacts
from mindport.index.memo import mark_dirty
from mindport.index.module import Module
from mindport.infer.stubs import StubIndex, as_dependency
from mindport.infer.values import NEVER, AbstractValue, ProjectModule, just
from mindport.lowering.incremental import update
from mindport.source.decode import SourceError, is_notebook, read_source
from mindport.source.document import Document

if TYPE_CHECKING:
    from mindport.callgraph.argument_facts import ParameterKey
    from mindport.catalog.catalog import Catalog
    from mindport.index.block import Block

_LOGGER: Final = logging.getLogger(__name__)


class Location(NamedTuple):
    """Where the module of a name is: a file, or a folder without `__init__.py`. Without a path: nowhere."""

    path: str | None
    is_folder: bool = False


def search(roots: Sequence[Path], name: str, named_root: bool = True) -> Location:
    """Look on disk for the module with this absolute dotted name, none of whose parts is empty.

    Last of all, with `named_root`, a root may be what the name begins with: files of a package without
    `__init__.py`, for which nothing says where the package begins, import each other by its name.
    """
    parts = name.split(".")
    bases = [os.path.join(root, *parts) for root in roots]  # noqa: PTH118 - a scan begins with thousands
    if named_root and len(parts) > 1:
        bases += [os.path.join(root, *parts[1:]) for root in roots if root.name == parts[0]]  # noqa: PTH118
    folder: str | None = None
    for base in bases:
        for candidate in (os.path.join(base, "__init__.py"), base + ".py"):  # noqa: PTH118
            if os.path.isfile(candidate):  # noqa: PTH113
                return Location(candidate)
        if folder is None and os.path.isdir(base):  # noqa: PTH112
            folder = base
    return Location(folder, folder is not None)


def module_name(path: Path, root: Path) -> str | None:
    """The dotted name under which the module at `path` is imported when `root` is on `sys.path`.

    A package's `__init__.py` has the name of the package. None when `path` is not below `root` or a part
    of it cannot be written in an import (`my-script.py`).
    """
    try:
        parts = list(path.absolute().relative_to(root.absolute()).with_suffix("").parts)
    except ValueError:
        return None
    if parts and parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts) if parts and all(part.isidentifier() for part in parts) else None


def name_below(roots: Sequence[Path], path: Path) -> str:
    """The dotted name of the module at `path`: that by which it is imported from the first of these roots
    that it has one below; else only its own."""
    names = (module_name(path, root) for root in roots)
    return next((name for name in names if name), path.stem)


class ProjectGraph:
    """Which modules there are.

    `roots` are the folders that imports start from (as on `sys.path`). Documents that are open in an editor
    stand in for the files on disk. `has_torch`: a module of torch's own name there counts, as in torch's own
    source; else torch is what the catalog says. `not_converged` are blocks that rely on unfinished results.
    Not thread-safe.
    """

    def __init__(
        self,
        catalog: Catalog,
        roots: Sequence[Path] = (),
        has_torch: bool = True,
        argument_facts: ArgumentFacts | None = None,
    ) -> None:
        self.not_converged: set[Block] = set()
        self.installed = StubIndex(catalog)
        self.argument_facts = argument_facts or ArgumentFacts()
        self._catalog = catalog
        self._has_torch = has_torch
        self._roots: list[Path] = list(roots)
        self.asked: dict[str, set[str]] = {}
        """By the path of a module, the absolute names of the modules that its code asked for, and names of
        installed packages (see `as_dependency`)."""
        self.parameters: dict[str, set[ParameterKey]] = {}
        """By the path of a module, the parameters that its code was evaluated with what is given for."""
        self.news: dict[str, None] = {}
        """The paths of modules that were loaded, or whose code has asked for more: whoever looks takes them
        out."""
        self._modules: dict[str, Module | None] = {}
        self._named: dict[str, list[str]] | None = None
        """The paths of modules by their names, once they were asked for."""
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
            module = self._put(path, Module(path, name, Path(path).name == "__init__.py"))
            self._located.clear()
            self._invalidate_all()
        self.news[path] = None
        if update(module, document):
            mark_dirty(self.not_converged)
            self.not_converged.clear()
        return module

    def _put(self, path: str, module: Module) -> Module:
        """Let this be the module at a path."""
        self._modules[path] = module
        if self._named is not None:
            self._named.setdefault(module.name, []).append(path)
        return module

    def _with_name(self) -> dict[str, list[str]]:
        """The paths of modules by the names that they have or had."""
        if self._named is None:
            self._named = {}
            for path, module in self._modules.items():
                if module is not None:
                    self._named.setdefault(module.name, []).append(path)
        return self._named

    def _invalidate_all(self) -> None:
        """Which modules there are has changed: nothing that was found out is sure any more."""
        for module in self._modules.values():
            if module is not None:
                mark_dirty(set(module.blocks))

    def file(self, path: str, name: str) -> Module:
        """The module of a file under its dotted name, read unless it is known. Raises SourceError."""
        module = self._modules.get(path)
        if module is not None and module.name == name and module.document is not None:
            return module
        document = Document.open(path, read_source(Path(path)).text_utf8)
        if path in self._modules or self.locate(name) != path:
            return self.set_document(path, name, document)
        # Whoever asked for it was told that it is there; nobody has seen into it: no answer changes.
        module = self._put(path, Module(path, name, Path(path).name == "__init__.py"))
        update(module, document)
        self.news[path] = None
        return module

    def forget(self, path: str, kept: Collection[str] = ()) -> None:
        """Drop what is known of the module at `path`, or of those in the folder, except `kept`: the next
        question reads the disk again."""
        inside = path.rstrip(os.sep) + os.sep
        for known in [one for one in self._modules if one == path or one.startswith(inside)]:
            if known not in kept:
                del self._modules[known]
        self._named = None
        self._located.clear()
        self._invalidate_all()

    def is_as_on_disk(self, path: str) -> bool:
        """Whether the module at `path` is still as it was read; also if it is no Python file."""
        module = self._modules.get(path)
        file = Path(path)
        if not file.is_absolute() or is_notebook(path) or (module is not None and module.document is None):
            return True
        try:
            text = read_source(file).text_utf8
        except SourceError:
            return module is None
        return module is not None and module.document is not None and module.document.data == text

    def relocate(self) -> bool:
        """Look anew where modules are, if one is elsewhere than it was found. Returns whether one is."""
        known = dict(self._located)
        self._located.clear()
        if all(self.locate(name) == path for name, path in known.items()):
            return False
        self._invalidate_all()
        return True

    def module(self, path: str) -> Module | None:
        """The module at `path`; None where it cannot be read or is no text."""
        if path not in self._modules:
            module = self._load(path)
            if module is not None:
                self._put(path, module)
            self._modules[path] = module
            self.news[path] = None
        return self._modules[path]

    def _load(self, path: str) -> Module | None:
        file = Path(path)
        name = name_below(self._roots, file)  # whoever asked, and by which name
        if file.is_dir():
            return Module(path, name, True)
        try:
            source = read_source(file)
        except SourceError as error:
            _LOGGER.info("%s: %s", path, error)
            return None
        module = Module(path, name, file.name == "__init__.py")
        update(module, Document.open(path, source.text_utf8))
        return module

    @property
    def modules(self) -> Mapping[str, Module | None]:
        """The modules looked at so far, by path; None for what is no readable text."""
        return self._modules

    @property
    def located(self) -> Mapping[str, str | None]:
        """Where the modules asked for so far are, by name; see `locate`."""
        return self._located

    def locate(self, name: str, asker: Module | None = None) -> str | None:
        """The path of the project's module with this absolute dotted name; None if it has none. A folder
        without `__init__.py` counts, unless torch has a module of that name. `asker` is the module whose
        code asks: what is found in it depends on the answer."""
        if asker is not None:
            self._note_asked(asker, name)
        if name not in self._located:
            self._located[name] = self._search(name)
        return self._located[name]

    def _search(self, name: str) -> str | None:
        if not all(name.split(".")):
            return None
        for path in self._with_name().get(name, ()):
            module = self._modules.get(path)
            if module is not None and module.name == name and module.document is not None:
                return path
        is_torch = self._catalog.is_module(name.partition(".")[0])
        if is_torch and not self._has_torch:
            return None
        found = search(self._roots, name, named_root=not is_torch)
        return None if found.is_folder and self._catalog.is_module(name) else found.path

    def is_root(self, name: str) -> bool:
        """Whether a folder that imports start from has this name, by which files in it may be imported."""
        return any(root.name == name for root in self._roots) and not self._catalog.is_module(name)

    def find(self, name: str, asker: Module | None) -> AbstractValue:
        """The project's module of that name as a value; never, if there is none. See `locate`."""
        path = self.locate(name, asker)
        return just(ProjectModule(path)) if path is not None else NEVER

    def stub(self, dotted: str, asker: Module | None) -> Module | None:
        """The stub of a name of an installed package; None where there is none. See `locate`."""
        if asker is not None:
            self._note_asked(asker, as_dependency(dotted))
        return self.installed.stub(dotted)

    def note_parameter(self, key: ParameterKey, asker: Module | None) -> None:
        """The module `asker` relies on what is given for a parameter."""
        if asker is not None:
            asked = self.parameters.get(asker.path)
            if asked is None:
                asked = self.parameters[asker.path] = set()
            if key not in asked:
                asked.add(key)
                self.news[asker.path] = None

    def _note_asked(self, asker: Module, name: str) -> None:
        asked = self.asked.get(asker.path)
        if asked is None:
            asked = self.asked[asker.path] = set()
        if name not in asked:
            asked.add(name)
            self.news[asker.path] = None

    def submodule(self, module: Module, name: str, asker: Module | None) -> AbstractValue | None:
        """The module `name` inside the package `module`, if there is one. See `locate`."""
        if not module.is_package or not module.name:
            return None
        found = self.find(f"{module.name}.{name}", asker)
        return found if found.alternatives else None
