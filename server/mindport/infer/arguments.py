"""What is given for a parameter of a function: by the calls in its module (`reachability.py`), and by those
in other modules (`outside_arguments.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mindport.callgraph.call_facts import PARTIAL
from mindport.callgraph.reachability import ParameterPlace, Reachability, bound, has_member
from mindport.index.call_sites import ArgumentOrigin, LiteralOrigin, NamePath, PartialOrigin
from mindport.index.definitions import ClassDefinition, FunctionDefinition, ImportedModule, ImportedName
from mindport.infer import attributes
from mindport.infer.imports import imported_module, imported_name
from mindport.infer.outside_arguments import as_partial, received
from mindport.infer.values import (
    BUILTIN_NAMES,
    MOST_APIS,
    NEVER,
    NONE,
    UNKNOWN,
    AbstractValue,
    ApiValue,
    Class,
    External,
    ExternalInstance,
    Function,
    Partial,
    ProjectModule,
    TorchModule,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.index.module import Module
    from mindport.infer.context import Context

_LIBRARY: Final = (TorchModule, ApiValue, External, ProjectModule)


def passed(
    context: Context, module: Module, place: ClassDefinition | Module, name: str, index: int
) -> AbstractValue:
    """What calls give for the parameter at `index` of a function of `module`; never, if none does."""
    reached, parameters = Reachability(context, module).follow(ParameterPlace(place, name, index))
    results = [_value(context, module, origin) for origin in reached]
    outside = received(context, module, parameters)
    if outside and _are_few([*results, *outside, *_defaults(context, module, parameters[0])]):
        results += outside
    return join(results) if results else NEVER


def _defaults(context: Context, module: Module, parameter: ParameterPlace) -> list[AbstractValue]:
    return [_value(context, module, origin) for origin in Reachability(context, module).default(parameter)]


def _are_few(results: list[AbstractValue]) -> bool:
    """Whether there are no more APIs among the values than are reported: what all kinds of callers give is no
    reason to drop what the function's own module says."""
    apis = {
        value.name for one in results for value in one.alternatives if isinstance(value, (ApiValue, Partial))
    }
    return len(apis) <= MOST_APIS


def _value(context: Context, module: Module, origin: ArgumentOrigin) -> AbstractValue:
    if isinstance(origin, LiteralOrigin):
        return NONE if origin.kind == "None" else just(ExternalInstance(f"builtins.{origin.kind}"))
    if isinstance(origin, NamePath):
        return _at(context, module, origin)
    if isinstance(origin, PartialOrigin):
        return _partial(context, module, origin)
    return UNKNOWN


def _at(context: Context, module: Module, path: NamePath) -> AbstractValue:
    """What a dotted name of the module is, where imports, classes and functions say it."""
    if path.within:
        owner = bound(context, module, path.within)
        if not isinstance(owner, ClassDefinition) or has_member(context, owner, path.name):
            return UNKNOWN
    result = _named(context, module, path.name)
    for member in path.members:
        if not all(isinstance(value, _LIBRARY) for value in result.alternatives):
            return UNKNOWN
        result = attributes.attribute(context, result, member)
    return result


def _named(context: Context, module: Module, name: str) -> AbstractValue:
    definition = bound(context, module, name)
    if isinstance(definition, ImportedModule):
        return imported_module(context, definition.module)
    if isinstance(definition, ImportedName):
        absolute = module.absolute(definition.module, definition.level)
        return imported_name(context, absolute, definition.name) if absolute is not None else UNKNOWN
    if isinstance(definition, ClassDefinition):
        return just(Class(definition))
    if isinstance(definition, FunctionDefinition):
        return just(Function(definition))
    is_builtin = definition is None and name in BUILTIN_NAMES and not module.has_star_import(None)
    return just(External(f"builtins.{name}")) if is_builtin else UNKNOWN


def _partial(context: Context, module: Module, applied: PartialOrigin) -> AbstractValue:
    """`partial(function, ...)` gives what is called like `function`."""
    returned = context.catalog.libraries.returned
    function = _at(context, module, applied.function)
    if not all(
        isinstance(value, External) and returned(value.name) == PARTIAL for value in function.alternatives
    ):
        return UNKNOWN
    inner = [_value(context, module, origin) for origin in applied.argument]
    return join([as_partial(result) for result in inner]) if inner else UNKNOWN
