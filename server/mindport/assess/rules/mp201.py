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
    name=Text("Unsupported argument", "参数不受支持"),
    severity=Severity.WARNING,
    explanation=Text(
        "The MindSpore API has no parameter for one of the arguments, and its value affects the result. "
        "Dropping it would change what the code does: find another way to get the effect.",
        "MindSpore 接口没有与某个实参对应的参数，而该实参的取值会影响结果。直接删除会改变代码的行为，请"
        "改用其他方式实现。",
    ),
    message=with_differences,
    examples=(Example(before="import torch\n\ny = torch.zeros(3, requires_grad=True)\n"),),
)
