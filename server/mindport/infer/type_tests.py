"""What tests of a type, such as `isinstance`, say of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mindport.infer.class_members import bases_of, derives, torch_base
from mindport.infer.context import Context
from mindport.infer.values import (
    NO_FIELDS,
    UNKNOWN,
    AbstractValue,
    ApiValue,
    Class,
    Container,
    ExternalInstance,
    FixedTuple,
    Function,
    HomogeneousContainer,
    Instance,
    KeyedDictionary,
    Object,
    Partial,
    PartialFunction,
    Unknown,
    Value,
)

_LIST: Final = "list"
_TUPLE: Final = "tuple"


def may_pass(context: Context, value: Value, tested: AbstractValue) -> bool:
    """Whether a value is known to be, or may be, an instance of a type that is tested for."""
    return _passes(context, value, tested, _kinds(tested))


def surely_passes(context: Context, value: Value, tested: AbstractValue) -> bool:
    """Whether a value is surely an instance of a type that is tested for. What is annotated with `Sequence`
    is taken for a list, and may be a tuple."""
    kinds = _kinds(tested)
    is_sequence = isinstance(value, HomogeneousContainer) and value.kind == _LIST
    return (not is_sequence or _TUPLE in kinds) and _passes(context, value, tested, kinds)


def told(tested: AbstractValue) -> AbstractValue:
    """What is known of a value by no more than that it is an instance of a type that is tested for: of a
    class or a function, not which."""
    if not any(
        isinstance(value, ExternalInstance) and value.of in _OF_CALLABLES for value in tested.alternatives
    ):
        return tested
    return UNKNOWN


def _kinds(tested: AbstractValue) -> set[str]:
    """The kinds of builtin containers that are tested for."""
    return {value.kind for value in tested.alternatives if isinstance(value, HomogeneousContainer)}


def _passes(context: Context, value: Value, tested: AbstractValue, kinds: set[str]) -> bool:
    if isinstance(value, (FixedTuple, HomogeneousContainer)):
        return value.kind in kinds or _is_named_as(value, tested)
    if isinstance(value, KeyedDictionary):
        return "dict" in kinds
    return any(_is_instance(context, value, one) for one in tested.alternatives)


def _is_named_as(value: Value, tested: AbstractValue) -> bool:
    """Whether a value is a named tuple, and one with such fields is tested for."""
    return isinstance(value, FixedTuple) and any(
        isinstance(one, FixedTuple) and one.names == value.names != NO_FIELDS for one in tested.alternatives
    )


def _is_instance(context: Context, value: Value, of: Value) -> bool:
    if isinstance(value, (Instance, Container)):
        return isinstance(of, Instance) and derives(context, value.of, of.of)
    if isinstance(value, Object) and isinstance(of, Object):
        return value.definition is of.definition or of.definition in bases_of(context, value.definition)
    if isinstance(value, Object) and isinstance(of, Instance):
        return torch_base(context, value.definition, of.of) is not None
    if isinstance(of, ExternalInstance) and of.of in _OF_CALLABLES:
        return _OF_CALLABLES[of.of](context, value)
    return value == of and not isinstance(value, Unknown)


def _is_class(context: Context, value: Value) -> bool:
    return isinstance(value, Class) or (
        isinstance(value, ApiValue) and context.catalog.kind(value.name) == "class"
    )


def _is_function(context: Context, value: Value) -> bool:
    return isinstance(value, Function) or (
        isinstance(value, ApiValue) and context.catalog.kind(value.name) == "function"
    )


def _is_partial(context: Context, value: Value) -> bool:
    return isinstance(value, (Partial, PartialFunction))


_OF_CALLABLES: Final[dict[str, Callable[[Context, Value], bool]]] = {
    "builtins.type": _is_class,
    "functools.partial": _is_partial,
    "types.FunctionType": _is_function,
}
"""The types of classes, functions and what `functools.partial` makes."""
