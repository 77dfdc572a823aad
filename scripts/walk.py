"""Walks an installed package: which modules it has, and under which dotted names each object is found."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import pkgutil
import re
import sys
import types
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Walk:
    """The modules found (by dotted name) and those whose source exists but which cannot be imported."""

    modules: dict[str, types.ModuleType] = field(default_factory=dict)
    unimportable: dict[str, Path] = field(default_factory=dict)


def walk(package: str, private: Iterable[str], skip: re.Pattern[str]) -> Walk:
    """Import the public modules of `package`, and the private ones named, and every loaded child of them."""
    result = Walk()
    root = importlib.import_module(package)
    result.modules[package] = root
    for info in pkgutil.walk_packages(root.__path__, f"{package}.", onerror=lambda _: None):
        if not is_private(info.name) and not skip.search(info.name):
            _import(info.name, result)
    for name in private:
        _import(name, result)
    _add_loaded(result, package, skip)
    return result


def _import(name: str, result: Walk) -> None:
    silent = io.StringIO()
    try:
        with (
            warnings.catch_warnings(),
            contextlib.redirect_stdout(silent),
            contextlib.redirect_stderr(silent),
        ):
            warnings.simplefilter("ignore")
            result.modules[name] = importlib.import_module(name)
    except BaseException:  # noqa: BLE001  a module may raise anything, even SystemExit
        with contextlib.suppress(Exception):
            spec = importlib.util.find_spec(name)
            if spec is not None and spec.origin and spec.origin.endswith(".py"):
                result.unimportable[name] = Path(spec.origin)


def _add_loaded(result: Walk, package: str, skip: re.Pattern[str]) -> None:
    """Modules that exist only in `sys.modules` (compiled submodules, objects put there by hand)."""
    for name, module in list(sys.modules.items()):
        known = name in result.modules or not name.startswith(f"{package}.")
        if known or skip.search(name) or not isinstance(module, types.ModuleType):
            continue
        if not is_private(name):
            result.modules[name] = module
    for name in list(result.modules):
        for attribute, value in list(vars(result.modules[name]).items()):
            dotted = f"{name}.{attribute}"
            own = type(value) is types.ModuleType and value.__name__ == dotted
            if own and not is_private(dotted) and dotted not in result.modules and not skip.search(dotted):
                result.modules[dotted] = value


def is_private(dotted: str) -> bool:
    """Whether a part of the name starts with an underscore (dunder names are not private)."""
    return any(p.startswith("_") and not p.startswith("__") for p in dotted.split("."))


def exported_names(module: types.ModuleType) -> list[str] | None:
    """The module's `__all__`, None if it has none."""
    exported = vars(module).get("__all__")
    return sorted({str(name) for name in exported}) if isinstance(exported, (list, tuple, set)) else None


def star_names(module: types.ModuleType) -> list[str]:
    """The names `from module import *` binds."""
    exported = exported_names(module)
    if exported is not None:
        return exported
    return sorted(name for name in vars(module) if not name.startswith("_"))


def namespace(module: types.ModuleType) -> dict[str, object]:
    """The attributes of a module, also those its type gives (properties of module-like objects), and the
    functions of the module that such an object stands before (`torch.backends.cudnn.m`)."""
    behind = vars(module).get("m")
    names = _own_functions(behind) if isinstance(behind, types.ModuleType) else {}
    names.update(vars(module))
    for cls in type(module).__mro__:
        if cls in (types.ModuleType, object):
            break
        for name in vars(cls):
            if not name.startswith("_"):
                with contextlib.suppress(Exception):
                    names.setdefault(name, getattr(module, name))
    return names


def _own_functions(module: types.ModuleType) -> dict[str, object]:
    """The public functions that a module defines."""
    return {
        name: value
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
    }


def belongs(value: object, package: str) -> bool:
    """Whether a class, function or instance comes from the package."""
    if not inspect.isroutine(value) and not isinstance(value, type):
        value = type(value)
    module = getattr(value, "__module__", None)
    if isinstance(value, (types.BuiltinFunctionType, types.BuiltinMethodType)):
        owner = getattr(value, "__self__", None)
        module = module or getattr(owner, "__name__", None) or getattr(type(owner), "__module__", "")
        if isinstance(owner, type):
            module = owner.__module__
    return isinstance(module, str) and (module == package or module.startswith(f"{package}."))
