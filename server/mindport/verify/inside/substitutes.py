"""Puts what stands in for MindSpore's functions without a kernel on CPU in their places."""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable
from typing import Any

import mindspore

_HELPERS = "mindport_helpers"
_PLACEHOLDER = "Unavailable"


def substitute(folder: str, module: str, table: str) -> set[str]:
    """Take the table in a module of a folder, if MindSpore runs on a CPU. Returns the names of what was
    substituted and then used: a set that grows while the program runs."""
    used: set[str] = set()
    if mindspore.get_context("device_target") != "CPU":
        return used
    sys.path.insert(0, folder)
    substitutes = getattr(importlib.import_module(module), table)
    sys.path.remove(folder)
    del sys.modules[module]
    sys.modules.pop(_HELPERS, None)
    for name, stand_in in substitutes.items():
        *path, last = name.split(".")[1:]
        owner = functools.reduce(lambda found, part: getattr(found, part, None), path, mindspore)
        original = getattr(owner, last, None)
        if original is None or type(stand_in).__name__ == _PLACEHOLDER:
            continue
        made = _class(name, stand_in, used) if isinstance(stand_in, type) else None
        setattr(owner, last, made or _function(name, stand_in, original, used))
    return used


def _class(name: str, stand_in: type, used: set[str]) -> type:
    """The class, telling when there is an object of it."""

    class Substitute(stand_in):  # type: ignore[misc]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            used.add(name)
            super().__init__(*args, **kwargs)

    Substitute.__name__ = Substitute.__qualname__ = stand_in.__name__
    return Substitute


def _function(
    name: str, stand_in: Callable[..., Any], original: Callable[..., Any], used: set[str]
) -> Callable[..., Any]:
    """The function, telling when it is called. What it calls itself is not substituted by it again."""
    running = False

    @functools.wraps(original, updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal running
        if running:
            return original(*args, **kwargs)
        used.add(name)
        running = True
        try:
            return stand_in(*args, **kwargs)
        finally:
            running = False

    return call
