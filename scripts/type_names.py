"""Types as one normalised text: `Tensor`, `tuple[Tensor, int]`, `int | None`, `torch.Size`, `Self`.

Used by the catalog scripts for return types and attribute types. A part that cannot be told is `Any`;
a type that cannot be told at all is None.
"""

from __future__ import annotations

import ast
import builtins
import collections.abc
import contextlib
import types
import typing
from collections.abc import Callable, Mapping

import typing_extensions

Namer = Callable[[object], "str | None"]
"""Gives the public name of a class of the framework, or None."""

_PLAIN = {int, float, bool, str, bytes, complex, object, type, slice}
_CONTAINERS = {tuple: "tuple", list: "list", dict: "dict", set: "set", frozenset: "frozenset"}
_ABSTRACT = {
    collections.abc.Sequence: "Sequence",
    collections.abc.Iterable: "Iterable",
    collections.abc.Iterator: "Iterator",
    collections.abc.Generator: "Generator",
    collections.abc.Mapping: "Mapping",
    collections.abc.Callable: "Callable",
}
_DEEPEST = 6
"""Types nested deeper than this (recursive aliases) are not told."""


class TypeNames:
    """Renders type objects and annotation texts for one framework."""

    def __init__(self, namer: Namer) -> None:
        self._namer = namer
        self._depth = 0

    def of_object(self, annotation: object, scope: Mapping[str, object]) -> str | None:
        """The text for an annotation as `inspect` gives it: a type, a typing construct or a string."""
        if annotation is None or annotation is type(None):
            return "None"
        if isinstance(annotation, str):
            return self.of_text(annotation, scope)
        if annotation is typing.Any or annotation is typing.NoReturn:
            return None
        if self._depth > _DEEPEST:
            return None
        self._depth += 1
        try:
            return self._render(annotation, scope)
        finally:
            self._depth -= 1

    def of_text(self, text: str, scope: Mapping[str, object]) -> str | None:
        """The text for an annotation written as source code, its names looked up in `scope`."""
        try:
            return self._of_node(ast.parse(text.strip(), mode="eval").body, scope)
        except (SyntaxError, ValueError):
            return None

    def of_value(self, value: object) -> str | None:
        """The type of a constant or attribute, from its value."""
        return self._class(type(value))

    def _of_node(self, node: ast.expr, scope: Mapping[str, object]) -> str | None:
        if isinstance(node, ast.Constant):
            return self.of_text(node.value, scope) if isinstance(node.value, str) else _constant(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return _union([self._of_node(node.left, scope), self._of_node(node.right, scope)])
        if isinstance(node, ast.Subscript):
            return self._subscript(node, scope)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("tuple", "list")
        ):
            parts = [self._of_node(part, scope) for part in node.args]
            return self._generic({"tuple": tuple, "list": list}[node.func.id], _repeated(parts, node.func.id))
        if isinstance(node, ast.Tuple):
            return self._generic(tuple, [self._of_node(part, scope) for part in node.elts])
        found, value = _look_up(node, scope)
        if not found:
            last = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
            return "Self" if last == "Self" else None
        return self.of_object(value, scope)

    def _subscript(self, node: ast.Subscript, scope: Mapping[str, object]) -> str | None:
        found, generic = _look_up(node.value, scope)
        if not found:
            return None
        arguments = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        texts = [_ellipsis(a) or self._of_node(a, scope) for a in arguments]
        return self._generic(generic, texts)

    def _render(self, annotation: object, scope: Mapping[str, object]) -> str | None:
        if annotation is typing_extensions.Self:
            return "Self"
        if isinstance(annotation, typing.TypeVar):
            bound = annotation.__bound__
            return self.of_object(bound, scope) if bound is not None else None
        if isinstance(annotation, typing.ForwardRef):
            return self.of_text(annotation.__forward_arg__, scope)
        origin = typing.get_origin(annotation)
        if origin is not None:
            arguments = typing.get_args(annotation)
            if origin is typing.Literal or origin is typing_extensions.Literal:
                return _union([self._class(type(a)) for a in arguments])
            texts = ["..." if a is Ellipsis else self.of_object(a, scope) for a in arguments]
            return self._generic(origin, texts)
        return self._class(annotation)

    def _generic(self, generic: object, texts: list[str | None]) -> str | None:
        generic = typing.get_origin(generic) or generic
        if generic is typing.Union or generic is types.UnionType:
            return _union(texts)
        if generic is typing.Optional:
            return _union([*texts, "None"])
        if any(generic is wrapper for wrapper in (typing.Final, typing.ClassVar, typing.Annotated)):
            return texts[0]
        if generic is typing.Literal:
            return None
        if generic is collections.abc.Callable:
            return "Callable"
        if not isinstance(generic, type):
            return None
        name = _CONTAINERS.get(generic) or _ABSTRACT.get(generic)
        if name is None:
            return self._class(generic)
        return f"{name}[{', '.join(t or 'Any' for t in texts)}]" if texts else name

    def _class(self, value: object) -> str | None:
        if value is type(None):
            return "None"
        if not isinstance(value, type):
            return None
        if value in _PLAIN:
            return value.__name__
        name = _CONTAINERS.get(value) or _ABSTRACT.get(value) or self._namer(value)
        if name is not None:
            return name
        if value.__module__.split(".")[0] in ("numpy", "pathlib", "collections", "contextlib"):
            return f"{value.__module__}.{value.__qualname__}"
        return None


def _constant(node: ast.Constant) -> str | None:
    return "None" if node.value is None else None


def _repeated(parts: list[str | None], container: str) -> list[str | None]:
    """Docstrings write `tuple(Tensor)` for a tuple of any length."""
    return [*parts, "..."] if container == "tuple" and len(parts) == 1 else parts


def _ellipsis(node: ast.expr) -> str | None:
    return "..." if isinstance(node, ast.Constant) and node.value is Ellipsis else None


def _look_up(node: ast.expr, scope: Mapping[str, object]) -> tuple[bool, object]:
    if isinstance(node, ast.Name):
        for names in (scope, vars(typing), vars(typing_extensions), vars(builtins)):
            if node.id in names:
                return True, names[node.id]
        return False, None
    if isinstance(node, ast.Attribute):
        found, owner = _look_up(node.value, scope)
        with contextlib.suppress(Exception):
            if found:
                return True, getattr(owner, node.attr)
    return False, None


def _union(texts: list[str | None]) -> str | None:
    if any(text is None for text in texts):
        return None
    parts = dict.fromkeys(part for text in texts for part in split_union(text or ""))
    return " | ".join(parts)


def split_union(text: str) -> list[str]:
    """The members of a union at the top level: `tuple[int | str, int] | None` has two."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character in "[(") - (character in "])")
        if character == "|" and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    return [*parts, text[start:].strip()]


def join_returns(texts: list[str | None]) -> str | None:
    """What an API returns when its overloads return `texts`: their union, None if one is unknown."""
    return _union(texts) if texts else None
