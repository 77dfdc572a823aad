"""MP402: carried out while the graph is compiled, and not again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindport.assess.advised_calls import advised_calls
from mindport.assess.code_context import FunctionContext, Spotted, concerns_graphs
from mindport.assess.finding import CodeRule, Example, Severity, with_words
from mindport.infer.values import External, ExternalInstance
from mindport.language import Text

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.catalog.graph_facts import Advice


def _applies(context: FunctionContext) -> Iterator[Spotted]:
    if not context.runs_in_network:
        return
    yield from advised_calls(context, lambda _, function: _advice(context, function))


def _advice(context: FunctionContext, function: Node) -> Advice | None:
    """What to do about a call, if what is called is surely such a function."""
    found = context.value(function).alternatives
    if len(found) != 1:
        return None
    one = found[0]
    dotted = one.name if isinstance(one, External) else one.of if isinstance(one, ExternalInstance) else ""
    return context.graph_facts.runs_once(dotted)


RULE = CodeRule(
    code="MP402",
    looks_at=FunctionContext,
    applies=_applies,
    concerns=concerns_graphs,
    api="torch.nn.Module",
    is_for_graphs=True,
    name=Text("Runs once, when the graph is compiled", "只在编译图时执行一次"),
    severity=Severity.WARNING,
    explanation=Text(
        "In graph mode, a Python function that takes no Tensor is called once, while the graph is "
        "compiled, and its result becomes a constant. Without any warning, random numbers from `random` "
        "or `numpy.random` are then the same on every call of the network, the time stands still, and "
        "`logging` and `warnings` report only the first call. Measured with MindSpore 2.10.0. Only "
        "reported if the setting `graphMode` is on.",
        "静态图模式下，不接收 Tensor 的 Python 函数只在编译图时调用一次，其结果成为图中的常量。因此每次"
        "调用网络时，`random` 或 `numpy.random` 的随机数都相同，时间不再变化，`logging` 和 `warnings` 只"
        "在第一次调用时输出，且没有任何提示。以上均用 MindSpore 2.10.0 实测。只有打开设置 `graphMode` 才"
        "会报告。",
    ),
    message=with_words(
        Text(
            "Graph mode calls `{function}` only once, when it compiles the `{api}`. {instead}",
            "静态图模式只在编译该 `{api}` 时调用一次 `{function}`。{instead}",
        )
    ),
    examples=(
        Example(
            before="import random\n\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
            "        if random.random() < 0.5:\n            return x\n        return x + 1\n",
        ),
    ),
)
