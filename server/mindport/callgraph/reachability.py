"""Which call sites reach a parameter, also through parameters of other functions of the module.

A question of reachability among call sites: no function is evaluated for it, so that functions that call each
other cannot support each other's results.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.index.call_sites import (
    THROUGH,
    ArgumentOrigin,
    ArgumentOrigins,
    NamePath,
    ParameterReference,
    UnknownOrigin,
    only_function,
    origins,
)
from mindport.index.definitions import ClassDefinition
from mindport.index.module import Module, as_base, as_called, as_signature

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mindport.catalog.catalog import Catalog
    from mindport.index.block import Block
    from mindport.index.call_sites import CallSite
    from mindport.index.definitions import Definition, FunctionParameter
    from mindport.index.module import Module


class CallContext(ABC):
    """Remembers what the block that is evaluated relies on."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    @abstractmethod
    def note(self, dependents: dict[str, set[Block]], name: str) -> None:
        """The current block relies on what a name is."""

    @abstractmethod
    def calls_through_parameters(self, module: Module, name: str) -> Sequence[CallSite]:
        """The calls of parameters of the module that may be calls of what has this name there."""

    @abstractmethod
    def may_be_looked_into(self, dotted: str) -> bool:
        """Whether something of this dotted name, outside the module, may be code that is evaluated."""


CONSTRUCTOR: Final = "__init__"
_MOST_PARAMETERS: Final = 64
"""As many parameters are followed to where their arguments come from."""


class ParameterPlace(NamedTuple):
    """A parameter, by the place and the name of its function and its position there."""

    place: ClassDefinition | Module
    name: str
    position: int


class ExportedParameter(NamedTuple):
    """A parameter as calls from other modules give something for it: to the class or function `callee` of
    its module, or to the `method` of that class, as the argument at `position` (-1: never by position) or
    as the `keyword` (empty: never so)."""

    callee: str
    method: str
    position: int
    keyword: str


class Reachability:
    """Follows parameters back to the arguments that are given for them. `directly`: only by calls whose
    callee is no parameter itself."""

    def __init__(self, context: CallContext, module: Module, directly: bool = False) -> None:
        self.context = context
        self.module = module
        self.directly = directly

    def origins(self, target: ParameterPlace) -> list[ArgumentOrigin]:
        """All that may reach a parameter but other parameters."""
        return self.follow(target)[0]

    def follow(self, target: ParameterPlace) -> tuple[list[ArgumentOrigin], list[ParameterPlace]]:
        """All that may reach a parameter but other parameters, and the parameters that it is on the way
        (itself first), which other modules may give something."""
        found: dict[ArgumentOrigin, None] = {}
        seen = {target: None}
        waiting = [target]
        while waiting:
            for origin in self.origins_of(waiting.pop()):
                if not isinstance(origin, ParameterReference):
                    found[origin] = None
                    continue
                through = self.target(origin)
                if through is None or len(seen) > _MOST_PARAMETERS:
                    found[UnknownOrigin()] = None
                elif through not in seen:
                    seen[through] = None
                    waiting.append(through)
                    found.update(dict.fromkeys(self.default(through)))
        return list(found), list(seen)

    def names(self, called: ParameterReference) -> list[str]:
        """The names, in the module, of what may be called by calling a parameter."""
        target = self.target(called)
        if target is None:
            return []
        found = dict.fromkeys([*self.origins(target), *self.default(target)])
        return list(dict.fromkeys(one.name for one in found if isinstance(one, NamePath) and not one.members))

    def target(self, origin: ParameterReference) -> ParameterPlace | None:
        """The parameter that is passed on; None, if its function has no place where it is found."""
        owner, _, name = origin.function.rpartition(".")
        if not owner:
            return ParameterPlace(self.module, name, origin.index)
        found = bound(self.context, self.module, owner)
        return ParameterPlace(found, name, origin.index) if isinstance(found, ClassDefinition) else None

    def default(self, target: ParameterPlace) -> ArgumentOrigins:
        """What a parameter is where calls give nothing for it."""
        parameter = self.parameter(target)
        return origins(parameter.default) if parameter is not None and parameter.default is not None else ()

    def origins_of(self, target: ParameterPlace) -> Iterator[ArgumentOrigin]:
        """What calls give for a parameter."""
        parameter = self.parameter(target)
        if parameter is None:
            return
        for site in self.sites(target):
            yield from site.given.to(parameter, skipped(target, parameter))

    def parameter(self, target: ParameterPlace) -> FunctionParameter | None:
        """The parameter, if there is one function of its function's name."""
        place, name = target.place, target.name
        self.context.note(place.dependents, as_signature(name))
        if isinstance(place, ClassDefinition):
            found = next(iter(place.members(name, instance=False)), None)
        else:
            found = place.binding(name, None)
        function = only_function(found[1]) if found is not None else None
        if function is None or target.position >= len(function.parameters):
            return None
        return function.parameters[target.position]

    def slots(self, target: ParameterPlace) -> list[ExportedParameter]:
        """How other modules may give something for a parameter."""
        parameter = self.parameter(target)
        if parameter is None:
            return []
        method = ""
        names: tuple[str, ...] = (target.name,)
        if isinstance(target.place, ClassDefinition):
            method, (names, _) = target.name, self.subclasses(target.place, target.name)
        by_position = parameter.kind in ("plain", "positional_only")
        position = parameter.index - skipped(target, parameter) if by_position else -1
        keyword = parameter.name if parameter.kind != "positional_only" else ""
        return [ExportedParameter(name, method, position, keyword) for name in names]

    def sites(self, target: ParameterPlace) -> Iterator[CallSite]:
        """The calls of a function."""
        place, name = target.place, target.name
        if not isinstance(place, ClassDefinition):
            yield from self.plain(name)
            return
        subclasses, children = self.subclasses(place, name)
        yield from self.named(name, "super", children)
        if name == CONSTRUCTOR:
            for subclass in subclasses:
                yield from self.plain(subclass)
        else:
            yield from self.named(name, "self", subclasses)

    def plain(self, called: str) -> Iterator[CallSite]:
        """The calls of a function or class of the module, also through parameters that it is given for."""
        yield from self.named(called, "plain", ("",))
        if self.directly:
            return
        yield from self.context.calls_through_parameters(self.module, called)

    def named(self, called: str, kind: str, owners: tuple[str, ...]) -> Iterator[CallSite]:
        self.context.note(self.module.dependents, as_called(called))
        for site in self.module.call_sites(called):
            if site.kind == kind and site.owner in owners:
                yield site

    def subclasses(self, place: ClassDefinition, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The classes that have the method `name` from `place` (itself among them), and the classes whose
        `super()` finds it there."""
        subclasses, children = [place.name], []
        for subclass in subclasses:
            self.context.note(self.module.dependents, as_base(subclass))
            for child in self.module.subclasses(subclass):
                if child.name in children:
                    continue
                children.append(child.name)
                if not has_member(self.context, child, name):
                    subclasses.append(child.name)
        return tuple(subclasses), tuple(children)


def calls_through_parameters(context: CallContext, module: Module) -> dict[str, list[CallSite]]:
    """The calls of parameters, by the names, in the module, of what may be called so; in source order."""
    reach = Reachability(context, module, directly=True)
    names: dict[ParameterReference, list[str]] = {}
    found: dict[str, list[CallSite]] = {}
    for site in reach.named(THROUGH, "through", ("",)):
        callee = site.callee
        if callee is None:
            continue
        if callee not in names:
            names[callee] = reach.names(callee)
        for name in names[callee]:
            found.setdefault(name, []).append(site)
    return found


def skipped(target: ParameterPlace, parameter: FunctionParameter) -> int:
    """How many parameters calls do not give: the receiver."""
    is_static = "staticmethod" in parameter.function.decoration
    return int(isinstance(target.place, ClassDefinition) and not is_static)


def has_member(context: CallContext, definition: ClassDefinition, name: str) -> bool:
    """Whether the body of a class binds a name."""
    context.note(definition.dependents, as_signature(name))
    return bool(definition.members(name, instance=False))


def bound(context: CallContext, module: Module, name: str) -> Definition | None:
    """What binds a name at the end of the module."""
    context.note(module.dependents, name)
    found = module.binding(name, None)
    return found[1] if found is not None else None
