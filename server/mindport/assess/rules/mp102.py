"""MP102: not needed in MindSpore."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.assess.finding import Example, Severity, UseRule
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.assess.finding import Finding
    from mindport.assess.use_context import UseContext

_MESSAGE = Text(
    "`{api}` is not needed in MindSpore and can be removed.", "MindSpore 不需要 `{api}`，可以删除。"
)


def _message(finding: Finding, language: Language) -> str:
    return _MESSAGE.render(language, api=finding.use.api)


def _applies(context: UseContext) -> bool:
    return context.candidate is None and context.answer.status == "not_needed"


RULE = UseRule(
    code="MP102",
    precedence=10,
    applies=_applies,
    name=Text("Not needed in MindSpore", "MindSpore 不需要"),
    severity=Severity.HINT,
    explanation=Text(
        "MindSpore does this automatically, or has no such concept. The code can be removed.",
        "MindSpore 会自动完成该操作，或没有对应的概念。这段代码可以删除。",
    ),
    message=_message,
    examples=(
        Example(before="import torch\n\nwith torch.no_grad():\n    y = model(x)\n"),
        Example(
            before="import torch\n\n\ndef f(x: torch.Tensor):\n    return x.cuda().float()\n",
            after="import mindspore\n\n\ndef f(x: mindspore.Tensor):\n    return x.float()\n",
        ),
    ),
)
