"""A class that is derived from PyTorch's becomes one that is derived from the counterpart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mindport.assess.finding import Example
from mindport.assess.rewrite_plan import RewritePlan
from mindport.assess.structures import Proposal, UseStructure
from mindport.language import Text

if TYPE_CHECKING:
    from mindport.assess.rewrite_plan import PlacedUse, Rewriting
    from mindport.assess.use_context import UseContext
    from mindport.language import Language
    from mindport.uses.use import Use

_RENAMED = Text(
    "Methods of this class and its subclasses in this file are renamed ({names}); rename them in other "
    "files, too. Cells do not call `{first}`.",
    "本类及其在本文件中的派生类的方法会改名（{names}）；其他文件中也须改名。Cell 不会调用 `{first}`。",
)


@dataclass(frozen=True)
class DerivedClass(RewritePlan):
    """The base is replaced, and the methods that the class defines get the names that the counterpart calls
    them by: `overrides`, old and new."""

    overrides: tuple[tuple[str, str], ...]

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        rewriting.rename(placed)
        rewriting.rename_members(placed, dict(self.overrides))

    @property
    def goes_first(self) -> bool:
        return True

    def to_check(self, use: Use, language: Language) -> str:
        names = ", ".join(f"`{old}` → `{new}`" for old, new in self.overrides)
        return _RENAMED.render(language, names=names, first=self.overrides[0][0])


def _propose(context: UseContext) -> Proposal | None:
    use, candidate = context.use, context.candidate
    if use.kind != "base" or use.root is None or candidate is None or candidate.kind != "api":
        return None
    overrides = context.answer.overrides
    return Proposal(DerivedClass(overrides), "review") if overrides else None


STRUCTURE = UseStructure(
    code="MP204",
    precedence=100,
    propose=_propose,
    name=Text("Change the base class", "更换基类"),
    explanation=Text(
        "Replaces the base class and renames the methods that have other names in MindSpore: where the "
        "class or a subclass in this file defines them, and where they are accessed through `self` or "
        "`super()`. Needs review, because other files may have subclasses, too.",
        "替换基类，并为在 MindSpore 中名称不同的方法改名：包括该类及本文件中派生类的定义，以及通过 `self` 或"
        " `super()` 的访问。其他文件中也可能有派生类，因此需要人工确认。",
    ),
    examples=(
        Example(
            before="from torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
            "        return x\n\n    def twice(self, x):\n        return self.forward(self.forward(x))\n",
            after="import mindspore\n\n\nclass Net(mindspore.nn.Cell):\n    def construct(self, x):\n"
            "        return x\n\n    def twice(self, x):\n"
            "        return self.construct(self.construct(x))\n",
        ),
    ),
)
