"""MP403: a call that the graph compiler rejects, or carries out otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindport.assess.advised_calls import advised_calls
from mindport.assess.code_context import FunctionContext, Spotted, concerns_graphs
from mindport.assess.finding import CodeRule, Example, Severity, with_words
from mindport.infer.values import ApiValue, External, KeyedDictionary, Method
from mindport.language import Text

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.catalog.graph_facts import Advice


def _applies(context: FunctionContext) -> Iterator[Spotted]:
    if not context.runs_in_network:
        return
    yield from advised_calls(context, lambda _, function: _advice(context, function))


def _advice(context: FunctionContext, function: Node) -> Advice | None:
    """What to do about a call, if what is called is surely one of those."""
    found = context.value(function).alternatives
    if len(found) != 1:
        return None
    one, facts = found[0], context.graph_facts
    if isinstance(one, (ApiValue, External)):
        return facts.calls.get(one.name)
    if not isinstance(one, Method):
        return None
    receiver = function.child_by_field_name("object")
    if receiver is not None and receiver.type == "attribute" and one.name in facts.changing:
        return facts.state
    kind = "dict" if isinstance(one.container, KeyedDictionary) else one.container.kind
    return facts.methods.get((kind, one.name))


RULE = CodeRule(
    code="MP403",
    looks_at=FunctionContext,
    applies=_applies,
    concerns=concerns_graphs,
    api="torch.nn.Module",
    is_for_graphs=True,
    name=Text("Fails or behaves differently in graph mode", "静态图模式下报错或结果不同"),
    severity=Severity.WARNING,
    explanation=Text(
        "In graph mode, some calls are errors: creating a parameter, iterating over a module's "
        "parameters, registering a hook; `open`, `eval`, `deque` and `defaultdict`. Others silently "
        "behave differently: changes to a list or dictionary attribute are lost, `sort` and `remove` of "
        "a list do nothing, and `pop` of a dictionary returns a different value. Each was compiled with "
        "MindSpore 2.10.0. Only reported if the setting `graphMode` is on.",
        "静态图模式下，有些调用会报错：创建参数、遍历模块的参数、注册钩子，以及 `open`、`eval`、`deque`"
        "、`defaultdict`。还有一些调用的结果不同且没有任何提示：对作为属性的列表或字典的修改不会保留，列"
        "表的 `sort` 和 `remove` 不起作用，字典的 `pop` 返回的值不同。以上各项均用 MindSpore 2.10.0 编译"
        "验证过。只有打开设置 `graphMode` 才会报告。",
    ),
    message=with_words(
        Text(
            "In a `{api}`, graph mode rejects `{function}` or runs it differently. {instead}",
            "静态图模式下，`{api}` 中的 `{function}` 会报错，或执行结果不同。{instead}",
        )
    ),
    examples=(
        Example(
            before="from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n"
            "        super().__init__()\n        self.seen = []\n\n    def forward(self, x):\n"
            "        self.seen.append(1)\n        return x\n",
        ),
    ),
)
