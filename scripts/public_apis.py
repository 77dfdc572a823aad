"""Which APIs of the catalog are public in the sense of torch's documentation. The rule is in
`docs/mapping.md`."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

from walk import exported_names, is_private


def mark(records: Iterable[dict[str, Any]], modules: Mapping[str, Any]) -> None:
    """Set `documented` on every public API. `modules` are the imported modules by their public names."""
    public: set[str] = set(modules)
    for record in sorted(records, key=lambda r: r["name"].count(".")):
        name, kind = record["name"], record["kind"]
        owner, _, last = name.rpartition(".")
        if kind == "module" or is_private(name) or last.startswith("_") or owner not in public:
            continue
        if owner in modules:
            is_public = kind == "dtype" or _of_module(modules[owner], owner, last)
        else:
            is_public = _has_own_docstring(_resolve(owner, modules), last)
        if is_public:
            record["documented"] = True
            if kind == "class":
                public.add(name)


def _of_module(module: Any, name: str, last: str) -> bool:
    """Exported by `__all__`; or a function or class with a docstring, at home in the module. `torch` exports
    all of its compiled module: of the classes in there only those with a text of their own count."""
    value = getattr(module, last, None)
    if last in (exported_names(module) or ()):
        kind = value if isinstance(value, type) else type(value)
        compiled = type(kind).__name__ == "pybind11_type"
        text = value.__doc__ if isinstance(value.__doc__, str) else ""
        return not compiled or not (text or "Members:").lstrip().startswith("Members:")
    if not (inspect.isroutine(value) or isinstance(value, type)) or not value.__doc__:
        return False
    home = getattr(value, "__module__", None) or ""
    package = name.split(".")[0]
    return inspect.isbuiltin(value) or home == name or home.startswith((f"{name}.", f"{package}._C"))


def _resolve(name: str, modules: Mapping[str, Any]) -> Any:
    owner, _, last = name.rpartition(".")
    value = modules[owner] if owner in modules else _resolve(owner, modules)
    return getattr(value, last, None)


def _has_own_docstring(cls: Any, last: str) -> bool:
    """Whether the class, or a private base of it, defines the member and documents it."""
    if not isinstance(cls, type):
        return False
    for base in cls.__mro__:
        if last in vars(base):
            value = vars(base)[last]
            value = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
            kinds = (property, type(int.real), type(slice.start))
            is_member = inspect.isroutine(value) or isinstance(value, kinds) or hasattr(value, "func")
            return is_member and bool(getattr(value, "__doc__", None))
    return False
