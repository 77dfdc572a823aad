"""MP301: no counterpart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.assess.finding import Example, Severity, UseRule
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.assess.finding import Finding
    from mindport.assess.use_context import UseContext

_MESSAGE = Text(
    "`{api}` has no equivalent in MindSpore {version}.", "MindSpore {version} 中没有 `{api}` 的对应接口。"
)


def _message(finding: Finding, language: Language) -> str:
    message = _MESSAGE.render(language, api=finding.use.api, version=finding.version)
    if finding.reason is None:
        return message
    return message + ("" if language == "zh-cn" else " ") + finding.reason.render(language)


def _applies(context: UseContext) -> bool:
    return context.candidate is None and context.answer.status == "missing"


RULE = UseRule(
    code="MP301",
    precedence=10,
    applies=_applies,
    name=Text("No equivalent", "没有对应接口"),
    severity=Severity.ERROR,
    explanation=Text(
        "MindSpore has no equivalent API. Options: replace it with an expression of existing APIs, wrap "
        "existing APIs in a helper, write a custom operator (`mindport scaffold custom-op NAME`), or ask the "
        "MindSpore community for the API (`mindport explain API --issue` writes the issue).",
        "MindSpore 没有对应的接口。可以：用现有接口组成的表达式替换；把现有接口封装成辅助函数；编写自定"
        "义算子（`mindport scaffold custom-op NAME`）；或向 MindSpore 社区提出需求（`mindport explain API "
        "--issue` 会生成 issue）。",
    ),
    message=_message,
    examples=(Example(before="import torch\n\nx = torch.lobpcg(a)\n"),),
)
