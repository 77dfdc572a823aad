"""What the calls in other modules give for a parameter, as far as those modules have been looked at.

As within a module, this is a question of reachability among call sites: see `reach.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from mindport.resolve.definitions import ClassDefinition
from mindport.resolve.imported import imported_name
from mindport.resolve.reach import CONSTRUCTOR, Reach, Target, bound, skipped
from mindport.resolve.values import (
    MOST_ALTERNATIVES,
    Api,
    Class,
    Function,
    Partial,
    ProjectModule,
    Result,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.resolve.definitions import FunctionDefinition, Parameter
    from mindport.resolve.evaluator import Evaluator
    from mindport.resolve.gifts import Gift
    from mindport.resolve.module import Module

_MOST_PARAMETERS: Final = 64
"""As many parameters of other modules are followed to where their arguments come from."""


def received(evaluator: Evaluator, module: Module, parameters: Sequence[Target]) -> list[Result]:
    """What other modules give for any of these parameters of `module`, also through their own parameters that
    others give something."""
    waiting = [(module, target) for target in parameters]
    seen = set(waiting)
    values: dict[tuple[str, bool], None] = {}
    for where, target in waiting:
        for gift in _gifts(evaluator, where, target):
            if gift.place < 0:
                values[gift.value, gift.is_partial] = None
                continue
            through = _parameter(evaluator, where, gift)
            if through is not None and through not in seen and len(seen) < _MOST_PARAMETERS:
                seen.add(through)
                waiting.append(through)
    if len(values) > MOST_ALTERNATIVES:
        return []  # without looking at what they are: together they would say nothing
    return [_value(evaluator, dotted, is_partial) for dotted, is_partial in values]


def as_partial(result: Result) -> Result:
    """What `functools.partial` makes of a function."""
    return join(
        [just(Partial(value.name) if isinstance(value, Api) else value) for value in result.alternatives]
    )


def _gifts(evaluator: Evaluator, module: Module, target: Target) -> Iterator[Gift]:
    """What calls in other modules give for a parameter of `module`."""
    reach = Reach(evaluator, module)
    parameter = reach.parameter(target)
    if parameter is None:
        return
    names: tuple[str, ...] = (target.name,)
    if isinstance(target.place, ClassDefinition):
        names, _ = reach.heirs(target.place, target.name)
    position = parameter.index - skipped(target, parameter)
    called: dict[tuple[str, str], bool] = {}
    for name in names:
        for gift in evaluator.given_to(module, name):
            if not _is_for(gift, target, parameter, position):
                continue
            callee = gift.callee, gift.path
            if callee not in called:
                called[callee] = _is_called(evaluator, module, gift, name)
            if called[callee]:
                yield gift


def _is_for(gift: Gift, target: Target, parameter: Parameter, position: int) -> bool:
    """Whether a gift is for this parameter, if it is for its function."""
    if isinstance(target.place, ClassDefinition):
        is_method = gift.method == target.name or (target.name == CONSTRUCTOR and not gift.method)
    else:
        is_method = not gift.method
    if not is_method:
        return False
    if gift.parameter.isdigit():
        return int(gift.parameter) == position and parameter.kind in ("plain", "positional_only")
    return gift.parameter == parameter.name and parameter.kind != "positional_only"


def _is_called(evaluator: Evaluator, module: Module, gift: Gift, name: str) -> bool:
    """Whether what is called is the class or function of this name in `module`."""
    called = _definition(evaluator, gift.callee, gift.path)
    return called is not None and called is bound(evaluator, module, name)


def _definition(
    evaluator: Evaluator, dotted: str, path: str | None = None
) -> ClassDefinition | FunctionDefinition | None:
    """The class or function of the project that has this name; None if there is none, or not only one, or the
    module is not the one at `path`."""
    home, _, name = dotted.rpartition(".")
    found = evaluator.ask(("module", home)).alternatives
    if len(found) != 1 or not isinstance(found[0], ProjectModule):
        return None
    if path is not None and found[0].path != path:
        return None
    exported = evaluator.ask(("export", found[0].path, name)).alternatives
    if len(exported) != 1 or not isinstance(exported[0], Class | Function):
        return None
    return exported[0].definition


def _parameter(evaluator: Evaluator, asker: Module, gift: Gift) -> tuple[Module, Target] | None:
    """The parameter that is passed on; its function is at the top of a module, or of a class there. None,
    too, where nothing is given to it: then there is no need to look into its module."""
    home, _, name = gift.value.rpartition(".")
    outer, _, owner = home.rpartition(".")
    if not (_may_be_given(evaluator, asker, home, name) or _may_be_given(evaluator, asker, outer, owner)):
        return None
    place = _definition(evaluator, home)
    if isinstance(place, ClassDefinition):
        module = place.scope.block.module if place.scope is not None else None
        return (module, Target(place, name, gift.place)) if module is not None else None
    function = _definition(evaluator, gift.value)
    around = function.place() if function is not None and not isinstance(function, ClassDefinition) else None
    if around is None or isinstance(around, ClassDefinition):
        return None
    return around, Target(around, name, gift.place)


def _may_be_given(evaluator: Evaluator, asker: Module, home: str, name: str) -> bool:
    """Whether anything is given to a name of the module `home`, or of a package that may have it from it."""
    found = evaluator.ask(("module", home)).alternatives
    gifts = evaluator.given_to(asker, name)
    if len(found) != 1 or not isinstance(found[0], ProjectModule):
        return False
    own = found[0].path
    return any(gift.path == own or gift.path.endswith("__init__.py") for gift in gifts)


def _value(evaluator: Evaluator, dotted: str, is_partial: bool) -> Result:
    home, _, name = dotted.rpartition(".")
    result = imported_name(evaluator, home, name)
    return as_partial(result) if is_partial else result
