"""What operations on values give: attributes, calls, items, elements, operators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.resolve import nodes
from mindport.resolve.imported import library_member
from mindport.resolve.returned import api_as_value, from_text, returned
from mindport.resolve.use import Certainty
from mindport.resolve.values import (
    NEVER,
    UNKNOWN,
    Api,
    Class,
    Elements,
    External,
    ExternalInstance,
    Instance,
    Items,
    Nothing,
    Object,
    Partial,
    ProjectModule,
    Result,
    TorchModule,
    Value,
    join,
    just,
    weaker,
)

if TYPE_CHECKING:
    from mindport.resolve.definitions import ClassDefinition
    from mindport.resolve.evaluator import Evaluator
    from mindport.resolve.nodes import CallExpression

_PARTIAL = "functools.partial"
MOST_BASES = 50
"""Class hierarchies deeper than this are not followed."""


def attribute(evaluator: Evaluator, receiver: Result, name: str) -> Result:
    """`receiver.name`. Alternatives that have no such attribute (None) cannot be what is meant."""
    results = []
    for value in receiver.alternatives:
        if not isinstance(value, Nothing):
            results.append(_attribute(evaluator, value, name))
    return join(results).weakened(receiver.certainty) if results else NEVER


def _attribute(evaluator: Evaluator, value: Value, name: str) -> Result:
    if isinstance(value, TorchModule):
        return library_member(evaluator, f"{value.name}.{name}")
    if isinstance(value, External):
        return just(External(f"{value.name}.{name}"))
    if isinstance(value, ProjectModule):
        return _project_member(evaluator, value, name)
    if isinstance(value, Api):
        return _api_attribute(evaluator, value, name)
    if isinstance(value, Instance):
        member = evaluator.catalog.member(value.of, name)
        return just(Api(member)) if member is not None else UNKNOWN
    if isinstance(value, Object):
        return class_member(evaluator, value.definition, name, instance=True, skip_own=value.parent)
    if isinstance(value, Class):
        return class_member(evaluator, value.definition, name, instance=False)
    if isinstance(value, ExternalInstance | Items | Elements):
        return just(ExternalInstance("attribute"))
    return UNKNOWN


def _api_attribute(evaluator: Evaluator, value: Api, name: str) -> Result:
    """A member of a torch class, or of what a torch constant or attribute is."""
    catalog = evaluator.catalog
    kind = catalog.kind(value.name)
    if kind == "class":
        member = catalog.member(value.name, name)
        return just(Api(member)) if member is not None else UNKNOWN
    if kind is None:  # unknown to the catalog: what is spelled as its member is unknown too, but torch's
        return just(Api(f"{value.name}.{name}"))
    if kind in ("function", "method"):
        return UNKNOWN
    return attribute(evaluator, api_as_value(catalog, value), name)


def _project_member(evaluator: Evaluator, module: ProjectModule, name: str) -> Result:
    exported = evaluator.ask(("export", module.path, name))
    return exported if exported.alternatives else UNKNOWN


def class_member(
    evaluator: Evaluator, definition: ClassDefinition, name: str, *, instance: bool, skip_own: bool = False
) -> Result:
    """An attribute of a class of the project, or of its instances: its own, else inherited."""
    return _class_member(evaluator, definition, name, instance, skip_own, set())


def _class_member(
    evaluator: Evaluator,
    definition: ClassDefinition,
    name: str,
    instance: bool,
    skip_own: bool,
    seen: set[ClassDefinition],
) -> Result:
    if definition in seen or len(seen) > MOST_BASES or definition.scope is None:
        return UNKNOWN
    seen.add(definition)
    block = definition.scope.block
    if not skip_own:
        own = definition.instance_attributes.get(name, []) if instance else []
        if name in definition.namespace:
            own = [definition.namespace[name], *own]
        if own:
            return join([evaluator.in_other_block(block, found) for found in own])
    certainty = Certainty.CERTAIN
    for base in definition.bases:
        found = evaluator.in_other_block(block, base)
        for value in found.alternatives:
            if isinstance(value, Class):
                inherited = _class_member(evaluator, value.definition, name, instance, False, seen)
                if inherited.alternatives:
                    return inherited.weakened(certainty)
            elif isinstance(value, Api) and (member := evaluator.catalog.member(value.name, name)):
                return just(Api(member)).weakened(certainty)
            elif not isinstance(value, Api | Nothing):  # a class we cannot look into may have it
                certainty = Certainty.LIKELY
    return NEVER if certainty is Certainty.CERTAIN else UNKNOWN


def call(evaluator: Evaluator, function: Result, expression: CallExpression) -> Result:
    """What calling `function` gives."""
    results = [
        _call(evaluator, value, expression)
        for value in function.alternatives
        if not isinstance(value, Nothing)
    ]
    return join(results).weakened(function.certainty) if results else NEVER


def _call(evaluator: Evaluator, value: Value, expression: CallExpression) -> Result:
    if isinstance(value, Api | Partial):
        return returned(evaluator.catalog, value.name)
    if isinstance(value, Class):
        return just(Object(value.definition))
    if isinstance(value, External):
        if value.name == _PARTIAL and expression.arguments:
            return _partial(evaluator.value(expression.arguments[0].value))
        return just(ExternalInstance(value.name))
    if isinstance(value, ExternalInstance):
        return just(ExternalInstance("call"))
    return UNKNOWN


def _partial(function: Result) -> Result:
    """`functools.partial(function, ...)`: calling it calls `function`."""
    made = tuple(Partial(value.name) if isinstance(value, Api) else value for value in function.alternatives)
    return Result(made, function.certainty)


def unpack(evaluator: Evaluator, result: Result, path: tuple[int | str, ...]) -> Result:
    """The part of a value that an assignment to nested targets binds; "*n" is a starred target."""
    for step in path:
        if isinstance(step, int):
            result = item(evaluator, result, step)
        else:
            result = just(Elements("list", element(evaluator, result)))
    return result


def item(evaluator: Evaluator, result: Result, index: int | None) -> Result:
    """The item of a sequence at `index` (None: at an index, or a slice, that is not known)."""
    results = []
    for value in result.alternatives:
        if isinstance(value, Items) and index is not None and -len(value.items) <= index < len(value.items):
            results.append(value.items[index])
        elif isinstance(value, Items):
            results.append(join(list(value.items)) if value.items else UNKNOWN)
        elif isinstance(value, Elements):
            results.append(value.element)
        elif isinstance(value, Instance):
            results.append(_item_of_instance(evaluator, value, index))
        elif isinstance(value, ExternalInstance):
            results.append(just(ExternalInstance("item")))
        elif not isinstance(value, Nothing):
            results.append(UNKNOWN)
    return join(results).weakened(result.certainty) if results else NEVER


def _item_of_instance(evaluator: Evaluator, value: Instance, index: int | None) -> Result:
    """An item of an instance of a torch class: of a named tuple, or what its `__getitem__` gives."""
    for base in evaluator.catalog.bases(value.of):
        if base.startswith("tuple["):
            return item(evaluator, from_text(evaluator.catalog, base), index)
    return _special_method(evaluator, value, "__getitem__")


def _special_method(evaluator: Evaluator, value: Instance, name: str) -> Result:
    member = evaluator.catalog.member(value.of, name)
    return returned(evaluator.catalog, member) if member is not None else UNKNOWN


def element(evaluator: Evaluator, result: Result) -> Result:
    """What iterating over a value gives. (Iterating over a dict gives its keys.)"""
    kept = tuple(
        ExternalInstance("key") if isinstance(value, Elements) and value.kind == "dict" else value
        for value in result.alternatives
    )
    return item(evaluator, Result(kept, result.certainty), None)


def subscript(evaluator: Evaluator, receiver: Result, indices: list[nodes.Expression]) -> Result:
    """`receiver[indices]`"""
    index = None
    if len(indices) == 1 and isinstance(indices[0], nodes.Constant) and indices[0].kind == "int":
        text = indices[0].value or ""
        index = int(text) if text.isdigit() else None
    elif any(isinstance(part, nodes.Parts) and part.kind == "slice" for part in indices):
        return _sliced(evaluator, receiver)
    return item(evaluator, receiver, index)


def _sliced(evaluator: Evaluator, receiver: Result) -> Result:
    """A slice of a list or tuple is one; of anything else, what its `__getitem__` gives."""
    results = []
    for value in receiver.alternatives:
        if isinstance(value, Items | Elements):
            results.append(just(Elements(value.kind, element(evaluator, just(value)))))
        else:
            results.append(item(evaluator, just(value), None))
    return join(results).weakened(receiver.certainty) if results else NEVER


_OPERATORS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "@": "matmul",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "lshift",
    ">>": "rshift",
}


def operation(evaluator: Evaluator, left: Result, operator: str, right: Result | None) -> Result:
    """A binary operation, or (without `right`) a unary one, on instances of torch classes.

    Works on each alternative by itself, so that more alternatives never give less: cycles settle on that.
    """
    results = []
    for value in left.alternatives:
        if right is None:
            results.append(just(value) if isinstance(value, Instance) else UNKNOWN)
        elif isinstance(value, Instance) and right.alternatives:
            results.append(_special_method(evaluator, value, f"__{_OPERATORS.get(operator)}__"))
        else:
            results.extend(_reflected(evaluator, other, operator) for other in right.alternatives)
    if not results:
        return NEVER
    certainty = left.certainty if right is None else weaker(left.certainty, right.certainty)
    return join(results).weakened(certainty)


def _reflected(evaluator: Evaluator, right: Value, operator: str) -> Result:
    """What `right` makes of an operation whose left operand leaves it to it."""
    if isinstance(right, Instance):
        return _special_method(evaluator, right, f"__r{_OPERATORS.get(operator)}__")
    return UNKNOWN
