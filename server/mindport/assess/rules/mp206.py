"""MP206: a change in place is not seen elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.assess.finding import Example, Severity, UseRule, with_differences
from mindport.language import LIST, Language, Text, joined

if TYPE_CHECKING:
    from mindport.assess.finding import Finding
    from mindport.assess.use_context import UseContext
    from mindport.tensors.facts import Shared

_CODES = frozenset({"rebinds", "view_not_written"})

_REBINDS = Text(
    "`{operator}` (`{api}`) creates a new Tensor here and rebinds the name. PyTorch modifies the Tensor in "
    "place, and with it {others}.",
    "此处 `{operator}`（`{api}`）会创建新的 Tensor 并重新绑定该变量名；PyTorch 会原地修改该 Tensor，"
    "{others} 也随之改变。",
)
_SHARED = Text("{message} It shares memory with {others}.", "{message}与其共享内存的有：{others}。")
_OTHERS = {
    "name": Text("`{text}`", "`{text}`"),
    "parameter": Text("the caller's argument for `{text}`", "调用者传入的 `{text}`"),
    "attribute": Text("`{text}`", "`{text}`"),
    "state": Text("`{text}`", "`{text}`"),
    "outside": Text("`{text}`", "`{text}`"),
    "view": Text("the Tensor that `{text}` is a view of", "`{text}` 所属的原 Tensor"),
    "stored": Text("the value passed to `{text}`", "已传给 `{text}` 的值"),
}
_MOST_OTHERS = 3


def _message(finding: Finding, language: Language) -> str:
    use = finding.use
    by_text: dict[str, Shared] = {}
    for one in use.shared or ():
        by_text.setdefault(one.text, one)
    texts = [_OTHERS[one.kind].render(language, text=one.text) for one in by_text.values()]
    others = joined(texts[:_MOST_OTHERS], LIST, language)
    if use.operator is not None:
        return _REBINDS.render(language, operator=use.operator, api=use.api, others=others)
    message = with_differences(finding, language)
    return _SHARED.render(language, message=message, others=others) if others else message


def _applies(context: UseContext) -> bool:
    return context.differs_in(_CODES)


RULE = UseRule(
    code="MP206",
    precedence=50,
    applies=_applies,
    name=Text("In-place change does not reach other references", "原地修改不影响其他引用"),
    severity=Severity.WARNING,
    explanation=Text(
        "In PyTorch, `b += 1` and methods such as `b.add_(1)` modify the Tensor itself. Every reference "
        "to its memory sees the change: another name, a view and its base (`b = a[0]`), an attribute, a "
        "container, the function's caller. In MindSpore, `b += 1` creates a new Tensor on CPU and GPU "
        "(on Ascend, `&=`, `|=`, `^=`, `**=`, `<<=` and `>>=` do), and on CPU an in-place method does "
        "not write through a sliced or transposed view. The message lists the references that are known "
        "to be read or kept afterwards; if there are none, nothing is reported. To modify a Tensor that "
        "has dimensions in place, views included, write `b[:] = b + 1`; or use the new Tensor wherever "
        "the old one was used.",
        "在 PyTorch 中，`b += 1` 以及 `b.add_(1)` 等方法会修改 Tensor 本身，所有引用同一内存的对象都会看"
        "到变化：其他变量名、视图及其原 Tensor（`b = a[0]`）、属性、容器、函数的调用者。MindSpore 中，"
        "`b += 1` 在 CPU 和 GPU 上会创建新的 Tensor（在 Ascend 上 `&=`、`|=`、`^=`、`**=`、`<<=`、`>>=` "
        "如此），且 CPU 上的原地方法不会写入切片或转置得到的视图。提示信息会列出已知引用该内存且之后仍被"
        "读取或保留的对象；没有这样的对象时不报告。若需原地修改有维度的 Tensor（包括视图），可写 `b[:] "
        "= b + 1`；或在所有使用旧 Tensor 的地方改用新的 Tensor。",
    ),
    message=_message,
    examples=(
        Example(
            before="from torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
            "        first = x[0]\n        first += 1\n        return x\n",
            device="cpu",
        ),
    ),
)
