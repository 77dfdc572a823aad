"""What some calls and operators mean is decided by their operands: by what else refers to a Tensor that is
changed in place, and by whether one is a Tensor without dimensions.

Operators call special methods of Tensors. They are uses where MindSpore may do something else: augmented
assignments to Tensors, and operations with a Tensor without dimensions whose dtype is the wider one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.catalog.binding import bind
from mindport.index import nodes
from mindport.infer.catalog_types import read
from mindport.infer.values import TENSOR, AbstractValue, Certainty, Instance, Value, weaker
from mindport.tensors.aliases import changes_in_place
from mindport.tensors.dtypes import Dtypes
from mindport.tensors.escapes import Escapes
from mindport.tensors.facts import Scalar, Shared
from mindport.uses.use import Use

if TYPE_CHECKING:
    from mindport.index.block import Block
    from mindport.index.definitions import Augmented
    from mindport.infer.evaluator import Evaluator


class OperandUses:
    """Answers for one block."""

    def __init__(self, evaluator: Evaluator, block: Block) -> None:
        self.evaluator = evaluator
        self.facts = evaluator.catalog.tensors
        self.sharing = Escapes(evaluator, block)
        self.types = Dtypes(evaluator)

    def augmented(self, augmented: Augmented) -> Use | None:
        """The use that `name op= value` is, where the name is a Tensor."""
        operator = augmented.operator
        api = self.facts.operators.get(operator)
        certainty = self._certainty(self.evaluator.definition(augmented.before))
        if api is None or certainty is None:
            return None
        shared = self.sharing.of_augmented(augmented)
        scalar = self._scalar(api, [augmented.target, augmented.value])
        start, end = augmented.start, augmented.end
        return Use(api, "call", certainty, start, end, operator=operator, shared=shared, scalar=scalar)

    def operation(self, binary: nodes.Binary) -> Use | None:
        """The use that `left op right` is, where one is a Tensor without dimensions and the other is not."""
        left, right = binary.left, binary.right
        api = self.facts.operators.get(binary.operator)
        if api is None or isinstance(left, nodes.Constant) or isinstance(right, nodes.Constant):
            return None
        scalar = self._scalar(api, [left, right])
        first = self._certainty(self.evaluator.value(left)) if scalar is not None else None
        second = self._certainty(self.evaluator.value(right)) if scalar is not None else None
        if scalar is None or first is None or second is None:
            return None
        start = binary.operator_start
        end = start + len(binary.operator)
        return Use(api, "call", weaker(first, second), start, end, operator=binary.operator, scalar=scalar)

    def shared(
        self, api: str, call: nodes.CallExpression, receiver: nodes.Expression | None
    ) -> tuple[Shared, ...] | None:
        """What else refers to the Tensor that a method changes; None where it changes none."""
        if receiver is None or not changes_in_place(api):
            return None
        return self.sharing.of_receiver(receiver, call)

    def scalar(
        self, api: str, call: nodes.CallExpression, receiver: nodes.Expression | None
    ) -> Scalar | None:
        """What of the operands of a call counts in type promotion though it has no dimensions."""
        names = self.facts.promoting.get(api)
        described = self.evaluator.catalog.api(api) if names is not None else None
        if names is None or described is None or any(argument.unpack for argument in call.arguments):
            return None
        bindings = (bind(call.arguments, signature) for signature in described.signatures)
        bound = next((one for one in bindings if one is not None), [])
        operands = [receiver] if receiver is not None else []
        operands += [one.argument.value for one in bound if one.parameter.name in names]
        return self._scalar(api, [one for one in operands if self.sharing.memory.has_tensor(one)])

    def _scalar(self, api: str, operands: list[nodes.Expression]) -> Scalar | None:
        return self.types.wider_scalar(operands) if api in self.facts.promoting else None

    def _certainty(self, found: AbstractValue) -> Certainty | None:
        """How sure it is that a value is a Tensor; None if it is not known to be one."""
        found = read(self.evaluator.catalog, found)
        tensors = sum(self._is_tensor(value) for value in found.alternatives)
        if not tensors:
            return None
        is_sure = tensors == len(found.alternatives)
        return found.certainty if is_sure else weaker(found.certainty, Certainty.LIKELY)

    def _is_tensor(self, value: Value) -> bool:
        """Whether a value is a Tensor, or an instance of a class derived from it."""
        if not isinstance(value, Instance):
            return False
        return value.of == TENSOR or TENSOR in self.evaluator.catalog.lineage(value.of)
