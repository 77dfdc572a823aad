"""MP201: an argument has no counterpart."""

from __future__ import annotations

from mindport.assess.rule import Example, Rule
from mindport.assess.severity import Severity
from mindport.assess.wording import with_differences
from mindport.language import Text

RULE = Rule(
    code="MP201",
    name=Text("An argument has no counterpart", "参数没有对应项"),
    severity=Severity.WARNING,
    explanation=Text(
        "The call gives an argument for which the MindSpore API has no parameter, at a value that matters. "
        "Leaving it out would change what the code does: look for another way to get the effect.",
        "调用中给出的某个参数在 MindSpore 接口中没有对应参数，且其取值会影响结果。直接删除会改变代码的行为，"
        "请另寻方式实现。",
    ),
    message=with_differences,
    examples=(Example(before="import torch\n\ny = torch.zeros(3, requires_grad=True)\n"),),
)
