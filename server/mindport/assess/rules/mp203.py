"""MP203: a default differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.assess.finding import Example, Severity, UseRule, with_differences
from mindport.language import Text

if TYPE_CHECKING:
    from mindport.assess.use_context import UseContext

_CODES = frozenset({"default", "required", "extra_required"})


def _applies(context: UseContext) -> bool:
    return context.differs_in(_CODES)


RULE = UseRule(
    code="MP203",
    precedence=80,
    applies=_applies,
    name=Text("Different default", "默认值不同"),
    severity=Severity.WARNING,
    explanation=Text(
        "The call relies on a default that differs in MindSpore, or omits a parameter that MindSpore "
        "requires. Unchanged, it would behave differently or fail.",
        "调用依赖的默认值在 MindSpore 中不同，或省略了 MindSpore 的必选参数。不加修改，调用的结果会不同"
        "或直接报错。",
    ),
    message=with_differences,
    examples=(Example(before="import torch\n\ny = torch.flatten(x)\n", style="classic"),),
)
