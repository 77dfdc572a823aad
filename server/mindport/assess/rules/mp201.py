"""MP201: an argument has no counterpart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.assess.finding import Example, Severity, UseRule, with_differences
from mindport.language import Text

if TYPE_CHECKING:
    from mindport.assess.use_context import UseContext

_CODES = frozenset({"missing", "missing_general"})


def _applies(context: UseContext) -> bool:
    return context.differs_in(_CODES)


RULE = UseRule(
    code="MP201",
    precedence=70,
    applies=_applies,
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
