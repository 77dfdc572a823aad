"""What the calls in a module give for a parameter of one of its functions.

Which arguments reach a parameter, also through parameters of other functions, is a question of reachability
among call sites: no function is evaluated for it, so that functions that call each other cannot support each
other's results.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from mindport.resolve import attributes
from mindport.resolve.call_sites import (
    THROUGH,
    Anything,
    Applied,
    Forwarded,
    Literally,
    Origin,
    Origins,
    Path,
    only_function,
    origins,
)
from mindport.resolve.definitions import (
    ClassDefinition,
    FunctionDefinition,
    ImportedModule,
    ImportedName,
)
from mindport.resolve.imported import imported_module, imported_name
from mindport.resolve.module import Module, as_base, as_called, as_signature
from mindport.resolve.values import (
    BUILTIN_NAMES,
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
    from mindport.resolve.call_sites import CallSite
    from mindport.resolve.definitions import Definition, Parameter
    from mindport.resolve.evaluator import Evaluator

_CONSTRUCTOR = "__init__"
_MOST_PARAMETERS = 64
"""As many parameters are followed to where their arguments come from."""
_LIBRARY = (TorchModule, Api, External, ProjectModule)
_PARTIAL = "partial"


class _Target(NamedTuple):
    """A parameter, by the place and the name of its function and its position there."""

    place: ClassDefinition | Module
    name: str
    position: int


def passed(
    evaluator: Evaluator, module: Module, place: ClassDefinition | Module, name: str, index: int
) -> Result:
    """What the calls in `module` give for the parameter at `index` of a function there; never, if none gives
    anything."""
    reached = _Reach(evaluator, module).origins(_Target(place, name, index))
    return join([_value(evaluator, module, origin) for origin in reached]) if reached else NEVER


def callees(evaluator: Evaluator, module: Module, called: Forwarded) -> frozenset[str]:
    """The names, in the module, of what may be called by calling a parameter."""
    reach = _Reach(evaluator, module, directly=True)
    target = reach.target(called)
    if target is None:
        return frozenset()
    found = {*reach.origins(target), *reach.default(target)}
    return frozenset([one.name for one in found if isinstance(one, Path) and not one.members])


class _Reach:
    """Follows parameters back to the arguments that are given for them. `directly`: only by calls whose
    callee is no parameter itself."""

    def __init__(self, evaluator: Evaluator, module: Module, directly: bool = False) -> None:
        self.evaluator = evaluator
        self.module = module
        self.directly = directly

    def origins(self, target: _Target) -> list[Origin]:
        """All that may reach a parameter but other parameters."""
        found: dict[Origin, None] = {}
        seen = {target}
        waiting = [target]
        while waiting:
            for origin in self.given(waiting.pop()):
                if not isinstance(origin, Forwarded):
                    found[origin] = None
                    continue
                through = self.target(origin)
                if through is None or len(seen) > _MOST_PARAMETERS:
                    found[Anything()] = None
                elif through not in seen:
                    seen.add(through)
                    waiting.append(through)
                    found.update(dict.fromkeys(self.default(through)))
        return list(found)

    def target(self, origin: Forwarded) -> _Target | None:
        """The parameter that is passed on; None, if its function has no place where it is found."""
        owner, _, name = origin.function.rpartition(".")
        if not owner:
            return _Target(self.module, name, origin.index)
        found = _bound(self.evaluator, self.module, owner)
        return _Target(found, name, origin.index) if isinstance(found, ClassDefinition) else None

    def default(self, target: _Target) -> Origins:
        """What a parameter is where calls give nothing for it."""
        parameter = self.parameter(target)
        return origins(parameter.default) if parameter is not None and parameter.default is not None else ()

    def given(self, target: _Target) -> Iterator[Origin]:
        """What calls give for a parameter."""
        parameter = self.parameter(target)
        if parameter is None:
            return
        is_static = "staticmethod" in parameter.function.decoration
        skipped = int(isinstance(target.place, ClassDefinition) and not is_static)
        for site in self.sites(target):
            yield from site.given.to(parameter, skipped)

    def parameter(self, target: _Target) -> Parameter | None:
        """The parameter, if there is one function of its function's name."""
        place, name = target.place, target.name
        self.evaluator.note(place.dependents, as_signature(name))
        if isinstance(place, ClassDefinition):
            found = next(iter(place.members(name, instance=False)), None)
        else:
            found = place.binding(name, None)
        function = only_function(found[1]) if found is not None else None
        if function is None or target.position >= len(function.parameters):
            return None
        return function.parameters[target.position]

    def sites(self, target: _Target) -> Iterator[CallSite]:
        """The calls of a function."""
        place, name = target.place, target.name
        if not isinstance(place, ClassDefinition):
            yield from self.plain(name)
            return
        heirs, children = self.heirs(place, name)
        yield from self.named(name, "super", children)
        if name == _CONSTRUCTOR:
            for heir in heirs:
                yield from self.plain(heir)
        else:
            yield from self.named(name, "self", heirs)

    def plain(self, called: str) -> Iterator[CallSite]:
        """The calls of a function or class of the module, also through parameters that it is given for."""
        yield from self.named(called, "plain", ("",))
        if self.directly:
            return
        for site in self.named(THROUGH, "through", ("",)):
            if site.callee is not None and called in self.evaluator.called_through(self.module, site.callee):
                yield site

    def named(self, called: str, kind: str, owners: tuple[str, ...]) -> Iterator[CallSite]:
        self.evaluator.note(self.module.dependents, as_called(called))
        for site in self.module.call_sites(called):
            if site.kind == kind and site.owner in owners:
                yield site

    def heirs(self, place: ClassDefinition, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The classes that have the method `name` from `place` (itself among them), and the classes whose
        `super()` finds it there."""
        heirs, children = [place.name], []
        for heir in heirs:
            self.evaluator.note(self.module.dependents, as_base(heir))
            for child in self.module.subclasses(heir):
                if child.name in children:
                    continue
                children.append(child.name)
                if not _has_member(self.evaluator, child, name):
                    heirs.append(child.name)
        return tuple(heirs), tuple(children)


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
        owner = _bound(evaluator, module, path.within)
        if not isinstance(owner, ClassDefinition) or _has_member(evaluator, owner, path.name):
            return UNKNOWN
    result = _named(evaluator, module, path.name)
    for member in path.members:
        if not all(isinstance(value, _LIBRARY) for value in result.alternatives):
            return UNKNOWN
        result = attributes.attribute(evaluator, result, member)
    return result


def _has_member(evaluator: Evaluator, definition: ClassDefinition, name: str) -> bool:
    """Whether the body of a class binds a name."""
    evaluator.note(definition.dependents, as_signature(name))
    return bool(definition.members(name, instance=False))


def _bound(evaluator: Evaluator, module: Module, name: str) -> Definition | None:
    """What binds a name at the end of the module."""
    evaluator.note(module.dependents, name)
    found = module.binding(name, None)
    return found[1] if found is not None else None


def _named(evaluator: Evaluator, module: Module, name: str) -> Result:
    definition = _bound(evaluator, module, name)
    if isinstance(definition, ImportedModule):
        return imported_module(evaluator, definition.module)
    if isinstance(definition, ImportedName):
        absolute = module.absolute(definition.module, definition.level)
        return imported_name(evaluator, absolute, definition.name) if absolute is not None else UNKNOWN
    if isinstance(definition, ClassDefinition):
        return just(Class(definition))
    if isinstance(definition, FunctionDefinition):
        return just(Function(definition))
    is_builtin = definition is None and name in BUILTIN_NAMES and not module.star_imports(None)
    return just(External(f"builtins.{name}")) if is_builtin else UNKNOWN


def _partial(evaluator: Evaluator, module: Module, applied: Applied) -> Result:
    """`partial(function, ...)` gives what is called like `function`."""
    returned = evaluator.catalog.libraries.returned
    function = _at(evaluator, module, applied.function)
    if not all(
        isinstance(value, External) and returned(value.name) == _PARTIAL for value in function.alternatives
    ):
        return UNKNOWN
    inner = [_value(evaluator, module, origin) for origin in applied.argument]
    made = [
        just(Partial(value.name) if isinstance(value, Api) else value)
        for result in inner
        for value in result.alternatives
    ]
    return join(made) if made else UNKNOWN
