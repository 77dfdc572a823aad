"""A branch on the value of a Tensor becomes a choice between two Tensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mindport.assess.code_context import FunctionContext
from mindport.assess.finding import Example
from mindport.assess.rewrite_plan import RewritePlan
from mindport.assess.structures import CodeStructure, Proposal
from mindport.infer.values import ApiValue
from mindport.language import Text

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.assess.code_context import Spotted
    from mindport.assess.rewrite_plan import PlacedUse, Rewriting
    from mindport.language import Language
    from mindport.uses.use import Use

_Span = tuple[int, int]
_TITLE = Text("Replace the branch with `where`", "用 `where` 替换分支")
_CHECK = Text(
    "Check that both values have the same shape and dtype, and can be computed whatever the condition: "
    "both now are, and a NaN in the unselected one still reaches the gradient.",
    "请确认两个值的形状和 dtype 相同，并且无论条件如何都能计算：现在两者都会计算，"
    "未选中一侧的 NaN 也会影响梯度。",
)
_COMPUTED = (
    "binary_operator",
    "unary_operator",
    "comparison_operator",
    "parenthesized_expression",
    "identifier",
    "integer",
    "float",
    "true",
    "false",
    "argument_list",
    "keyword_argument",
    "attribute",
)
"""Expressions that have no effects, if those in them have none."""


@dataclass(frozen=True)
class Chosen(RewritePlan):
    """The statement becomes an assignment for each name: `spans` are the name and both values. Of a branch
    that is missing, the value is that of the name."""

    target: str
    statement: _Span
    condition: _Span
    spans: tuple[tuple[_Span, _Span, _Span], ...]
    indentation: str

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        def text(span: _Span) -> str:
            return rewriting.text(placed.shift + span[0], placed.shift + span[1])

        start, end = placed.shift + self.statement[0], placed.shift + self.statement[1]
        where = rewriting.spelled(self.target, start)
        lines = [
            f"{text(name)} = {where}({text(self.condition)}, {text(chosen)}, {text(otherwise)})"
            for name, chosen, otherwise in self.spans
        ]
        rewriting.replace_all(start, end, f"\n{self.indentation}".join(lines))

    @property
    def goes_last(self) -> bool:
        return True

    def title(self, use: Use, becomes: str, language: Language) -> str:
        return _TITLE.render(language)

    def to_check(self, use: Use, language: Language) -> str:
        return _CHECK.render(language)


def _propose(context: FunctionContext, spotted: Spotted) -> Proposal | None:
    statement = spotted.node.parent
    if statement is None or statement.type != "if_statement" or not _has_no_effect(context, spotted.node):
        return None
    body = statement.child_by_field_name("consequence")
    others = statement.children_by_field_name("alternative")
    if body is None or len(others) > 1 or (others and others[0].type != "else_clause"):
        return None
    chosen = _assigned(context, body)
    rest = others[0].child_by_field_name("body") if others else None
    otherwise = _assigned(context, rest) if rest is not None else _as_before(context, chosen or {}, statement)
    if not chosen or not otherwise or chosen.keys() != otherwise.keys():
        return None
    parts = [spotted.node, *[one[1] for one in (*chosen.values(), *otherwise.values())]]
    if len(chosen) > 1 and any(name in chosen for part in parts for name in _names(context, part)):
        return None
    spans = tuple(
        (context.span(name), context.span(value), context.span(otherwise[text][1]))
        for text, (name, value) in chosen.items()
    )
    place = context.span(statement), context.span(spotted.node)
    indentation = " " * statement.start_point.column
    return Proposal(Chosen(context.graph_facts.choosing, *place, spans, indentation), "review")


def _assigned(context: FunctionContext, body: Node) -> dict[str, tuple[Node, Node]] | None:
    """The names that statements assign Tensors to, which are computed without effects, each with its node and
    the value; None where they do anything else."""
    found: dict[str, tuple[Node, Node]] = {}
    for statement in body.named_children:
        assignment = statement.named_children[0] if statement.type == "expression_statement" else None
        if assignment is None or assignment.type != "assignment":
            return None
        name, value = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
        if name is None or value is None or name.type != "identifier" or context.text(name) in found:
            return None
        if context.is_tensor(value) is None or not _has_no_effect(context, value):
            return None
        found[context.text(name)] = name, value
    return found


def _as_before(
    context: FunctionContext, chosen: dict[str, tuple[Node, Node]], statement: Node
) -> dict[str, tuple[Node, Node]] | None:
    """The names themselves, where all are read in what they are assigned: they are bound before."""
    found: dict[str, tuple[Node, Node]] = {}
    for text, (name, value) in chosen.items():
        if text not in _names(context, value):
            return None
        found[text] = name, name
    return found


def _names(context: FunctionContext, node: Node) -> set[str]:
    """The names in an expression."""
    if node.type == "identifier":
        return {context.text(node)}
    return {name for child in node.named_children for name in _names(context, child)}


def _has_no_effect(context: FunctionContext, node: Node) -> bool:
    """Whether an expression does nothing but compute a value from others, and the same again each time."""
    if node.type == "call":
        function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        found = context.value(function).alternatives if function is not None else ()
        if len(found) != 1 or not isinstance(found[0], ApiValue) or given is None:
            return False
        return context.computes(found[0].name) and all(
            _has_no_effect(context, part) for part in node.named_children
        )
    return node.type in _COMPUTED and all(_has_no_effect(context, part) for part in node.named_children)


STRUCTURE = CodeStructure(
    code="MP411",
    looks_at=FunctionContext,
    propose=_propose,
    name=Text("Select between Tensors", "在 Tensor 之间选择"),
    explanation=Text(
        "If both paths only assign Tensors to the same names, each name is assigned what `where` "
        "selects by the condition, so the graph has a single path. Offered only if the values are "
        "computed by operators and by functions without side effects.",
        "如果两条路径都只是给相同的变量赋值 Tensor，则每个变量改为由 `where` 按条件选择的值，"
        "图中只剩一条路径。"
        "仅当这些值由运算符或没有副作用的函数算出时才提供。",
    ),
    examples=(
        Example(
            before="import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n"
            "    def forward(self, x: torch.Tensor):\n        if x.sum() > 0:\n            y = x * 2\n"
            "        else:\n            y = -x\n        return y\n",
            after="import mindspore\n\n\nclass Net(mindspore.nn.Cell):\n"
            "    def construct(self, x: mindspore.Tensor):\n"
            "        y = mindspore.ops.where(x.sum() > 0, x * 2, -x)\n        return y\n",
        ),
    ),
)
