"""Which expressions give numbers that were read from Tensors: they are known only while the program runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mindport.index import nodes
from mindport.index.definitions import Assigned, Augmented, Definition, FreeVariable, Iterated, sources
from mindport.infer.values import TENSOR, ApiValue, External, Instance

if TYPE_CHECKING:
    from mindport.infer.evaluator import Evaluator

_DEEPEST: Final = 20


class ReadNumbers:
    """Answers for the block that the evaluator is in. Names are followed through all they may be bound to;
    what a caller gives is taken for a constant."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.facts = evaluator.catalog.graph.shapes
        self._known: dict[Definition, bool] = {}
        self._depth = 0

    def of(self, expression: nodes.Expression) -> bool:
        """Whether an expression is made of a number that was read from a Tensor, or of a Tensor that is used
        as a number."""
        if self._depth >= _DEEPEST:
            return False
        self._depth += 1
        try:
            return self._of(expression)
        finally:
            self._depth -= 1

    def _of(self, expression: nodes.Expression) -> bool:
        if isinstance(expression, nodes.Name):
            return any(self._of_source(source) for source in sources(expression.definition))
        if isinstance(expression, nodes.CallExpression):
            return self._of_call(expression)
        if isinstance(expression, nodes.Comprehension):
            return self.of(expression.element)
        return any(self.of(part) for part in _parts(expression))

    def _of_source(self, source: Definition) -> bool:
        known = self._known.get(source)
        if known is None:
            self._known[source] = False  # what a loop brings back says nothing more
            known = self._known[source] = self._bound(source)
        return known

    def _bound(self, source: Definition) -> bool:
        if isinstance(source, FreeVariable):
            return any(self._of_source(one) for one in source.origin().definitions)
        if isinstance(source, Assigned):
            return source.value is not None and self.of(source.value)
        if isinstance(source, Augmented):
            return self.of(source.value) or any(self._of_source(one) for one in sources(source.before))
        return isinstance(source, Iterated) and self.of(source.iterable)

    def _of_call(self, call: nodes.CallExpression) -> bool:
        found = self.evaluator.value(call.function).alternatives
        if len(found) != 1:
            return False
        one = found[0]
        if isinstance(one, ApiValue):
            return one.name in self.facts.readers
        if not isinstance(one, External) or one.name not in self.facts.through:
            return False
        return any(self.of(each.value) or self._is_tensor(each.value) for each in call.arguments)

    def _is_tensor(self, expression: nodes.Expression) -> bool:
        found = self.evaluator.value(expression).alternatives
        return bool(found) and all(isinstance(one, Instance) and one.of == TENSOR for one in found)


def _parts(expression: nodes.Expression) -> list[nodes.Expression]:
    """The expressions whose numbers an expression gives, or is computed from."""
    if isinstance(expression, nodes.Binary):
        return [expression.left, expression.right]
    if isinstance(expression, nodes.Unary):
        return [expression.operand]
    if isinstance(expression, nodes.Conditional):
        return [expression.body, expression.orelse]
    if isinstance(expression, nodes.Subscript):
        return [expression.value]
    if isinstance(expression, nodes.Display):
        return expression.items
    if isinstance(expression, nodes.Starred):
        return [expression.value]
    return []
