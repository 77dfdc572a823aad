"""MP404: a decorator that the graph compiler leaves out or rejects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindport.assess.advised_calls import advised
from mindport.assess.code_context import FunctionContext, Spotted, concerns_graphs
from mindport.assess.finding import CodeRule, Example, Severity, with_words
from mindport.infer.values import External, Function
from mindport.language import Text

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.catalog.graph_facts import Advice

_PROJECT = "project"


def _applies(context: FunctionContext) -> Iterator[Spotted]:
    if not context.runs_in_network:
        return
    for node in context.decorators():
        advice = _advice(context, node)
        if advice is not None:
            yield advised(context, node, "decorator", advice)


def _advice(context: FunctionContext, node: Node) -> Advice | None:
    """What to do about a decorator: of the project, or one of Python's that is rejected."""
    found = context.value(node).alternatives
    if found and all(isinstance(one, Function) and context.wraps(one.definition) for one in found):
        return context.graph_facts.decorators[_PROJECT]
    named = [one.name for one in found if isinstance(one, External)]
    return context.graph_facts.decorators.get(named[0]) if len(named) == len(found) == 1 else None


RULE = CodeRule(
    code="MP404",
    looks_at=FunctionContext,
    applies=_applies,
    concerns=concerns_graphs,
    api="torch.nn.Module",
    is_for_graphs=True,
    name=Text("Decorator ignored or rejected in graph mode", "静态图模式会忽略该装饰器或报错"),
    severity=Severity.WARNING,
    explanation=Text(
        "In graph mode, MindSpore compiles the source of the decorated function. If the decorator uses "
        "`functools.wraps`, what it adds is silently ignored; if its wrapper takes `*args`, the call is "
        "an error, as is the call of a `classmethod`. `staticmethod`, `property` and "
        "`functools.lru_cache` work. Each was compiled with MindSpore 2.10.0. Only reported if the "
        "setting `graphMode` is on.",
        "静态图模式下，MindSpore 编译的是被装饰函数的源码。装饰器使用 `functools.wraps` 时，其附加的处理"
        "会被忽略且没有任何提示；装饰器生成的函数带有 `*args` 时，调用会报错；调用 `classmethod` 也会报"
        "错。`staticmethod`、`property` 和 `functools.lru_cache` 可以正常使用。以上各项均用 MindSpore "
        "2.10.0 编译验证过。只有打开设置 `graphMode` 才会报告。",
    ),
    message=with_words(
        Text(
            "In a `{api}`, graph mode ignores what `@{decorator}` adds, or rejects it. {instead}",
            "在 `{api}` 中，静态图模式会忽略 `@{decorator}` 附加的处理，或者报错。{instead}",
        )
    ),
    examples=(
        Example(
            before="import functools\n\nfrom torch import nn\n\n\ndef doubled(function):\n"
            "    @functools.wraps(function)\n    def inner(self, x):\n        return function(self, x) * 2\n\n"
            "    return inner\n\n\nclass Net(nn.Module):\n    @doubled\n    def forward(self, x):\n"
            "        return x + 1\n",
        ),
    ),
)
