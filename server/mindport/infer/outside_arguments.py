"""What the calls in other modules give for a parameter, as far as those modules have been looked at.

As within a module, this is a question of reachability among call sites: see `callgraph/reachability.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from mindport.callgraph.reachability import (
    CONSTRUCTOR,
    ExportedParameter,
    ParameterPlace,
    Reachability,
    bound,
)
from mindport.index.definitions import ImportedName
from mindport.infer.imports import imported_name
from mindport.infer.values import (
    MOST_ALTERNATIVES,
    AbstractValue,
    ApiValue,
    Class,
    Function,
    Partial,
    ProjectModule,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.callgraph.call_facts import CallFact
    from mindport.index.module import Module
    from mindport.infer.context import Context

_MOST_PARAMETERS: Final = 64
"""As many parameters of other modules are followed to where their arguments come from."""
_MOST_IMPORTS: Final = 16
"""A name is followed through as many modules that import it from another."""


def received(context: Context, module: Module, parameters: Sequence[ParameterPlace]) -> list[AbstractValue]:
    """What other modules give for any of these parameters of `module`, also through their own parameters that
    others give something: those modules are not looked into for it."""
    reach = Reachability(context, module)
    waiting = [(module.path, slot) for target in parameters for slot in reach.slots(target)]
    seen = set(waiting)
    values: dict[tuple[str, bool], None] = {}
    for path, slot in waiting:
        for fact in _call_facts(context, module, path, slot):
            if not fact.is_passed_on:
                values[fact.value, fact.is_partial] = None
                continue
            found = context.ask(("module", fact.value)).alternatives
            if len(found) != 1 or not isinstance(found[0], ProjectModule):
                continue
            through = found[0].path, fact.slot
            if through not in seen and len(seen) < _MOST_PARAMETERS:
                seen.add(through)
                waiting.append(through)
    if len(values) > MOST_ALTERNATIVES:
        return []  # without looking at what they are: together they would say nothing
    return [_value(context, dotted, is_partial) for dotted, is_partial in values]


def as_partial(result: AbstractValue) -> AbstractValue:
    """What `functools.partial` makes of a function."""
    return join(
        [just(Partial(value.name) if isinstance(value, ApiValue) else value) for value in result.alternatives]
    )


def _call_facts(context: Context, asker: Module, path: str, slot: ExportedParameter) -> list[CallFact]:
    """What calls in other modules give for a parameter of the module at `path`, which `asker` asks."""
    called: dict[tuple[str, str], bool] = {}
    found = []
    for fact in context.call_facts_of_name(asker, slot.callee):
        if not _is_for(fact, slot):
            continue
        callee = fact.callee, fact.path
        if callee not in called:
            called[callee] = _is_called(context, fact, path, slot.callee)
        if called[callee]:
            found.append(fact)
    return found


def _is_for(fact: CallFact, slot: ExportedParameter) -> bool:
    """Whether a call fact is for this parameter, if it is for its function."""
    if fact.method != slot.method and not (slot.method == CONSTRUCTOR and not fact.method):
        return False
    if fact.parameter.isdigit():
        return int(fact.parameter) == slot.position
    return fact.parameter == slot.keyword


def _is_called(context: Context, fact: CallFact, path: str, name: str) -> bool:
    """Whether what is called is the class or function of this name of the module at `path`. Modules that
    import it from there are followed; the module itself is not looked into, if they say where it is."""
    where, _, called = fact.callee.rpartition(".")
    found = context.ask(("module", where)).alternatives
    if len(found) != 1 or not isinstance(found[0], ProjectModule) or found[0].path != fact.path:
        return False
    at = fact.path
    for _ in range(_MOST_IMPORTS):
        if at == path:
            return called == name
        module = context.project.module(at)
        imported = bound(context, module, called) if module is not None else None
        if module is None or not isinstance(imported, ImportedName) or module.has_star_import(None):
            break
        absolute = module.absolute(imported.module, imported.level)
        found = context.ask(("module", absolute)).alternatives if absolute is not None else ()
        if len(found) != 1 or not isinstance(found[0], ProjectModule):
            return False
        at, called = found[0].path, imported.name
    return _is_exported(context, at, called, path, name)


def _is_exported(context: Context, at: str, called: str, path: str, name: str) -> bool:
    """Whether the module at `at` has what is called from the module at `path`, where it has this name."""
    exported = context.ask(("export", at, called)).alternatives
    if len(exported) != 1 or not isinstance(exported[0], Class | Function):
        return False
    module = context.project.module(path)
    return module is not None and exported[0].definition is bound(context, module, name)


def _value(context: Context, dotted: str, is_partial: bool) -> AbstractValue:
    home, _, name = dotted.rpartition(".")
    result = imported_name(context, home, name)
    return as_partial(result) if is_partial else result
