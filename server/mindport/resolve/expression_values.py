"""What each kind of expression evaluates to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from mindport.resolve import attributes, calls, containers, nodes, operators
from mindport.resolve.values import (
    NONE,
    UNKNOWN,
    Elements,
    ExternalInstance,
    Function,
    Items,
    Nothing,
    Object,
    Result,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.resolve.evaluator import Evaluator

_STRINGS: Final = frozenset({"string", "fstring", "concatenated_string"})
MOST_ITEMS: Final = 32
"""Displays longer than this are not looked at item by item."""


def _name(evaluator: Evaluator, name: nodes.Name) -> Result:
    return evaluator.definition(name.definition)


def _attribute(evaluator: Evaluator, attribute: nodes.Attribute) -> Result:
    return attributes.attribute(evaluator, evaluator.value(attribute.value), attribute.name)


def _call(evaluator: Evaluator, call: nodes.CallExpression) -> Result:
    return calls.call(evaluator, evaluator.value(call.function), call)


def _super(evaluator: Evaluator, call: nodes.SuperCall) -> Result:
    return just(Object(call.owner, parent=True))


def _subscript(evaluator: Evaluator, subscript: nodes.Subscript) -> Result:
    return containers.subscript(evaluator, evaluator.value(subscript.value), subscript.indices)


def _display(evaluator: Evaluator, display: nodes.Display) -> Result:
    if len(display.items) > MOST_ITEMS or any(isinstance(item, nodes.Starred) for item in display.items):
        return just(Elements(display.kind, UNKNOWN))
    return just(Items(display.kind, tuple([evaluator.value(item) for item in display.items])))


def _dictionary(evaluator: Evaluator, dictionary: nodes.Dictionary) -> Result:
    pairs = dictionary.pairs
    if not pairs or any(key is None for key, _ in pairs):
        return just(Elements("dict", UNKNOWN))
    return just(Elements("dict", join([evaluator.value(value) for _, value in pairs])))


def _comprehension(evaluator: Evaluator, comprehension: nodes.Comprehension) -> Result:
    return just(Elements(comprehension.kind, evaluator.value(comprehension.element)))


def _conditional(evaluator: Evaluator, conditional: nodes.Conditional) -> Result:
    return join([evaluator.value(conditional.body), evaluator.value(conditional.orelse)])


def _boolean(evaluator: Evaluator, boolean: nodes.Boolean) -> Result:
    left, right = evaluator.value(boolean.left), evaluator.value(boolean.right)
    if boolean.operator == "or":  # `or` never gives a left side that is None
        kept = tuple(value for value in left.alternatives if not isinstance(value, Nothing))
        left = Result(kept, left.certainty)
    return join([left, right])


def _binary(evaluator: Evaluator, binary: nodes.Binary) -> Result:
    return operators.operation(
        evaluator, evaluator.value(binary.left), binary.operator, evaluator.value(binary.right)
    )


def _unary(evaluator: Evaluator, unary: nodes.Unary) -> Result:
    if unary.operator == "not":
        return just(ExternalInstance("builtins.bool"))
    return operators.operation(evaluator, evaluator.value(unary.operand), unary.operator, None)


def _comparison(evaluator: Evaluator, comparison: nodes.Comparison) -> Result:
    operands = [evaluator.value(operand) for operand in comparison.operands]
    return operators.comparison(evaluator, comparison.operators, operands)


def _await(evaluator: Evaluator, awaited: nodes.Await) -> Result:
    return evaluator.value(awaited.value)


def _walrus(evaluator: Evaluator, walrus: nodes.Walrus) -> Result:
    return evaluator.value(walrus.value)


def _constant(evaluator: Evaluator, constant: nodes.Constant) -> Result:
    return NONE if constant.kind == "None" else just(ExternalInstance(f"builtins.{constant.kind}"))


def _lambda(evaluator: Evaluator, expression: nodes.LambdaExpression) -> Result:
    return just(Function(expression.function))


def _parts(evaluator: Evaluator, parts: nodes.Parts) -> Result:
    return just(ExternalInstance("builtins.str")) if parts.kind in _STRINGS else UNKNOWN


EXPRESSIONS: Final[dict[type[nodes.Expression], Callable[[Evaluator, Any], Result]]] = {
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
