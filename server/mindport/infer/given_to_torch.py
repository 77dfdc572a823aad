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


def taken_for(context: Context, call: CallExpression, argument: CallArgument) -> Value | None:
    """What an argument has to be, where a call is one of a function of torch, by whatever name, that takes
    nothing but a Tensor for it, or of the project, that takes nothing but an object of one class; else None.
    Callees that rest on what the block itself binds, beside the receiver of its methods, are not looked at:
    that may be what is asked for."""
    if not _is_from_outside(call.function) or any(one.unpack for one in call.arguments):
        return None
    taken = {_taken_by(context, value, call, argument) for value in context.value(call.function).alternatives}
    return taken.pop() if len(taken) == 1 else None


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


def _taken_by(context: Context, value: Value, call: CallExpression, argument: CallArgument) -> Value | None:
    if isinstance(value, Function):
        return _taken_only(context, value, argument, call.arguments.index(argument))
    if not isinstance(value, ApiValue) or context.catalog.kind(value.name) != "function":
        return None
    described = context.catalog.api(value.name)
    types = [
        item.parameter.type
        for signature in (described.signatures if described is not None else ())
        for item in bind(call.arguments, signature) or ()
        if item.argument is argument
    ]
    return _A_TENSOR if types and _TENSORS.issuperset(types) else None


def _taken_only(context: Context, value: Function, argument: CallArgument, position: int) -> Value | None:
    """What a function of the project takes for an argument at a position, where that is nothing but a Tensor,
    or another object of torch's."""
    function = value.definition
    place = position + int(value.is_bound)
    for parameter in function.parameters:
        is_named = argument.keyword == parameter.name and parameter.kind != "positional_only"
        is_placed = argument.keyword is None and parameter.index == place
        if (is_named or is_placed) and parameter.kind not in ("variadic", "keywords"):
            taken = context.taken_as(parameter).alternatives
            return taken[0] if len(taken) == 1 and type(taken[0]) is Instance else None
    return None


_A_TENSOR: Final = Instance(TENSOR)
