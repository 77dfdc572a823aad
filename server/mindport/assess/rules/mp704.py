"""MP704: automatic augmentation."""

from __future__ import annotations

from mindport.assess.feature_rules import feature_rule
from mindport.assess.finding import Example
from mindport.language import Text

RULE = feature_rule(
    "MP704",
    api="torchvision.transforms.RandAugment",
    name=Text("Automatic augmentation", "自动数据增强"),
    explanation=Text(
        "MindSpore has the same policies as transforms of its datasets: `AutoAugment`, `RandAugment`, "
        "`TrivialAugmentWide`, and `RandomChoice`, `RandomApply` and `UniformAugment` for policies of "
        "one's own. One finding a file, where it is used first; the finding at the API itself says what "
        "that becomes. The whole code, run with MindSpore 2.10.0 on CPU, is in docs/feature-code.md.",
        "MindSpore 的数据集变换提供相同的策略：`AutoAugment`、`RandAugment`、`TrivialAugmentWide`；自定义策略可用 `RandomChoice`、"
        "`RandomApply` 和 `UniformAugment`。每个文件只在首次使用处报告一次；接口本身的对应关系由该处的其他结果说明。完整代码见 docs/feature-code.zh-CN.md，"
        "均已用 MindSpore 2.10.0 在 CPU 上运行。",
    ),
    examples=(
        Example(before="from torchvision import transforms\n\naugment = transforms.RandAugment(num_ops=2)\n"),
    ),
)
