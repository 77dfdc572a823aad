"""What is known of packages that are installed beside the project, by the names that code asks for.

The packages are not looked into here, which may take long: whoever runs the session has each name that is
`wanted` looked up, elsewhere, and hands the stubs in (`take`). Until then, and where nothing is known, a
name is what it is without them: something of a library.

A stub is Python code that says of one name of a package what can be used of it: what it re-exports of
torch, what a class derives from and has, what a function returns. It is evaluated as all other code.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from mindport.index.memo import NO_BLOCKS, Dependents, mark_dirty
from mindport.index.module import Module
from mindport.lowering.incremental import update
from mindport.source.document import Document

if TYPE_CHECKING:
    from mindport.catalog.catalog import Catalog

_PREFIX: Final = "installed: "
"""How the paths of stubs begin; and, among the modules that a module asked for, names of packages."""


class StubIndex:
    """The stubs that are known. `dependents` are, by dotted name, the blocks that asked for it."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._stubs: dict[str, str] = {}
        self._modules: dict[str, Module] = {}
        self._wanted: dict[str, None] = {}
        self.dependents: Dependents = {}

    def may_hold_torch(self, dotted: str, asker: Module | None) -> bool:
        """Whether the name is worth asking for: not, where our own data knows the library, and not from
        stubs, which say what is to be said themselves."""
        libraries = self._catalog.libraries
        top, _, rest = dotted.partition(".")
        return (
            rest != ""
            and top not in sys.stdlib_module_names
            and not libraries.never_gives_tensors(dotted)
            and libraries.returned(dotted) is None
            and not (asker is not None and asker.path.startswith(_PREFIX))
        )

    def stub(self, dotted: str) -> Module | None:
        """The stub of a name; None where it says nothing or is not known yet."""
        if dotted not in self._stubs:
            self._wanted[dotted] = None
            return None
        text = self._stubs[dotted]
        if not text:
            return None
        if dotted not in self._modules:
            module = self._modules[dotted] = Module(_PREFIX + dotted, "", False)
            update(module, Document.open(module.path, text))
        return self._modules[dotted]

    def wanted(self) -> list[str]:
        """The names that were asked for since this was last called, and are not known."""
        wanted, self._wanted = self._wanted, {}
        return [dotted for dotted in wanted if dotted not in self._stubs]

    def take(self, stubs: Mapping[str, str]) -> bool:
        """Take up stubs by name. Returns whether anything that was said before may be different now."""
        changed = {name for name, text in stubs.items() if self._stubs.get(name, "") != text}
        self._stubs.update(stubs)
        for name in changed:
            self._modules.pop(name, None)
            mark_dirty(self.dependents.get(name, NO_BLOCKS))
        return bool(changed)

    def forget(self) -> None:
        """Other packages are installed now: nothing is known of any."""
        self.take(dict.fromkeys(self._stubs, ""))
        self._stubs.clear()
        for blocks in self.dependents.values():
            mark_dirty(blocks)  # so that they ask again


def as_dependency(dotted: str) -> str:
    """How a name of a package is written among the modules that a module asked for."""
    return _PREFIX + dotted


def package_name_of(asked: str) -> str | None:
    """The name of a package's that `as_dependency` gave this for; None for the name of a module."""
    return asked[len(_PREFIX) :] if asked.startswith(_PREFIX) else None
