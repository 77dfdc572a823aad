"""What the calls in one module give to functions and classes of other modules.

It follows from the module's text alone: what is called and what is given are dotted names as its imports have
them, so that it can be told without looking into any other module, kept, and sent to another process. Whoever
is called looks up what the names are (`infer/outside_arguments.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.callgraph.reachability import CONSTRUCTOR, ExportedParameter, Reachability
from mindport.index.call_sites import (
    THROUGH,
    ArgumentOrigin,
    NamePath,
    ParameterReference,
    PartialOrigin,
    origins,
)
from mindport.index.definitions import ClassDefinition, FunctionDefinition, ImportedModule, ImportedName
from mindport.index.memo import mark_dirty
from mindport.index.nodes import Constant, Name

if TYPE_CHECKING:
    from mindport.callgraph.reachability import CallContext
    from mindport.index.block import Block
    from mindport.index.call_sites import CallArguments, CallSite
    from mindport.index.definitions import FunctionParameter
    from mindport.index.module import Module

CALLABLE: Final = ("class", "function")
"""Of torch only these are told: nothing can be said of a call that is given a dtype."""
_MOST_BASES: Final = 50
_PLAIN: Final = frozenset({"bool", "bytes", "complex", "float", "int", "str"})
PARTIAL: Final = "partial"


_NO_SLOT: Final = ExportedParameter("", "", -1, "")


class CallFact(NamedTuple):
    """What one argument of a call is. `callee` is the dotted name of a function or class, as imported;
    `method`, if it is not empty, the method of that class that is called, by `super()` or on the receiver.
    `parameter` is a keyword, or the argument's position in digits. `value` is the dotted name of what is
    given (`is_partial`: of what `functools.partial` is applied to); with a `slot`, it is whatever is given
    for that parameter of the module `value`."""

    callee: str
    method: str
    parameter: str
    value: str
    is_partial: bool = False
    slot: ExportedParameter = _NO_SLOT
    path: str = ""
    """Where the module is that `callee` is imported from, as the giver's imports find it."""

    @property
    def is_passed_on(self) -> bool:
        """Whether it is what others give."""
        return bool(self.slot.callee)


Value = tuple[str, bool, ExportedParameter]
"""What an argument may be: value, whether it is a partial, and slot of a `CallFact`."""


def call_facts_of(context: CallContext, module: Module) -> tuple[CallFact, ...]:
    """What the calls in a module give to others, in an order that depends on nothing but its text."""
    return tuple(sorted(set(_Calls(context, module).call_facts())))


class _Calls:
    def __init__(self, context: CallContext, module: Module) -> None:
        self.context = context
        self.module = module
        self.reach = Reachability(context, module)
        self.forwarded: dict[ParameterReference, tuple[Value, ...]] = {}

    def call_facts(self) -> Iterator[CallFact]:
        for block in self.module.blocks:
            for name, sites in block.call_sites.items():
                for site in sites if name != THROUGH else ():
                    for callee, method in self.callees(name, site):
                        yield from self.facts_of_call(callee, method, site.given)
            for path, site in block.member_call_sites():
                called = self.dotted(path)
                if called is not None and self.is_elsewhere(called):
                    yield from self.facts_of_call(called, "", site.given)

    def callees(self, name: str, site: CallSite) -> Iterator[tuple[str, str]]:
        """What a call site calls outside the module, with the method, if it is one."""
        if site.kind == "plain":
            found = self.module.binding(name, None)
            if found is not None and isinstance(found[1], ClassDefinition):
                if not found[1].members(CONSTRUCTOR, instance=False):
                    for base in self.bases(found[1], CONSTRUCTOR):
                        yield base, CONSTRUCTOR
                return
            callee = self.dotted(NamePath(name))
            if callee is not None and self.is_elsewhere(callee):
                yield callee, ""
            return
        owner = self.module.binding(site.owner, None)
        if owner is None or not isinstance(owner[1], ClassDefinition):
            return
        if site.kind == "super" or not owner[1].members(name, instance=False):
            for base in self.bases(owner[1], name):
                yield base, name

    def bases(self, owner: ClassDefinition, method: str) -> Iterator[str]:
        """The classes of other modules that a class may have a method from which it inherits."""
        waiting, seen = [owner], {owner}
        for current in waiting:
            for base in current.bases:
                for origin in origins(base.value) if base.value is not None else ():
                    found = self.module.binding(origin.name, None) if isinstance(origin, NamePath) else None
                    if found is not None and isinstance(found[1], ClassDefinition):
                        inner = found[1]
                        if inner not in seen and len(seen) < _MOST_BASES and not inner.members(method, False):
                            seen.add(inner)
                            waiting.append(inner)
                        continue
                    dotted = self.dotted(origin) if isinstance(origin, NamePath) else None
                    if dotted is not None and self.is_elsewhere(dotted):
                        yield dotted

    def facts_of_call(self, callee: str, method: str, given: CallArguments) -> Iterator[CallFact]:
        """What a call gives, argument by argument."""
        arguments = [(str(position), found) for position, found in enumerate(given.positional)]
        for parameter, found in [*arguments, *given.keywords]:
            for value, is_partial, slot in self.values(found):
                yield CallFact(callee, method, parameter, value, is_partial, slot)

    def values(self, found: Iterable[ArgumentOrigin]) -> Iterator[Value]:
        """What an argument may be."""
        for origin in found:
            if isinstance(origin, ParameterReference):
                if origin not in self.forwarded:
                    self.forwarded[origin] = tuple(self.values_of_parameter(origin))
                yield from self.forwarded[origin]
            else:
                yield from self.named(origin)

    def values_of_parameter(self, origin: ParameterReference) -> Iterator[Value]:
        """What a parameter that is passed on may be."""
        target = self.reach.target(origin)
        parameter = self.reach.parameter(target) if target is not None else None
        if target is None or parameter is None or _is_plain(parameter):
            return
        reached, targets = self.reach.follow(target)
        for other in [*reached, *self.reach.default(target)]:
            yield from self.named(other)
        for through in targets:
            for slot in self.reach.slots(through):
                yield self.module.name, False, slot

    def named(self, origin: ArgumentOrigin, is_partial: bool = False) -> Iterator[Value]:
        """A value that has a name."""
        if isinstance(origin, NamePath):
            dotted = self.dotted(origin)
            if dotted is not None and self.is_worth_telling(dotted):
                yield dotted, is_partial, _NO_SLOT
        elif isinstance(origin, PartialOrigin) and not is_partial:
            function = self.dotted(origin.function)
            if function is not None and self.context.catalog.libraries.returned(function) == PARTIAL:
                for inner in origin.argument:
                    yield from self.named(inner, is_partial=True)

    def dotted(self, path: NamePath) -> str | None:
        """The dotted name, from the top, of what a name of the module is; None where it is no import, class
        or function."""
        if path.within:
            owner = self.module.binding(path.within, None)
            if owner is None or not isinstance(owner[1], ClassDefinition):
                return None
            if owner[1].members(path.name, instance=False):
                return None
        found = self.module.binding(path.name, None)
        definition = found[1] if found is not None else None
        if isinstance(definition, ImportedModule):
            start: str | None = definition.module
        elif isinstance(definition, ImportedName):
            absolute = self.module.absolute(definition.module, definition.level)
            start = f"{absolute}.{definition.name}" if absolute is not None else None
        elif isinstance(definition, ClassDefinition | FunctionDefinition):
            start = f"{self.module.name}.{path.name}"
        else:
            start = None
        return ".".join([start, *path.members]) if start is not None else None

    def is_elsewhere(self, dotted: str) -> bool:
        """Whether a name may be of another module whose code is looked at."""
        in_project = self.context.may_be_looked_into(dotted)
        return in_project and not self.context.catalog.is_module(dotted.partition(".")[0])

    def is_worth_telling(self, dotted: str) -> bool:
        """Whether something can follow from being given what has this name."""
        catalog = self.context.catalog
        if catalog.is_module(dotted.partition(".")[0]):
            name = catalog.canonical(dotted)
            return name is not None and catalog.kind(name) in CALLABLE
        return self.is_elsewhere(dotted)


def _is_plain(parameter: FunctionParameter) -> bool:
    """Whether a parameter is said to be a number, a string or the like, which nothing follows from."""
    annotation, default = parameter.annotation, parameter.default
    if isinstance(annotation, Name):
        return annotation.id in _PLAIN
    return annotation is None and isinstance(default, Constant) and default.kind in _PLAIN


def located(call_facts: Iterable[CallFact], locate: Callable[[str], str | None]) -> Iterator[CallFact]:
    """Those of a module's call facts that may be for the project, with their paths. `locate` says where a
    module of the project is, by its absolute name."""
    for fact in call_facts:
        path = locate(fact.callee.rpartition(".")[0])
        if path is not None:
            yield fact._replace(path=path)


def by_name(call_facts: Iterable[CallFact]) -> dict[str, list[CallFact]]:
    """Call facts by the last part of the dotted name of what is called."""
    found: dict[str, list[CallFact]] = {}
    for fact in call_facts:
        found.setdefault(_last(fact.callee), []).append(fact)
    return found


class CallFactIndex:
    """What modules give each other, as far as it is known. `dependents` are, by the last part of the dotted
    name of what is called, the blocks that asked."""

    def __init__(self) -> None:
        self._fixed: Mapping[str, Sequence[CallFact]] = {}
        self._given: dict[str, tuple[CallFact, ...]] = {}
        self._to: dict[str, dict[str, list[CallFact]]] = {}
        self.dependents: dict[str, set[Block]] = {}

    def start_with(self, call_facts: Mapping[str, Sequence[CallFact]]) -> None:
        """Let these, by that name, be known from the start, before any block has asked."""
        self._fixed = call_facts

    def to(self, name: str) -> list[CallFact]:
        """What is given to functions and classes whose dotted names end so."""
        taken = self._to.get(name, {}).values()
        return sorted({*self._fixed.get(name, ()), *(fact for given in taken for fact in given)})

    def take(self, giver: str, given: Sequence[CallFact]) -> bool:
        """Take up what the module at the path `giver` gives. Returns whether anything that was said before
        may be different now."""
        before = self._given.get(giver, ())
        now = tuple(given)
        if now == before:
            return False
        changed = {_last(fact.callee) for fact in {*before} ^ {*now}}
        for name in {_last(fact.callee) for fact in before}:
            del self._to[name][giver]
        for name, found in by_name(now).items():
            self._to.setdefault(name, {})[giver] = found
        self._given[giver] = now
        asked = [self.dependents.get(name, set()) for name in changed]
        for blocks in asked:
            mark_dirty(blocks)
        return any(asked)


def _last(dotted: str) -> str:
    return dotted.rpartition(".")[2]


_PREFIX: Final = "given: "
"""How the names of what is called are told from those of modules, among what a module asked for."""


def as_call_facts_of(name: str) -> str:
    """How the name of a function or class of a module, whose arguments it depends on, is written among the
    modules that it asked for."""
    return _PREFIX + name


def call_facts_of_name(asked: str) -> str | None:
    """The name that `as_call_facts_of` gave this for; None for anything else."""
    return asked[len(_PREFIX) :] if asked.startswith(_PREFIX) else None
