"""MP702: gradients of several batches are added up before a step of the optimizer."""

from __future__ import annotations

from mindport.assess.feature_rules import feature_rule
from mindport.assess.finding import Example
from mindport.assess.gradient_accumulation import accumulation_condition
from mindport.language import Text

RULE = feature_rule(
    "MP702",
    api="torch.Tensor.backward",
    name=Text("Gradient accumulation", "梯度累积"),
    explanation=Text(
        "PyTorch adds gradients up in the parameters until `zero_grad`, so a step at every fourth batch needs "
        "an `if` alone. MindSpore's `value_and_grad` returns the gradients of one batch: code that is moved as "
        "it stands takes a step with the last batch's gradients, without a message. The finding is at the "
        "condition of the step. The whole code, run with MindSpore 2.10.0 on CPU, is in docs/feature-code.md.",
        "PyTorch 会将梯度累加在参数中，直到 `zero_grad`，因此每四个批次更新一次只需一个 `if`。MindSpore 的 `value_and_grad` "
        "只返回一个批次的梯度：原样迁移的代码只会用最后一个批次的梯度更新，且没有任何提示。结果标在更新的条件处。"
        "完整代码见 docs/feature-code.zh-CN.md，已用 MindSpore 2.10.0 在 CPU 上运行。",
    ),
    examples=(
        Example(
            before="def train(model, optimizer, loader):\n    for i, (x, y) in enumerate(loader):\n"
            "        loss = model(x, y) / 4\n        loss.backward()\n        if (i + 1) % 4 == 0:\n"
            "            optimizer.step()\n            optimizer.zero_grad()\n",
        ),
    ),
    spot=accumulation_condition,
)
