"""MP209: an attribute is assigned to, which MindSpore does not take as PyTorch does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.assess.finding import Example, Severity, UseRule, all_differences
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.assess.finding import Finding
    from mindport.assess.use_context import UseContext

_CODES = frozenset({"assigned"})

_MESSAGE = Text(
    "`{attribute} = ...` (`{api}`): {differences}", "`{attribute} = ...`（`{api}`）：{differences}"
)


def _message(finding: Finding, language: Language) -> str:
    use = finding.use
    sentences = all_differences(finding, language)
    attribute = f"{use.receiver}.{use.api.rpartition('.')[2]}"
    return _MESSAGE.render(language, attribute=attribute, api=use.api, differences=sentences)


def _applies(context: UseContext) -> bool:
    return context.differs_in(_CODES)


RULE = UseRule(
    code="MP209",
    precedence=50,
    applies=_applies,
    name=Text("Assigning to an attribute does something else", "对属性赋值的效果不同"),
    severity=Severity.WARNING,
    explanation=Text(
        "In PyTorch, some attributes of a Tensor change it when they are assigned to: `x.requires_grad = True` "
        "makes gradients be recorded for it, `x.real = y` writes into it. A MindSpore Tensor takes any "
        "attribute and says nothing, but nobody reads it. What works in MindSpore, too, is not reported: "
        "`requires_grad` of a Parameter, `data`, a module's `training`. Code converted with `--whole` records "
        "gradients as PyTorch does, so that `requires_grad` works there.",
        "在 PyTorch 中，对 Tensor 的某些属性赋值会改变该 Tensor：`x.requires_grad = True` 使其开始记录梯度，"
        "`x.real = y` 会写入其中。MindSpore 的 Tensor 可以设置任意属性，不报错，但设置的值不会被读取。在 "
        "MindSpore 中同样有效的赋值不会报告：Parameter 的 `requires_grad`、`data`、网络的 `training`。用 "
        "`--whole` 转换的代码会像 PyTorch 一样记录梯度，其中 `requires_grad` 有效。",
    ),
    message=_message,
    examples=(
        Example(
            before="from torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
            "        x.requires_grad = True\n        return x\n",
        ),
    ),
)
