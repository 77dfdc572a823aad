"""MP205: does not run on the device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.assess.finding import Example, Severity, UseRule, with_differences
from mindport.language import Text

if TYPE_CHECKING:
    from mindport.assess.use_context import UseContext

_CODES = frozenset({"not_on_device", "call_not_on_device"})


def _applies(context: UseContext) -> bool:
    return context.differs_in(_CODES)


RULE = UseRule(
    code="MP205",
    precedence=30,
    applies=_applies,
    name=Text("Not supported on the device", "不支持该设备"),
    severity=Severity.WARNING,
    explanation=Text(
        "An equivalent exists, but MindSpore has no kernel for it on the target device: the call fails "
        "there.",
        "有对应接口，但 MindSpore 在目标设备上没有相应的算子实现，在该设备上调用会报错。",
    ),
    message=with_differences,
    examples=(Example(before="import torch\n\ny = torch.addbmm(m, a, b)\n", device="cpu", style="mint"),),
)
