"""MP410: a Tensor whose shape depends on values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindport.assess.advised_calls import advised
from mindport.assess.code_context import FunctionContext, Spotted, concerns_graphs
from mindport.assess.finding import CodeRule, Example, Severity, with_words
from mindport.infer.values import ApiValue
from mindport.language import Text

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.assess.code_context import GivenArguments
    from mindport.catalog.graph_facts import Advice, SizePlaces, Varying

_PATTERNS = ("pattern_list", "tuple_pattern", "list_pattern")
_TARGETS = ("assignment", "augmented_assignment")


def _applies(context: FunctionContext) -> Iterator[Spotted]:
    if not context.runs_in_network:
        return
    for call in context.nodes("call"):
        function = call.child_by_field_name("function")
        advice = _of_call(context, call, function) if function is not None else None
        if function is not None and advice is not None:
            yield advised(context, function, "expression", advice)
    for node in context.nodes("subscript"):
        advice = _of_subscript(context, node)
        value = node.child_by_field_name("value")
        if value is not None and advice is not None:
            yield advised(context, node, "expression", advice, context.value(value).certainty)


def _of_call(context: FunctionContext, call: Node, function: Node) -> Advice | None:
    found, facts = context.value(function).alternatives, context.graph_facts.shapes
    if len(found) != 1 or not isinstance(found[0], ApiValue):
        return None
    name = found[0].name
    varying, places = facts.results.get(name), facts.sizes.get(name)
    if varying is None and places is None:
        return None
    given = context.arguments(call)
    if varying is not None and _varies(context, varying, given):
        return varying.advice
    if places is not None and any(_is_read(context, one) for one in _sizes(places, given)):
        return facts.sized
    return None


def _varies(context: FunctionContext, varying: Varying, given: GivenArguments) -> bool:
    if not varying.unless.isdisjoint(given.keywords):
        return False
    if varying.when == "one argument":
        return len(given.positional) == 1 and not given.keywords and not given.is_open
    if not varying.when:
        return True
    deciding = given.of(varying.parameter, varying.place)
    return deciding is not None and context.is_tensor(deciding) is not None


def _sizes(places: SizePlaces, given: GivenArguments) -> list[Node]:
    named = [given.keywords[places.keyword]] if places.keyword in given.keywords else []
    return given.positional[places.first : places.last + 1] + named


def _is_read(context: FunctionContext, node: Node) -> bool:
    """Whether a size, or one in a tuple or list of sizes, is a number read from a Tensor."""
    if node.type in ("tuple", "list"):
        return any(_is_read(context, one) for one in node.named_children)
    return context.is_read_number(node)


def _of_subscript(context: FunctionContext, node: Node) -> Advice | None:
    value = node.child_by_field_name("value")
    if value is None or _is_assigned(node) or context.is_tensor(value) is None:
        return None
    facts = context.graph_facts.shapes
    for index in node.children_by_field_name("subscript"):
        if index.type == "slice":
            if any(_is_read(context, bound) for bound in index.named_children):
                return facts.sized
        elif context.is_mask(index):
            return facts.indexing
    return None


def _is_assigned(node: Node) -> bool:
    """Whether a subscript is what is assigned to: the shape stays."""
    around = node.parent
    while around is not None and around.type in _PATTERNS:
        node, around = around, around.parent
    return around is not None and around.type in _TARGETS and around.child_by_field_name("left") == node


RULE = CodeRule(
    code="MP410",
    looks_at=FunctionContext,
    applies=_applies,
    concerns=concerns_graphs,
    api="torch.nn.Module",
    is_for_graphs=True,
    name=Text("Shape depends on Tensor values", "形状取决于 Tensor 的值"),
    severity=Severity.INFORMATION,
    explanation=Text(
        "In graph mode, a shape that depends on Tensor values is unknown while the graph is compiled: "
        "the result of `nonzero`, `unique`, `masked_select` or mask indexing, and anything sized by a "
        "number read from a Tensor (`.item()`). MindSpore continues with an unknown size and raises an "
        "error where a list or `stack` iterates over it. With the maximum size and a mask, the shape is "
        "fixed. Each was compiled with MindSpore 2.10.0, as it is and with a mask. Sizes that are "
        "literals, shapes, attributes or parameters count as fixed. Only reported if the setting "
        "`graphMode` is on.",
        "静态图模式下，取决于 Tensor 值的形状在编译图时是未知的：例如 `nonzero`、`unique`、"
        "`masked_select` 和掩码索引的结果，以及大小由 Tensor 中读出的数值（`.item()`）决定的结果。"
        "MindSpore 会以未知大小继续编译；用列表或 `stack` 遍历时会报错。改用最大大小加掩码，形状就是固定"
        "的。以上各项的原写法和掩码写法均用 MindSpore 2.10.0 编译验证过。字面量、形状、属性和参数视为固"
        "定大小。只有打开设置 `graphMode` 才会报告。",
    ),
    message=with_words(
        Text(
            "The shape of `{expression}` depends on Tensor values, which graph mode does not know when it "
            "compiles the `{api}`. {instead}",
            "`{expression}` 的形状取决于 Tensor 的值，静态图模式编译 `{api}` 时无法得知。{instead}",
        )
    ),
    examples=(
        Example(
            before="import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n"
            "    def forward(self, x: torch.Tensor, lengths: torch.Tensor):\n"
            "        longest = int(lengths.max().item())\n        return x[:, :longest], x[x > 0].mean()\n",
        ),
    ),
)
