"""What it tells of a value that it is given to a function of torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mindport.catalog.binding import bind
from mindport.index.definitions import FreeVariable, FunctionParameter, ImportedModule, ImportedName, sources
from mindport.index.nodes import Attribute, Name
from mindport.infer.values import TENSOR, ApiValue, Function, Instance

if TYPE_CHECKING:
    from mindport.index.definitions import Definition
    from mindport.index.nodes import CallArgument, CallExpression, Expression
    from mindport.infer.context import Context
    from mindport.infer.values import Value

_TENSORS: Final = frozenset({"Tensor", TENSOR})
_FROM_OUTSIDE: Final = frozenset({FreeVariable, ImportedModule, ImportedName})


def takes_tensor(context: Context, call: CallExpression, argument: CallArgument) -> bool:
    """Whether a call is one of a function of torch, by whatever name, or of the project, that takes nothing
    but a Tensor for an argument. Callees that rest on what the block itself binds, beside the receiver of
    its methods, are not looked at: that may be what is asked for."""
    if not _is_from_outside(call.function) or any(one.unpack for one in call.arguments):
        return False
    called = context.value(call.function).alternatives
    return bool(called) and all(_takes_tensor(context, value, call, argument) for value in called)


def _is_from_outside(expression: Expression) -> bool:
    """Whether it is a name that the code at hand does not bind, but by an import, or a member of one."""
    while isinstance(expression, Attribute):
        expression = expression.value
    if not isinstance(expression, Name):
        return False
    return all(map(_is_given, sources(expression.definition)))


def _is_given(definition: Definition) -> bool:
    """Whether a definition is an import, a name from outside, or the receiver of a method."""
    if isinstance(definition, FunctionParameter):
        return definition.index == 0 and definition.function.owner is not None
    return type(definition) in _FROM_OUTSIDE


def _takes_tensor(context: Context, value: Value, call: CallExpression, argument: CallArgument) -> bool:
    if isinstance(value, Function):
        return _takes_only(context, value, argument, call.arguments.index(argument))
    if not isinstance(value, ApiValue) or context.catalog.kind(value.name) != "function":
        return False
    described = context.catalog.api(value.name)
    types = [
        item.parameter.type
        for signature in (described.signatures if described is not None else ())
        for item in bind(call.arguments, signature) or ()
        if item.argument is argument
    ]
    return bool(types) and _TENSORS.issuperset(types)


def _takes_only(context: Context, value: Function, argument: CallArgument, position: int) -> bool:
    """Whether a function of the project takes nothing but a Tensor for an argument at a position."""
    function = value.definition
    place = position + int(value.is_bound)
    for parameter in function.parameters:
        is_named = argument.keyword == parameter.name and parameter.kind != "positional_only"
        is_placed = argument.keyword is None and parameter.index == place
        if (is_named or is_placed) and parameter.kind not in ("variadic", "keywords"):
            taken = context.taken_as(parameter).alternatives
            return len(taken) == 1 and taken[0] == _A_TENSOR
    return False


_A_TENSOR: Final = Instance(TENSOR)
