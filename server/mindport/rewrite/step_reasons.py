"""Why a training step keeps `backward`."""

from __future__ import annotations

from typing import Final

from mindport.language import Text

SEES_GRADIENTS: Final = Text("the file names `{name}`", "文件中使用了 `{name}`")
HAS_ARGUMENTS: Final = Text("it has arguments", "带有参数")
NO_OPTIMIZER: Final = Text(
    "no optimizer of torch.optim is known to step here", "无法确定此处由 torch.optim 的哪个优化器更新"
)
WHICH_WEIGHTS: Final = Text(
    "it is not known which weights are clipped or updated", "无法确定裁剪或更新的是哪些权重"
)
COMPUTED_ELSEWHERE: Final = Text(
    "the loss is computed in another block or function", "损失在其他代码块或函数中计算"
)
NOT_AN_EXPRESSION: Final = Text(
    "the loss is bound or awaited in the same statement", "损失在同一语句中赋值或等待"
)
DOES_MORE: Final = Text("`{statement}` does more than compute the loss", "`{statement}` 不只是在计算损失")
LINES: Final = Text(
    "its statements share lines, or a text in them goes over several", "语句共用一行，或其中的文本跨越多行"
)
NAMES: Final = Text(
    "a name of the forward pass may not be bound, or is read out of sight",
    "前向计算中的某个名称可能未赋值，或在别处被读取",
)
