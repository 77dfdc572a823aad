"""MP511: an operator on the way to a gradient of a gradient that MindSpore does not differentiate twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindport.assess.code_context import BodyContext, Spotted, concerns_second_gradients
from mindport.assess.finding import CodeRule, Example, Severity, in_both, with_words
from mindport.infer.values import ApiValue, Container, Instance
from mindport.language import Text

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.infer.values import Value

_OPERATIONS = ("call", "binary_operator", "attribute")


def _applies(context: BodyContext) -> Iterator[Spotted]:
    computed = {(one.start, one.end) for one in context.code.second_gradients.computed}
    facts = context.code.evaluator.catalog.second_order
    for node in context.nodes(*_OPERATIONS) if computed else ():
        if context.span(node) not in computed:
            continue
        covered, names = _operation(context, node)
        faults = [(name, fault) for name in names if (fault := facts.fault(name)) is not None]
        if faults:
            name, fault = faults[0]
            words = (("operator", context.text(covered)), ("name", name), *in_both("instead", fault))
            yield Spotted(covered, words, context.value(covered).certainty)


def _operation(context: BodyContext, node: Node) -> tuple[Node, list[str]]:
    """What a finding covers, and the APIs that are computed there."""
    if node.type == "binary_operator":
        operator = node.child_by_field_name("operator")
        api = context.code.evaluator.catalog.second_order.operators.get(operator.type if operator else "")
        return node, [api] if api is not None and context.is_tensor(node) is not None else []
    function = node.child_by_field_name("function") if node.type == "call" else node
    if function is None:
        return node, []
    found = context.value(function).alternatives
    if node.type == "attribute":
        is_called = node.parent is not None and node.parent.type == "call"
        return node, [] if is_called else [one.name for one in found if isinstance(one, ApiValue)][:1]
    return function, list(_names(found[0])) if len(found) == 1 else []


def _names(value: Value) -> Iterator[str]:
    """The APIs that calling something computes."""
    if isinstance(value, ApiValue):
        yield value.name
    elif isinstance(value, Instance):
        yield value.of
    elif isinstance(value, Container):
        for part in value.element.alternatives:
            yield from _names(part)


RULE = CodeRule(
    code="MP511",
    looks_at=BodyContext,
    applies=_applies,
    concerns=concerns_second_gradients,
    api="torch.autograd.grad",
    name=Text("Not differentiable twice in MindSpore", "MindSpore 不支持二阶求导的算子"),
    severity=Severity.INFORMATION,
    explanation=Text(
        "The operator is on the way to a gradient of a gradient (MP510): in the function that takes it, or in "
        "one that it calls, by the call graph. MindSpore 2.10 computes its second gradient wrongly, without a "
        "message, or raises an error; most are right in a function that is compiled with `mindspore.jit`. Each "
        "was differentiated twice in both frameworks on CPU.",
        "该算子位于求二阶梯度（MP510）的路径上：在求梯度的函数中，或在其调用的函数中（按调用图判断）。"
        "MindSpore 2.10 对它的二阶梯度会算错且没有任何提示，或会报错；在 `mindspore.jit` 编译的函数中大多正确。"
        "每个算子都在两个框架的 CPU 上求过二阶梯度并比较。",
    ),
    message=with_words(
        Text(
            "`{operator}` (`{name}`) is on the way to a gradient of a gradient (`{api}`). {instead}",
            "`{operator}`（`{name}`）位于求二阶梯度（`{api}`）的路径上。{instead}",
        )
    ),
    examples=(
        Example(
            before="import torch\n\n\ndef penalty(x: torch.Tensor):\n    score = x.reshape(2, -1).sum(1)\n"
            "    return torch.autograd.grad(score.sum(), x, create_graph=True)[0]\n",
            after="import mindspore\nimport torch\n\n\ndef penalty(x: mindspore.Tensor):\n"
            "    score = x.reshape(2, -1).sum(1)\n"
            "    return torch.autograd.grad(score.sum(), x, create_graph=True)[0]\n",
        ),
    ),
)
