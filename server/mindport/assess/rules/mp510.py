"""MP510: a gradient of a gradient is taken."""

from __future__ import annotations

from collections.abc import Iterator

from mindport.assess.code_context import BodyContext, Spotted, concerns_second_gradients
from mindport.assess.finding import CodeRule, Example, Severity, in_both, with_words
from mindport.language import Text


def _applies(context: BodyContext) -> Iterator[Spotted]:
    takers = {(one.start, one.end) for one in context.code.second_gradients.takers}
    instead = context.code.evaluator.catalog.second_order.instead
    for call in context.nodes("call") if takers else ():
        function = call.child_by_field_name("function")
        if function is not None and context.span(call) in takers:
            words = (("function", context.text(function)), *in_both("instead", instead))
            yield Spotted(function, words, context.value(function).certainty)


RULE = CodeRule(
    code="MP510",
    looks_at=BodyContext,
    applies=_applies,
    concerns=concerns_second_gradients,
    api="torch.autograd.grad",
    name=Text("A gradient of a gradient", "二阶梯度"),
    severity=Severity.WARNING,
    explanation=Text(
        "`create_graph=True`, `hessian` and the like take gradients of gradients: gradient penalties, "
        "physics-informed networks, meta-learning. MindSpore 2.10 computes these wrongly as it runs without a "
        "graph, for many operators and without a message, and raises an error for others; in a function compiled "
        "with `mindspore.jit` most of the wrong ones are right. Each operator was differentiated twice in both "
        "frameworks. MP511 marks those on the way to the gradient. "
        "`mindport convert --whole` writes helpers that give PyTorch's values.",
        "`create_graph=True`、`hessian` 等会求二阶梯度，常见于梯度惩罚、物理信息神经网络（PINN）和元学习。"
        "不编译成图时，MindSpore 2.10 对许多算子会算错且没有任何提示，对另一些算子会报错；在 `mindspore.jit` 编译的函数中，"
        "算错的算子大多是对的。每个算子都在两个框架中求过二阶梯度并比较。"
        "MP511 会标出求导路径上的这些算子。`mindport convert --whole` 会写入辅助函数，得到与 PyTorch 相同的值。",
    ),
    message=with_words(
        Text(
            "What `{function}` (`{api}`) gives is a gradient of a gradient, or is differentiated again. {instead}",
            "`{function}`（`{api}`）得到的是二阶梯度，或其结果会被再次求导。{instead}",
        )
    ),
    examples=(
        Example(
            before="import torch\n\n\ndef penalty(score, x):\n"
            "    gradient = torch.autograd.grad(score.sum(), x, create_graph=True)[0]\n"
            "    return ((gradient.norm(2, dim=1) - 1) ** 2).mean()\n",
        ),
    ),
)
