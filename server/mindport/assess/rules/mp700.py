"""MP700: training that does without features MindSpore recommends."""

from __future__ import annotations

from collections.abc import Iterator

from mindport.assess.code_context import BodyContext, Spotted
from mindport.assess.feature_rules import concerns_features, is_training_step, unused_features
from mindport.assess.finding import CodeRule, Example, Severity, with_words
from mindport.assess.gradient_accumulation import accumulation_condition
from mindport.language import Text

_ACCUMULATION = "MP702"
"""The rule about what is told by its form, not by an API."""


def _applies(context: BodyContext) -> Iterator[Spotted]:
    for node in is_training_step(context):
        others = {_ACCUMULATION} if any(accumulation_condition(context)) else set()
        unused = unused_features(context, others)
        if unused:
            english = ", ".join(title.en[0].lower() + title.en[1:] for title in unused)
            chinese = "、".join(title.zh_cn for title in unused)
            yield Spotted(node, (("unused en", english), ("unused zh-cn", chinese)))


RULE = CodeRule(
    code="MP700",
    looks_at=BodyContext,
    applies=_applies,
    concerns=concerns_features,
    api="torch.Tensor.backward",
    is_recommendation=True,
    name=Text("Features that this training does without", "训练未使用的推荐特性"),
    severity=Severity.INFORMATION,
    explanation=Text(
        "MindSpore's migration guide recommends mixed precision, gradient accumulation and a static graph for "
        "the training step. The rule names those that a file with a training step does not use, once a file; "
        "whether they help is for you to measure. Another file of the program may use them. The code is in "
        "docs/feature-code.md. Only reported if the setting `features` is on.",
        "MindSpore 迁移指南推荐在训练步骤中使用混合精度、梯度累积和静态图。本规则列出含训练步骤的文件未使用的特性，每个文件报告一次；"
        "是否有收益请自行测量。程序的其他文件可能已使用这些特性。代码见 docs/feature-code.zh-CN.md。只有打开设置 `features` 才会报告。",
    ),
    message=with_words(
        Text(
            "This training step (`{api}`) does without: {unused}.",
            "此训练步骤（`{api}`）未使用：{unused}。",
        )
    ),
    examples=(
        Example(
            before="def step(model, optimizer, x):\n    loss = model(x)\n    loss.backward()\n    optimizer.step()\n"
        ),
    ),
)
