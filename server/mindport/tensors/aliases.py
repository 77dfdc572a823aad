"""Where the memory of a Tensor comes from: what an expression shares it with.

It is followed through names, views (`x[0]`, `x.view(..)`), containers and branches, back to where the memory
was made or where it came in. What a call gives is new, unless the mapping data says that it is a view or
refers to what exists: a function that gives back its argument as it is, is not seen through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from mindport.index import nodes
from mindport.index.definitions import (
    Assigned,
    Augmented,
    Definition,
    FreeVariable,
    FunctionParameter,
    Iterated,
    Narrowed,
    sources,
)
from mindport.infer.attributes import is_property
from mindport.infer.catalog_types import read
from mindport.infer.values import TENSOR, ApiValue, External, FixedTuple, Instance, Value

if TYPE_CHECKING:
    from mindport.infer.evaluator import Evaluator

_DEEPEST: Final = 20
"""Chains of names and views longer than this are not followed."""
_PARAMETER: Final = "torch.nn.Parameter"
_OF_LAYERS: Final = "torch.nn."
_PASSED_ON: Final = frozenset(
    f"builtins.{name}" for name in ("enumerate", "iter", "list", "next", "reversed", "tuple", "zip")
)
"""Functions whose results hold what their arguments hold."""

OriginKind = Literal["made", "parameter", "attribute", "state", "outside"]


class PointsTo(NamedTuple):
    """Memory that an expression may be: `key` tells it from other memory, `text` is how the code writes it,
    `start` where it was made (-1: before the function). `region` is which part of it, where parts that do
    not overlap are told apart (the items of one `x.chunk(2)`); `is_view`: through a view; `names` are the
    names it was followed through, and where they are read."""

    kind: OriginKind
    key: Any
    text: str
    start: int
    region: tuple[Any, Any] | None = None
    is_view: bool = False
    names: tuple[tuple[str, int], ...] = ()

    def overlaps(self, other: PointsTo) -> bool:
        """Whether both may be the same memory."""
        if self.key != other.key:
            return False
        mine, theirs = self.region, other.region
        return mine is None or theirs is None or mine[0] != theirs[0] or mine[1] == theirs[1]


class Aliases:
    """Follows expressions of the block that the evaluator is in. Made anew when the block is looked at."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.facts = evaluator.catalog.tensors
        self._known: dict[Definition, tuple[PointsTo, ...]] = {}
        self._depth = 0

    def of_definition(self, definition: Definition) -> tuple[PointsTo, ...]:
        """The memory that a name bound so may be."""
        found: dict[PointsTo, None] = {}
        for source in self._sources(definition):
            known = self._known.get(source)
            if known is None:
                self._known[source] = ()  # what a loop brings back to itself adds nothing
                known = self._known[source] = self._of_source(source)
            found.update(dict.fromkeys(known))
        return tuple(found)

    def _sources(self, definition: Definition) -> list[Definition]:
        """The definitions that are joined in one. What is changed in place by an operator is the same memory
        as before; of a number, it is new."""
        waiting = sources(definition)
        if not any(isinstance(source, Augmented) for source in waiting):  # as most are
            return waiting
        found = dict.fromkeys(waiting)
        while waiting:
            current = waiting.pop()
            if isinstance(current, Augmented) and current.operator in self.facts.operators:
                added = [source for source in sources(current.before) if source not in found]
                found.update(dict.fromkeys(added))
                waiting.extend(added)
        return list(found)

    def of(self, expression: nodes.Expression) -> tuple[PointsTo, ...]:
        """The memory that an expression may be."""
        if self._depth >= _DEEPEST:
            return (_made(expression),)
        self._depth += 1
        try:
            return self._of(expression)
        finally:
            self._depth -= 1

    def _of(self, expression: nodes.Expression) -> tuple[PointsTo, ...]:
        if isinstance(expression, nodes.Name):
            read = (expression.id, expression.start)
            found = self.of_definition(expression.definition)
            if self._is_parameter(expression):
                found = tuple([origin._replace(kind="state", is_view=False) for origin in found])
            return tuple([origin._replace(names=(*origin.names, read)) for origin in found])
        if isinstance(expression, nodes.Attribute):
            return self._of_attribute(expression)
        if isinstance(expression, nodes.Subscript):
            return self._of_subscript(expression)
        if isinstance(expression, nodes.CallExpression):
            return self._of_call(expression)
        return self._of_any(_alternatives(expression)) or (_made(expression),)

    def _is_parameter(self, expression: nodes.Expression) -> bool:
        """Whether an expression surely is a parameter of a module, which is a view of nothing."""
        found = self.evaluator.value(expression).alternatives
        return bool(found) and all(isinstance(value, Instance) and value.of == _PARAMETER for value in found)

    def _of_any(self, expressions: list[nodes.Expression]) -> tuple[PointsTo, ...]:
        return tuple(dict.fromkeys([origin for one in expressions for origin in self.of(one)]))

    def _of_source(self, source: Definition) -> tuple[PointsTo, ...]:
        if isinstance(source, FunctionParameter):
            return (PointsTo("parameter", source, source.name, -1),)
        if isinstance(source, Assigned) and source.value is not None:
            return self._of_part(source.value, source.path)
        if isinstance(source, Iterated):
            return self._of_part(source.iterable, ("item", *source.path))
        if isinstance(source, Narrowed):
            return self.of_definition(source.before)
        if isinstance(source, Augmented):
            return (PointsTo("made", source, source.target.id, source.value.end),)
        if isinstance(source, FreeVariable):
            return self._of_entry(source)
        return (PointsTo("made", source, "", -1),)

    def _of_entry(self, entry: FreeVariable) -> tuple[PointsTo, ...]:
        """A name of a scope around. At the top level of a module nothing is known of other names."""
        origin = entry.origin()
        if origin.local:
            return tuple(dict.fromkeys([o for one in origin.definitions for o in self.of_definition(one)]))
        kind: OriginKind = "outside" if origin.deferred or entry.scope.kind == "function" else "made"
        return (PointsTo(kind, entry.name, entry.name, -1),)

    def _of_part(self, value: nodes.Expression, path: tuple[int | str, ...]) -> tuple[PointsTo, ...]:
        """What unpacking or iterating over a value binds."""
        while path and isinstance(path[0], int) and isinstance(value, nodes.Display):
            items = value.items
            if any(isinstance(item, nodes.Starred) for item in items) or not _has(items, path[0]):
                break
            value, path = items[path[0]], path[1:]
        if not path:
            return self.of(value)
        is_view = self.has_tensor(value)
        return tuple(
            [
                origin._replace(region=(value, path), is_view=origin.is_view or is_view)
                for origin in self.of(value)
            ]
        )

    def _of_attribute(self, attribute: nodes.Attribute) -> tuple[PointsTo, ...]:
        value = self._value(attribute)
        if value is not None and (value.name in self.facts.same or value.name in self.facts.views):
            return self._through(attribute.value, value.name)
        receiver = self.evaluator.value(attribute.value)
        if is_property(self.evaluator, receiver, attribute.name):
            return (_made(attribute),)
        found = self.evaluator.value(attribute).alternatives
        is_state = bool(found) and all(_is_state(value) for value in found)
        return (self._reference(attribute, "state" if is_state else "attribute"),)

    def _of_subscript(self, subscript: nodes.Subscript) -> tuple[PointsTo, ...]:
        is_tensor = self.has_tensor(subscript.value)
        if is_tensor and any(self._copies(index) for index in subscript.indices):
            return (_made(subscript),)
        region = ("[]", self._text(*subscript.indices)) if subscript.indices else None
        return tuple(
            [
                origin._replace(region=origin.region or region, is_view=origin.is_view or is_tensor)
                for origin in self.of(subscript.value)
            ]
        )

    def _copies(self, index: nodes.Expression) -> bool:
        """Whether indexing a Tensor by this makes a copy: by another Tensor, an array or a list."""
        if isinstance(index, nodes.Display):
            return any(self._copies(item) for item in index.items) or index.kind == "list"
        if isinstance(index, nodes.Comparison):
            return True
        return any(
            isinstance(value, Instance)
            or (isinstance(value, FixedTuple) and value.kind == "list")
            or (isinstance(value, External) and not value.name.startswith("builtins."))
            for value in self.evaluator.value(index).alternatives
        )

    def _of_call(self, call: nodes.CallExpression) -> tuple[PointsTo, ...]:
        value, function = self._value(call.function), call.function
        if value is None:
            if isinstance(function, nodes.Attribute) and changes_in_place(function.name):
                return self.of(function.value)
            return (_made(call),)
        named = value.name
        if named in _PASSED_ON and call.arguments:
            return self._of_any([argument.value for argument in call.arguments])
        if named in self.facts.references:
            return (self._reference(call, "state"),)
        if named in self.facts.gradients_in_place:
            return (_made(call),)
        if changes_in_place(named) or self.facts.is_view(named) or named in self.facts.same:
            has_receiver = isinstance(value, ApiValue) and value.receiver is not None
            if has_receiver and isinstance(function, nodes.Attribute):
                return self._through(function.value, named)
            if call.arguments:
                return self._through(call.arguments[0].value, named)
        return (_made(call),)

    def has_tensor(self, expression: nodes.Expression) -> bool:
        """Whether an expression may be a Tensor."""
        found = read(self.evaluator.catalog, self.evaluator.value(expression))
        return any(
            (isinstance(value, Instance) and value.of == TENSOR) or _is_state(value)
            for value in found.alternatives
        )

    def _through(self, value: nodes.Expression, named: str) -> tuple[PointsTo, ...]:
        """What a view of a value, or another name for it, shares memory with."""
        is_view = self.facts.is_view(named)
        return tuple([o._replace(is_view=True) if is_view else o for o in self.of(value)])

    def _value(self, expression: nodes.Expression) -> ApiValue | External | None:
        """The torch API or the builtin that an expression surely is."""
        alternatives = self.evaluator.value(expression).alternatives
        value = alternatives[0] if len(alternatives) == 1 else None
        return value if isinstance(value, (ApiValue, External)) else None

    def _reference(self, expression: nodes.Expression, kind: OriginKind) -> PointsTo:
        text = self._text(expression)
        return PointsTo(kind, text, text, -1)

    def _text(self, *expressions: nodes.Expression) -> str:
        data = self.evaluator.block.text[expressions[0].start : expressions[-1].end]
        return data.decode("utf-8", "replace")


def changes_in_place(api: str) -> bool:
    """Whether a torch function or method changes its argument or receiver and gives it back: torch names
    them so."""
    return api.endswith("_") and not api.endswith("__")


def _is_state(value: Value) -> bool:
    """Whether a value is a parameter or a buffer of a module: memory of its own."""
    if isinstance(value, Instance):
        return value.of == _PARAMETER
    return isinstance(value, ApiValue) and value.name.startswith(_OF_LAYERS)


def _made(expression: nodes.Expression) -> PointsTo:
    return PointsTo("made", expression, "", expression.start)


def _has(items: list[nodes.Expression], index: int | str) -> bool:
    return isinstance(index, int) and -len(items) <= index < len(items)


def _alternatives(expression: nodes.Expression) -> list[nodes.Expression]:
    """The expressions that one of them may be, or whose values it holds."""
    if isinstance(expression, nodes.Conditional):
        return [expression.body, expression.orelse]
    if isinstance(expression, nodes.Boolean):
        return [expression.left, expression.right]
    if isinstance(expression, (nodes.Walrus, nodes.Starred)):
        return [expression.value]
    if isinstance(expression, nodes.Display):
        return expression.items
    if isinstance(expression, nodes.Dictionary):
        return [value for _, value in expression.pairs]
    if isinstance(expression, nodes.Comprehension):
        return [expression.element]
    return []
