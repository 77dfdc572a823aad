"""What each kind of definition evaluates to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from mindport.resolve import containers, nodes, operators
from mindport.resolve.annotations import annotated
from mindport.resolve.definitions import (
    Assigned,
    Augmented,
    Captured,
    Caught,
    ClassDefinition,
    Definition,
    Entered,
    Entry,
    FunctionDefinition,
    ImportedModule,
    ImportedName,
    Iterated,
    Joined,
    LoopHead,
    Narrowed,
    Parameter,
    Returned,
    Unbound,
)
from mindport.resolve.imported import imported_module, imported_name
from mindport.resolve.parameters import parameter_value
from mindport.resolve.use import Certainty
from mindport.resolve.values import (
    NEVER,
    NONE,
    UNKNOWN,
    Class,
    Elements,
    Function,
    Result,
    Unknown,
    is_unknown,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.resolve.evaluator import Evaluator


def _entry(evaluator: Evaluator, entry: Entry) -> Result:
    """What an enclosing scope, an earlier block or the builtins say of a name."""
    origin = entry.origin()
    if origin.local:
        return join([evaluator.definition(found) for found in origin.definitions])
    if origin.owner is not None:
        in_class = evaluator.name_in_class(origin.owner, entry.name, entry.scope.block)
        if in_class.alternatives:
            return in_class
    return evaluator.name_in_module(entry.scope.block, entry.name, origin.deferred)


def _joined(evaluator: Evaluator, joined: Joined) -> Result:
    return join([evaluator.definition(part) for part in joined.parts])


def _imported_module(evaluator: Evaluator, imported: ImportedModule) -> Result:
    return imported_module(evaluator, imported.module)


def _imported_name(evaluator: Evaluator, imported: ImportedName) -> Result:
    module = evaluator.block.module
    absolute = module.absolute(imported.module, imported.level) if module is not None else None
    return imported_name(evaluator, absolute, imported.name) if absolute is not None else UNKNOWN


def _assigned(evaluator: Evaluator, assigned: Assigned) -> Result:
    declared = UNKNOWN
    if assigned.annotation is not None:
        declared = annotated(evaluator, assigned.annotation).weakened(Certainty.LIKELY)
    if assigned.value is None:
        return declared
    result = containers.unpack(evaluator, evaluator.value(assigned.value), assigned.path)
    added = evaluator.block.added.get(assigned)
    if added is not None:
        result = containers.filled(result, [evaluator.definition(value) for value in added])
    return declared if is_unknown(result) else result


def _iterated(evaluator: Evaluator, iterated: Iterated) -> Result:
    return containers.unpack(
        evaluator, containers.element(evaluator, evaluator.value(iterated.iterable)), iterated.path
    )


def _augmented(evaluator: Evaluator, augmented: Augmented) -> Result:
    before, value = evaluator.definition(augmented.before), evaluator.value(augmented.value)
    return operators.operation(evaluator, before, augmented.operator.rstrip("="), value)


def _captured(evaluator: Evaluator, captured: Captured) -> Result:
    return evaluator.value(captured.subject) if captured.subject is not None else UNKNOWN


def _entered(evaluator: Evaluator, entered: Entered) -> Result:
    return UNKNOWN


def _caught(evaluator: Evaluator, caught: Caught) -> Result:
    return UNKNOWN


def _narrowed(evaluator: Evaluator, narrowed: Narrowed) -> Result:
    """The types that `isinstance` tests for; what is known already, if it is one of them."""
    types = narrowed.types.items if isinstance(narrowed.types, nodes.Display) else [narrowed.types]
    tested = join([annotated(evaluator, expression) for expression in types])
    before = evaluator.definition(narrowed.before)
    kept = tuple(value for value in before.alternatives if value in tested.alternatives)
    return Result(kept, before.certainty) if kept else tested


def _returned(evaluator: Evaluator, returned: Returned) -> Result:
    """What a function gives: the values of its returns; where those say nothing, its annotation."""
    function = returned.function
    if function.yields:
        return just(Elements("iterator", join([_yielded(evaluator, value) for value in function.yields])))
    results = [evaluator.value(value) for value in function.returns]
    found = join(results) if results else NEVER
    is_open = not found.alternatives or any(isinstance(value, Unknown) for value in found.alternatives)
    if is_open and function.annotation is not None:
        declared = annotated(evaluator, function.annotation)
        if not is_unknown(declared):
            return declared.weakened(Certainty.LIKELY)
    return found if results else NONE


def _yielded(evaluator: Evaluator, expression: nodes.Expression) -> Result:
    """What one `yield` gives; of `yield from`, an element."""
    is_delegated = isinstance(expression, nodes.Starred)
    parts = expression.value if isinstance(expression, nodes.Starred) else expression
    if not isinstance(parts, nodes.Parts) or len(parts.parts) != 1:
        return UNKNOWN
    value = evaluator.value(parts.parts[0])
    return containers.element(evaluator, value) if is_delegated else value


SELF_EVIDENT: Final[dict[type, Callable[[Any], Result]]] = {
    Unbound: lambda definition: NEVER,
    FunctionDefinition: lambda definition: just(Function(definition)),
    ClassDefinition: lambda definition: just(Class(definition)),
}
"""Definitions whose value rests on nothing else."""

DEFINITIONS: Final[dict[type[Definition], Callable[[Evaluator, Any], Result]]] = {
    Entry: _entry,
    Joined: _joined,
    LoopHead: _joined,
    ImportedModule: _imported_module,
    ImportedName: _imported_name,
    Assigned: _assigned,
    Iterated: _iterated,
    Augmented: _augmented,
    Captured: _captured,
    Entered: _entered,
    Caught: _caught,
    Narrowed: _narrowed,
    Parameter: parameter_value,
    Returned: _returned,
}
