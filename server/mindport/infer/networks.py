"""Which functions run in a network: the `forward` of a module, and what that calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mindport.callgraph.argument_facts import ParameterKey, network_key, wrapper_key
from mindport.index.definitions import Definition, FreeVariable, FunctionDefinition, FunctionParameter
from mindport.index.nodes import Name
from mindport.infer.class_members import MODULE, class_member, torch_base
from mindport.infer.values import Function, Object

if TYPE_CHECKING:
    from mindport.index.block import Block
    from mindport.index.definitions import ClassDefinition
    from mindport.index.nodes import Expression
    from mindport.infer.context import Context

_FORWARD: Final = "forward"
_CALL: Final = "__call__"


def function_of(block: Block) -> FunctionDefinition | None:
    """The function that a block is; None if it is something else. What is defined within it runs where it
    does."""
    last = block.placed[-1] if block.placed else None
    return last if isinstance(last, FunctionDefinition) and block.kind.endswith(_FUNCTIONS) else None


_FUNCTIONS: Final = ("function_definition", "decorated_definition")


def runs_in_network(context: Context, function: FunctionDefinition) -> bool:
    """Whether a function of the current block is the `forward` of a module, or is called by one, be it
    through others, or overrides a method that is."""
    owner = function.owner
    if _processes_data(context, function):
        return False
    if owner is None:
        return context.is_told(_key_of(function))
    is_reached = (
        (function.name == _FORWARD and torch_base(context, owner, MODULE) is not None)
        or context.is_told(_key_of(function))
        or any(context.is_told(_key_of(other)) for other in context.overridden(function))
    )
    return is_reached and not _is_called_outside(context, owner)


def _is_called_outside(context: Context, owner: ClassDefinition) -> bool:
    """Whether a class is one whose objects are called outside of networks, as those of metrics, by the
    members that it has."""
    return all(
        any(
            isinstance(one, Function)
            for one in class_member(context, owner, name, instance=False).alternatives
        )
        for name in context.catalog.graph.host_members
    )


def called_in_network(context: Context, block: Block) -> Iterator[ParameterKey]:
    """What a block tells: the functions that it calls, if it runs in a network."""
    function = function_of(block)
    reached = [key for call in block.calls for key in _reached(context, call.function)] if function else []
    if function is not None and reached and runs_in_network(context, function):
        yield from reached


def wrapper_in(block: Block) -> Iterator[ParameterKey]:
    """What a block tells, if it is a function: it and those in it, where one calls what it, or one around it,
    is given."""
    if function_of(block) is None or not any(
        isinstance(call.function, Name) and _is_given(call.function.definition) for call in block.calls
    ):
        return
    path = block.module.path if block.module is not None else ""
    for one in block.placed:
        if isinstance(one, FunctionDefinition):
            yield wrapper_key(path, one.qualified_name)


def wraps(context: Context, decorator: FunctionDefinition) -> bool:
    """Whether a function, taken as a decorator, may add something to a function, as far as is known: it calls
    what it is given."""
    module = decorator.scope.block.module if decorator.scope is not None else None
    return context.is_told(wrapper_key(module.path if module is not None else "", decorator.qualified_name))


def _is_given(definition: Definition) -> bool:
    """Whether a name stands for an argument, of the function itself or of one around it."""
    if isinstance(definition, FreeVariable):
        return any(isinstance(one, FunctionParameter) for one in definition.origin().definitions)
    return isinstance(definition, FunctionParameter)


def _processes_data(context: Context, function: FunctionDefinition) -> bool:
    """Whether a function is in a module that processes data, as its name says."""
    module = function.scope.block.module if function.scope is not None else None
    words = module.name.replace("_", ".").split(".") if module is not None else ()
    return not context.catalog.graph.data_modules.isdisjoint(words)


def _reached(context: Context, called: Expression) -> Iterator[ParameterKey]:
    for value in context.value(called).alternatives:
        if isinstance(value, Function):
            yield _key_of(value.definition)
        elif isinstance(value, Object):
            yield from _called_object(context, value)


def _called_object(context: Context, value: Object) -> Iterator[ParameterKey]:
    """What calling an object of the project calls, but for the `forward` of modules."""
    member = context.own_member(value.definition, _CALL, False)
    for one in member.alternatives if member is not None else ():
        if isinstance(one, Function):
            yield _key_of(one.definition)


def _key_of(function: FunctionDefinition) -> ParameterKey:
    module = function.scope.block.module if function.scope is not None else None
    return network_key(module.path if module is not None else "", function.qualified_name)
