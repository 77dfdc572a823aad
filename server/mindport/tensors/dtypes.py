"""How many dimensions Tensors have, and of which dtype they are, as far as the code says it.

Only what decides type promotion is asked: whether a Tensor has dimensions at all, and its dtype. It is
followed through the names of a block; which APIs give what is in `mapping_data/libraries/tensors.json`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.index import nodes
from mindport.index.definitions import Assigned, Augmented, Definition, sources
from mindport.infer.values import ApiValue, External
from mindport.tensors.facts import Scalar

if TYPE_CHECKING:
    from mindport.infer.evaluator import Evaluator

_DEEPEST: Final = 20
_NUMBERS: Final = {"int": "torch.int64", "float": "torch.float32", "bool": "torch.bool"}
"""The dtype of a Tensor made of a number."""
_FLOAT: Final = "torch.float32"
_COUNT: Final = "torch.int64"


class TensorType(NamedTuple):
    """`is_scalar`: whether it has no dimensions; `dtype`: the public name; None where nothing is known."""

    is_scalar: bool | None = None
    dtype: str | None = None


_ANYTHING: Final = TensorType()


class Dtypes:
    """Answers for the block that the evaluator is in. Made anew when the block is looked at."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.facts = evaluator.catalog.tensors
        self._known: dict[Definition, TensorType] = {}
        self._depth = 0

    def of(self, expression: nodes.Expression) -> TensorType:
        """What is known of a Tensor that an expression gives."""
        if self._depth >= _DEEPEST:
            return _ANYTHING
        self._depth += 1
        try:
            return self._of(expression)
        finally:
            self._depth -= 1

    def wider_scalar(self, operands: list[nodes.Expression]) -> Scalar | None:
        """The Tensor without dimensions whose dtype is wider than those of the Tensors with dimensions it is
        used with. Of a floating point dtype that is enough where theirs are not known: in mixed precision
        they may be narrower."""
        types = [self.of(operand) for operand in operands]
        others = [one.dtype for one in types if not one.is_scalar]
        if not others:
            return None
        for operand, found in zip(operands, types, strict=True):
            if found.is_scalar and found.dtype is not None:
                dtypes = [other or self.facts.narrower_float(found.dtype) for other in others]
                if all(dtype and self.facts.is_wider(found.dtype, dtype) for dtype in dtypes):
                    text = self.evaluator.block.text[operand.start : operand.end].decode("utf-8", "replace")
                    return Scalar(text, found.dtype, dtypes[0] or "", all(others))
        return None

    def _of(self, expression: nodes.Expression) -> TensorType:
        if isinstance(expression, nodes.Name):
            return self.of_definition(expression.definition)
        if isinstance(expression, nodes.CallExpression):
            return self._of_call(expression)
        if isinstance(expression, nodes.Binary):
            return self._of_operation(expression)
        if isinstance(expression, nodes.Subscript):
            return TensorType(None, self.of(expression.value).dtype)
        if isinstance(expression, nodes.Unary):
            return self.of(expression.operand)
        if isinstance(expression, nodes.Comparison):
            return TensorType(None, "torch.bool")
        if isinstance(expression, nodes.Attribute):
            return self._of_attribute(expression)
        if isinstance(expression, nodes.Conditional):
            return _common([self.of(expression.body), self.of(expression.orelse)])
        return _ANYTHING

    def of_definition(self, definition: Definition) -> TensorType:
        """What is known of a Tensor that a name is bound to."""
        return _common([self._of_source(source) for source in sources(definition)])

    def _of_source(self, source: Definition) -> TensorType:
        known = self._known.get(source)
        if known is None:
            self._known[source] = _ANYTHING  # what a loop brings back is not known
            if isinstance(source, Assigned) and source.value is not None and not source.path:
                known = self.of(source.value)
            elif isinstance(source, Augmented):
                known = self.of_definition(source.before)
            else:
                known = _ANYTHING
            self._known[source] = known
        return known

    def _of_operation(self, binary: nodes.Binary) -> TensorType:
        """A number changes neither; of two Tensors, what both agree on."""
        left, right = binary.left, binary.right
        if isinstance(left, nodes.Constant) or isinstance(right, nodes.Constant):
            number, tensor = (left, right) if isinstance(left, nodes.Constant) else (right, left)
            found = self.of(tensor)
            keeps = isinstance(number, nodes.Constant) and number.kind == "int" and binary.operator != "/"
            return found if keeps or self.facts.is_floating(found.dtype) else found._replace(dtype=None)
        return _joined(self.of(left), self.of(right))

    def _of_attribute(self, attribute: nodes.Attribute) -> TensorType:
        named = self._named(attribute)
        is_view = named is not None and (named in self.facts.views or named in self.facts.same)
        return self.of(attribute.value) if is_view else _ANYTHING

    def _of_call(self, call: nodes.CallExpression) -> TensorType:
        named = self._named(call.function)
        if named is None:
            return _ANYTHING
        facts = self.facts
        if named in facts.elements and call.arguments:
            return TensorType(None, self.of(call.arguments[0].value).dtype)
        dtype = self._given_dtype(call)
        if named in facts.literals:
            return self._of_literal(call, dtype)
        if named in facts.sized:
            is_number = named == "torch.full" and len(call.arguments) > 1
            default = self._of_data(call.arguments[1].value).dtype if is_number else _FLOAT
            return TensorType(self._has_no_size(call), _either(dtype, default))
        is_method = named.startswith("torch.Tensor.") and isinstance(call.function, nodes.Attribute)
        positional = [argument.value for argument in call.arguments if not argument.keyword]
        first = positional[0] if positional else None
        if is_method and isinstance(call.function, nodes.Attribute):
            first = call.function.value
        base = self.of(first) if first is not None else _ANYTHING
        if named in facts.reductions or named in facts.indices:
            return self._of_reduction(call, named, base, dtype, len(positional) - (not is_method))
        if named == "torch.Tensor.to" and dtype is None and not all(map(_is_device, call.arguments)):
            return base._replace(dtype=None)  # what another Tensor is
        return self._of_other(named, base, dtype)

    def _of_other(self, named: str, base: TensorType, dtype: str | None) -> TensorType:
        """What any other API gives, whose receiver or first argument is `base`."""
        facts = self.facts
        if named in facts.casts:
            return TensorType(base.is_scalar, facts.casts[named])
        if named in facts.keeping:
            return TensorType(base.is_scalar, _either(dtype, base.dtype))
        if named in facts.views or named in facts.same:
            return TensorType(None, _either(dtype, base.dtype))
        if named in ("torch.Tensor.to", "torch.Tensor.type"):
            is_plain = dtype is not None or named == "torch.Tensor.to"
            return TensorType(base.is_scalar, _either(dtype, base.dtype) if is_plain else None)
        return TensorType(None, dtype or None)

    def _of_reduction(
        self, call: nodes.CallExpression, named: str, base: TensorType, dtype: str | None, others: int
    ) -> TensorType:
        """A Tensor without dimensions, unless it is said which ones are to go, or there is another Tensor."""
        is_whole = not others and all(one.keyword in (None, "dtype", "input") for one in call.arguments)
        is_whole = is_whole and not any(one.unpack for one in call.arguments)
        found = _either(dtype, base.dtype)
        if named in self.facts.indices:
            found = _COUNT
        elif dtype is None and named in self.facts.counting and not self.facts.is_floating(found):
            found = _COUNT if found is not None else None
        return TensorType(True if is_whole else None, found)

    def _of_literal(self, call: nodes.CallExpression, dtype: str | None) -> TensorType:
        """`torch.tensor(3.0)`, `torch.tensor([1, 2])`"""
        data = call.arguments[0].value if call.arguments else None
        found = self._of_data(data) if data is not None else _ANYTHING
        return TensorType(found.is_scalar, _either(dtype, found.dtype))

    def _of_data(self, data: nodes.Expression) -> TensorType:
        if isinstance(data, nodes.Unary):
            return self._of_data(data.operand)
        if isinstance(data, nodes.Constant):
            return TensorType(True, _NUMBERS.get(data.kind))
        if isinstance(data, nodes.CallExpression) and isinstance(data.function, nodes.Name):
            return TensorType(True, _NUMBERS.get(data.function.id))  # float("inf")
        if isinstance(data, nodes.Display):
            types = {self._of_data(item).dtype for item in data.items}
            return TensorType(False, types.pop() if len(types) == 1 else None)
        return _ANYTHING

    def _has_no_size(self, call: nodes.CallExpression) -> bool | None:
        """Whether a size that is given is the empty one."""
        if not call.arguments or call.arguments[0].unpack or call.arguments[0].keyword:
            return None
        size = call.arguments[0].value
        if isinstance(size, nodes.Display):
            has_star = any(isinstance(item, nodes.Starred) for item in size.items)
            return None if has_star else not size.items
        return False if isinstance(size, nodes.Constant) else None

    def _given_dtype(self, call: nodes.CallExpression) -> str | None:
        """The dtype among the arguments: empty where one is given that is not known, None where none is."""
        for argument in call.arguments:
            if isinstance(argument.value, (nodes.Attribute, nodes.Name)):
                found = self.evaluator.value(argument.value).alternatives
                value = found[0] if len(found) == 1 else None
                if isinstance(value, ApiValue) and self.evaluator.catalog.kind(value.name) == "dtype":
                    return self.facts.dtype_names.get(value.name, value.name)
            if argument.keyword == "dtype":
                return self._dtype_of(argument.value) or ""
        return None

    def _dtype_of(self, expression: nodes.Expression) -> str | None:
        """`x.dtype`"""
        if isinstance(expression, nodes.Attribute) and expression.name == "dtype":
            return self.of(expression.value).dtype
        return None

    def _named(self, expression: nodes.Expression) -> str | None:
        found = self.evaluator.value(expression).alternatives
        value = found[0] if len(found) == 1 else None
        return value.name if isinstance(value, (ApiValue, External)) else None


def _is_device(argument: nodes.CallArgument) -> bool:
    """Whether an argument of `to` is surely no dtype."""
    value = argument.value
    if isinstance(value, (nodes.Attribute, nodes.Name)):
        name = value.name if isinstance(value, nodes.Attribute) else value.id
        return argument.keyword not in (None, "dtype", "other") or name == "device"
    return isinstance(value, nodes.Constant) and argument.keyword != "dtype"


def _either(given: str | None, otherwise: str | None) -> str | None:
    """The dtype that is given, if one is; see `_given_dtype`."""
    return otherwise if given is None else given or None


def _common(types: list[TensorType]) -> TensorType:
    """What several alternatives agree on."""
    scalars, dtypes = {one.is_scalar for one in types}, {one.dtype for one in types}
    is_scalar = scalars.pop() if len(scalars) == 1 else None
    return TensorType(is_scalar, dtypes.pop() if len(dtypes) == 1 else None)


def _joined(left: TensorType, right: TensorType) -> TensorType:
    """The result of an operation: it has dimensions if one of the two has."""
    dtype = left.dtype if left.dtype == right.dtype else None
    if left.is_scalar and right.is_scalar:
        return TensorType(True, dtype)
    has_dimensions = left.is_scalar is False or right.is_scalar is False
    return TensorType(False if has_dimensions else None, dtype)
