"""What the arguments of overloaded APIs are: it tells which overload a call means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mindport.catalog.binding import ALIAS
from mindport.index.definitions import Assigned, Definition, sources
from mindport.index.nodes import Attribute, CallExpression, Name
from mindport.infer.catalog_types import api_as_value
from mindport.infer.values import (
    ApiValue,
    Certainty,
    ExternalInstance,
    FixedTuple,
    HomogeneousContainer,
    Instance,
    NoneValue,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from mindport.index.nodes import Expression
    from mindport.infer.evaluator import Evaluator

_INSTANCES: Final = {"torch.Tensor": "Tensor", "torch.device": "device", "torch.dtype": "dtype"}
_SIZE: Final = "torch.Size"
_BUILTINS: Final = {f"builtins.{name}": name for name in ("int", "float", "bool", "str")}
_SEQUENCES: Final = frozenset({"tuple", "list"})


def has_overloads(evaluator: Evaluator, name: str) -> bool:
    """Whether a torch API has several signatures."""
    api = evaluator.catalog.api(name)
    return api is not None and len(api.signatures) > 1


def argument_type(evaluator: Evaluator, expression: Expression) -> str | None:
    """What an argument is, in the words of `Argument.type`; None where that is not known for sure."""
    found = evaluator.value(expression).alternatives
    types = {_type(evaluator, value) for value in found}
    known = types.pop() if len(types) == 1 else None
    return ALIAS if known is None and _is_alias(expression) else known


def is_size(evaluator: Evaluator, expression: Expression) -> bool:
    """Whether an argument is a torch.Size: what it may be says so, or it is a `shape` or a call of `size` of
    what nothing is known of, or not all."""
    if _is_called_otherwise(evaluator, expression):
        return False
    found = evaluator.value(expression).alternatives
    known = [value for value in found if not isinstance(value, Unknown)]
    are_sizes = all(_is_size(evaluator, value) for value in known)
    if known and (len(known) == len(found) or not are_sizes):
        return are_sizes
    if isinstance(expression, Name):
        bound = sources(expression.definition)
        return bool(bound) and all(_names_size(one) for one in bound)
    return _is_read_as_size(expression)


def _names_size(definition: Definition) -> bool:
    """Whether a name is bound to what is read of an object as its size (`size = x.shape`)."""
    return isinstance(definition, Assigned) and not definition.path and _is_read_as_size(definition.value)


def _is_called_otherwise(evaluator: Evaluator, expression: Expression) -> bool:
    """Whether a shape is that of what is called as something of another library, and not surely a Tensor:
    `env.action_space.shape`."""
    if not isinstance(expression, Attribute) or expression.name != "shape":
        return False
    receiver = evaluator.value(expression.value)
    is_sure = receiver.certainty is Certainty.CERTAIN and any(
        isinstance(one, Instance) for one in receiver.alternatives
    )
    return not is_sure and evaluator.catalog.libraries.has_tuple_as_shape(_called(expression.value))


def _is_read_as_size(expression: Expression | None) -> bool:
    if isinstance(expression, Attribute):
        return expression.name == "shape"
    if not isinstance(expression, CallExpression) or expression.arguments:
        return False
    return isinstance(expression.function, Attribute) and expression.function.name == "size"


def _called(expression: Expression) -> str:
    """The name that something is read by, or that of the method that gives it."""
    if isinstance(expression, CallExpression):
        expression = expression.function
    if isinstance(expression, Attribute):
        return expression.name
    return expression.id if isinstance(expression, Name) else ""


def _is_size(evaluator: Evaluator, value: Value) -> bool:
    if isinstance(value, ApiValue):
        types = api_as_value(evaluator.catalog, value).alternatives
        return bool(types) and all(isinstance(one, Instance) and one.of == _SIZE for one in types)
    return isinstance(value, Instance) and value.of == _SIZE


def _is_alias(expression: Expression) -> bool:
    """Whether a name has but the value of one that is called otherwise: `device = x`."""
    if not isinstance(expression, Name):
        return False
    bound = [
        one.value for one in sources(expression.definition) if isinstance(one, Assigned) and not one.path
    ]
    return any(isinstance(value, Name) and value.id != expression.id for value in bound)


def _type(evaluator: Evaluator, value: Value) -> str | None:
    if isinstance(value, ApiValue):
        return _type_of_api(evaluator, value)
    if isinstance(value, Instance):
        return _INSTANCES.get(value.of)
    if isinstance(value, ExternalInstance):
        return _BUILTINS.get(value.of)
    if isinstance(value, (FixedTuple, HomogeneousContainer)):
        return "sequence" if value.kind in _SEQUENCES else None
    return "None" if isinstance(value, NoneValue) else None


def _type_of_api(evaluator: Evaluator, value: ApiValue) -> str | None:
    kind = evaluator.catalog.kind(value.name)
    if kind == "dtype":
        return "dtype"
    if kind not in ("attribute", "property", "constant"):
        return None
    types = {_type(evaluator, one) for one in api_as_value(evaluator.catalog, value).alternatives}
    return types.pop() if len(types) == 1 else None
