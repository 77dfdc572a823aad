"""MP705: a summary of the training."""

from __future__ import annotations

from mindport.assess.feature_rules import feature_rule
from mindport.assess.finding import Example
from mindport.language import Text

RULE = feature_rule(
    "MP705",
    api="torch.utils.tensorboard.SummaryWriter",
    name=Text("Summary", "训练可视化（Summary）"),
    explanation=Text(
        "MindSpore collects scalars, images, histograms and graphs in `SummaryRecord` and shows them "
        "with MindSpore Insight. What is recorded in one step is written together. One finding a file, "
        "where it is used first; the finding at the API itself says what that becomes. The whole code, "
        "run with MindSpore 2.10.0 on CPU, is in docs/feature-code.md.",
        "MindSpore 用 `SummaryRecord` 收集标量、图像、直方图和计算图，并用 MindSpore Insight 查看。同一步的数据一起写入。每个文件只在首次使用处报告一次；"
        "接口本身的对应关系由该处的其他结果说明。完整代码见 docs/feature-code.zh-CN.md，均已用 MindSpore 2.10.0 在 CPU 上运行。",
    ),
    examples=(
        Example(
            before='from torch.utils.tensorboard import SummaryWriter\n\nwriter = SummaryWriter("runs")\n'
        ),
        Example(before='from tensorboardX import SummaryWriter\n\nwriter = SummaryWriter("runs")\n'),
    ),
)
