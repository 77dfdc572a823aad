"""Records of functions and constants: kind, signatures, return type, deprecation."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping

import typing_extensions
from instance_attributes import class_node
from naming import Names
from signatures import (
    Signature,
    Stub,
    behind,
    from_callable,
    from_docstring,
    from_function_node,
    functions_of,
    says_nothing,
    value_text,
)
from type_names import TypeNames, join_returns

Record = dict[str, object]


class Recorder:
    """Describes functions and constants. `stubs` are consulted before `inspect`."""

    def __init__(
        self,
        package: str,
        names: Names,
        type_names: TypeNames,
        stubs: Mapping[str, Stub],
        scope: Mapping[str, object],
        merged: Mapping[type, str],
        builtin_home: Callable[[object], str | None],
        platforms: Callable[[object], list[str]] | None = None,
        known_returns: Mapping[str, str] | None = None,
    ) -> None:
        self.package = package
        self.names = names
        self.type_names = type_names
        self.stubs = stubs
        self.scope = scope
        self.merged = merged
        self.builtin_home = builtin_home
        self.platforms = platforms or (lambda _: [])
        self.known_returns = known_returns or {}
        self._package_scope = {package: scope[package]}
        self._records: dict[str, Record] = {}

    def _add(self, name: str, kind: str, **values: object) -> Record:
        if kind in ("attribute", "property") and name in self.known_returns:
            values["returns"] = self.known_returns[name]
        record: Record = {"name": name, "kind": kind}
        record.update({key: value for key, value in values.items() if value not in (None, [], {})})
        self._records[name] = record
        return record

    def _constant(self, name: str, value: object) -> None:
        own = self.names.is_dtype(value)
        returns = f"{self.package}.dtype" if own else self.type_names.of_value(value)
        if not own and returns is None and callable(value):
            self._function(name, value)
            return
        simple = value is None or isinstance(value, (bool, int, float))
        self._add(
            name,
            "dtype" if own else "constant",
            aliases=self.names.aliases[name],
            returns=returns,
            value=value_text(value) if simple else None,
        )

    def _function(self, name: str, value: object) -> None:
        stated = self._stub_signatures(name, value)
        signatures = self._own_signatures(value, name) if inspect.isfunction(value) or not stated else []
        if stated and says_nothing(signatures):
            signatures = stated
        self._add(
            name,
            "function",
            aliases=self.names.aliases[name],
            signatures=signatures,
            returns=self._returns(stated or signatures, value, name),
            deprecated=deprecation(value),
            platforms=self.platforms(value),
        )

    def _stub_signatures(self, name: str, value: object) -> list[Signature]:
        routine = inspect.isroutine(value)
        last = getattr(value, "__name__", None) if routine else name.rsplit(".", 1)[-1]
        homes = [getattr(value, "__module__", None) if routine else None, self.builtin_home(value)]
        homes += [spelling.rsplit(".", 1)[0] for spelling in [name, *self.names.aliases.get(name, [])]]
        for home in homes:
            stub = self.stubs.get(home or "")
            found = stub.overloads(last, self.type_names, self.scope) if stub else []
            if found:
                return found
        return []

    def _own_signatures(self, value: object, name: str, method: bool = False) -> list[Signature]:
        chosen = typing_extensions.get_overloads(value) if inspect.isfunction(value) else []
        chosen = list(chosen) or behind(value)
        signatures = [s for s in (from_callable(v, self.type_names, method) for v in chosen) if s]
        if says_nothing(signatures):
            documented = [s for v in [value, *chosen] for s in self._documented(v, name)]
            signatures = documented or self._from_class_source(value) or signatures
        unique = {json.dumps(s, sort_keys=True): s for s in signatures}
        return list(unique.values())

    def _from_class_source(self, value: object) -> list[Signature]:
        """The `__init__` as written, for classes whose `__init__` is wrapped out of sight."""
        node = class_node(value) if isinstance(value, type) else None
        found = functions_of(node.body).get("__init__", []) if node else []
        return [from_function_node(f, self.type_names, self.scope, True) for f in found]

    def _documented(self, value: object, name: str) -> list[Signature]:
        signatures = []
        for signature, text in from_docstring(inspect.getdoc(value), name.rsplit(".", 1)[-1]):
            returns = self.type_names.of_text(text, self.scope) if text else None
            if signature is not None:
                signatures.append({**signature, **({"returns": returns} if returns else {})})
        return signatures

    def _returns(self, signatures: list[Signature], value: object, name: str) -> str | None:
        if name in self.known_returns:
            return self.known_returns[name]
        texts = [s.get("returns") for s in signatures]
        joined = join_returns(texts) if texts else None  # type: ignore[arg-type]
        if joined is None:
            stated = from_docstring(inspect.getdoc(value), name.rsplit(".", 1)[-1])
            joined = join_returns([self.type_names.of_text(t, self.scope) if t else None for _, t in stated])
        return joined


def deprecation(value: object) -> bool | None:
    """True when the object is marked or documented as deprecated."""
    if not inspect.isroutine(value) and not isinstance(value, type):
        return None
    if getattr(value, "__deprecated__", None):
        return True
    text = (inspect.getdoc(value) or "")[:400].lower()
    return True if "deprecated" in text and ("is deprecated" in text or ".. deprecated" in text) else None
