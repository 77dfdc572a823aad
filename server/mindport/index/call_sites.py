"""Call sites: what the calls in a block give for parameters, as far as it follows from how they are written.

Nothing is evaluated here. An argument has *origins*: a dotted name of the module, a parameter of the
function around the call, a literal, a `partial` of one of these. Origins say all that is needed of a call
site, and are compared with those before an edit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from mindport.index import nodes
from mindport.index.definitions import (
    Assigned,
    FreeVariable,
    FunctionDefinition,
    FunctionParameter,
    Narrowed,
    Phi,
    sources,
)

if TYPE_CHECKING:
    from mindport.index.definitions import Definition

_MOST_ORIGINS: Final = 16
"""An argument with more origins than this may be anything."""


class NamePath:
    """What a name of the module is, at the module's end, and a member of it: `nn.LayerNorm`. `within`: the
    qualified name of the class in whose body the name is read, which may bind it, too."""

    __slots__ = ("members", "name", "within")

    def __init__(self, name: str, members: tuple[str, ...] = (), within: str = "") -> None:
        self.name = name
        self.members = members
        self.within = within

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, NamePath)
            and self.name == other.name
            and self.members == other.members
            and self.within == other.within
        )

    def __hash__(self) -> int:
        return hash(self.name)


class ParameterReference:
    """A parameter of the function that the call is in, by the function's qualified name."""

    __slots__ = ("function", "index")

    def __init__(self, function: str, index: int) -> None:
        self.function = function
        self.index = index

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ParameterReference)
            and self.index == other.index
            and self.function == other.function
        )

    def __hash__(self) -> int:
        return hash(self.function)


class LiteralOrigin:
    """A literal of a builtin type; of None, "None"."""

    __slots__ = ("kind",)

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LiteralOrigin) and self.kind == other.kind

    def __hash__(self) -> int:
        return hash(self.kind)


@dataclass(frozen=True, slots=True)
class PartialOrigin:
    """What calling `function` with these as the first argument gives: `partial(nn.LayerNorm, eps=1e-6)`."""

    function: NamePath
    argument: ArgumentOrigins


@dataclass(frozen=True, slots=True)
class UnknownOrigin:
    """What cannot be told from how it is written."""


ArgumentOrigin = NamePath | ParameterReference | LiteralOrigin | PartialOrigin | UnknownOrigin
ArgumentOrigins = tuple[ArgumentOrigin, ...]
ANYTHING: Final[ArgumentOrigins] = (UnknownOrigin(),)


class CallArguments(NamedTuple):
    """The arguments of a call. `complete`: none is unpacked."""

    positional: tuple[ArgumentOrigins, ...]
    keywords: tuple[tuple[str, ArgumentOrigins], ...]
    complete: bool

    def to(self, parameter: FunctionParameter, skipped: int) -> ArgumentOrigins:
        """What is given for a parameter; nothing, if it is left to its default. `skipped` parameters are not
        given by calls: the receiver."""
        for keyword, found in self.keywords:
            if keyword == parameter.name and parameter.kind != "positional_only":
                return found
        position = parameter.index - skipped
        if parameter.kind in ("plain", "positional_only") and 0 <= position < len(self.positional):
            return self.positional[position]
        return () if self.complete else ANYTHING


class CallSite:
    """A call of a function or class of the module (`plain`), of a method of the receiver's class (`self`) or
    of its bases (`super`), or of a parameter (`through`, which is `callee` then). `owner` is the receiver's
    class, by its qualified name. Two are equal if they call and give the same."""

    __slots__ = ("_call", "_given", "callee", "kind", "owner")

    def __init__(
        self,
        kind: Literal["plain", "self", "super", "through"],
        call: nodes.CallExpression,
        owner: str = "",
        callee: ParameterReference | None = None,
    ) -> None:
        self.kind = kind
        self.owner = owner
        self.callee = callee
        self._call = call
        self._given: CallArguments | None = None

    @property
    def given(self) -> CallArguments:
        """The arguments, looked at when first asked for."""
        if self._given is None:
            self._given = _given(self._call)
        return self._given

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, CallSite)
            and (self.kind, self.owner, self.callee) == (other.kind, other.owner, other.callee)
            and self.given == other.given
        )

    __hash__ = None  # type: ignore[assignment]


THROUGH: Final = "()"
"""Where call sites are kept whose callee is a parameter: its name says nothing."""


def call_sites(calls: list[nodes.CallExpression]) -> dict[str, list[CallSite]]:
    """The call sites among the calls of a block, by the name of what is called."""
    sites: dict[str, list[CallSite]] = {}
    for call in calls:
        for called, site in _sites(call):
            sites.setdefault(called, []).append(site)
    return sites


def member_call_sites(calls: list[nodes.CallExpression]) -> list[tuple[NamePath, CallSite]]:
    """The call sites among these calls whose callee is a member of what a name of the module is."""
    return [
        (callee, CallSite("plain", call))
        for call in calls
        if isinstance(call.function, nodes.Attribute)
        for callee in origins(call.function)
        if isinstance(callee, NamePath)
    ]


def _sites(call: nodes.CallExpression) -> list[tuple[str, CallSite]]:
    """The sites that a call is, each with the name of what may be called."""
    function = call.function
    if isinstance(function, nodes.Name):
        return [
            (THROUGH, CallSite("through", call, "", callee))
            if isinstance(callee, ParameterReference)
            else (callee.name, CallSite("plain", call))
            for callee in origins(function)
            if isinstance(callee, ParameterReference) or (isinstance(callee, NamePath) and not callee.members)
        ]
    if not isinstance(function, nodes.Attribute):
        return []
    receiver = function.value
    if isinstance(receiver, nodes.SuperCall):
        return [(function.name, CallSite("super", call, receiver.owner.qualified_name))]
    if isinstance(receiver, nodes.Name) and isinstance(receiver.definition, FunctionParameter):
        method = receiver.definition.function
        if receiver.definition.index == 0 and method.owner is not None:
            return [(function.name, CallSite("self", call, method.owner.qualified_name))]
    return []


def _given(call: nodes.CallExpression) -> CallArguments:
    positional: list[ArgumentOrigins] = []
    keywords: list[tuple[str, ArgumentOrigins]] = []
    complete = True
    for argument in call.arguments:
        if argument.unpack:
            complete = False
        elif argument.keyword is not None:
            keywords.append((argument.keyword, origins(argument.value)))
        elif complete:
            positional.append(origins(argument.value))
    return CallArguments(tuple(positional), tuple(keywords), complete)


def origins(expression: nodes.Expression) -> ArgumentOrigins:
    """Where the value of an expression comes from."""
    found = tuple(dict.fromkeys(_Tracer().of(expression)))
    return found if len(found) <= _MOST_ORIGINS else ANYTHING


class _Tracer:
    """Follows names to what they are bound to, each definition once."""

    def __init__(self) -> None:
        self.seen: set[Definition] = set()

    def of(self, expression: nodes.Expression) -> ArgumentOrigins:
        if isinstance(expression, nodes.Name):
            return self.of_definition(expression.definition)
        if isinstance(expression, nodes.Constant):
            return (LiteralOrigin(expression.kind),)
        if isinstance(expression, nodes.Attribute):
            return tuple([_member(origin, expression.name) for origin in self.of(expression.value)])
        if isinstance(expression, nodes.Conditional):
            return self.of(expression.body) + self.of(expression.orelse)
        if isinstance(expression, nodes.Boolean):
            return self.of(expression.left) + self.of(expression.right)
        if isinstance(expression, nodes.CallExpression) and expression.arguments:
            first = expression.arguments[0]
            function = self.of(expression.function)
            if (
                len(function) == 1
                and isinstance(function[0], NamePath)
                and not (first.keyword or first.unpack)
            ):
                return (PartialOrigin(function[0], self.of(first.value)),)
        return ANYTHING

    def of_definition(self, definition: Definition) -> ArgumentOrigins:
        if definition in self.seen:
            return ()
        self.seen.add(definition)
        if isinstance(definition, FunctionParameter):
            function = definition.function
            is_plain = definition.kind not in ("variadic", "keywords") and function.name != "<lambda>"
            return (ParameterReference(function.qualified_name, definition.index),) if is_plain else ANYTHING
        if isinstance(definition, Phi):
            return tuple([origin for part in definition.parts for origin in self.of_definition(part)])
        if isinstance(definition, Narrowed):
            return self.of_definition(definition.before)
        if isinstance(definition, Assigned) and definition.value is not None and not definition.path:
            return self.of(definition.value)
        if isinstance(definition, FreeVariable):
            origin = definition.origin()
            if origin.local:
                return tuple([one for found in origin.definitions for one in self.of_definition(found)])
            return (
                NamePath(
                    definition.name, (), origin.owner.qualified_name if origin.owner is not None else ""
                ),
            )
        return ANYTHING


def _member(origin: ArgumentOrigin, name: str) -> ArgumentOrigin:
    if not isinstance(origin, NamePath):
        return UnknownOrigin()
    return NamePath(origin.name, (*origin.members, name), origin.within)


def only_function(definition: Definition) -> FunctionDefinition | None:
    """The one function that a definition is, if it is one."""
    functions = [one for one in sources(definition) if isinstance(one, FunctionDefinition)]
    return functions[0] if len(functions) == 1 else None


def signature(definition: Definition) -> object:
    """What calls of a function have to do with: equal before and after an edit of no more than its body."""
    function = only_function(definition)
    if function is None:
        return None
    parameters = [
        (one.name, one.kind, origins(one.default) if one.default is not None else None)
        for one in function.parameters
    ]
    return function.decoration, tuple(parameters)
