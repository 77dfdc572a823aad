"""MP304: a subclass of Tensor, which MindSpore's operators do not preserve."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

from mindport.assess.code_context import ClassContext, Spotted
from mindport.assess.finding import CodeRule, Example, Severity, with_words
from mindport.language import Text

if TYPE_CHECKING:
    from mindport.index.block import Block
    from mindport.infer.evaluator import Evaluator

_TENSOR: Final = "torch.Tensor"
_PARAMETER: Final = "torch.nn.Parameter"
"""What is computed from a Parameter is a plain Tensor in PyTorch, too."""


def _concerns(evaluator: Evaluator, block: Block, apis: Collection[str]) -> bool:
    return _TENSOR in apis and (block.defined_class is not None or bool(block.classes))


def _applies(context: ClassContext) -> Iterator[Spotted]:
    if context.derives_from(_TENSOR) and not context.derives_from(_PARAMETER):
        yield Spotted(context.name_node, (("class", context.text(context.name_node)),))


RULE = CodeRule(
    code="MP304",
    looks_at=ClassContext,
    applies=_applies,
    concerns=_concerns,
    api=_TENSOR,
    name=Text("Subclass of Tensor", "Tensor 的派生类"),
    severity=Severity.ERROR,
    explanation=Text(
        "In PyTorch what is computed from an object of a subclass of Tensor is of the subclass, too. MindSpore's "
        "functions, methods and operators give plain Tensors, without the methods and attributes of the subclass. "
        "Keep the Tensor in an attribute of a class of your own, and wrap results where they are made; or convert "
        "the program with `mindport convert --whole`: its helpers preserve the subclass.",
        "在 PyTorch 中，由 Tensor 派生类的对象计算得到的结果仍属于该派生类。MindSpore 的函数、方法和运算符返回普通 Tensor，"
        "不带派生类的方法和属性。请把 Tensor 保存为自定义类的属性，并在得到结果的地方重新包装；或用 "
        "`mindport convert --whole` 转换整个程序：其辅助函数会保留派生类。",
    ),
    message=with_words(
        Text(
            "MindSpore computes plain Tensors from a `{class}`, without what this class adds to `{api}`.",
            "MindSpore 由 `{class}` 计算得到的是普通 Tensor，不带该类在 `{api}` 之外添加的内容。",
        )
    ),
    examples=(
        Example(
            before="import torch\n\n\nclass Points(torch.Tensor):\n    def moved(self, by):\n        return self + by\n",
        ),
    ),
)
