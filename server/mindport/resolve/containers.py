"""What containers hold: items, elements, slices, and what the methods of builtin containers give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mindport.resolve import nodes
from mindport.resolve.returned import from_text, special_method
from mindport.resolve.values import (
    NEVER,
    UNKNOWN,
    Container,
    Elements,
    ExternalInstance,
    Instance,
    Items,
    Method,
    Nothing,
    Result,
    Value,
    is_unknown,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.resolve.evaluator import Evaluator


SEQUENTIAL: Final = "torch.nn.Sequential"
MODULE_CONTAINERS: Final = frozenset({SEQUENTIAL, "torch.nn.ModuleList", "torch.nn.ModuleDict"})
"""Classes whose instances are remembered with what they hold: calling them depends on it."""


def unpack(evaluator: Evaluator, result: Result, path: tuple[int | str, ...]) -> Result:
    """The part of a value that an assignment to nested targets binds; "*n" is a starred target."""
    for step in path:
        if isinstance(step, int):
            result = item(evaluator, result, step)
        else:
            result = just(Elements("list", element(evaluator, result)))
    return result


def item(evaluator: Evaluator, result: Result, index: int | None) -> Result:
    """The item of a sequence at `index` (None: at an index that is not known)."""
    results = [_item(evaluator, value, index) for value in result.alternatives if type(value) is not Nothing]
    return join(results).weakened(result.certainty) if results else NEVER


def _item(evaluator: Evaluator, value: Value, index: int | None) -> Result:
    if isinstance(value, Items):
        if index is not None and -len(value.items) <= index < len(value.items):
            return value.items[index]
        return join(list(value.items)) if value.items else UNKNOWN
    if isinstance(value, (Elements, Container)):
        return value.element
    if isinstance(value, Instance):
        for base in evaluator.catalog.bases(value.of):
            if base.startswith("tuple["):
                return item(evaluator, from_text(evaluator.catalog, base), index)
        return special_method(evaluator, value, "__getitem__")
    if isinstance(value, ExternalInstance):
        return just(ExternalInstance(f"{value.of}[]"))
    return UNKNOWN


def element(evaluator: Evaluator, result: Result) -> Result:
    """What iterating over a value gives. (Iterating over a dict gives its keys.)"""
    kept = tuple(
        ExternalInstance("builtins.key") if isinstance(value, Elements) and value.kind == "dict" else value
        for value in result.alternatives
    )
    return item(evaluator, Result(kept, result.certainty), None)


def subscript(evaluator: Evaluator, receiver: Result, indices: list[nodes.Expression]) -> Result:
    """`receiver[indices]`"""
    if len(indices) == 1:
        index = _integer(indices[0])
        if index is not None:
            return item(evaluator, receiver, index)
    if any(isinstance(part, nodes.Parts) and part.kind == "slice" for part in indices):
        return _sliced(evaluator, receiver)
    return item(evaluator, receiver, None)


def _integer(expression: nodes.Expression) -> int | None:
    """The value of an integer literal, perhaps negative."""
    if isinstance(expression, nodes.Unary) and expression.operator == "-":
        value = _integer(expression.operand)
        return -value if value is not None else None
    if isinstance(expression, nodes.Constant) and expression.kind == "int" and expression.value is not None:
        return int(expression.value) if expression.value.isdigit() else None
    return None


def _sliced(evaluator: Evaluator, receiver: Result) -> Result:
    """A slice of a sequence is one; of anything else, what its `__getitem__` gives."""
    results = []
    for value in receiver.alternatives:
        if isinstance(value, (Items, Elements)):
            results.append(just(Elements(value.kind, element(evaluator, just(value)))))
        elif isinstance(value, Container):
            results.append(just(value))
        elif not isinstance(value, Nothing):
            results.append(item(evaluator, just(value), None))
    return join(results).weakened(receiver.certainty) if results else NEVER


def filled(result: Result, added: list[Result]) -> Result:
    """A container after something was added to it: any element may be one of these."""
    return Result(tuple([_filled(value, added) for value in result.alternatives]), result.certainty)


def _filled(value: Value, added: list[Result]) -> Value:
    if isinstance(value, Items):
        return Elements(value.kind, join([*value.items, *added]))
    if isinstance(value, Elements) and not is_unknown(value.element):
        return Elements(value.kind, join([value.element, *added]))
    if isinstance(value, Container):
        return Container(value.of, join([value.element, *added]), added[-1])
    if isinstance(value, Instance) and value.of in MODULE_CONTAINERS:
        return Container(value.of, join(added), added[-1])
    if isinstance(value, Elements):
        return Elements(value.kind, join(added))
    return value


def method_result(evaluator: Evaluator, method: Method) -> Result:
    """What a method of a builtin container gives."""
    container, name = method.container, method.name
    if name in ("values", "get", "pop", "setdefault", "popleft", "popitem"):
        held = item(evaluator, just(container), None)
        return just(Elements("iterator", held)) if name == "values" else held
    if name == "items":
        pair = Items("tuple", (UNKNOWN, item(evaluator, just(container), None)))
        return just(Elements("iterator", just(pair)))
    if name == "copy":
        return just(container)
    if name in ("append", "extend", "update", "insert", "clear", "sort", "reverse", "add", "remove"):
        return just(ExternalInstance("builtins.None"))
    return just(ExternalInstance(f"builtins.{container.kind}.{name}"))
