"""MP701: mixed precision."""

from __future__ import annotations

from mindport.assess.feature_rules import feature_rule
from mindport.assess.finding import Example
from mindport.language import Text

RULE = feature_rule(
    "MP701",
    api="torch.amp.autocast",
    name=Text("Mixed precision", "混合精度"),
    explanation=Text(
        "PyTorch chooses the precision around code (`autocast`) and keeps gradients in the parameters, "
        "where `GradScaler` unscales them. MindSpore converts the network once, and gradients are what a "
        "function returns: the loss is scaled inside that function, and the step is left out if a "
        "gradient is not finite. One finding a file, where it is used first; the finding at the API "
        "itself says what that becomes. The whole code, run with MindSpore 2.10.0 on CPU, is in "
        "docs/feature-code.md.",
        "PyTorch 用 `autocast` 在代码块内选择精度，梯度保存在参数中，由 `GradScaler` 还原。MindSpore 只需转换一次网络，梯度是函数的返回值：在该函数内缩放 "
        "loss，若梯度不是有限值则跳过该步。每个文件只在首次使用处报告一次；接口本身的对应关系由该处的其他结果说明。完整代码见 docs/feature-code.zh-CN.md，均已用 MindSpore "
        "2.10.0 在 CPU 上运行。",
    ),
    examples=(
        Example(
            before='import torch\n\n\ndef step(model, x):\n    with torch.autocast("cuda"):\n        return model(x)\n'
        ),
    ),
)
