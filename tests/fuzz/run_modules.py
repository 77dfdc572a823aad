"""Running modules with stand-ins for torch and MindSpore, to see whether each name is bound when it is read."""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.machinery
import io
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

LIBRARIES = ("torch", "mindspore", "stars")


class Anything:
    """A value that can be used in any way. Called with a function, it gives that back, as decorators do."""

    def __call__(self, *values: Any, **named: Any) -> Any:
        if len(values) == 1 and not named and isinstance(values[0], (types.FunctionType, type)):
            return values[0]
        return Anything()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[Any, ...]:
        return (object,)

    def __iter__(self) -> Iterator[Any]:
        return iter((Anything(), Anything()))

    def __getitem__(self, key: Any) -> Any:
        return Anything()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *reason: Any) -> None:
        return None

    def __bool__(self) -> bool:
        return True

    def _operation(self, *others: Any) -> Any:
        return Anything()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _operation
    __neg__ = __pow__ = __rpow__ = __matmul__ = __or__ = __ror__ = __and__ = _operation
    __lt__ = __le__ = __gt__ = __ge__ = _operation


class _Library(types.ModuleType):
    __all__: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds every module of the libraries."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name.split(".")[0] in LIBRARIES:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: Any) -> types.ModuleType:
        return _Library(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        if module.__name__ == "torch":
            module.__all__ = ("cat", "float32")  # type: ignore[attr-defined]
        if module.__name__ == "stars":
            module.__all__ = ("mint", "star")  # type: ignore[attr-defined]
            module.mint = "of the star import"  # type: ignore[attr-defined]


@contextlib.contextmanager
def stand_ins() -> Iterator[None]:
    """While this lasts, imports of the libraries give what can be used in any way."""
    finder = _Finder()
    real = {name: module for name, module in sys.modules.items() if name.split(".")[0] in LIBRARIES}
    for name in real:
        del sys.modules[name]
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.split(".")[0] in LIBRARIES]:
            del sys.modules[name]
        sys.modules.update(real)


@dataclass
class Run:
    """What running a module came to: what it noted, the error that it ended in (None, if in none), and the names
    it has bound."""

    marks: list[Any] = field(default_factory=list)
    error: str | None = None
    names: Mapping[str, Any] = field(default_factory=dict)


def run(cells: Sequence[str]) -> Run:
    """Run the cells of a notebook, or the one text of a module; then its functions, and the examples in their
    docstrings."""
    found = Run()

    def mark(value: Any) -> Any:
        found.marks.append(value if isinstance(value, (int, str)) else "something")
        return value if isinstance(value, int) else Anything()

    def keep(*values: Any) -> Any:
        return lambda function: function

    names: dict[str, Any] = {"__name__": "generated", "mark": mark, "keep": keep, "TYPE": True}
    names |= {"keep_open": contextlib.nullcontext, "Base": object}
    given = set(names)
    with stand_ins():
        try:
            for number, cell in enumerate(cells):
                exec(compile(cell, f"<cell {number}>", "exec"), names)
            for name in [name for name in names if name not in given]:
                _run_later(names[name], names)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is compared
            found.error = f"{type(error).__name__}: {error}"
    found.names = {name: value for name, value in names.items() if name not in given}
    return found


def _run_later(value: Any, names: dict[str, Any]) -> None:
    if isinstance(value, types.FunctionType) and value.__code__.co_argcount == len(value.__defaults__ or ()):
        result = value()
        if isinstance(result, types.CoroutineType):
            with contextlib.suppress(StopIteration):
                result.send(None)
    if isinstance(value, type) and "forward" in vars(value):
        value().forward(1)
    for line in io.StringIO(getattr(value, "__doc__", None) or ""):
        if isinstance(value, types.FunctionType) and line.strip().startswith(">>> "):
            exec(compile(line.strip()[4:], "<doctest>", "exec"), names)
