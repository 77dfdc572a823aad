"""MP204: behaves differently."""

from __future__ import annotations

from mindport.assess.rule import Example, Rule
from mindport.assess.severity import Severity
from mindport.assess.wording import with_differences
from mindport.language import Text

RULE = Rule(
    code="MP204",
    name=Text("Behaves differently", "行为不同"),
    severity=Severity.WARNING,
    explanation=Text(
        "There is a counterpart, but it does not do quite the same: the message says what differs. Compare "
        "results before relying on it.",
        "存在对应接口，但行为并不完全相同：提示信息会说明差异。使用前请对比结果。",
    ),
    message=with_differences,
    examples=(
        Example(
            before="from torch import nn\n\n\nclass Net(nn.Module):\n    pass\n",
        ),
    ),
)
