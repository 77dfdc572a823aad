"""MP401: what the graph compiler rejects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindport.assess.code_context import FunctionContext, Spotted, concerns_graphs
from mindport.assess.finding import CodeRule, Example, Severity, in_both, with_words
from mindport.infer.values import Class, Object
from mindport.language import Text

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.catalog.graph_facts import Advice


def _applies(context: FunctionContext) -> Iterator[Spotted]:
    if not context.runs_in_network:
        return
    for path, advice in context.graph_facts.syntax.items():
        around, _, kind = path.rpartition("/")
        for node in context.nodes(kind, unreached=True):
            if not around or (node.parent is not None and node.parent.type == around):
                yield _spotted(node, advice)
    for node in context.nodes("raise_statement", unreached=True):
        raised = node.named_children[0] if node.named_children else None
        if raised is not None and _is_own_class(context, raised):
            yield _spotted(raised, context.graph_facts.exceptions)


def _is_own_class(context: FunctionContext, raised: Node) -> bool:
    """Whether what is raised is of a class of the project, and surely of nothing else."""
    found = context.value(raised).alternatives
    return bool(found) and all(isinstance(one, (Class, Object)) for one in found)


def _spotted(node: Node, advice: Advice) -> Spotted:
    """Of a statement with others in it, its first word."""
    place = node.children[0] if node.child_by_field_name("body") is not None else node
    return Spotted(place, (*in_both("what", advice.name), *in_both("instead", advice.instead)))


RULE = CodeRule(
    code="MP401",
    looks_at=FunctionContext,
    applies=_applies,
    concerns=concerns_graphs,
    api="torch.nn.Module",
    is_for_graphs=True,
    name=Text("Not supported in graph mode", "静态图模式不支持"),
    severity=Severity.WARNING,
    explanation=Text(
        "In graph mode, MindSpore compiles `construct` and what it calls, and supports only part of "
        "Python: `try`, `with`, `import`, `del`, `:=`, `yield`, set literals, classes inside functions, "
        "`else` of loops, `match`, `nonlocal` and custom exceptions are errors, even if they are never "
        "reached. Each was compiled with MindSpore 2.10.0. The rule checks the `forward` of modules and "
        "the functions it calls. Only reported if the setting `graphMode` is on.",
        "静态图模式下，MindSpore 会编译 `construct` 及其调用的函数，只支持 Python 的部分语法：`try`、"
        "`with`、`import`、`del`、`:=`、`yield`、集合字面量、函数内定义的类、循环的 `else`、`match`、"
        "`nonlocal` 以及自定义异常都会报错，即使不会执行到。以上各项均用 MindSpore 2.10.0 编译验证过。本"
        "规则检查模块的 `forward` 及其调用的函数。只有打开设置 `graphMode` 才会报告。",
    ),
    message=with_words(
        Text(
            "{what} is an error in graph mode, and this code runs in a `{api}`. {instead}",
            "{what}在静态图模式下会报错，而此处代码在 `{api}` 中运行。{instead}",
        )
    ),
    examples=(
        Example(
            before="import torch\nfrom torch import nn\n\n\ndef checked(x):\n    try:\n        return x + 1\n"
            "    finally:\n        pass\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
            "        if (n := x.shape[0]) > 1:\n            x = x / n\n        return checked(x)\n",
        ),
    ),
)
