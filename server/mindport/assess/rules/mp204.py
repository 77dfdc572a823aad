"""MP204: behaves differently."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.assess.finding import Example, Severity, UseRule, with_differences
from mindport.catalog.differences import BY_ASPECT
from mindport.language import Text

if TYPE_CHECKING:
    from mindport.assess.use_context import UseContext

_CODES = frozenset(
    {"behaviour", "documented", "operator_class", "called", "not_called", "call_differs", "call_raises"}
) | frozenset(BY_ASPECT.values())
_IF_ALONE = frozenset({"extra", "uncompared"})
"""Kinds that are said where there is nothing more to say."""


def _applies(context: UseContext) -> bool:
    if context.differs_in(_CODES):
        return True
    return bool(context.differences) and all(one.code in _IF_ALONE for one in context.differences)


RULE = UseRule(
    code="MP204",
    precedence=40,
    applies=_applies,
    name=Text("Behaves differently", "行为不同"),
    severity=Severity.WARNING,
    explanation=Text(
        "An equivalent exists, but it behaves differently; the message says how. Compare results before "
        "relying on it.",
        "有对应接口，但行为并不完全相同，提示信息会说明差异。使用前请对比结果。",
    ),
    message=with_differences,
    examples=(
        Example(
            before="from torch import nn\n\n\nclass Net(nn.Module):\n    pass\n",
        ),
    ),
)
