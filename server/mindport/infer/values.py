"""Abstract values: what an expression may evaluate to.

An `AbstractValue` holds the alternatives that the paths reaching an expression give, and how sure they are.
Values are compared by what they say, so that a result can be checked against the one of an earlier revision.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from enum import Enum
from typing import Final

from mindport.index.definitions import ClassDefinition, FunctionDefinition


class Certainty(Enum):
    """How sure a use is; see `docs/resolution.md`."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"

    __hash__ = object.__hash__
    """Members are one of a kind: that of `Enum` takes a call of Python's."""


class _Named:
    """Base of the values that a name tells apart from others of their kind. No dataclass: values are made and
    compared at every expression, which those of frozen dataclasses take three times as long for."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return self is other or (
            type(other) is type(self) and isinstance(other, _Named) and self.name == other.name
        )

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class _InstanceOf:
    """Base of the values that are known by what they are an instance of."""

    __slots__ = ("of",)

    def __init__(self, of: str) -> None:
        self.of = of

    def __eq__(self, other: object) -> bool:
        return self is other or (
            type(other) is type(self) and isinstance(other, _InstanceOf) and self.of == other.of
        )

    def __hash__(self) -> int:
        return hash(self.of)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.of!r})"


NO_FIELDS: Final[tuple[str, ...]] = ()


class ApiValue:
    """A torch API itself: a function, class, method, constant, dtype. `receiver` is the value it was read
    from, if it is a member of an instance."""

    __slots__ = ("name", "receiver")

    def __init__(self, name: str, receiver: Value | None = None) -> None:
        self.name = name
        self.receiver = receiver

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, ApiValue) and self.name == other.name and self.receiver == other.receiver
        )

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"ApiValue({self.name!r}, {self.receiver!r})"


class TorchModule(_Named):
    """A module of torch, by its dotted name."""

    __slots__ = ()


class Instance(_InstanceOf):
    """An instance of a torch class, by the class's name (a Tensor is an instance of torch.Tensor)."""

    __slots__ = ()


class Partial(_Named):
    """A torch API with some of its arguments given, as `functools.partial` makes it."""

    __slots__ = ()


class External(_Named):
    """Something of a library that is not torch, or of Python itself, by its dotted name."""

    __slots__ = ()


class ExternalInstance(_InstanceOf):
    """What calling an `External` gave: surely no torch API, but its type is not known to us."""

    __slots__ = ()


_MOST_STEPS: Final = 1
"""How many calls and items of what a library gave are told apart."""


def taken_of(value: ExternalInstance, step: str) -> ExternalInstance:
    """A member of what a library gave, an item or the result of a call of it. What lies far from where it
    began is one thing for each library, so that `self.frame = self.frame[:n]` comes to an end."""
    name = value.of
    if name.count("(") + name.count("[") <= _MOST_STEPS:
        return ExternalInstance(f"{name}{step}")
    return ExternalInstance(f"{name.partition('.')[0]}.()[]")


class ProjectModule:
    """A module of the user's project, by the path of its file."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ProjectModule) and self.path == other.path

    def __hash__(self) -> int:
        return hash(self.path)

    def __repr__(self) -> str:
        return f"ProjectModule({self.path!r})"


class Function:
    """A function of the user's project; `is_bound`: with a receiver, so that calls do not give its first
    parameter. Two are equal if they have the same name in the same place and the same decorators: what a
    function gives is asked for by its name."""

    __slots__ = ("definition", "is_bound")

    def __init__(self, definition: FunctionDefinition, is_bound: bool = False) -> None:
        self.definition = definition
        self.is_bound = is_bound

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Function)
            and self.is_bound is other.is_bound
            and self.definition.identity() == other.definition.identity()
        )

    def __hash__(self) -> int:
        return hash(self.definition.qualified_name)

    def __repr__(self) -> str:
        return f"Function({self.definition.qualified_name!r})"


class Class:
    """A class of the user's project."""

    __slots__ = ("definition",)

    def __init__(self, definition: ClassDefinition) -> None:
        self.definition = definition

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Class) and self.definition is other.definition

    def __hash__(self) -> int:
        return hash(self.definition.qualified_name)

    def __repr__(self) -> str:
        return f"Class({self.definition.qualified_name!r})"


class Object:
    """An instance of a class of the user's project; `parent` means the view of it that `super()` gives."""

    __slots__ = ("definition", "parent")

    def __init__(self, definition: ClassDefinition, parent: bool = False) -> None:
        self.definition = definition
        self.parent = parent

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Object) and self.definition is other.definition and self.parent is other.parent
        )

    def __hash__(self) -> int:
        return hash(self.definition.qualified_name)

    def __repr__(self) -> str:
        return f"Object({self.definition.qualified_name!r}, {self.parent!r})"


class Container:
    """An instance of a torch class that holds others (`nn.Sequential`, `nn.ModuleList`), of which it is known
    what it was made of: `element` is any of them, `last` the last one."""

    __slots__ = ("_hash", "element", "last", "of")

    def __init__(self, of: str, element: AbstractValue, last: AbstractValue) -> None:
        self.of = of
        self.element = element
        self.last = last
        self._hash = 0

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Container)
            and self.of == other.of
            and self.element == other.element
            and self.last == other.last
        )

    def __hash__(self) -> int:
        if not self._hash:
            self._hash = hash((self.of, self.element, self.last))
        return self._hash

    def __repr__(self) -> str:
        return f"Container({self.of!r}, {self.element!r}, {self.last!r})"


class FixedTuple:
    """A tuple, list or set of known items; `kind` is the builtin type's name, `names` are those of the fields
    of a named tuple. As all that holds values, it keeps its hash: values are compared wherever paths join,
    and what they hold may be deep."""

    __slots__ = ("_hash", "items", "kind", "names")

    def __init__(
        self, kind: str, items: tuple[AbstractValue, ...], names: tuple[str, ...] = NO_FIELDS
    ) -> None:
        self.kind = kind
        self.items = items
        self.names = names
        self._hash = 0

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, FixedTuple)
            and self.kind == other.kind
            and self.names == other.names
            and self.items == other.items
        )

    def __hash__(self) -> int:
        if not self._hash:
            self._hash = hash((self.kind, self.items))
        return self._hash

    def __repr__(self) -> str:
        return f"FixedTuple({self.kind!r}, {self.items!r}, {self.names!r})"

    def with_items(self, items: list[AbstractValue]) -> FixedTuple:
        """One of the same kind and names that holds other items, as many."""
        return FixedTuple(self.kind, tuple(items), self.names)


class HomogeneousContainer:
    """A container of any length, all of whose elements (of a dict: values) are alike."""

    __slots__ = ("_hash", "element", "kind")

    def __init__(self, kind: str, element: AbstractValue) -> None:
        self.kind = kind
        self.element = element
        self._hash = 0

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, HomogeneousContainer)
            and self.kind == other.kind
            and self.element == other.element
        )

    def __hash__(self) -> int:
        if not self._hash:
            self._hash = hash((self.kind, self.element))
        return self._hash

    def __repr__(self) -> str:
        return f"HomogeneousContainer({self.kind!r}, {self.element!r})"


class KeyedDictionary:
    """A dict of which it is known what is under which key, all strings; `rest` is what is under others."""

    __slots__ = ("_hash", "items", "rest")

    def __init__(self, items: tuple[tuple[str, AbstractValue], ...], rest: AbstractValue) -> None:
        self.items = items
        self.rest = rest
        self._hash = 0

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, KeyedDictionary) and self.items == other.items and self.rest == other.rest
        )

    def __hash__(self) -> int:
        if not self._hash:
            self._hash = hash((self.items, self.rest))
        return self._hash

    def __repr__(self) -> str:
        return f"KeyedDictionary({self.items!r}, {self.rest!r})"

    def at(self, key: str) -> AbstractValue:
        """What is under a key."""
        return next((value for name, value in self.items if name == key), self.rest)

    def any(self) -> AbstractValue:
        """What is under any key."""
        return join([*[value for _, value in self.items], self.rest])


@dataclass(frozen=True, slots=True)
class TupleClass:
    """A class of named tuples, as `collections.namedtuple` makes it. `declared` is one of its tuples, with
    what the fields are declared to hold; `defaults` are the values of the last fields. `path` is that of the
    module that makes it, under this `name`."""

    declared: FixedTuple
    defaults: tuple[AbstractValue, ...] = ()
    path: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class TypeAlias:
    """A type that is written out where a value stands (`Size = tuple[int, int]`): `declared` is what of this
    type may be."""

    declared: AbstractValue


@dataclass(frozen=True, slots=True)
class Giver:
    """Something of which is known only what calling it gives: a function of `Callable[..., Tensor]`, some
    subclass of `type[nn.Module]`."""

    result: AbstractValue


@dataclass(frozen=True, slots=True)
class PartialFunction:
    """A function or class of the project with its first `given` arguments given, as `functools.partial` makes
    it."""

    function: Value
    given: int


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a builtin container."""

    container: FixedTuple | HomogeneousContainer | KeyedDictionary
    name: str


class _Alike:
    """Base of the values of which all of a kind are the same."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other or type(other) is type(self)

    def __hash__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Unknown(_Alike):
    """Anything."""

    __slots__ = ()


class NoneValue(_Alike):
    """Python's None."""

    __slots__ = ()


Value = (
    ApiValue
    | TorchModule
    | Instance
    | Container
    | Partial
    | External
    | ExternalInstance
    | ProjectModule
    | Function
    | Class
    | Object
    | FixedTuple
    | HomogeneousContainer
    | KeyedDictionary
    | TupleClass
    | TypeAlias
    | Giver
    | PartialFunction
    | Method
    | Unknown
    | NoneValue
)

MOST_ALTERNATIVES: Final = 8
"""More alternatives than this say nothing: the result becomes unknown."""
DEEPEST: Final = 3
"""Containers in containers deeper than this hold anything."""
MOST_APIS: Final = 4
"""An expression that may be more different APIs than this is not reported."""


class AbstractValue:
    """The alternatives an expression may evaluate to. None at all: the expression cannot be reached.
    Immutable; no frozen dataclass only because making one of those takes three times as long, and results are
    made at every expression.

    Two results are equal if they hold the same alternatives in whatever order: the order depends on where
    the evaluation of a cycle happened to start.
    """

    __slots__ = ("_depth", "_hash", "alternatives", "certainty")

    def __init__(self, alternatives: tuple[Value, ...], certainty: Certainty = Certainty.CERTAIN) -> None:
        self.alternatives = alternatives
        self.certainty = certainty
        self._hash = 0
        self._depth = -1

    def __repr__(self) -> str:
        return f"AbstractValue({self.alternatives!r}, {self.certainty.name})"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, AbstractValue) or self.certainty is not other.certainty:
            return False
        if self._hash and other._hash and self._hash != other._hash:
            return False
        ours, theirs = self.alternatives, other.alternatives
        if len(ours) != len(theirs) or ours == theirs:
            return len(ours) == len(theirs)
        return len(ours) > 1 and frozenset(ours) == frozenset(theirs)

    def __hash__(self) -> int:
        if not self._hash:
            ours = self.alternatives
            self._hash = hash(ours[0]) if len(ours) == 1 else hash(frozenset(ours))
        return self._hash

    def depth(self) -> int:
        """How deep containers stand in containers: 0, if there is none."""
        if self._depth < 0:
            deepest = 0
            for value in self.alternatives:
                if type(value) in _HOLDING:
                    deepest = max(deepest, _depth(value))
            self._depth = deepest
        return self._depth

    def widened(self, certainty: Certainty) -> AbstractValue:
        """The same alternatives, at most as sure as `certainty`."""
        if certainty is Certainty.CERTAIN or certainty is self.certainty:
            return self
        return AbstractValue(self.alternatives, weaker(self.certainty, certainty))


_ANYTHING: Final = Unknown()
UNKNOWN: Final = AbstractValue((_ANYTHING,))
NEVER: Final = AbstractValue(())
NONE: Final = AbstractValue((NoneValue(),))


_KNOWN: Final[dict[tuple[object, ...], AbstractValue]] = {}
_MOST_KNOWN: Final = 20_000


def shared(result: AbstractValue) -> AbstractValue:
    """The same result for all that are the same, where it is a single value that is nothing but a name: few
    of those that are kept are different."""
    alternatives = result.alternatives
    if len(alternatives) != 1:
        return result
    value = alternatives[0]
    key: tuple[object, ...]
    if isinstance(value, _Named):
        key = type(value), value.name, result.certainty
    elif isinstance(value, _InstanceOf):
        key = type(value), value.of, result.certainty
    elif type(value) is ApiValue:
        receiver = value.receiver
        if receiver is None:
            key = ApiValue, value.name, result.certainty
        elif type(receiver) is Instance:
            key = ApiValue, value.name, result.certainty, receiver.of
        else:
            return result
    else:
        return result
    known = _KNOWN.get(key)
    if known is None:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        known = _KNOWN[key] = result
    return known


_HOLDING: Final = frozenset(
    {
        FixedTuple,
        HomogeneousContainer,
        KeyedDictionary,
        Container,
        PartialFunction,
        TupleClass,
        TypeAlias,
        Giver,
    }
)
TENSOR: Final = "torch.Tensor"
A_TENSOR: Final = AbstractValue((Instance(TENSOR),))
LIKELY_TENSOR: Final = AbstractValue((Instance(TENSOR),), Certainty.LIKELY)


BUILTIN_NAMES: Final = frozenset(dir(builtins))


def is_unknown(result: AbstractValue) -> bool:
    """Whether nothing is known of an expression."""
    if result is UNKNOWN:
        return True
    alternatives = result.alternatives
    return len(alternatives) == 1 and type(alternatives[0]) is Unknown


def has_unknown(result: AbstractValue) -> bool:
    """Whether an expression may be something of which nothing is known."""
    for value in result.alternatives:  # noqa: SIM110 - asked of every call: a generator takes thrice as long
        if type(value) is Unknown:
            return True
    return False


def weaker(first: Certainty, second: Certainty) -> Certainty:
    """The less sure of the two."""
    if first is Certainty.CERTAIN:
        return second
    if second is Certainty.CERTAIN or first is Certainty.POSSIBLE:
        return first
    return second


def just(value: Value) -> AbstractValue:
    """The result that is surely `value`."""
    return AbstractValue((value,))


A_NUMBER: Final = just(ExternalInstance("builtins.int"))


def shallow(result: AbstractValue, depth: int = DEEPEST) -> AbstractValue:
    """The same value, in which containers in containers deeper than this hold anything: what holds itself
    would have no end, and where it was looked at first would matter."""
    if result.depth() <= depth:
        return result
    kept = [_shallow(value, depth) if type(value) in _HOLDING else value for value in result.alternatives]
    return AbstractValue(tuple(dict.fromkeys(kept)), result.certainty)


def _shallow(value: Value, depth: int) -> Value:
    if depth == 0:
        return _ANYTHING
    if isinstance(value, PartialFunction):
        return PartialFunction(_shallow(value.function, depth - 1), value.given)
    if isinstance(value, FixedTuple):
        return value.with_items([shallow(item, depth - 1) for item in value.items])
    if isinstance(value, TupleClass):
        items = [shallow(item, depth - 1) for item in value.declared.items]
        defaults = tuple([shallow(item, depth - 1) for item in value.defaults])
        return TupleClass(value.declared.with_items(items), defaults, value.path, value.name)
    if isinstance(value, KeyedDictionary):
        pairs = tuple([(key, shallow(item, depth - 1)) for key, item in value.items])
        return KeyedDictionary(pairs, shallow(value.rest, depth - 1))
    if isinstance(value, HomogeneousContainer):
        return HomogeneousContainer(value.kind, shallow(value.element, depth - 1))
    if isinstance(value, TypeAlias):
        return TypeAlias(shallow(value.declared, depth - 1))
    if isinstance(value, Giver):
        return Giver(shallow(value.result, depth - 1))
    if isinstance(value, Container):
        return Container(value.of, shallow(value.element, depth - 1), shallow(value.last, depth - 1))
    return value


def _depth(value: Value) -> int:
    if isinstance(value, PartialFunction):
        return 1 + _depth(value.function)
    if isinstance(value, FixedTuple):
        return 1 + max([item.depth() for item in value.items], default=0)
    if isinstance(value, TupleClass):
        return 1 + max([item.depth() for item in (*value.declared.items, *value.defaults)], default=0)
    if isinstance(value, KeyedDictionary):
        return 1 + max([value.rest.depth(), *[item.depth() for _, item in value.items]])
    if isinstance(value, HomogeneousContainer):
        return 1 + value.element.depth()
    if isinstance(value, TypeAlias):
        return 1 + value.declared.depth()
    if isinstance(value, Giver):
        return 1 + value.result.depth()
    return 1 + max(value.element.depth(), value.last.depth()) if isinstance(value, Container) else 0


def join(results: list[AbstractValue]) -> AbstractValue:
    """What is known where several paths come together."""
    if len(results) < 2:  # as most are
        return results[0] if results else NEVER
    first = results[0]
    for result in results:
        if result is not first and result != first:
            break
    else:
        return first
    alternatives: dict[Value, None] = {}
    certainty = Certainty.CERTAIN
    containers = 0
    for result in results:
        for value in result.alternatives:
            alternatives[value] = None
            if type(value) is HomogeneousContainer or (type(value) is FixedTuple and value.names):
                containers += 1
        if result.certainty is not certainty and result.alternatives:
            certainty = weaker(certainty, result.certainty)
    if containers > 1:
        shapes = [shape for shape in map(_shape, alternatives) if shape is not None]
        if len(set(shapes)) < len(shapes):
            alternatives = _merged(alternatives)
    if len(alternatives) > MOST_ALTERNATIVES:
        return UNKNOWN
    return AbstractValue(tuple(alternatives), certainty)


def _shape(value: Value) -> tuple[str, ...] | None:
    """What containers have in common that are taken for one where paths come together; None for other
    values."""
    if isinstance(value, HomogeneousContainer):
        return (value.kind,)
    return (value.kind, *value.names) if isinstance(value, FixedTuple) and value.names else None


def _merged(alternatives: dict[Value, None]) -> dict[Value, None]:
    """The same, with one container of each shape, of what is in any of them: so it is read, and so containers
    that hold each other come to an end."""
    held: dict[tuple[str, ...], list[Value]] = {}
    for value in alternatives:
        shape = _shape(value)
        if shape is not None:
            held.setdefault(shape, []).append(value)
    found: dict[Value, None] = {}
    for value in alternatives:
        shape = _shape(value)
        if shape is None:
            found[value] = None
            continue
        alike = held.pop(shape, None)  # once for each shape: what they hold may be deep
        if alike is not None:
            found[value if len(alike) == 1 else _one_of(alike)] = None
    return found


def _one_of(alike: list[Value]) -> Value:
    """A container that any of several containers of one shape may be."""
    first = alike[0]
    if isinstance(first, FixedTuple):
        items = [one.items for one in alike if isinstance(one, FixedTuple)]
        return first.with_items([join(list(parts)) for parts in zip(*items, strict=True)])
    elements = [one.element for one in alike if isinstance(one, HomogeneousContainer)]
    return (
        HomogeneousContainer(first.kind, join(elements)) if isinstance(first, HomogeneousContainer) else first
    )
