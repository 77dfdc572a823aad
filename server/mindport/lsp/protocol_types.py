"""The protocol's types, of which a client needs few: each is completed when it is first used.

`lsprotocol.types` has some 550 classes, for each of which attrs writes and compiles methods when it is
imported: three quarters of the time in which a server that does nothing starts. A session uses some dozens.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_MODULE = "lsprotocol.types"
_FIELDS = "__attrs_attrs__"


def load_protocol_types() -> None:
    """Import `lsprotocol.types`, with classes that attrs completes when one is made, or asked for its fields.

    Call it before anything imports them; afterwards it does nothing. Classes have no slots, and are the same
    otherwise.
    """
    if _MODULE in sys.modules:
        return
    import attrs
    from lsprotocol import validators  # noqa: F401 - the module imports it, which is no class of it

    completion = _Completion(attrs.define, attrs.resolve_types)
    with _replaced(attrs, "define", completion.postpone):
        from lsprotocol import types
    completion.names = types.ALL_TYPES_MAP
    from lsprotocol import _hooks

    # The converter would ask all classes for their fields, to resolve what the types of these refer to.
    _hooks._resolved_forward_references = True


class _Completion:
    """Classes as they are written, until they are used."""

    def __init__(self, define: Callable[..., Any], resolve: Callable[..., Any]) -> None:
        self.names: dict[str, Any] = {}
        """What the types of fields refer to by name."""
        self._define = define
        self._resolve = resolve
        self._waiting: set[type] = set()
        self._lock = threading.RLock()
        self._fields = _Fields(self)

        def initialize(instance: Any, *arguments: object, **keywords: object) -> None:
            self.complete(type(instance))
            instance.__init__(*arguments, **keywords)

        self._initialize = initialize

    def postpone(self, cls: type) -> type:
        """What stands in for `attrs.define`."""
        setattr(cls, "__init__", self._initialize)  # noqa: B010 - mypy allows no assignment
        setattr(cls, _FIELDS, self._fields)
        self._waiting.add(cls)
        return cls

    def complete(self, cls: type) -> None:
        """Have attrs complete a class, and those that it derives from."""
        with self._lock:
            for each in reversed(cls.__mro__):
                if each in self._waiting:
                    self._waiting.remove(each)
                    # `init`: attrs would keep the `__init__` that waits for this, as one of the class.
                    self._define(each, slots=False, init=True)
                    self._resolve(each, self.names, {})


class _Fields:
    """Where attrs keeps the fields of a class: asked for them, the class is completed."""

    def __init__(self, completion: _Completion) -> None:
        self._completion = completion

    def __get__(self, instance: object, owner: type) -> Any:
        self._completion.complete(owner)
        return getattr(owner, _FIELDS)


@contextmanager
def _replaced(holder: Any, name: str, value: object) -> Iterator[None]:
    before = getattr(holder, name)
    setattr(holder, name, value)
    try:
        yield
    finally:
        setattr(holder, name, before)
