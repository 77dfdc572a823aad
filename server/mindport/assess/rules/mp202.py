"""MP202: arguments have other names or places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.assess.finding import Example, Severity, UseRule, with_differences
from mindport.language import Text

if TYPE_CHECKING:
    from mindport.assess.use_context import UseContext

_CODES = frozenset({"renamed", "keyword_only", "packed", "order"})


def _applies(context: UseContext) -> bool:
    return context.differs_in(_CODES)


RULE = UseRule(
    code="MP202",
    precedence=90,
    applies=_applies,
    name=Text("Argument names or order differ", "参数名称或顺序不同"),
    severity=Severity.WARNING,
    explanation=Text(
        "The MindSpore API takes the same arguments, but under different names, in a different order, "
        "keyword-only, or packed in a tuple. Rewrite the call accordingly.",
        "MindSpore 接口接受同样的参数，但名称、顺序或传入方式（仅关键字、打包为元组）不同。请相应地改写"
        "调用。",
    ),
    message=with_differences,
    examples=(
        Example(
            before="import torch\n\ny = torch.zeros(2, 3)\n",
            after="from mindspore import mint\n\ny = mint.zeros((2, 3))\n",
        ),
    ),
)
