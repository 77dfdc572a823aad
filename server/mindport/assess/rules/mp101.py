"""MP101: has an equivalent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.assess.finding import Example, Severity, UseRule
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.assess.finding import Finding
    from mindport.assess.use_context import UseContext

_MESSAGE = Text("`{api}` → `{target}`", "`{api}` → `{target}`")


def _message(finding: Finding, language: Language) -> str:
    return _MESSAGE.render(language, api=finding.use.api, target=finding.targets[0])


def _applies(context: UseContext) -> bool:
    candidate = context.candidate
    return candidate is not None and candidate.kind == "api" and context.becomes_another


RULE = UseRule(
    code="MP101",
    precedence=200,
    applies=_applies,
    name=Text("Has an equivalent", "有等价接口"),
    severity=Severity.HINT,
    explanation=Text(
        "MindSpore has an equivalent API that takes the arguments as given here: only the name and the "
        "import change. The quick fix replaces the name, adds the import once, and removes the torch "
        "import when it is no longer used.",
        "MindSpore 有功能相同的接口，且此处的参数无需改动，只需更换名称和导入。快速修复会替换名称，只添"
        "加一次导入，并在不再使用 torch 时移除其导入。",
    ),
    message=_message,
    examples=(
        Example(
            before="import torch\n\ny = torch.cat([a, b], dim=1)\n",
            after="from mindspore import mint\n\ny = mint.cat([a, b], dim=1)\n",
        ),
        Example(
            before="import torch.nn.functional as F\n\ny = F.relu(x)  # activation\n",
            after="import mindspore.mint.nn.functional as F\n\ny = F.relu(x)  # activation\n",
        ),
    ),
)
