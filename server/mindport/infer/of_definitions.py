"""What each kind of definition evaluates to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from mindport.index import nodes
from mindport.index.definitions import (
    Assigned,
    Augmented,
    Captured,
    Caught,
    ClassDefinition,
    Definition,
    Entered,
    FreeVariable,
    FunctionDefinition,
    FunctionParameter,
    ImportedModule,
    ImportedName,
    Iterated,
    LoopPhi,
    Narrowed,
    Phi,
    Registered,
    Returned,
    Unbound,
    given_back,
)
from mindport.infer import containers, operators
from mindport.infer.annotations import annotated
from mindport.infer.catalog_types import from_text
from mindport.infer.imports import imported_module, imported_name
from mindport.infer.parameters import parameter_value
from mindport.infer.values import (
    NEVER,
    NONE,
    UNKNOWN,
    AbstractValue,
    Certainty,
    Class,
    Function,
    HomogeneousContainer,
    NoneValue,
    Unknown,
    is_unknown,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.infer.context import Context


def _entry(context: Context, entry: FreeVariable) -> AbstractValue:
    """What an enclosing scope, an earlier block or the builtins say of a name."""
    origin = entry.origin()
    if origin.local:
        return join([context.definition(found) for found in origin.definitions])
    if origin.owner is not None:
        in_class = context.name_in_class(origin.owner, entry.name, entry.scope.block)
        if in_class.alternatives:
            return in_class
    return context.name_in_module(entry.scope.block, entry.name, origin.deferred)


def _joined(context: Context, joined: Phi) -> AbstractValue:
    return join([context.definition(part) for part in joined.parts])


def _imported_module(context: Context, imported: ImportedModule) -> AbstractValue:
    return imported_module(context, imported.module)


def _imported_name(context: Context, imported: ImportedName) -> AbstractValue:
    module = context.block.module
    absolute = module.absolute(imported.module, imported.level) if module is not None else None
    return imported_name(context, absolute, imported.name) if absolute is not None else UNKNOWN


def _assigned(context: Context, assigned: Assigned) -> AbstractValue:
    declared = UNKNOWN
    if assigned.annotation is not None:
        declared = annotated(context, assigned.annotation).widened(Certainty.LIKELY)
    if assigned.value is None:
        return declared
    result = containers.unpack(context, context.value(assigned.value), assigned.path)
    added = context.block.added.get(assigned)
    if added is not None:
        result = containers.filled(result, [context.definition(value) for value in added])
    return declared if is_unknown(result) else result


def _registered(context: Context, registered: Registered) -> AbstractValue:
    """What is registered; where that is None, or not known, what such a method registers."""
    result = context.value(registered.value)
    known = tuple(value for value in result.alternatives if not isinstance(value, (NoneValue, Unknown)))
    if known:
        return AbstractValue(known, result.certainty)
    return from_text(context.catalog, context.catalog.contracts.registering[registered.method]).widened(
        Certainty.LIKELY
    )


def _iterated(context: Context, iterated: Iterated) -> AbstractValue:
    return containers.unpack(
        context, containers.element(context, context.value(iterated.iterable)), iterated.path
    )


def _augmented(context: Context, augmented: Augmented) -> AbstractValue:
    before, value = context.definition(augmented.before), context.value(augmented.value)
    return operators.operation(context, before, augmented.operator.rstrip("="), value)


def _captured(context: Context, captured: Captured) -> AbstractValue:
    return context.value(captured.subject) if captured.subject is not None else UNKNOWN


def _entered(context: Context, entered: Entered) -> AbstractValue:
    return UNKNOWN


def _caught(context: Context, caught: Caught) -> AbstractValue:
    return UNKNOWN


def _narrowed(context: Context, narrowed: Narrowed) -> AbstractValue:
    """The types that `isinstance` tests for; what is known already, if it is one of them."""
    types = narrowed.types.items if isinstance(narrowed.types, nodes.Display) else [narrowed.types]
    tested = join([annotated(context, expression) for expression in types])
    before = context.definition(narrowed.before)
    kept = tuple(value for value in before.alternatives if value in tested.alternatives)
    return AbstractValue(kept, before.certainty) if kept else tested


def _returned(context: Context, returned: Returned) -> AbstractValue:
    """What a function gives: the values of its returns; where those say nothing, its annotation."""
    function = returned.function
    if function.yields:
        return just(
            HomogeneousContainer("iterator", join([_yielded(context, value) for value in function.yields]))
        )
    if returned.own and function.passed_back():
        return join(_own_returns(context, function))
    results = [context.value(value) for value in function.returns]
    found = join(results) if results else NEVER
    is_open = not found.alternatives or any(isinstance(value, Unknown) for value in found.alternatives)
    if is_open and function.annotation is not None:
        declared = annotated(context, function.annotation)
        if not is_unknown(declared):
            return declared.widened(Certainty.LIKELY)
    if not results and function.is_abstract and function.owner is not None:
        return _of_overrides(context, function)
    return found if results else NONE


def _of_overrides(context: Context, function: FunctionDefinition) -> AbstractValue:
    """What a method gives that is left to subclasses, as far as the project has them."""
    given = [context.returned_by(override) for override in context.overrides(function)]
    return join([UNKNOWN, *given]).widened(Certainty.LIKELY) if given else UNKNOWN


def _own_returns(context: Context, function: FunctionDefinition) -> list[AbstractValue]:
    """What a function gives but what it gives back of its arguments."""
    others = [one for value in function.returns for one in given_back(value, function)[1]]
    return [context.definition(one) if isinstance(one, Definition) else context.value(one) for one in others]


def _yielded(context: Context, expression: nodes.Expression) -> AbstractValue:
    """What one `yield` gives; of `yield from`, an element."""
    is_delegated = isinstance(expression, nodes.Starred)
    parts = expression.value if isinstance(expression, nodes.Starred) else expression
    if not isinstance(parts, nodes.Parts) or len(parts.parts) != 1:
        return UNKNOWN
    value = context.value(parts.parts[0])
    return containers.element(context, value) if is_delegated else value


SELF_EVIDENT: Final[dict[type, Callable[[Any], AbstractValue]]] = {
    Unbound: lambda definition: NEVER,
    FunctionDefinition: lambda definition: just(Function(definition)),
    ClassDefinition: lambda definition: just(Class(definition)),
}
"""Definitions whose value rests on nothing else."""

DEFINITIONS: Final[dict[type[Definition], Callable[[Context, Any], AbstractValue]]] = {
    FreeVariable: _entry,
    Phi: _joined,
    LoopPhi: _joined,
    ImportedModule: _imported_module,
    ImportedName: _imported_name,
    Assigned: _assigned,
    Iterated: _iterated,
    Registered: _registered,
    Augmented: _augmented,
    Captured: _captured,
    Entered: _entered,
    Caught: _caught,
    Narrowed: _narrowed,
    FunctionParameter: parameter_value,
    Returned: _returned,
}
