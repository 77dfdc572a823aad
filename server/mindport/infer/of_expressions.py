"""What each kind of expression evaluates to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from mindport.index import nodes
from mindport.infer import attributes, calls, containers, operators
from mindport.infer.annotations import are_types, written_type
from mindport.infer.values import (
    NEVER,
    NONE,
    UNKNOWN,
    AbstractValue,
    External,
    ExternalInstance,
    FixedTuple,
    Function,
    HomogeneousContainer,
    KeyedDictionary,
    NoneValue,
    Object,
    ProjectModule,
    has_unknown,
    is_unknown,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.infer.context import Context

_CONSTANTS: Final[dict[str, AbstractValue]] = {"None": NONE}
"""The values of constants, by their few kinds."""
_STRINGS: Final = frozenset({"string", "fstring", "concatenated_string"})
_STRING: Final = just(ExternalInstance("builtins.str"))
_LOADED_MODULES: Final = "sys.modules"
"""Not in the tables of libraries, which say what calls give: this dictionary gives modules by their names."""
MOST_ITEMS: Final = 32
"""Displays longer than this are not looked at item by item."""


def _name(context: Context, name: nodes.Name) -> AbstractValue:
    return context.definition(name.definition)


def _attribute(context: Context, attribute: nodes.Attribute) -> AbstractValue:
    value = attribute.value
    receiver = context.value(value)
    if type(value) is nodes.Attribute and is_unknown(receiver):
        receiver = attributes.kept_by_modules(context, value.name, attribute.name)
    found = attributes.attribute(context, receiver, attribute.name)
    if type(value) is not nodes.Name:
        return attributes.of_array(context, value, attribute.name) if is_unknown(receiver) else found
    if has_unknown(found):
        return attributes.kept_in_context(context, value.definition, receiver, attribute.name, found)
    return found


def _call(context: Context, call: nodes.CallExpression) -> AbstractValue:
    function = call.function
    if type(function) is nodes.Attribute:
        called = attributes.called(context, function, call)
    else:
        called = context.value(function)
    found = calls.call(context, called, call)
    if not has_unknown(found):
        return found
    return containers.or_default(context, calls.or_tensor(context, called, found, call), call)


def _super(context: Context, call: nodes.SuperCall) -> AbstractValue:
    return just(Object(call.owner, parent=True))


def _subscript(context: Context, subscript: nodes.Subscript) -> AbstractValue:
    receiver = context.value(subscript.value)
    if receiver.alternatives and type(receiver.alternatives[0]) is External:
        if receiver.alternatives[0].name == _LOADED_MODULES:
            return _loaded_module(context, subscript)
        return written_type(context, subscript)
    return containers.subscript(context, receiver, subscript.indices)


def _loaded_module(context: Context, subscript: nodes.Subscript) -> AbstractValue:
    """`sys.modules[__name__]`, and a module of the project by its name."""
    index = subscript.indices[0] if len(subscript.indices) == 1 else None
    module = context.block.module
    if isinstance(index, nodes.Name) and index.id == "__name__":
        return just(ProjectModule(module.path)) if module is not None else UNKNOWN
    name = nodes.string_of(index)
    found = context.ask(("module", name)) if name else UNKNOWN
    return found if found.alternatives else UNKNOWN


def _display(context: Context, display: nodes.Display) -> AbstractValue:
    if len(display.items) > MOST_ITEMS:
        return just(HomogeneousContainer(display.kind, UNKNOWN))
    if any(isinstance(item, nodes.Starred) for item in display.items):
        return just(HomogeneousContainer(display.kind, join([_held(context, one) for one in display.items])))
    return just(FixedTuple(display.kind, tuple([context.value(item) for item in display.items])))


def _held(context: Context, item: nodes.Expression) -> AbstractValue:
    """What one item of a display puts into it, `*others` any of what these hold."""
    if isinstance(item, nodes.Starred):
        return containers.element(context, context.value(item.value))
    return context.value(item)


def _dictionary(context: Context, dictionary: nodes.Dictionary) -> AbstractValue:
    pairs = dictionary.pairs
    if not pairs or any(key is None for key, _ in pairs):
        return just(HomogeneousContainer("dict", UNKNOWN))
    keys = [nodes.string_of(key) or None for key, _ in pairs]
    if len(pairs) <= MOST_ITEMS and None not in keys:
        items = [(key, context.value(value)) for key, (_, value) in zip(keys, pairs, strict=True) if key]
        return just(KeyedDictionary(tuple(items), NEVER))
    held = containers.any_of(context, [context.value(value) for _, value in pairs])
    return just(HomogeneousContainer("dict", held))


def _comprehension(context: Context, comprehension: nodes.Comprehension) -> AbstractValue:
    return just(HomogeneousContainer(comprehension.kind, context.value(comprehension.element)))


def _conditional(context: Context, conditional: nodes.Conditional) -> AbstractValue:
    return join([context.value(conditional.body), context.value(conditional.orelse)])


def _boolean(context: Context, boolean: nodes.Boolean) -> AbstractValue:
    left, right = context.value(boolean.left), context.value(boolean.right)
    if boolean.operator == "or":  # `or` never gives a left side that is None
        kept = tuple(value for value in left.alternatives if not isinstance(value, NoneValue))
        left = AbstractValue(kept, left.certainty)
    return join([left, right])


def _binary(context: Context, binary: nodes.Binary) -> AbstractValue:
    left, right = context.value(binary.left), context.value(binary.right)
    if binary.operator == "|" and are_types(context, left, right):
        return written_type(context, binary)
    return operators.operation(context, left, binary.operator, right)


def _unary(context: Context, unary: nodes.Unary) -> AbstractValue:
    if unary.operator == "not":
        return just(ExternalInstance("builtins.bool"))
    return operators.operation(context, context.value(unary.operand), unary.operator, None)


def _comparison(context: Context, comparison: nodes.Comparison) -> AbstractValue:
    operands = [context.value(operand) for operand in comparison.operands]
    return operators.comparison(context, comparison.operators, operands)


def _await(context: Context, awaited: nodes.Await) -> AbstractValue:
    return context.value(awaited.value)


def _walrus(context: Context, walrus: nodes.Walrus) -> AbstractValue:
    return context.value(walrus.value)


def _constant(context: Context, constant: nodes.Constant) -> AbstractValue:
    known = _CONSTANTS.get(constant.kind)
    if known is None:
        known = _CONSTANTS[constant.kind] = just(ExternalInstance(f"builtins.{constant.kind}"))
    return known


def _lambda(context: Context, expression: nodes.LambdaExpression) -> AbstractValue:
    return just(Function(expression.function))


def _parts(context: Context, parts: nodes.Parts) -> AbstractValue:
    return _STRING if parts.kind in _STRINGS else UNKNOWN


EXPRESSIONS: Final[dict[type[nodes.Expression], Callable[[Context, Any], AbstractValue]]] = {
    nodes.Name: _name,
    nodes.Attribute: _attribute,
    nodes.CallExpression: _call,
    nodes.SuperCall: _super,
    nodes.Subscript: _subscript,
    nodes.Display: _display,
    nodes.Dictionary: _dictionary,
    nodes.Comprehension: _comprehension,
    nodes.Conditional: _conditional,
    nodes.Boolean: _boolean,
    nodes.Binary: _binary,
    nodes.Unary: _unary,
    nodes.Comparison: _comparison,
    nodes.Await: _await,
    nodes.Walrus: _walrus,
    nodes.Constant: _constant,
    nodes.LambdaExpression: _lambda,
    nodes.Parts: _parts,
}
