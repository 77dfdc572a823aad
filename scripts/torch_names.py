"""The public name of an object of torch, found by its identity in the catalog's own names."""

from __future__ import annotations

import importlib
import json
import sys
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

_PLAIN = (bool, int, float, str, tuple, types.NoneType, types.ModuleType)
_METHODS = (types.FunctionType, types.MethodDescriptorType, types.WrapperDescriptorType)


class Called(NamedTuple):
    """An API under its public name, and other names that are as right."""

    api: str
    aliases: frozenset[str] = frozenset()


class TorchNames:
    """What objects of the installed torch are called. `catalog` is a file of `mapping_data/catalog`."""

    def __init__(self, catalog: Path) -> None:
        self._by_id: dict[int, list[str]] = {}
        self._kept: dict[int, object] = {}
        """The objects by their ids, which are told of no other object for as long as these are here."""
        self._names: set[str] = set()
        self._methods: dict[int, tuple[type, str]] = {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is deprecated has a name, too
            for name, value in _named_objects(catalog):
                self._names.add(name)
                if not isinstance(value, _PLAIN) and not _is_foreign(value):
                    self._kept[id(value)] = value
                    self._by_id.setdefault(id(value), []).append(name)
            classes = [value for value in self._kept.values() if isinstance(value, type)]
        for value in classes:
            self._add_methods(value)

    def _add_methods(self, cls: type) -> None:
        for name, member in vars(cls).items():
            function = getattr(member, "__func__", member)
            if isinstance(function, _METHODS):
                self._kept[id(function)] = function
                self._methods.setdefault(id(function), (cls, name))

    def of_object(self, value: object) -> Called | None:
        """A function, class or constant."""
        names = self._by_id.get(id(value))
        if names:
            return Called(names[0], frozenset(names[1:]))
        if isinstance(value, type) and _is_torch(value.__module__):
            return Called(f"{value.__module__}.{value.__qualname__}")
        return None

    def of_function(self, value: object) -> Called | None:
        """A function that is reached by no class, or a method that is reached by its class."""
        found = self.of_object(value)
        if found is not None:
            return found
        known = self._methods.get(id(value))
        if isinstance(value, types.MethodDescriptorType) and self.is_of_torch(value.__objclass__):
            known = (value.__objclass__, value.__name__)
        if known is not None:
            return self.of_member(*known)
        module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", "<locals>")
        if isinstance(module, str) and _is_torch(module) and "<locals>" not in name:
            home = sys.modules.get(module)
            return _in_its_module(value, module, name) if getattr(home, name, None) is value else None
        return None

    def of_constant(self, module: types.ModuleType, name: str, value: object) -> Called | None:
        """A value of a module that is called as it is spelled: a plain one (`torch.inf`), a dtype."""
        dotted = f"{module.__name__}.{name}"
        same = frozenset(self._by_id.get(id(value), ()))
        return Called(dotted, same - {dotted}) if dotted in self._names else None

    def is_of_torch(self, cls: type) -> bool:
        """Whether torch defines this class."""
        return id(cls) in self._by_id or _is_torch(cls.__module__)

    def of_member(self, cls: type, name: str, exact: bool = False) -> Called:
        """A member that `cls` defines. With `exact`, as for calls of `super()`, what it overrides is not as
        right."""
        owners = self._spellings(cls)
        if not exact and name != "__init__":
            for base in cls.__mro__[1:]:
                if name in vars(base) and self.is_of_torch(base):
                    owners += self._spellings(base)
        if cls.__name__.startswith("_"):
            for heir in _heirs(cls, name):
                owners += self._by_id.get(id(heir), [])
        members = list(dict.fromkeys(f"{owner}.{name}" for owner in owners))
        return Called(members[0], frozenset(members[1:]))

    def _spellings(self, cls: type) -> list[str]:
        if cls.__qualname__ == "TensorBase" and _is_torch(cls.__module__):
            return ["torch.Tensor"]
        if cls.__name__ == "Tensor" and cls.__module__ == "torch":
            return ["torch.Tensor"]
        return list(self._by_id.get(id(cls), [f"{cls.__module__}.{cls.__qualname__}"]))


def _in_its_module(value: object, module: str, name: str) -> Called:
    """What a function is called that has no name in the catalog: by the name of its module, where that stands
    for it (`torch.nn.utils.spectral_norm`)."""
    owner, _, last = module.rpartition(".")
    if getattr(sys.modules.get(owner), last, None) is value:
        return Called(module, frozenset((f"{module}.{name}",)))
    return Called(f"{module}.{name}")


def _is_foreign(value: object) -> bool:
    """Whether it is a class that a module of torch imports from another library."""
    return isinstance(value, type) and not _is_torch(value.__module__)


def _is_torch(module: object) -> bool:
    return isinstance(module, str) and (module == "torch" or module.startswith("torch."))


def _heirs(cls: type, name: str) -> Iterator[type]:
    """The public subclasses, far ones as well, that inherit a member."""
    heirs: list[type] = cls.__subclasses__()
    for heir in heirs:
        if name not in vars(heir) and _is_torch(heir.__module__):
            if not heir.__name__.startswith("_"):
                yield heir
            yield from _heirs(heir, name)


def _named_objects(catalog: Path) -> Iterator[tuple[str, object]]:
    """Functions, classes and constants with all of their names, the public one first. What this torch lacks
    is left out."""
    with catalog.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    modules = [record["name"] for record in records if record["kind"] == "module"]
    for name in modules:
        _imported(name)
    for record in records:
        if record["kind"] in ("function", "class", "constant", "dtype"):
            for name in (record["name"], *record.get("aliases", ())):
                owner, _, last = name.rpartition(".")
                module = sys.modules.get(owner)
                try:
                    value = getattr(module, last)
                except Exception:  # noqa: BLE001  what a module computes when it is asked may fail in any way
                    continue
                yield name, value


def _imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except BaseException:  # noqa: BLE001  a module may raise anything, even SystemExit
        return None
