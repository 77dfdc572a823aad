"""What operators give where an operand is an instance of a torch class.

Every function here works on each alternative by itself, so that more alternatives never give less: cycles
settle on that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mindport.infer.catalog_types import read, special_method
from mindport.infer.class_members import OVERRIDE, class_member, is_tensor, overrides_torch
from mindport.infer.values import (
    NEVER,
    UNKNOWN,
    AbstractValue,
    ApiValue,
    Certainty,
    ExternalInstance,
    FixedTuple,
    Function,
    HomogeneousContainer,
    Instance,
    KeyedDictionary,
    Object,
    Value,
    has_unknown,
    join,
    just,
    weaker,
)

if TYPE_CHECKING:
    from mindport.infer.context import Context

_BINARY: Final = {
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
_COMPARISONS: Final = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
NUMBERS: Final = frozenset({"builtins.int", "builtins.float", "builtins.bool", "builtins.complex"})


def operation(
    context: Context, left: AbstractValue, operator: str, right: AbstractValue | None
) -> AbstractValue:
    """A binary operation, or (without `right`) a unary one."""
    if right is None:
        left = read(context.catalog, left)
        results = [
            just(value) if isinstance(value, (Instance, ExternalInstance)) else UNKNOWN
            for value in left.alternatives
        ]
        return join(results).widened(left.certainty) if results else NEVER
    return _pairwise(context, left, right, _BINARY.get(operator, ""))


def comparison(context: Context, operators: list[str], operands: list[AbstractValue]) -> AbstractValue:
    """A comparison; of several in a chain, the last."""
    name = _COMPARISONS.get(operators[-1]) if operators else None
    if name is None or len(operands) < 2:
        return just(ExternalInstance("builtins.bool"))
    left, right = operands[-2:]
    return _pairwise(context, left, right, name, otherwise=ExternalInstance("builtins.bool"))


def _pairwise(
    context: Context, left: AbstractValue, right: AbstractValue, name: str, otherwise: Value | None = None
) -> AbstractValue:
    results = []
    left, right = read(context.catalog, left), read(context.catalog, right)
    for value in left.alternatives:
        if isinstance(value, Instance) and right.alternatives:
            results += _with_others(context, value, right, name, otherwise is not None)
            continue
        for other in right.alternatives:
            results.append(_reflected(context, value, other, name, otherwise))
    return join(results).widened(weaker(left.certainty, right.certainty)) if results else NEVER


def _with_others(
    context: Context, value: Instance, right: AbstractValue, name: str, is_comparison: bool
) -> list[AbstractValue]:
    """What an operation of an instance of a torch class gives. An operand that says itself what torch makes
    of it does so."""
    if not context.is_member_of_a_class(OVERRIDE):
        return [special_method(context, value, f"__{name}__")]
    overriding = [other for other in right.alternatives if overrides_torch(context, other)]
    reflected = f"__{name}__" if is_comparison else f"__r{name}__"
    results = [_by_method(context, other, reflected) for other in overriding]
    if len(overriding) < len(right.alternatives):
        given = special_method(context, value, f"__{name}__")
        results.append(given.widened(Certainty.LIKELY) if overriding or has_unknown(right) else given)
    return results


def _is_of_library(value: Value) -> bool:
    """Whether a value is an object of a library's class, and of none of Python's own."""
    return isinstance(value, ExternalInstance) and not value.of.startswith("builtins.")


def _by_method(context: Context, value: Value, name: str) -> AbstractValue:
    """What a special method of an object of the project gives."""
    if not isinstance(value, Object):
        return UNKNOWN
    method = class_member(context, value.definition, name, instance=False, receiver=value)
    if not any(isinstance(one, (ApiValue, Function)) for one in method.alternatives):
        return UNKNOWN
    return context.called(method).widened(Certainty.LIKELY)


def _reflected(
    context: Context, left: Value, right: Value, name: str, otherwise: Value | None
) -> AbstractValue:
    """What an object of the project makes of an operation, or `right`, where `left` leaves it to it."""
    if isinstance(left, Object) and (otherwise is None or is_tensor(context, left)):
        return _by_method(context, left, f"__{name}__")
    if isinstance(right, Instance) and not isinstance(left, Object):
        method = f"__{name}__" if otherwise is not None else f"__r{name}__"
        result = special_method(context, right, method)
        is_number = isinstance(left, ExternalInstance) and left.of in NUMBERS
        return result if is_number else result.widened(Certainty.LIKELY)
    if otherwise is not None:
        array = next((one for one in (left, right) if _is_of_library(one)), None)
        if array is not None and isinstance(left, ExternalInstance) and isinstance(right, ExternalInstance):
            return just(array)  # of arrays, each value is compared
        return just(otherwise) if _is_plain(left) and _is_plain(right) else UNKNOWN
    if isinstance(left, (FixedTuple, HomogeneousContainer)) and isinstance(
        right, (FixedTuple, HomogeneousContainer)
    ):
        return _concatenated(left, right)
    if isinstance(left, ExternalInstance) and isinstance(right, ExternalInstance):
        return just(right if left.of in NUMBERS and right.of not in NUMBERS else left)
    if name == "mul" and isinstance(left, FixedTuple) and isinstance(right, ExternalInstance):
        return just(HomogeneousContainer(left.kind, join(list(left.items))))  # `[None] * count`
    return UNKNOWN


def _is_plain(value: Value) -> bool:
    return isinstance(value, (ExternalInstance, FixedTuple, HomogeneousContainer, KeyedDictionary))


def _concatenated(
    left: FixedTuple | HomogeneousContainer, right: FixedTuple | HomogeneousContainer
) -> AbstractValue:
    """`[a] + [b]`, `(a,) + (b,)`"""
    if isinstance(left, FixedTuple) and isinstance(right, FixedTuple):
        return just(FixedTuple(left.kind, left.items + right.items))
    parts: list[AbstractValue] = []
    for side in (left, right):
        parts.extend(side.items if isinstance(side, FixedTuple) else (side.element,))
    return just(HomogeneousContainer(left.kind, join(parts) if parts else UNKNOWN))
