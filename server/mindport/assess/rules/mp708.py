"""MP708: losses and gradients are checked for numbers that are not finite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindport.assess.code_context import BodyContext
from mindport.assess.feature_rules import feature_rule
from mindport.assess.finding import Example
from mindport.infer.values import ApiValue
from mindport.language import Text

if TYPE_CHECKING:
    from tree_sitter import Node


def _spot(context: BodyContext) -> Iterator[Node]:
    """The first check of a body that stops or tells, of a loss or gradient."""
    calls = list(context.nodes("call"))
    raised = list(context.nodes("raise_statement"))
    for statement in context.nodes("assert_statement", "if_statement"):
        body = statement.child_by_field_name("consequence")
        tested = statement.child_by_field_name("condition") or statement.named_children[0]
        if body is not None:
            within = [call for call in calls if _is_in(call, body)]
            if not any(_is_in(one, body) for one in raised) and not any(_stops(context, c) for c in within):
                continue
        for call in calls:
            if _is_in(call, tested) and _is_check(context, call):
                yield call.child_by_field_name("function") or call
                return


def _is_in(node: Node, around: Node) -> bool:
    return around.start_byte <= node.start_byte and node.end_byte <= around.end_byte


def _stops(context: BodyContext, call: Node) -> bool:
    function = call.child_by_field_name("function")
    stopping = context.code.evaluator.catalog.features.checks.stopping
    return function is not None and context.text(function) in stopping


def _is_check(context: BodyContext, call: Node) -> bool:
    """Whether a call asks whether a loss or gradient is finite."""
    checks = context.code.evaluator.catalog.features.checks
    function = call.child_by_field_name("function")
    if function is None or not any(word in context.text(call).lower() for word in checks.of):
        return False
    if context.text(function) in checks.written:
        return True
    found = context.value(function).alternatives
    return len(found) == 1 and isinstance(found[0], ApiValue) and found[0].name in checks.apis


RULE = feature_rule(
    "MP708",
    api="torch.autograd.detect_anomaly",
    name=Text("Anomaly detection", "异常值检测"),
    explanation=Text(
        "`detect_anomaly` and checks of a loss or gradient for NaN and infinity: MindSpore has no mode that "
        "watches every operator on CPU, but gradients are values that one operator can test, in a graph, too. "
        "The whole code, run with MindSpore 2.10.0 on CPU, is in docs/feature-code.md.",
        "`detect_anomaly` 以及对 loss 或梯度的 NaN、无穷检查：MindSpore 在 CPU 上没有逐算子监测的模式，但梯度是返回值，"
        "一个算子即可全部检查，静态图中同样可用。完整代码见 docs/feature-code.zh-CN.md，已用 MindSpore 2.10.0 在 CPU 上运行。",
    ),
    examples=(
        Example(
            before='import math\n\n\ndef step(loss):\n    if not math.isfinite(loss):\n        raise ValueError("diverged")\n    loss.backward()\n'
        ),
        Example(before="import torch\n\ntorch.autograd.set_detect_anomaly(True)\n"),
    ),
    spot=_spot,
)
