"""MP703: a graph that is compiled."""

from __future__ import annotations

from mindport.assess.feature_rules import feature_rule
from mindport.assess.finding import Example
from mindport.language import Text

RULE = feature_rule(
    "MP703",
    api="torch.compile",
    name=Text("Static graph", "静态图"),
    explanation=Text(
        "MindSpore compiles functions from their source code, and gains most if the whole training step "
        "is one graph: the network, its gradients and the optimizer. What Python may hold there is "
        "restricted: MP401 to MP412 tell. One finding a file, where it is used first; the finding at the "
        "API itself says what that becomes. The whole code, run with MindSpore 2.10.0 on CPU, is in "
        "docs/feature-code.md.",
        "MindSpore 由源代码编译函数；将网络、求导和优化器组成的整个训练步骤编译成一张图，收益最大。其中可用的 Python 语法有限，见 MP401 至 MP412。每个文件只在首次使用处报告一次；"
        "接口本身的对应关系由该处的其他结果说明。完整代码见 docs/feature-code.zh-CN.md，均已用 MindSpore 2.10.0 在 CPU 上运行。",
    ),
    examples=(Example(before="import torch\n\n\ndef compiled(model):\n    return torch.compile(model)\n"),),
)
