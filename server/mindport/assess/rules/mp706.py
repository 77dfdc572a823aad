"""MP706: a profiler."""

from __future__ import annotations

from mindport.assess.feature_rules import feature_rule
from mindport.assess.finding import Example
from mindport.language import Text

RULE = feature_rule(
    "MP706",
    api="torch.profiler.profile",
    name=Text("Profiler", "性能分析"),
    explanation=Text(
        "MindSpore's profiler is started around the same steps, records operators on Ascend and CPU, and "
        "writes files for MindStudio Insight. One finding a file, where it is used first; the finding at "
        "the API itself says what that becomes. The whole code, run with MindSpore 2.10.0 on CPU, is in "
        "docs/feature-code.md.",
        "MindSpore 的 Profiler 同样包在若干步的外面，记录 Ascend 和 CPU 上的算子，并为 MindStudio Insight 写入文件。每个文件只在首次使用处报告一次；"
        "接口本身的对应关系由该处的其他结果说明。完整代码见 docs/feature-code.zh-CN.md，均已用 MindSpore 2.10.0 在 CPU 上运行。",
    ),
    examples=(
        Example(
            before="import torch\n\n\ndef trace(model, x):\n    with torch.profiler.profile() as profiler:\n        model(x)\n    return profiler\n"
        ),
    ),
)
