"""What each kind of definition evaluates to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindport.resolve import members
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
    Parameter,
    Unbound,
)
from mindport.resolve.imported import imported_module, imported_name
from mindport.resolve.use import Certainty
from mindport.resolve.values import (
    NEVER,
    UNKNOWN,
    Class,
    External,
    Function,
    Object,
    Result,
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
    if assigned.value is None:
        return UNKNOWN
    return members.unpack(evaluator, evaluator.value(assigned.value), assigned.path)


def _iterated(evaluator: Evaluator, iterated: Iterated) -> Result:
    return members.unpack(
        evaluator, members.element(evaluator, evaluator.value(iterated.iterable)), iterated.path
    )


def _augmented(evaluator: Evaluator, augmented: Augmented) -> Result:
    before, value = evaluator.definition(augmented.before), evaluator.value(augmented.value)
    return members.operation(evaluator, before, augmented.operator.rstrip("="), value)


def _captured(evaluator: Evaluator, captured: Captured) -> Result:
    return evaluator.value(captured.subject) if captured.subject is not None else UNKNOWN


def _entered(evaluator: Evaluator, entered: Entered) -> Result:
    return UNKNOWN


def _caught(evaluator: Evaluator, caught: Caught) -> Result:
    return UNKNOWN


def _parameter(evaluator: Evaluator, parameter: Parameter) -> Result:
    """The receiver of a method; else anything, or the default value where there is one."""
    function = parameter.function
    if parameter.index == 0 and function.owner is not None and parameter.kind in ("plain", "positional_only"):
        receiver = _receiver(evaluator, function)
        if receiver is not None:
            return receiver
    if parameter.default is None:
        return UNKNOWN
    return join([UNKNOWN, evaluator.value(parameter.default)]).weakened(Certainty.LIKELY)


def _receiver(evaluator: Evaluator, function: FunctionDefinition) -> Result | None:
    """What the first parameter of a method is; None for a static method."""
    assert function.owner is not None
    decorators = {
        value.name
        for decorator in function.decorators
        for value in evaluator.value(decorator).alternatives
        if isinstance(value, External)
    }
    if "builtins.staticmethod" in decorators:
        return None
    if "builtins.classmethod" in decorators or function.name in ("__new__", "__init_subclass__"):
        return just(Class(function.owner))
    return just(Object(function.owner))


SELF_EVIDENT: dict[type, Callable[[Any], Result]] = {
    Unbound: lambda definition: NEVER,
    FunctionDefinition: lambda definition: just(Function(definition)),
    ClassDefinition: lambda definition: just(Class(definition)),
}
"""Definitions whose value rests on nothing else."""

DEFINITIONS: dict[type[Definition], Callable[[Evaluator, Any], Result]] = {
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
    Parameter: _parameter,
}
