"""MP303: a method that PyTorch calls, and MindSpore never does."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

from mindport.assess.code_context import FunctionContext, Spotted
from mindport.assess.finding import CodeRule, Example, Severity, with_words
from mindport.language import Text

if TYPE_CHECKING:
    from mindport.index.block import Block
    from mindport.infer.evaluator import Evaluator

_METHODS: Final = ("__torch_function__", "__torch_dispatch__")
"""From PyTorch's notes on extending it."""
_START: Final = b"__torch_"
"""What their names begin with."""


def _concerns(evaluator: Evaluator, block: Block, apis: Collection[str]) -> bool:
    return _beyond(block)


def _beyond(block: Block) -> bool:
    return _START in block.text


def _applies(context: FunctionContext) -> Iterator[Spotted]:
    name = context.text(context.name_node)
    if name in _METHODS:
        yield Spotted(context.name_node, (("method", name),))


RULE = CodeRule(
    code="MP303",
    looks_at=FunctionContext,
    applies=_applies,
    concerns=_concerns,
    beyond=_beyond,
    api="torch",
    name=Text("Method that only PyTorch calls", "只有 PyTorch 会调用的方法"),
    severity=Severity.ERROR,
    explanation=Text(
        "PyTorch's functions ask the objects that they are given for `__torch_function__` or "
        "`__torch_dispatch__`, and leave the work to it. MindSpore's functions ask for neither: they raise "
        "TypeError for such objects, and treat subclasses of Tensor as plain Tensors. Call methods of the class "
        "instead of functions (`value.add(x)` instead of `torch.add(value, x)`), or give functions the Tensor "
        "inside. Operators may stay: Python asks for `__add__` and `__radd__`. `mindport convert --whole` writes "
        "helpers that ask for `__torch_function__`, as PyTorch does; nothing asks for `__torch_dispatch__`.",
        "PyTorch 的函数会查找参数对象的 `__torch_function__` 或 `__torch_dispatch__`，并交由它处理。MindSpore 的函数不会："
        "遇到这类对象会抛出 TypeError，Tensor 的派生类则按普通 Tensor 处理。请调用类自身的方法，而不是函数"
        "（写 `value.add(x)`，不写 `torch.add(value, x)`），或把内部的 Tensor 传给函数。运算符可以保留：Python 会查找"
        "`__add__` 和 `__radd__`。`mindport convert --whole` 写出的辅助函数会像 PyTorch 一样查找 `__torch_function__`；"
        "`__torch_dispatch__` 则不会被查找。",
    ),
    message=with_words(
        Text(
            "MindSpore never calls `{method}`: its functions do not take objects of this class.",
            "MindSpore 不会调用 `{method}`：其函数不接受该类的对象。",
        )
    ),
    examples=(
        Example(
            before="class Meters:\n    @classmethod\n"
            "    def __torch_function__(cls, func, types, args=(), kwargs=None):\n        return NotImplemented\n",
        ),
    ),
)
