"""MP103: has an equivalent expression."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.assess.finding import Example, Severity, UseRule
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.assess.finding import Finding
    from mindport.assess.use_context import UseContext

_MESSAGE = Text("`{api}` → `{target}`", "`{api}` → `{target}`")


def _message(finding: Finding, language: Language) -> str:
    return _MESSAGE.render(language, api=finding.use.api, target=finding.becomes)


def _applies(context: UseContext) -> bool:
    candidate = context.candidate
    return candidate is not None and candidate.kind != "api" and context.becomes_another


RULE = UseRule(
    code="MP103",
    precedence=200,
    applies=_applies,
    name=Text("Has an equivalent expression", "有等价表达式"),
    severity=Severity.HINT,
    explanation=Text(
        "MindSpore has no single equivalent API, but an expression of existing APIs does the same. The "
        "message shows it with your arguments filled in.",
        "MindSpore 没有单个的等价接口，但用现有接口组成的表达式可以实现同样的功能。提示信息会给出代入实"
        "参后的表达式。",
    ),
    message=_message,
    examples=(
        Example(
            before="import torch\n\n\ndef f(x: torch.Tensor):\n    return x.size(0)\n",
            after="import mindspore\n\n\ndef f(x: mindspore.Tensor):\n    return x.shape[0]\n",
        ),
        Example(
            before="import torch.nn as nn\n\nlayer = nn.Conv2d(3, 8, 3)\n",
            style="classic",
        ),
    ),
)
