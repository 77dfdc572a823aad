"""MP711: activations that are computed again."""

from __future__ import annotations

from mindport.assess.feature_rules import feature_rule
from mindport.assess.finding import Example
from mindport.language import Text

RULE = feature_rule(
    "MP711",
    api="torch.utils.checkpoint.checkpoint",
    name=Text("Recomputation", "重计算"),
    explanation=Text(
        "In graph mode, MindSpore computes again what is inside a Cell that is marked with "
        "`recompute()`, so the code that calls it stays as it is; without a graph, `mindspore.recompute` "
        "calls a Cell so. One finding a file, where it is used first; the finding at the API itself says "
        "what that becomes. The whole code, run with MindSpore 2.10.0 on CPU, is in docs/feature-code.md.",
        "静态图模式下，用 `recompute()` 标记的 Cell 会在反向时重新计算，调用处的代码不变；不编译成图时，用 `mindspore.recompute` 调用 Cell。"
        "每个文件只在首次使用处报告一次；接口本身的对应关系由该处的其他结果说明。完整代码见 docs/feature-code.zh-CN.md，均已用 MindSpore 2.10.0 在 CPU 上运行。",
    ),
    examples=(
        Example(
            before="from torch.utils.checkpoint import checkpoint\n\n\ndef forward(block, x):\n    return checkpoint(block, x, use_reentrant=False)\n"
        ),
    ),
)
