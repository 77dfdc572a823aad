"""MP411: a branch on the value of a Tensor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindport.assess.advised_calls import advised
from mindport.assess.code_context import FunctionContext, Spotted, concerns_graphs
from mindport.assess.finding import CodeRule, Example, Severity, with_words
from mindport.language import Text

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.infer.values import Certainty

_BRANCHING = ("if_statement", "elif_clause", "while_statement")


def _applies(context: FunctionContext) -> Iterator[Spotted]:
    if not context.runs_in_network:
        return
    for node in context.nodes(*_BRANCHING):
        condition = node.child_by_field_name("condition")
        certainty = _by_tensor(context, condition) if condition is not None else None
        if condition is not None and certainty is not None:
            yield advised(context, condition, "condition", context.graph_facts.branches, certainty)


def _by_tensor(context: FunctionContext, condition: Node) -> Certainty | None:
    """How sure it is that a condition, or a part of it, is a Tensor."""
    if condition.type in ("not_operator", "boolean_operator", "parenthesized_expression"):
        found = (_by_tensor(context, part) for part in condition.named_children)
        return next((certainty for certainty in found if certainty is not None), None)
    return context.is_tensor(condition)


RULE = CodeRule(
    code="MP411",
    looks_at=FunctionContext,
    applies=_applies,
    concerns=concerns_graphs,
    api="torch.nn.Module",
    is_for_graphs=True,
    name=Text("Branch on a Tensor value", "根据 Tensor 的值分支"),
    severity=Severity.INFORMATION,
    explanation=Text(
        "In graph mode, Tensor values are unknown while the graph is compiled, so both paths become "
        "part of it. That works if they agree. It is an error if a name is bound on only one path, if "
        "its dtype or type differs, if the paths return different things, or if a loop makes a Tensor "
        "or a list longer. Measured with MindSpore 2.10.0. Only reported if the setting `graphMode` is "
        "on.",
        "静态图模式下，编译图时并不知道 Tensor 的值，因此两条路径都会成为图的一部分。两条路径一致时可以"
        "正常运行；如果某个变量只在一条路径上赋值、dtype 或类型不同、返回的内容不同，或者循环使 Tensor "
        "或列表变长，则会报错。以上均用 MindSpore 2.10.0 实测。只有打开设置 `graphMode` 才会报告。",
    ),
    message=with_words(
        Text(
            "`{condition}` is a Tensor: graph mode compiles both paths into the `{api}`. {instead}",
            "`{condition}` 是 Tensor：静态图模式会把两条路径都编译进该 `{api}`。{instead}",
        )
    ),
    examples=(
        Example(
            before="from torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
            "        if x.sum() > 0:\n            return x\n        return x + 1\n",
        ),
    ),
)
