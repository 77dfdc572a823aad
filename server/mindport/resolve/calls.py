"""What calls give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.resolve.class_members import class_member, derives_from_module, is_torch_module
from mindport.resolve.containers import MODULE_CONTAINERS, SEQUENTIAL, element, method_result
from mindport.resolve.library_calls import library_call
from mindport.resolve.returned import returned
from mindport.resolve.values import (
    NEVER,
    UNKNOWN,
    Api,
    Class,
    Container,
    External,
    ExternalInstance,
    Function,
    Instance,
    Method,
    Nothing,
    Object,
    Partial,
    Result,
    Value,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.resolve.evaluator import Evaluator
    from mindport.resolve.nodes import CallExpression


def call(evaluator: Evaluator, function: Result, expression: CallExpression | None) -> Result:
    """What calling `function` gives. `expression` is the call; None where it is called by something else."""
    results = [
        _call(evaluator, value, expression) for value in function.alternatives if type(value) is not Nothing
    ]
    return join(results).weakened(function.certainty) if results else NEVER


def _call(evaluator: Evaluator, value: Value, expression: CallExpression | None) -> Result:
    if isinstance(value, Api):
        if value.name in MODULE_CONTAINERS and expression is not None:
            return _container(evaluator, value.name, expression)
        return returned(evaluator, value, expression)
    if isinstance(value, Partial):
        return returned(evaluator, Api(value.name), None)
    if isinstance(value, Function):
        return evaluator.returned_by(value.definition)
    if isinstance(value, Class):
        return just(Object(value.definition))
    if isinstance(value, Object):
        return _call_object(evaluator, value)
    if isinstance(value, Instance):
        return _call_instance(evaluator, value)
    if isinstance(value, Container):
        return call(evaluator, value.last, None) if value.of == SEQUENTIAL else UNKNOWN
    if isinstance(value, Method):
        return method_result(evaluator, value)
    if isinstance(value, External):
        return library_call(evaluator, value, expression) if expression is not None else UNKNOWN
    if isinstance(value, ExternalInstance):
        return library_instance_call(evaluator, value)
    return UNKNOWN


def library_instance_call(evaluator: Evaluator, value: ExternalInstance) -> Result:
    """Calling a member of what a library gave."""
    if evaluator.catalog.libraries.never_gives_tensors(value.of):
        return just(ExternalInstance(f"{value.of}()"))
    return UNKNOWN


def _call_object(evaluator: Evaluator, value: Object) -> Result:
    """Calling an object of the project: its `__call__`, or what its `forward` gives if it is a module."""
    own = class_member(evaluator, value.definition, "__call__", instance=False)
    if any(isinstance(member, Function) for member in own.alternatives):
        return call(evaluator, own, None)
    if is_torch_module(evaluator, value.definition):
        forward = class_member(evaluator, value.definition, "forward", instance=True, receiver=value)
        return call(evaluator, forward, None)
    return UNKNOWN


def _call_instance(evaluator: Evaluator, value: Instance) -> Result:
    """Calling an instance of a torch class: what its `forward` gives if it is a module."""
    name = "forward" if derives_from_module(evaluator, value.of) else "__call__"
    member = evaluator.catalog.member(value.of, name)
    return returned(evaluator, Api(member, value), None) if member is not None else UNKNOWN


def _container(evaluator: Evaluator, name: str, expression: CallExpression) -> Result:
    """`nn.Sequential(a, b)`, `nn.ModuleList([a, b])`: remember what it is made of."""
    parts: list[Result] = []
    for argument in expression.arguments:
        held = evaluator.value(argument.value)
        if argument.unpack or name != SEQUENTIAL:
            held = element(evaluator, held)
        parts.append(held)
    if not parts:
        return just(Instance(name))
    return just(Container(name, join(parts), parts[-1]))
