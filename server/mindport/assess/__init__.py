"""What a use means for the target.

A rule, and a rewrite of structure, is registered by being a file of a folder.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from types import ModuleType


def modules_in(package: str, path: Iterable[str]) -> Iterator[ModuleType]:
    """The modules of a package, by their names; `path` is its `__path__`."""
    for name in sorted(module.name for module in pkgutil.iter_modules(path)):
        yield importlib.import_module(f"{package}.{name}")
