"""What each kind of definition evaluates to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    Increased,
    Iterated,
    LoopPhi,
    Narrowed,
    Phi,
    Registered,
    Returned,
    Unbound,
    sources,
)
from mindport.infer import attributes, containers, operators
from mindport.infer.annotations import annotated, instances_of
from mindport.infer.catalog_types import from_text, special_method
from mindport.infer.class_members import MODULE
from mindport.infer.declared import has_open_parts, with_declared
from mindport.infer.imports import imported_module, imported_name
from mindport.infer.parameters import parameter_value
from mindport.infer.type_tests import may_pass, surely_passes, told
from mindport.infer.values import (
    A_NUMBER,
    NEVER,
    NONE,
    UNKNOWN,
    AbstractValue,
    ApiValue,
    Certainty,
    Class,
    External,
    ExternalInstance,
    FixedTuple,
    Function,
    HomogeneousContainer,
    Instance,
    NoneValue,
    Object,
    Unknown,
    Value,
    has_unknown,
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
    if assigned.path and _is_of_any_module(context, assigned.value):
        result = join([result, UNKNOWN])
    added = context.block.added.get(assigned)
    if added is not None:
        result = containers.filled(result, [context.definition(value) for value in added])
    if not is_unknown(result) and not _is_open(result, declared):
        if declared is UNKNOWN or is_unknown(declared):
            return result
        return declared if result == NONE else with_declared(result, declared)
    return _loaded(context, assigned) if is_unknown(declared) else declared


def _is_of_any_module(context: Context, expression: nodes.Expression) -> bool:
    """Whether it calls something of which no more is known than that it is a module. That mostly gives a
    Tensor; where several things are taken out of what it gives, each is one, or anything."""
    if type(expression) is not nodes.CallExpression:
        return False
    functions = context.value(expression.function).alternatives
    return any(type(one) is Instance and one.of == MODULE for one in functions)


def _is_open(result: AbstractValue, declared: AbstractValue) -> bool:
    """Whether all that is known is a container, of what not, which a declaration as such a container says."""
    kinds = {one.kind for one in declared.alternatives if isinstance(one, HomogeneousContainer)}
    return bool(kinds) and all(_holds_anything(one, kinds) for one in result.alternatives)


def _holds_anything(value: Value, kinds: set[str]) -> bool:
    """Whether a value is a container of one of these kinds that is empty or holds what nobody knows."""
    if isinstance(value, HomogeneousContainer):
        return value.kind in kinds and (not value.element.alternatives or has_unknown(value.element))
    return isinstance(value, FixedTuple) and value.kind in kinds and not value.items


def _loaded(context: Context, assigned: Assigned) -> AbstractValue:
    """What a name of the module was, where it is bound to what was saved: mostly the same."""
    call, block = assigned.value, context.block
    if not isinstance(call, nodes.CallExpression) or assigned.path:
        return UNKNOWN
    loading = context.catalog.contracts.loading
    callee = context.value(call.function).alternatives
    if not any(isinstance(value, ApiValue) and value.name in loading for value in callee):
        return UNKNOWN
    name = next((one for one, bound in block.names.items() if assigned in sources(bound)), None)
    if name is None:
        return UNKNOWN
    before = context.name_in_module(block, name, deferred=False)
    is_known = before.alternatives and not is_unknown(before)
    return before.widened(Certainty.LIKELY) if is_known else UNKNOWN


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


def _increased(context: Context, increased: Increased) -> AbstractValue:
    return operators.operation(context, A_NUMBER, increased.operator, context.value(increased.value))


def _captured(context: Context, captured: Captured) -> AbstractValue:
    return context.value(captured.subject) if captured.subject is not None else UNKNOWN


def _entered(context: Context, entered: Entered) -> AbstractValue:
    """What `__enter__` gives; of a function that is made a manager, what it yields."""
    found = context.value(entered.manager)
    is_same = _is_of_library(context, entered.manager)
    given = [just(value) if is_same else _on_entry(context, value) for value in found.alternatives]
    return containers.unpack(context, join(given).widened(found.certainty), entered.path)


def _is_of_library(context: Context, manager: nodes.Expression) -> bool:
    """Whether a library makes a manager of what it is given, and gives that when it is entered: the loop in
    `with tqdm(loader) as batches`, `with closing(file) as source`."""
    if not isinstance(manager, nodes.CallExpression):
        return False
    makers = context.value(manager.function).alternatives
    return bool(makers) and all(isinstance(one, External) for one in makers)


def _on_entry(context: Context, value: Value) -> AbstractValue:
    if isinstance(value, ExternalInstance):
        return just(value)
    if isinstance(value, Object):
        return context.called(attributes.attribute(context, just(value), "__enter__"))
    if isinstance(value, HomogeneousContainer):
        return value.element
    if isinstance(value, Instance):
        given = special_method(context, value, "__enter__")
        return just(value).widened(Certainty.LIKELY) if is_unknown(given) else given
    return UNKNOWN


def _caught(context: Context, caught: Caught) -> AbstractValue:
    return UNKNOWN


def _narrowed(context: Context, narrowed: Narrowed) -> AbstractValue:
    """Where a test holds, what is known already, as far as it passes; else the types that are tested for.
    Where it fails, what does not pass."""
    if narrowed.any_of:
        return _narrowed_by_any(context, narrowed.any_of)
    before = context.definition(narrowed.before)
    tested = _tested(context, narrowed)
    is_known = tested is not None and not any(isinstance(value, Unknown) for value in tested.alternatives)
    if tested is None or (narrowed.holds and not is_known):
        return before
    if not narrowed.holds:
        kept = tuple([value for value in before.alternatives if not surely_passes(context, value, tested)])
        return AbstractValue(kept, before.certainty)
    kept = tuple([value for value in before.alternatives if may_pass(context, value, tested)])
    if not kept:
        return told(tested)
    found = AbstractValue(kept, before.certainty)
    is_open = any(isinstance(value, Unknown) for value in before.alternatives)
    return join([found, told(tested)]) if is_open else found


def _narrowed_by_any(context: Context, tests: Sequence[Definition]) -> AbstractValue:
    """Where one of several tests holds: what of them may hold, as far as is known already."""
    results = [context.definition(one) for one in tests]
    are_met = [_may_be_met(context, one) for one in tests]
    if any(are_met):
        results = [result for result, is_met in zip(results, are_met, strict=True) if is_met]
    return join(results)


def _may_be_met(context: Context, narrowed: Definition) -> bool:
    """Whether anything that is known of a value may pass a test, or not all is known of it."""
    if not isinstance(narrowed, Narrowed) or narrowed.any_of:
        return True
    before = context.definition(narrowed.before)
    tested = _tested(context, narrowed) if narrowed.holds else None
    return (
        tested is None
        or has_unknown(before)
        or has_unknown(tested)
        or any(
            type(value) is ExternalInstance or may_pass(context, value, tested)  # a bool is an int, too
            for value in before.alternatives
        )
    )


def _tested(context: Context, narrowed: Narrowed) -> AbstractValue | None:
    """What a test tests for; None where it is no test."""
    if narrowed.types is not None:
        types = narrowed.types.items if isinstance(narrowed.types, nodes.Display) else [narrowed.types]
        if any(isinstance(expression, nodes.CallExpression) for expression in types):  # `tuple(KINDS)`
            return UNKNOWN
        return _types_in(context, join([annotated(context, expression) for expression in types]))
    if narrowed.test is None:
        return None
    tests = context.catalog.contracts.tests
    called = context.value(narrowed.test).alternatives
    if len(called) == 1 and isinstance(called[0], ApiValue) and called[0].name in tests:
        return from_text(context.catalog, tests[called[0].name])
    return None


def _types_in(context: Context, tested: AbstractValue) -> AbstractValue:
    """What a test tests for, where a name stands for a tuple of types: what is in it."""
    if not any(type(value) is FixedTuple and not value.names for value in tested.alternatives):
        return tested
    found = []
    for value in tested.alternatives:
        if isinstance(value, FixedTuple) and not value.names:
            found += [_types_in(context, instances_of(context, item)) for item in value.items]
        else:
            found.append(just(value))
    return join(found).widened(tested.certainty)


def _returned(context: Context, returned: Returned) -> AbstractValue:
    """What a function gives: the values of its returns; where those say nothing, its annotation."""
    function = returned.function
    if function.yields:
        return _yielding(context, function)
    if returned.own and function.passed_back():
        return join(_own_returns(context, function))
    results = [context.value(value) for value in function.returns]
    found = join(results) if results else NEVER
    if function.annotation is not None:
        if _is_open_result(context, found):
            declared = annotated(context, function.annotation)
            if not is_unknown(declared):
                return declared.widened(Certainty.LIKELY)
        elif has_open_parts(found):
            return with_declared(found, annotated(context, function.annotation))
    if not results and function.is_abstract and function.owner is not None:
        return _of_overrides(context, function)
    return found if results else NONE


def _yielding(context: Context, function: FunctionDefinition) -> AbstractValue:
    """What a function gives that yields: an iterator of that; where the yields do not say all, its
    annotation, if that says what the iterator gives."""
    found = join([_yielded(context, value) for value in function.yields])
    if function.annotation is not None and _is_open_result(context, found):
        for value in annotated(context, function.annotation).alternatives:
            if isinstance(value, HomogeneousContainer) and not is_unknown(value.element):
                return just(value).widened(Certainty.LIKELY)
    return just(HomogeneousContainer("iterator", found))


def _is_open_result(context: Context, found: AbstractValue) -> bool:
    """Whether the values of returns do not say all that a function gives: nothing is known of one, or it is
    something of a library that may give Tensors."""
    libraries = context.catalog.libraries
    return not found.alternatives or any(
        isinstance(value, Unknown)
        or (isinstance(value, ExternalInstance) and not libraries.never_gives_tensors(value.of))
        for value in found.alternatives
    )


def _of_overrides(context: Context, function: FunctionDefinition) -> AbstractValue:
    """What a method gives that is left to subclasses: what those of the project give; where there are none,
    what callers take it for."""
    given = [context.returned_by(override) for override in context.overrides(function)]
    if not given:
        given = [context.result_by_use(function)]
    known = [one for one in given if one.alternatives]
    return join([UNKNOWN, *known]).widened(Certainty.LIKELY) if known else UNKNOWN


def _own_returns(context: Context, function: FunctionDefinition) -> list[AbstractValue]:
    """What a function gives but what it gives back of its arguments."""
    return [
        context.definition(one) if isinstance(one, Definition) else context.value(one)
        for one in function.given_back()[1]
    ]


def _yielded(context: Context, expression: nodes.Expression) -> AbstractValue:
    """What one `yield` gives; of `yield from`, an element."""
    is_delegated = isinstance(expression, nodes.Starred)
    parts = expression.value if isinstance(expression, nodes.Starred) else expression
    if not isinstance(parts, nodes.Parts) or len(parts.parts) != 1:
        return UNKNOWN
    value = context.value(parts.parts[0])
    return containers.element(context, value) if is_delegated else value


def _function(definition: FunctionDefinition) -> AbstractValue:
    """A function, the same object each time: it is compared with itself wherever paths join."""
    known: AbstractValue | None = definition.value
    if known is None:
        known = definition.value = just(Function(definition))
    return known


def _class(definition: ClassDefinition) -> AbstractValue:
    known: AbstractValue | None = definition.value
    if known is None:
        known = definition.value = just(Class(definition))
    return known


SELF_EVIDENT: Final[dict[type, Callable[[Any], AbstractValue]]] = {
    Unbound: lambda definition: NEVER,
    FunctionDefinition: _function,
    ClassDefinition: _class,
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
    Increased: _increased,
    Captured: _captured,
    Entered: _entered,
    Caught: _caught,
    Narrowed: _narrowed,
    FunctionParameter: parameter_value,
    Returned: _returned,
}
