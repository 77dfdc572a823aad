"""MP205: does not run on the device."""

from __future__ import annotations

from mindport.assess.rule import Example, Rule
from mindport.assess.severity import Severity
from mindport.assess.wording import with_differences
from mindport.language import Text

RULE = Rule(
    code="MP205",
    name=Text("Does not run on the device", "不支持该设备"),
    severity=Severity.WARNING,
    explanation=Text(
        "There is a counterpart, but MindSpore has no kernel for it on the chosen device: the call fails when it "
        "is run there.",
        "存在对应接口，但 MindSpore 在所选设备上没有相应算子，在该设备上运行会报错。",
    ),
    message=with_differences,
    examples=(Example(before="import torch\n\ny = torch.addbmm(m, a, b)\n", device="cpu", style="mint"),),
)
