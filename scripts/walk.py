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
from collections.abc import Callable, Iterable
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
    """The attributes of a module, also those its type gives (properties of module-like objects)."""
    names = dict(vars(module))
    for cls in type(module).__mro__:
        if cls in (types.ModuleType, object):
            break
        for name in vars(cls):
            if not name.startswith("_"):
                with contextlib.suppress(Exception):
                    names.setdefault(name, getattr(module, name))
    return names


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


def instance_attributes(cls: type) -> dict[str, str | None]:
    """Public attributes that the class's own `__init__` sets, with the annotation text that is known.

    Read from the source with `ast`: `self.x = x` takes the annotation of the parameter `x`,
    `self.register_buffer("x", ...)` is a Tensor, `self.x = Parameter(...)` a Parameter.
    """
    import ast
    import textwrap

    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
    except (OSError, TypeError, SyntaxError):
        return {}
    body = tree.body[0]
    if not isinstance(body, ast.ClassDef):
        return {}
    found: dict[str, str | None] = {}
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = ast.unparse(node.annotation)
    for node in body.body:
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            for name, text in _assigned(node).items():
                found.setdefault(name, text)
    return {name: text for name, text in found.items() if not name.startswith("_")}


def _assigned(function: object) -> dict[str, str | None]:
    import ast

    assert isinstance(function, ast.FunctionDef)
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    types_of = {a.arg: ast.unparse(a.annotation) for a in arguments if a.annotation}
    found: dict[str, str | None] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and _called(node) in ("register_buffer", "register_parameter"):
            if node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
                kind = "Tensor" if _called(node) == "register_buffer" else "torch.nn.Parameter"
                found.setdefault(node.args[0].value, kind)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if _is_self(target):
                    text = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else None
                    found.setdefault(target.attr, text or _value_type(node.value, types_of))
    return found


def _called(node: object) -> str:
    function = getattr(node, "func", None)
    return str(getattr(function, "attr", getattr(function, "id", "")))


def _is_self(node: object) -> bool:
    return getattr(getattr(node, "value", None), "id", None) == "self" and hasattr(node, "attr")


def _value_type(value: object, types_of: dict[str, str]) -> str | None:
    name = getattr(value, "id", None)
    if name is not None:
        return types_of.get(name)
    called = _called(value)
    if called and called[0].isupper():
        return called
    return {"int": "int", "float": "float", "bool": "bool", "str": "str"}.get(called)


Namer = Callable[[object], "str | None"]
