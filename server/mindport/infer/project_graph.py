"""The modules of the user's project, found by name and loaded when first asked for."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.callgraph.argument_facts import ArgumentFacts
from mindport.index.memo import evict, mark_dirty
from mindport.index.module import Module
from mindport.infer.stubs import StubIndex, as_dependency
from mindport.infer.values import NEVER, AbstractValue, ProjectModule, just
from mindport.lowering.incremental import update
from mindport.source.decode import SourceError, is_notebook, read_source
from mindport.source.document import Document, digest_of

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
    `__init__.py`, for which nothing says where the package begins, import each other by its name. A root that
    is a package itself has nothing of the name of a module of the standard library: that is what its files
    mean by it, unless they are run as scripts.
    """
    parts = name.split(".")
    if parts[0] in sys.stdlib_module_names:
        roots = [root for root in roots if not os.path.isfile(root / "__init__.py")]  # noqa: PTH113
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


class Listed(NamedTuple):
    """The names in the list `__all__` of a text, and the digest of the text."""

    names: frozenset[str]
    digest: str


_MOST_PASSES: Final = 4
"""Files that rely on each other in a chain are dropped one after the other, in as many passes."""
_MANY: Final = 5
"""What so many modules rely on is asked for again soon."""
_ALL: Final = b"__all__"
_GAP: Final = rb"(?:\s|#[^\n]*)*"
_NAME: Final = rb"""(?:"[A-Za-z_0-9]*"|'[A-Za-z_0-9]*')""" + _GAP
_LIST: Final = re.compile(
    rb"^__all__ ?= ?\[(?P<items>%b(?:%b,%b)*(?:%b)?)\] *\r?$" % (_GAP, _NAME, _GAP, _NAME), re.MULTILINE
)
_ITEM: Final = re.compile(rb"""["']([A-Za-z_0-9]*)["']""")


def _listed_in(path: str) -> Listed | None:
    """What a file says it exports, where its one mention of `__all__` is a plain list outside of longer
    strings; else None."""
    try:
        text = read_source(Path(path)).text_utf8
    except SourceError:
        return None
    found = _LIST.match(text, text.find(_ALL)) if text.count(_ALL) == 1 else None
    if found is None or any(text.count(quotes, 0, found.start()) % 2 for quotes in (b'"""', b"'''")):
        return None
    items = re.sub(rb"#[^\n]*", b"", found["items"])
    return Listed(frozenset(item.decode() for item in _ITEM.findall(items)), digest_of(text))


class ProjectGraph:
    """Which modules there are.

    `roots` are the folders that imports start from (as on `sys.path`). Documents that are open in an editor
    stand in for the files on disk. `has_torch`: a module of torch's own name there counts, as in torch's own
    source; else torch is what the catalog says. `not_converged` are blocks that rely on unfinished results.
    Unless it `keeps_syntax`, files are parsed again where somebody asks for their syntax trees. Not
    thread-safe.
    """

    def __init__(
        self,
        catalog: Catalog,
        roots: Sequence[Path] = (),
        has_torch: bool = True,
        argument_facts: ArgumentFacts | None = None,
        keeps_syntax: bool = True,
    ) -> None:
        self.bytes_read = 0
        """The size of the files that were read."""
        self.keeps_syntax = keeps_syntax
        self.not_converged: set[Block] = set()
        self.installed = StubIndex(catalog)
        self.argument_facts = argument_facts or ArgumentFacts()
        self._catalog = catalog
        self._has_torch = has_torch
        self._roots: list[Path] = list(roots)
        self.asked: dict[str, dict[str, None]] = {}
        """By the path of a module, the absolute names of the modules that its code asked for, and names of
        installed packages (see `as_dependency`), those that it asked for last at the end."""
        self.parameters: dict[str, dict[ParameterKey, None]] = {}
        """By the path of a module, the parameters that its code was evaluated with what is given for, the
        same."""
        self.news: dict[str, None] = {}
        """The paths of modules that were loaded, or whose code has asked for more: whoever looks takes them
        out."""
        self._modules: dict[str, Module | None] = {}
        self._named: dict[str, list[str]] | None = None
        """The paths of modules by their names, once they were asked for."""
        self._located: dict[str, str | None] = {}
        self._told: dict[str, str | None] = {}
        """What code was told of where modules are, and what may be different by now (see `has_moved`)."""
        self._listed: dict[str, Listed | None] = {}
        """By path, what files say they export of which nothing else was asked; None for those that have to be
        lowered to tell."""

    def add_roots(self, roots: Sequence[Path]) -> None:
        """Let imports start from these folders too."""
        new = [root for root in roots if root not in self._roots]
        if new:
            self._roots.extend(new)
            self._look_anew()

    def set_document(self, path: str, name: str, document: Document) -> Module:
        """Take up the text of the module at `path`: a file path, or a URI for a text without one."""
        module = self._modules.get(path)
        self._listed.pop(path, None)
        if module is None or module.name != name:
            module = self._put(path, Module(path, name, Path(path).name == "__init__.py"))
            self._look_anew()
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

    def _look_anew(self) -> None:
        """Modules may be elsewhere now."""
        self._keep_told()
        self._located.clear()
        self._invalidate_all()

    def _keep_told(self) -> None:
        for name, path in self._located.items():
            self._told.setdefault(name, path)

    def _invalidate_all(self) -> None:
        """Which modules there are has changed: nothing that was found out is sure any more."""
        for module in self._modules.values():
            if module is not None:
                mark_dirty(module.remembering())

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
        self._lower(module, document)
        self.news[path] = None
        return module

    def _lower(self, module: Module, document: Document) -> None:
        """Take up the text of a file that was read."""
        update(module, document)
        self.bytes_read += len(document.data)
        if not self.keeps_syntax:
            document.forget_syntax(module.cuts())
            module.share_text()

    def forget(self, path: str, kept: Collection[str] = ()) -> None:
        """Drop what is known of the module at `path`, or of those in the folder, except `kept`: the next
        question reads the disk again."""
        inside = path.rstrip(os.sep) + os.sep
        for known in [one for one in self._modules if one == path or one.startswith(inside)]:
            if known not in kept:
                del self._modules[known]
        for known in [one for one in self._listed if one == path or one.startswith(inside)]:
            del self._listed[known]
        self._named = None
        self._look_anew()

    def forget_unasked(self) -> None:
        """Drop files that no other module relies on, and those that only these relied on, to have room for
        more: they are read again when next asked for. What many modules share stays."""
        self._named = None
        files = {path: module for path, module in self._modules.items() if module and module.document}
        waiting = [path for path, module in files.items() if len(module.relying_modules()) < _MANY]
        for _ in range(_MOST_PASSES):
            unasked = [path for path in waiting if not files[path].relying_modules()]
            for path in unasked:
                for block in files[path].remembering():
                    evict(block)
                del self._modules[path]
                self.bytes_read -= len(files[path].layout.data)
            waiting = [path for path in waiting if path in self._modules]

    def is_as_on_disk(self, path: str) -> bool:
        """Whether the module at `path` is still as it was read; also if it is no Python file."""
        module = self._modules.get(path)
        file = Path(path)
        if not file.is_absolute() or is_notebook(path) or (module is not None and module.document is None):
            return True
        try:
            text = read_source(file).text_utf8
        except SourceError:
            return module is None and self._listed.get(path) is None
        if module is None or module.document is None:
            return self.digest(path) == digest_of(text)
        return module.document.data == text

    def relocate(self) -> bool:
        """Look at the disk anew for where modules are. Returns whether one is elsewhere than code was told:
        what was found with that is not sure."""
        self._keep_told()
        self._located.clear()
        has_moved = self.has_moved()
        if has_moved:
            self._invalidate_all()
        return has_moved

    def has_moved(self) -> bool:
        """Whether a module is elsewhere than code was told, since this was last asked."""
        told, self._told = self._told, {}
        return any(self.locate(name) != path for name, path in told.items())

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
        self._lower(module, Document.open(path, source.text_utf8))
        return module

    def may_export(self, path: str, name: str) -> bool:
        """Whether a star import of the module at `path` may bind `name`. A file that says in a plain list
        what it exports is not lowered to tell: packages star-import hundreds of these."""
        if path in self._modules:
            return True
        if path not in self._listed:
            self._listed[path] = _listed_in(path)
            self.news[path] = None
        listed = self._listed[path]
        return listed is None or name in listed.names

    @property
    def paths_read(self) -> list[str]:
        """The paths of the files that answers rest on."""
        return [*self._modules, *(path for path in self._listed if path not in self._modules)]

    def digest(self, path: str) -> str | None:
        """A name for the text of a module that was read; None for what is no text."""
        module = self._modules.get(path)
        if module is not None:
            return module.document.digest if module.document is not None else None
        listed = self._listed.get(path)
        return listed.digest if listed is not None else None

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
                asked = self.parameters[asker.path] = {}
            if key not in asked:
                asked[key] = None
                self.news[asker.path] = None

    def _note_asked(self, asker: Module, name: str) -> None:
        asked = self.asked.get(asker.path)
        if asked is None:
            asked = self.asked[asker.path] = {}
        if name not in asked:
            asked[name] = None
            self.news[asker.path] = None

    def submodule(self, module: Module, name: str, asker: Module | None) -> AbstractValue | None:
        """The module `name` inside the package `module`, if there is one. See `locate`."""
        if not module.is_package or not module.name:
            return None
        found = self.find(f"{module.name}.{name}", asker)
        return found if found.alternatives else None
