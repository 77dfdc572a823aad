"""What a call gives for a parameter of the function it calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.resolve.class_members import class_member
from mindport.resolve.values import NEVER, UNKNOWN, Class, Function, Result, Value

if TYPE_CHECKING:
    from mindport.resolve.definitions import FunctionDefinition, Parameter
    from mindport.resolve.evaluator import Evaluator
    from mindport.resolve.nodes import CallExpression

_CONSTRUCTOR = "__init__"


def call_names(function: FunctionDefinition) -> list[str]:
    """The names by which a function is called: its own; a constructor also by that of its class."""
    if function.owner is not None and function.name == _CONSTRUCTOR:
        return [function.owner.name, _CONSTRUCTOR]
    return [function.name]


def argument_in(evaluator: Evaluator, call: CallExpression, parameter: Parameter) -> Result:
    """What `call`, in the current block, gives for `parameter`; never, if it calls something else or leaves
    the parameter to its default."""
    called = evaluator.value(call.function)
    if not any(_calls(evaluator, value, parameter.function) for value in called.alternatives):
        return NEVER
    position = parameter.index - _bound_before(parameter.function, called)
    index = 0
    for argument in call.arguments:
        if argument.unpack:
            return UNKNOWN
        if argument.keyword == parameter.name:
            return evaluator.value(argument.value)
        if argument.keyword is None:
            if index == position and parameter.kind in ("plain", "positional_only"):
                return evaluator.value(argument.value)
            index += 1
    return NEVER


def _calls(evaluator: Evaluator, value: Value, function: FunctionDefinition) -> bool:
    """Whether calling `value` calls `function`."""
    if isinstance(value, Function):
        return value.definition.identity() == function.identity()
    if isinstance(value, Class) and function.name == _CONSTRUCTOR:
        constructor = class_member(evaluator, value.definition, _CONSTRUCTOR, instance=False)
        return any(
            isinstance(one, Function) and one.definition.identity() == function.identity()
            for one in constructor.alternatives
        )
    return False


def _bound_before(function: FunctionDefinition, called: Result) -> int:
    """How many parameters a call does not give: the receiver of a method."""
    if function.owner is None or "staticmethod" in function.decoration:
        return 0
    return 1
