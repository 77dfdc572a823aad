"""A Tensor that is given a format becomes the number in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mindport.assess.code_context import BodyContext
from mindport.assess.finding import Example
from mindport.assess.rewrite_plan import RewritePlan
from mindport.assess.structures import CodeStructure, Proposal
from mindport.infer.values import Certainty
from mindport.language import Text

if TYPE_CHECKING:
    from mindport.assess.code_context import Spotted
    from mindport.assess.rewrite_plan import PlacedUse, Rewriting
    from mindport.language import Language
    from mindport.uses.use import Use

KIND = "formatted Tensor"
"""What the rule calls such a statement."""
_TITLE = Text("Add `.item()`", "添加 `.item()`")
_CHECK = Text("It has to be a Tensor: nothing but its use says so.", "请确认它是 Tensor：只能从用法推测。")
_PRIMARY = ("identifier", "attribute", "subscript", "call", "parenthesized_expression")
"""Expressions that a member can be asked of without brackets around them."""


@dataclass(frozen=True)
class AsNumber(RewritePlan):
    """The expression gets `.item()` behind it; `in_brackets`, brackets around it."""

    in_brackets: bool

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        text = rewriting.text(placed.start, placed.end)
        number = f"({text}).item()" if self.in_brackets else f"{text}.item()"
        rewriting.replace_all(placed.start, placed.end, number)

    @property
    def goes_last(self) -> bool:
        return True

    def title(self, use: Use, becomes: str, language: Language) -> str:
        return _TITLE.render(language)

    def to_check(self, use: Use, language: Language) -> str:
        return _CHECK.render(language)


def _propose(context: BodyContext, spotted: Spotted) -> Proposal | None:
    node = spotted.node
    inside = node.parent
    if spotted.kind != KIND or inside is None:
        return None
    if inside.type == "interpolation" and any(child.type == "=" for child in inside.children):
        return None  # f"{loss=:.4f}" prints the expression, too
    is_sure = spotted.certainty is not Certainty.POSSIBLE
    return Proposal(AsNumber(node.type not in _PRIMARY), "safe" if is_sure else "review")


STRUCTURE = CodeStructure(
    code="MP208",
    looks_at=BodyContext,
    propose=_propose,
    name=Text("Format the number in a Tensor", "格式化 Tensor 中的数值"),
    explanation=Text(
        "A Tensor that is given a format, in an f-string, by `str.format` or by `format`, gets `.item()`. "
        "PyTorch formats only Tensors without dimensions, and as the number that `.item()` gives.",
        "在 f-string、`str.format` 或 `format` 中带格式的 Tensor 会加上 `.item()`。"
        "PyTorch 只能格式化零维 Tensor，且格式化的正是 `.item()` 给出的数值。",
    ),
    examples=(
        Example(
            before="import torch\n\n\ndef told(losses: torch.Tensor):\n"
            '    return f"{losses.mean():.4f} {-losses[0]:.2f}", "{:.3f}".format(losses[1])\n',
            after="import mindspore\n\n\ndef told(losses: mindspore.Tensor):\n"
            '    return f"{losses.mean().item():.4f} {(-losses[0]).item():.2f}", '
            '"{:.3f}".format(losses[1].item())\n',
        ),
    ),
)
