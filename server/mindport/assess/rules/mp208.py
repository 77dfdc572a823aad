"""MP208: statements on Tensors that behave differently, whatever API they come from."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from mindport.assess.advised_calls import advised
from mindport.assess.code_context import BodyContext, Spotted
from mindport.assess.finding import CodeRule, Example, Severity, with_words
from mindport.assess.formatted_values import formatted_values, may_format
from mindport.assess.numbers_apart import may_have_numbers_apart, numbers_apart
from mindport.assess.structures.formatted_tensor import KIND as FORMATTED
from mindport.assess.written_copies import written_copies
from mindport.index.definitions import Assigned, sources
from mindport.index.nodes import Name, Subscript
from mindport.infer.values import External
from mindport.language import Text

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.index.block import Block
    from mindport.index.nodes import Expression
    from mindport.infer.evaluator import Evaluator

_NUMPY_FIRST = re.compile(rb"n(?:p|umpy)\.[^\n]*\)[ \t]*[-+*/@%]")
"""The form that an operator behind a call of NumPy has."""
_AUGMENTED = re.compile(rb"\][ \t]*[-+*/%]=")
_NUMPY = "numpy."
_INTEGERS = ("torch.int8", "torch.int16", "torch.int32", "torch.int64", "torch.uint8")
_SHIFTS = ("<<", ">>")


def _concerns(evaluator: Evaluator, block: Block, apis: Collection[str]) -> bool:
    if may_format(block):
        return True
    text = block.text
    if not apis:
        return False
    if b"~" in text or b"<<" in text or b">>" in text or _stores_items(block):
        return True
    if may_have_numbers_apart(block):
        return True
    return (b"np." in text or b"numpy." in text) and _NUMPY_FIRST.search(text) is not None


def _stores_items(block: Block) -> bool:
    """Whether something may be assigned to a part of what indexing gave."""
    for stored in block.stored:
        if stored.container is not None and _may_be_indexing(stored.container):
            return True
    return _AUGMENTED.search(block.text) is not None


def _may_be_indexing(container: Expression) -> bool:
    if not isinstance(container, Name):
        return isinstance(container, Subscript)
    return any(
        isinstance(one, Assigned) and isinstance(one.value, Subscript)
        for one in sources(container.definition)
    )


def _applies(context: BodyContext) -> Iterator[Spotted]:
    kinds = context.code.evaluator.catalog.statements.kinds
    for kind, find in _FINDERS.items():
        for node, tensor in find(context):
            spotted = advised(context, node, "statement", kinds[kind], context.is_tensor(tensor))
            yield spotted._replace(kind=kind)


def _numpy_first(context: BodyContext) -> Iterator[tuple[Node, Node]]:
    for node in context.nodes("binary_operator"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        is_numpy = left is not None and _is_of_numpy(context, left)
        if is_numpy and right is not None and context.is_tensor(right) is not None:
            yield node, right


def _is_of_numpy(context: BodyContext, node: Node) -> bool:
    """Whether an expression surely calls a function of NumPy; its constants are Python's numbers."""
    function = node.child_by_field_name("function") if node.type == "call" else None
    found = context.value(function).alternatives if function is not None else ()
    return len(found) == 1 and isinstance(found[0], External) and found[0].name.startswith(_NUMPY)


def _inverted(context: BodyContext) -> Iterator[tuple[Node, Node]]:
    for node in context.nodes("unary_operator"):
        operand = node.child_by_field_name("argument")
        if operand is None or node.children[0].type != "~" or context.is_tensor(operand) is None:
            continue
        if context.code.tensor_type(operand).dtype in _INTEGERS:
            yield node, operand


def _formatted(context: BodyContext) -> Iterator[tuple[Node, Node]]:
    for node in formatted_values(context):
        if context.is_tensor(node) is not None:
            yield node, node


def _shifted(context: BodyContext) -> Iterator[tuple[Node, Node]]:
    for node in context.nodes("binary_operator"):
        left, operator = node.child_by_field_name("left"), node.child_by_field_name("operator")
        is_shift = operator is not None and operator.type in _SHIFTS
        if left is not None and is_shift and context.is_tensor(left) is not None:
            yield node, left


_FINDERS: dict[str, Callable[[BodyContext], Iterator[tuple[Node, Node]]]] = {
    "written copy": written_copies,
    "NumPy first": _numpy_first,
    "inverted integers": _inverted,
    FORMATTED: _formatted,
    "shifted bits": _shifted,
    "numbers apart": numbers_apart,
}
"""What gives, for each kind of statement, where it is and the Tensor that it is about."""

RULE = CodeRule(
    code="MP208",
    looks_at=BodyContext,
    applies=_applies,
    concerns=_concerns,
    beyond=may_format,
    api="torch.Tensor",
    name=Text("Statement behaves differently", "语句行为不同"),
    severity=Severity.WARNING,
    explanation=Text(
        "Statements that mean something else in MindSpore: an assignment to a copy that indexing by a list, mask "
        "or Tensor gave (it reaches the original), a NumPy value before a Tensor (the result is a NumPy array, "
        "without a gradient), `~` of integers (a logical not), an index with numbers apart from a list or Tensor "
        "(`x[0, :, [1, 2]]`: the axes have another order), a Tensor that is given a format and bit shifts "
        "(errors). Each was run in both frameworks. docs/silent-differences.md lists what else differs.",
        "在 MindSpore 中含义不同的语句：对按列表、掩码或 Tensor 索引得到的副本赋值（会改变原 Tensor）；NumPy 值在前、Tensor 在后的运算"
        "（结果为 NumPy 数组，没有梯度）；对整数使用 `~`（逻辑非）；整数与列表或 Tensor 不相邻的索引（如 `x[0, :, [1, 2]]`，"
        "各轴的顺序不同）；带格式的 Tensor 以及移位运算（报错）。"
        "以上均在两个框架中运行过。其他差异见 docs/silent-differences.zh-CN.md。",
    ),
    message=with_words(Text("`{statement}` (`{api}`): {instead}", "`{statement}`（`{api}`）：{instead}")),
    examples=(
        Example(
            before="import torch\n\n\ndef clipped(x: torch.Tensor):\n    kept = x[[0, 1]]\n    kept[0] = 0\n"
            "    return kept, x\n",
            after="import mindspore\n\n\ndef clipped(x: mindspore.Tensor):\n    kept = x[[0, 1]]\n    kept[0] = 0\n"
            "    return kept, x\n",
        ),
    ),
)
