"""What containers hold: items, elements, slices, and what the methods of builtin containers give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mindport.index import nodes
from mindport.infer.annotations import tuple_of
from mindport.infer.catalog_types import from_text, read, special_method
from mindport.infer.class_members import (
    class_member,
    common_classes,
    is_generic,
    is_tensor,
    is_typed_dictionary,
    tuple_base,
)
from mindport.infer.values import (
    LIKELY_TENSOR,
    NEVER,
    UNKNOWN,
    AbstractValue,
    Certainty,
    Container,
    External,
    ExternalInstance,
    FixedTuple,
    HomogeneousContainer,
    Instance,
    KeyedDictionary,
    Method,
    NoneValue,
    Object,
    Unknown,
    Value,
    is_unknown,
    join,
    just,
    taken_of,
)

if TYPE_CHECKING:
    from mindport.infer.context import Context


_SIZE: Final = "torch.Size"
SEQUENTIAL: Final = "torch.nn.Sequential"
MODULE_DICT: Final = "torch.nn.ModuleDict"
MODULE_CONTAINERS: Final = frozenset({SEQUENTIAL, "torch.nn.ModuleList", MODULE_DICT})
"""Classes whose instances are remembered with what they hold: calling them depends on it."""


def unpack(context: Context, result: AbstractValue, path: tuple[int | str, ...]) -> AbstractValue:
    """The part of a value that an assignment to nested targets binds; "*n" is a starred target."""
    for step in path:
        if isinstance(step, int):
            result = item(context, result, step)
        else:
            result = just(HomogeneousContainer("list", element(context, result)))
    return result


def item(context: Context, result: AbstractValue, index: int | None) -> AbstractValue:
    """The item of a sequence at `index` (None: at an index that is not known)."""
    result = read(context.catalog, result)
    results = [_item(context, value, index) for value in result.alternatives if type(value) is not NoneValue]
    return join(results).widened(result.certainty) if results else NEVER


def _item(context: Context, value: Value, index: int | None) -> AbstractValue:
    if isinstance(value, FixedTuple):
        if index is not None and -len(value.items) <= index < len(value.items):
            return value.items[index]
        return join(list(value.items)) if value.items else UNKNOWN
    if isinstance(value, (HomogeneousContainer, Container)):
        return value.element
    if isinstance(value, KeyedDictionary):
        return any_of(context, [*[held for _, held in value.items], value.rest])
    if isinstance(value, Instance):
        promised = context.catalog.contracts.iterated.get(value.of)
        if promised is not None:
            return from_text(context.catalog, promised["gives"]).widened(Certainty.LIKELY)
        for base in context.catalog.bases(value.of):
            if base.startswith("tuple["):
                return item(context, from_text(context.catalog, base), index)
        return special_method(context, value, "__getitem__")
    if isinstance(value, ExternalInstance):
        return just(taken_of(value, "[]"))
    if isinstance(value, Object):
        return _item_of_object(context, value, index)
    return just(value) if is_generic(context, value) else UNKNOWN


def any_of(context: Context, held: list[AbstractValue]) -> AbstractValue:
    """Any of several things that a container holds; of more classes of the project than are told apart, those
    that they derive from."""
    found = join(held)
    if not is_unknown(found) or len(held) < 2:
        return found
    return common_classes(context, [value for one in held for value in one.alternatives])


def _item_of_object(context: Context, value: Object, index: int | None) -> AbstractValue:
    """An item of an object whose class derives from a class of named tuples, or from a Tensor, and leaves to
    it what its items are."""
    if any(context.own_member(value.definition, name, False) for name in _ITEMS):
        return UNKNOWN
    kind = tuple_base(context, value.definition)
    if kind is None:
        return LIKELY_TENSOR if is_tensor(context, value) else UNKNOWN
    return item(context, tuple_of(context, kind), index).widened(Certainty.LIKELY)


_ITEMS: Final = ("__getitem__", "__iter__")


def element(context: Context, result: AbstractValue) -> AbstractValue:
    """What iterating over a value gives. (Iterating over a dict gives its keys.)"""
    result = read(context.catalog, result)
    kept = tuple(
        ExternalInstance("builtins.key")
        if isinstance(value, KeyedDictionary)
        or (isinstance(value, HomogeneousContainer) and value.kind == "dict")
        else value
        for value in result.alternatives
    )
    return item(context, AbstractValue(kept, result.certainty), None)


def subscript(context: Context, receiver: AbstractValue, indices: list[nodes.Expression]) -> AbstractValue:
    """`receiver[indices]`"""
    receiver = read(context.catalog, receiver)
    if len(indices) == 1:
        index = _integer(indices[0])
        if index is not None:
            return item(context, receiver, index)
        key = nodes.string_of(indices[0])
        if key is not None:
            return _at_key(context, receiver, key)
    if any(isinstance(part, nodes.Parts) and part.kind == "slice" for part in indices):
        return _sliced(context, receiver)
    return item(context, receiver, None)


def _at_key(context: Context, receiver: AbstractValue, key: str) -> AbstractValue:
    """The item under a key that is a string."""
    results = []
    for value in receiver.alternatives:
        if isinstance(value, KeyedDictionary):
            found = value.at(key)
            results.append(found if found.alternatives else UNKNOWN)
        elif isinstance(value, Object) and is_typed_dictionary(context, value.definition):
            declared = class_member(context, value.definition, key, instance=True)
            results.append(declared if declared.alternatives else UNKNOWN)
        elif not isinstance(value, NoneValue):
            results.append(item(context, just(value), None))
    return join(results).widened(receiver.certainty) if results else NEVER


def _integer(expression: nodes.Expression) -> int | None:
    """The value of an integer literal, perhaps negative."""
    if isinstance(expression, nodes.Unary) and expression.operator == "-":
        value = _integer(expression.operand)
        return -value if value is not None else None
    if isinstance(expression, nodes.Constant) and expression.kind == "int" and expression.value is not None:
        return int(expression.value) if expression.value.isdigit() else None
    return None


def _sliced(context: Context, receiver: AbstractValue) -> AbstractValue:
    """A slice of a sequence is one; of anything else, what its `__getitem__` gives."""
    results = []
    for value in receiver.alternatives:
        if isinstance(value, (FixedTuple, HomogeneousContainer)):
            results.append(just(HomogeneousContainer(value.kind, element(context, just(value)))))
        elif isinstance(value, Container) or (isinstance(value, Instance) and value.of == _SIZE):
            results.append(just(value))
        elif not isinstance(value, NoneValue):
            results.append(item(context, just(value), None))
    return join(results).widened(receiver.certainty) if results else NEVER


def filled(result: AbstractValue, added: list[AbstractValue]) -> AbstractValue:
    """A container after something was added to it: any element may be one of these."""
    return AbstractValue(tuple([_filled(value, added) for value in result.alternatives]), result.certainty)


def _filled(value: Value, added: list[AbstractValue]) -> Value:
    if isinstance(value, FixedTuple):
        return HomogeneousContainer(value.kind, join([*value.items, *added]))
    if isinstance(value, HomogeneousContainer) and not is_unknown(value.element):
        return HomogeneousContainer(value.kind, join([value.element, *added]))
    if isinstance(value, Container):
        return Container(value.of, join([value.element, *added]), added[-1])
    if isinstance(value, Instance) and value.of in MODULE_CONTAINERS:
        return Container(value.of, join(added), added[-1])
    if isinstance(value, HomogeneousContainer):
        return HomogeneousContainer(value.kind, join([UNKNOWN, *added]))
    return (
        KeyedDictionary(value.items, join([value.rest, *added]))
        if isinstance(value, KeyedDictionary)
        else value
    )


def or_default(context: Context, found: AbstractValue, call: nodes.CallExpression) -> AbstractValue:
    """What a call gives of which nothing is known but that it may be a lookup with a default: that, too, if
    it is something of torch or the project."""
    default = nodes.lookup_default(call)
    if default is None:
        return found
    kept = tuple([value for value in context.value(default).alternatives if not isinstance(value, _PLAIN)])
    return join([found, AbstractValue(kept)]).widened(Certainty.LIKELY) if kept else found


_PLAIN: Final = (External, ExternalInstance, NoneValue, Unknown)
_KEYED: Final = frozenset({"get", "pop", "setdefault"})


def _looked_up(
    context: Context,
    container: FixedTuple | HomogeneousContainer | KeyedDictionary,
    call: nodes.CallExpression,
) -> AbstractValue:
    """`d.get(key)`, `d.get(key, default)`, `d.pop(key)`, `d.setdefault(key, default)`, `l.pop(0)`"""
    found = subscript(context, just(container), [call.arguments[0].value])
    others = [context.value(argument.value) for argument in call.arguments[1:2] if not argument.unpack]
    return join([found, *others])


def method_result(context: Context, method: Method, call: nodes.CallExpression | None) -> AbstractValue:
    """What a method of a builtin container gives."""
    container, name = method.container, method.name
    if name in _KEYED and call is not None and call.arguments and not call.arguments[0].unpack:
        return _looked_up(context, container, call)
    if name in ("values", "get", "pop", "setdefault", "popleft", "popitem"):
        held = item(context, just(container), None)
        return just(HomogeneousContainer("iterator", held)) if name == "values" else held
    if name == "items":
        pair = FixedTuple("tuple", (UNKNOWN, item(context, just(container), None)))
        return just(HomogeneousContainer("iterator", just(pair)))
    if name == "keys":
        return just(HomogeneousContainer("iterator", just(ExternalInstance("builtins.key"))))
    if name == "copy":
        return just(container)
    if name in ("append", "extend", "update", "insert", "clear", "sort", "reverse", "add", "remove"):
        return just(ExternalInstance("builtins.None"))
    kind = "dict" if isinstance(container, KeyedDictionary) else container.kind
    return just(ExternalInstance(f"builtins.{kind}.{name}"))
