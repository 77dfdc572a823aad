"""MP207: the result has another dtype."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.assess.finding import Example, Severity, UseRule, all_differences, with_differences
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.assess.finding import Finding
    from mindport.assess.use_context import UseContext

_CODES = frozenset({"promotion", "promotion_possible"})

_OPERATOR = Text("`{operator}` (`{api}`): {differences}", "`{operator}`（`{api}`）：{differences}")


def _message(finding: Finding, language: Language) -> str:
    use = finding.use
    if use.operator is None:
        return with_differences(finding, language)
    sentences = all_differences(finding, language)
    return _OPERATOR.render(language, operator=use.operator, api=use.api, differences=sentences)


def _applies(context: UseContext) -> bool:
    return context.differs_in(_CODES)


RULE = UseRule(
    code="MP207",
    precedence=60,
    applies=_applies,
    name=Text("The result's dtype differs", "结果的 dtype 不同"),
    severity=Severity.WARNING,
    explanation=Text(
        "In PyTorch, a 0-dimensional Tensor such as `torch.tensor(1.0)` or `x.sum()` does not widen the "
        "dtype of a Tensor with dimensions of the same kind: float16 combined with a 0-dimensional "
        "float32 stays float16. In MindSpore it takes part in type promotion like any other Tensor, so "
        "the result is float32. Measured for `+`, `-`, `//`, `%`, `**`, `&`, `|`, `^` and functions "
        "such as `torch.where` and `torch.maximum`; `*` and `/` behave as in PyTorch. It is reported "
        "only where the code shows that one operand is 0-dimensional, with a known dtype, and that the "
        "other's dtype is narrower (or unknown, and may be narrower in mixed precision). Use a Python "
        "number instead, or give the Tensor the other operand's dtype.",
        "在 PyTorch 中，零维 Tensor（如 `torch.tensor(1.0)`、`x.sum()`）不会提升同类有维 Tensor 的 dtype"
        "：float16 与零维 float32 运算仍为 float16。MindSpore 中零维 Tensor 与其他 Tensor 一样参与类型提"
        "升，结果为 float32。已对 `+`、`-`、`//`、`%`、`**`、`&`、`|`、`^` 以及 `torch.where`、"
        "`torch.maximum` 等函数实测；`*` 和 `/` 与 PyTorch 一致。仅当代码能表明某个操作数是零维且其"
        " dtype 已知，而另一操作数的 dtype 更窄（或未知、在混合精度下可能更窄）时才报告。请改用 Python "
        "数值，或使该 Tensor 与另一操作数的 dtype 相同。",
    ),
    message=_message,
    examples=(
        Example(
            before="from torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
            "        half = x.half()\n        return half + x.float().sum()\n",
            device="cpu",
        ),
    ),
)
