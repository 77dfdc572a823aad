"""MP709: quantization."""

from __future__ import annotations

from mindport.assess.feature_rules import feature_rule
from mindport.assess.finding import Example
from mindport.language import Text

RULE = feature_rule(
    "MP709",
    api="torch.ao.quantization.quantize_dynamic",
    name=Text("Quantization", "量化"),
    explanation=Text(
        "MindSpore leaves the quantization of networks to Golden Stick, a package of its own "
        "(`mindspore-gs`), with algorithms for training that knows of it and for networks that are "
        "trained. One finding a file, where it is used first; the finding at the API itself says what "
        "that becomes. The whole code is in docs/feature-code.md.",
        "MindSpore 将网络量化交给单独的软件包金箍棒 Golden Stick（`mindspore-gs`），提供量化感知训练和训练后量化算法。每个文件只在首次使用处报告一次；接口本身的对应关系由该处的其他结果说明。"
        "完整代码见 docs/feature-code.zh-CN.md。",
    ),
    examples=(
        Example(
            before="import torch\n\nsmall = torch.ao.quantization.quantize_dynamic(model, {torch.nn.Linear})\n"
        ),
    ),
)
