"""What is given for a parameter of a function: by the calls in its module (`reach.py`), and by those in other
modules (`received.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mindport.resolve import attributes
from mindport.resolve.call_sites import Applied, Literally, Origin, Path
from mindport.resolve.definitions import (
    ClassDefinition,
    FunctionDefinition,
    ImportedModule,
    ImportedName,
)
from mindport.resolve.gifts import PARTIAL
from mindport.resolve.imported import imported_module, imported_name
from mindport.resolve.reach import Reach, Target, bound, has_member
from mindport.resolve.received import as_partial, received
from mindport.resolve.values import (
    BUILTIN_NAMES,
    MOST_APIS,
    NEVER,
    NONE,
    UNKNOWN,
    Api,
    Class,
    External,
    ExternalInstance,
    Function,
    Partial,
    ProjectModule,
    Result,
    TorchModule,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.resolve.evaluator import Evaluator
    from mindport.resolve.module import Module

_LIBRARY: Final = (TorchModule, Api, External, ProjectModule)


def passed(
    evaluator: Evaluator, module: Module, place: ClassDefinition | Module, name: str, index: int
) -> Result:
    """What calls give for the parameter at `index` of a function of `module`; never, if none does."""
    reached, parameters = Reach(evaluator, module).follow(Target(place, name, index))
    results = [_value(evaluator, module, origin) for origin in reached]
    outside = received(evaluator, module, parameters)
    if outside and _are_few([*results, *outside, *_defaults(evaluator, module, parameters[0])]):
        results += outside
    return join(results) if results else NEVER


def _defaults(evaluator: Evaluator, module: Module, parameter: Target) -> list[Result]:
    return [_value(evaluator, module, origin) for origin in Reach(evaluator, module).default(parameter)]


def _are_few(results: list[Result]) -> bool:
    """Whether there are no more APIs among the values than are reported: what all kinds of callers give is no
    reason to drop what the function's own module says."""
    apis = {value.name for one in results for value in one.alternatives if isinstance(value, (Api, Partial))}
    return len(apis) <= MOST_APIS


def _value(evaluator: Evaluator, module: Module, origin: Origin) -> Result:
    if isinstance(origin, Literally):
        return NONE if origin.kind == "None" else just(ExternalInstance(f"builtins.{origin.kind}"))
    if isinstance(origin, Path):
        return _at(evaluator, module, origin)
    if isinstance(origin, Applied):
        return _partial(evaluator, module, origin)
    return UNKNOWN


def _at(evaluator: Evaluator, module: Module, path: Path) -> Result:
    """What a dotted name of the module is, where imports, classes and functions say it."""
    if path.within:
        owner = bound(evaluator, module, path.within)
        if not isinstance(owner, ClassDefinition) or has_member(evaluator, owner, path.name):
            return UNKNOWN
    result = _named(evaluator, module, path.name)
    for member in path.members:
        if not all(isinstance(value, _LIBRARY) for value in result.alternatives):
            return UNKNOWN
        result = attributes.attribute(evaluator, result, member)
    return result


def _named(evaluator: Evaluator, module: Module, name: str) -> Result:
    definition = bound(evaluator, module, name)
    if isinstance(definition, ImportedModule):
        return imported_module(evaluator, definition.module)
    if isinstance(definition, ImportedName):
        absolute = module.absolute(definition.module, definition.level)
        return imported_name(evaluator, absolute, definition.name) if absolute is not None else UNKNOWN
    if isinstance(definition, ClassDefinition):
        return just(Class(definition))
    if isinstance(definition, FunctionDefinition):
        return just(Function(definition))
    is_builtin = definition is None and name in BUILTIN_NAMES and not module.has_star_import(None)
    return just(External(f"builtins.{name}")) if is_builtin else UNKNOWN


def _partial(evaluator: Evaluator, module: Module, applied: Applied) -> Result:
    """`partial(function, ...)` gives what is called like `function`."""
    returned = evaluator.catalog.libraries.returned
    function = _at(evaluator, module, applied.function)
    if not all(
        isinstance(value, External) and returned(value.name) == PARTIAL for value in function.alternatives
    ):
        return UNKNOWN
    inner = [_value(evaluator, module, origin) for origin in applied.argument]
    return join([as_partial(result) for result in inner]) if inner else UNKNOWN
