"""MP710: distributed training, and how it is started."""

from __future__ import annotations

from mindport.assess.feature_rules import feature_rule
from mindport.assess.finding import Example
from mindport.language import Text

RULE = feature_rule(
    "MP710",
    api="torch.nn.parallel.DistributedDataParallel",
    name=Text("Distributed training", "分布式训练"),
    explanation=Text(
        "`msrun` starts a process for each device, and `init` joins them. No wrapper is put around the "
        "network: the gradients that `value_and_grad` returns are averaged by `DistributedGradReducer`. "
        "Tried with two processes on CPU. One finding a file, where it is used first; the finding at the "
        "API itself says what that becomes. The whole code, run with MindSpore 2.10.0 on CPU, is in "
        "docs/feature-code.md.",
        "`msrun` 为每个设备启动一个进程，`init` 建立通信。网络外不需要封装：`value_and_grad` 返回的梯度由 `DistributedGradReducer` "
        "求平均。已在 CPU 上用两个进程验证。每个文件只在首次使用处报告一次；接口本身的对应关系由该处的其他结果说明。完整代码见 docs/feature-code.zh-CN.md，均已用 MindSpore "
        "2.10.0 在 CPU 上运行。",
    ),
    examples=(
        Example(
            before='import torch\n\n\ndef main(model):\n    torch.distributed.init_process_group("nccl")\n    return torch.nn.parallel.DistributedDataParallel(model)\n'
        ),
    ),
)
