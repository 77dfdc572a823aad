"""The members of the project's classes, through their bases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from mindport.index.definitions import ANY_ATTRIBUTE
from mindport.infer.annotations import tuple_of
from mindport.infer.catalog_types import from_text
from mindport.infer.values import (
    NEVER,
    TENSOR,
    UNKNOWN,
    AbstractValue,
    ApiValue,
    Certainty,
    Class,
    External,
    FixedTuple,
    Function,
    Instance,
    NoneValue,
    Object,
    TupleClass,
    TypeAlias,
    Unknown,
    Value,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.index.definitions import ClassDefinition, FunctionDefinition
    from mindport.infer.context import Context

MOST_BASES: Final = 50
"""Class hierarchies deeper than this are not followed."""
_HARMLESS_BASES: Final = frozenset(
    {"abc.ABC", "builtins.object", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol"}
)
"""Bases outside the project that have no public members."""
MODULE: Final = "torch.nn.Module"
_FORWARD: Final = "forward"


def class_member(
    context: Context,
    definition: ClassDefinition,
    name: str,
    *,
    instance: bool,
    skip_own: bool = False,
    receiver: Value | None = None,
) -> AbstractValue:
    """An attribute of a class of the project, or of its instances: its own, else inherited. Never, where all
    bases are known and none has it; unknown, where one is not."""
    if not skip_own and definition.scope is not None:
        own = context.own_member(definition, name, instance)
        if own is not None and own.alternatives:  # as most members are
            return own
    search = _Search(context, name, instance, receiver)
    found = search.find(definition, skip_own)
    if found.alternatives or skip_own or not instance:  # `super()` reads what classes define, no more
        return found
    found = search.set_by_any_name()
    if found.alternatives:
        given = [one for one in context.given_by_subclasses(definition, name, True) if one.alternatives]
        return join([UNKNOWN, *given]).widened(Certainty.LIKELY) if given else found
    return found


class _Search:
    def __init__(self, context: Context, name: str, instance: bool, receiver: Value | None) -> None:
        self.context = context
        self.name = name
        self.instance = instance
        self.receiver = receiver
        self.seen: dict[ClassDefinition, AbstractValue | None] = {}
        """The classes that were looked into, and what was found; see `_find`."""

    def find(self, definition: ClassDefinition, skip_own: bool) -> AbstractValue:
        found = self._find(definition, skip_own)
        return UNKNOWN if found is None else found

    def _find(self, definition: ClassDefinition, skip_own: bool) -> AbstractValue | None:
        """Never, where no class has it; None, where one that cannot be looked into may have it."""
        if definition in self.seen:
            return self.seen[definition]
        if len(self.seen) > MOST_BASES or definition.scope is None:
            return None
        self.seen[definition] = None  # while it is looked into: it derives from itself
        found = self._in_family(definition, skip_own)
        self.seen[definition] = found
        return found

    def _in_family(self, definition: ClassDefinition, skip_own: bool) -> AbstractValue | None:
        """What the class has itself, else what its bases have; see `_find`."""
        assert definition.scope is not None
        if not skip_own:
            own = self.context.own_member(definition, self.name, self.instance)
            if own is not None:
                return own
        certainty = Certainty.CERTAIN
        for position, base in enumerate(definition.bases, 1):
            found = []
            for value in self.context.in_other_block(definition.scope.block, base).alternatives:
                inherited = self._inherited(value, definition, position)
                if inherited is None:
                    certainty = Certainty.LIKELY
                elif inherited.alternatives:
                    found.append(inherited)
            if found:
                return join(found).widened(certainty)
        return NEVER if certainty is Certainty.CERTAIN else None

    def _inherited(self, value: Value, definition: ClassDefinition, position: int) -> AbstractValue | None:
        """What a class has from something that one of its bases may be; see `_find`."""
        if type(value) is TypeAlias:
            value = _as_class(value)
        if isinstance(value, Class):
            inherited = self._find(value.definition, False)
            if inherited is None or not inherited.alternatives or position == len(definition.bases):
                return inherited
            return self._or_nearer(inherited, definition, position)
        if isinstance(value, ApiValue):
            return self._of_torch(value)
        if isinstance(value, TupleClass) and self.instance and self.name in value.declared.names:
            return _field(self.context, value, self.name)
        return NEVER if isinstance(value, NoneValue) or _is_harmless(value) else None

    def _of_torch(self, base: ApiValue) -> AbstractValue | None:
        """What a class has from a class of torch; None, of one that the catalog has not."""
        catalog = self.context.catalog
        member = catalog.member(base.name, self.name)
        if member is not None:
            if self.instance and member in catalog.contracts.abstract:
                return UNKNOWN  # what a subclass defines
            return just(ApiValue(member, self.receiver))
        promised = catalog.promised(base.name, self.name) if self.instance else None
        if promised is not None:
            return from_text(catalog, promised, Instance(base.name))
        return NEVER if catalog.kind(base.name) is not None else None

    def _or_nearer(
        self, inherited: AbstractValue, definition: ClassDefinition, position: int
    ) -> AbstractValue:
        """A member that a class inherits through one of its bases. Where that is torch's, and a class among
        the bases from a position on derives from its class and overrides it, that comes first; so may one of
        which nothing is known."""
        assert definition.scope is not None
        found = inherited.alternatives[0]
        if len(inherited.alternatives) > 1 or not isinstance(found, ApiValue):
            return inherited
        owner = found.name.rpartition(".")[0]
        for base in definition.bases[position:]:
            for value in self.context.in_other_block(definition.scope.block, base).alternatives:
                if isinstance(value, ApiValue) and derives(self.context, value.name, owner):
                    member = self.context.catalog.member(value.name, self.name)
                    if member is not None and member != found.name:
                        return AbstractValue((ApiValue(member, self.receiver),), inherited.certainty)
                elif (
                    isinstance(value, Class) and torch_base(self.context, value.definition, owner) is not None
                ):
                    nearer = self._find(value.definition, False)
                    if nearer is not None and nearer.alternatives and nearer != inherited:
                        return nearer.widened(inherited.certainty)
                elif isinstance(value, Unknown) or (isinstance(value, External) and not _is_harmless(value)):
                    inherited = inherited.widened(Certainty.LIKELY)  # it may derive from that, too
        return inherited

    def set_by_any_name(self) -> AbstractValue:
        """What a member may be that no class is known to have: what their methods set by names that are not
        written out (`setattr(self, name, value)`), or what `__getattr__` gives."""
        results = []
        for definition in self.seen:
            member = self.context.own_member(definition, "__getattr__", False)
            if member is not None:
                results += [UNKNOWN, _of_project(self.context, member)]
            value = self.context.own_member(definition, ANY_ATTRIBUTE, True)
            if value is not None:
                results += [UNKNOWN, value]
        return join(results).widened(Certainty.LIKELY) if results else NEVER


def _of_project(context: Context, member: AbstractValue) -> AbstractValue:
    """What a method gives that is of the project: it may be that, whatever else."""
    found = [context.returned_by(one.definition) for one in member.alternatives if isinstance(one, Function)]
    kept = [value for one in found for value in one.alternatives if isinstance(value, (Function, Object))]
    return AbstractValue(tuple(dict.fromkeys(kept)))


def _field(context: Context, kind: TupleClass, name: str) -> AbstractValue:
    """What a field of an object holds whose class derives from a class of named tuples."""
    held = [
        value.items[value.names.index(name)]
        for value in tuple_of(context, kind).alternatives
        if isinstance(value, FixedTuple)
    ]
    return join(held).widened(Certainty.LIKELY) if held else UNKNOWN


def tuple_base(context: Context, definition: ClassDefinition) -> TupleClass | None:
    """The class of named tuples that a class names as its base."""
    if definition.scope is None:
        return None
    for base in definition.bases:
        for value in context.in_other_block(definition.scope.block, base).alternatives:
            if isinstance(value, TupleClass):
                return value
    return None


def is_generic(context: Context, value: Value) -> bool:
    """Whether a value is a class, or another type, whose item is the same with what it is made for:
    `Dataset[int]`."""
    if isinstance(value, ApiValue):
        return context.catalog.kind(value.name) == "class"
    if not isinstance(value, Class):
        return isinstance(value, TypeAlias)
    definition = value.definition
    if any(name == _METACLASS for name, _ in definition.keywords):
        return False
    bases = [one for alternatives in context.bases(definition) for one in alternatives]
    return not any(isinstance(one, External) and one.name.endswith(_ENUM) for one in bases)


def _as_class(value: TypeAlias) -> Value:
    """What a class derives from that derives from a type that is written out: the class of torch that it
    stands for."""
    declared = value.declared.alternatives
    return ApiValue(declared[0].of) if len(declared) == 1 and isinstance(declared[0], Instance) else value


_METACLASS: Final = "metaclass"
_ENUM: Final = ("Enum", "Flag")


def _is_harmless(value: Value) -> bool:
    return isinstance(value, External) and value.name in _HARMLESS_BASES


OVERRIDE: Final = "__torch_function__"


def overrides_torch(context: Context, value: Value) -> bool:
    """Whether an object of the project says itself what functions of torch make of it."""
    if not isinstance(value, Object):
        return False
    found = class_member(context, value.definition, OVERRIDE, instance=False)
    return any(isinstance(member, Function) for member in found.alternatives)


def is_torch_module(context: Context, definition: ClassDefinition) -> bool:
    """Whether a class derives from `torch.nn.Module`."""
    return torch_base(context, definition, MODULE) is not None


def is_tensor(context: Context, value: Object) -> bool:
    """Whether an object of the project is of a class that derives from `torch.Tensor`."""
    return torch_base(context, value.definition, TENSOR) is not None


def seems_module(context: Context, definition: ClassDefinition) -> bool:
    """Whether a class that derives from one of which nothing is known is made as a module is: it defines
    `forward`, and derives from no class of torch."""
    if not any(
        context.own_member(one, _FORWARD, False) is not None
        for one in (definition, *bases_of(context, definition))
    ):
        return False
    every = [one for alternatives in context.bases(definition) for one in alternatives]
    return not any(isinstance(one, ApiValue) for one in every)


def torch_base(context: Context, definition: ClassDefinition, of: str) -> str | None:
    """The torch class that a class of the project derives from first, if that is `of` or derives from it."""
    for alternatives in context.bases(definition):
        for value in alternatives:
            if isinstance(value, ApiValue) and derives(context, value.name, of):
                return value.name
    return None


def common_classes(context: Context, values: Sequence[Value]) -> AbstractValue:
    """The nearest class of the project that all of these classes derive from; where there is none, those that
    they derive from in the end, if these are few."""
    classes = [value.definition for value in values if isinstance(value, Class)]
    if not classes or len(classes) < len(values):
        return UNKNOWN
    families = [[definition, *bases_of(context, definition)] for definition in classes]
    shared = set(families[0]).intersection(*families[1:])
    nearest = [definition for definition in families[0] if definition in shared][:1]
    found = nearest or list(dict.fromkeys([family[-1] for family in families]))
    return AbstractValue(tuple(map(Class, found)), Certainty.LIKELY) if len(found) <= _FEW else UNKNOWN


_FEW: Final = 4


def torch_root(context: Context, value: Value) -> AbstractValue:
    """The class of torch that a class derives from in the end, if it is torch's, or derives from one."""
    names = [value.name] if isinstance(value, ApiValue) else []
    if isinstance(value, Class):
        every = [one for alternatives in context.bases(value.definition) for one in alternatives]
        names = [one.name for one in every if isinstance(one, ApiValue)]
    return join([just(ApiValue(_root(context, name))) for name in names[:1]])


def _root(context: Context, name: str) -> str:
    """The class of torch that a class of torch derives from in the end."""
    for _ in range(MOST_BASES):
        bases = [base for base in context.catalog.bases(name) if context.catalog.kind(base) == "class"]
        if not bases:
            break
        name = bases[0]
    return name


def has_torch_base(context: Context, definition: ClassDefinition) -> bool:
    """Whether one of the classes that a class names as its bases is torch's."""
    if definition.scope is None:
        return False
    block = definition.scope.block
    return any(
        isinstance(value, ApiValue)
        for base in definition.bases
        for value in context.in_other_block(block, base).alternatives
    )


def beside(context: Context, definition: ClassDefinition) -> list[Value]:
    """Objects that an object of a class is, too, where subclasses derive from other classes beside it: the
    class is made to be mixed in."""
    return [
        Object(value.definition) if isinstance(value, Class) else Instance(value.name)
        for value in context.mixed_with(definition).alternatives
        if isinstance(value, (Class, ApiValue))
    ]


def derives_from_torch(context: Context, definition: ClassDefinition) -> bool:
    """Whether a class of the project derives from a class of torch, as far as that can be told: one with a
    base that nobody knows does if it defines `forward`."""
    is_known = True
    for alternatives in context.bases(definition):
        is_known = is_known and bool(alternatives)
        for value in alternatives:
            if isinstance(value, ApiValue):
                return True
            if not (isinstance(value, (Class, NoneValue)) or _is_harmless(value)):
                is_known = False
    return not is_known and context.own_member(definition, _FORWARD, False) is not None


def bases_of(context: Context, definition: ClassDefinition) -> list[ClassDefinition]:
    """The classes of the project that a class derives from, the nearest first."""
    found = [
        value.definition
        for alternatives in context.bases(definition)
        for value in alternatives
        if isinstance(value, Class)
    ]
    return list(dict.fromkeys(found))


def find_bases(context: Context, definition: ClassDefinition) -> list[Sequence[Value]]:
    """See `Context.bases`, which keeps them."""
    found: list[Sequence[Value]] = []
    waiting = [definition]
    for current in waiting:  # grows meanwhile
        for base in current.bases if current.scope is not None else ():
            assert current.scope is not None
            alternatives = context.in_other_block(current.scope.block, base).alternatives
            if len(alternatives) == 1 and type(alternatives[0]) is TypeAlias:
                alternatives = (_as_class(alternatives[0]),)
            for value in alternatives:
                if isinstance(value, Class) and value.definition not in waiting and len(waiting) < MOST_BASES:
                    waiting.append(value.definition)
            found.append(alternatives)
    return found


def find_overridden(context: Context, function: FunctionDefinition) -> list[FunctionDefinition]:
    """See `Context.overridden`, which keeps them."""
    found = []
    for base in bases_of(context, function.owner) if function.owner is not None else ():
        member = context.own_member(base, function.name, False)
        for value in member.alternatives if member is not None else ():
            if isinstance(value, Function):
                found.append(value.definition)
    return found


def is_typed_dictionary(context: Context, definition: ClassDefinition) -> bool:
    """Whether objects of a class are dictionaries, of which the class declares what is under which key."""
    return any(
        isinstance(value, External) and value.name.endswith(_TYPED_DICTIONARY)
        for alternatives in context.bases(definition)
        for value in alternatives
    )


_TYPED_DICTIONARY: Final = ".TypedDict"


def derives(context: Context, name: str, of: str) -> bool:
    """Whether the torch class `name` is `of` or derives from it."""
    waiting, seen = [name], set()
    while waiting:
        current = waiting.pop()
        if current == of:
            return True
        if current not in seen:
            seen.add(current)
            waiting.extend(context.catalog.bases(current))
    return False


def derives_from_module(context: Context, name: str) -> bool:
    """Whether the torch class `name` is a kind of `torch.nn.Module`."""
    return derives(context, name, MODULE)


def decorator_names(context: Context, function: FunctionDefinition) -> set[str]:
    """The dotted names of a function's decorators, as far as they come from libraries."""
    if not function.decorators or function.scope is None:
        return set()
    results = [context.in_other_block(function.scope.block, found) for found in function.decorators]
    return {
        value.name
        for result in results
        for value in result.alternatives
        if isinstance(value, (External, ApiValue))
    }
