"""What MindSpore does not need is left out: a call within a chain, a statement, a decorator, a guard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mindport.assess.finding import Example
from mindport.assess.rewrite_plan import Blocked, RewritePlan
from mindport.assess.structures import Proposal, UseStructure
from mindport.assess.template_plan import is_plain
from mindport.infer.values import Certainty
from mindport.language import Text
from mindport.source.removal_place import removal_place

if TYPE_CHECKING:
    from mindport.assess.file_answers import FileAnswers
    from mindport.assess.rewrite_plan import PlacedUse, Rewriting
    from mindport.assess.use_context import UseContext
    from mindport.language import Language
    from mindport.uses.use import Use

_REMOVE = Text("Remove {api}", "删除 {api}")
_REMOVED = Text(
    "`{api}` is removed: check that nothing relies on it.", "请确认没有代码依赖 `{api}`：它将被删除。"
)


@dataclass(frozen=True)
class Removal(RewritePlan):
    """What is left out is a statement, a decorator, what a `with` enters; a call of a method that
    `gives_receiver` also within a chain. `receiver_is_plain`: the statement may take the receiver along."""

    gives_receiver: bool
    receiver_is_plain: bool

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        rewriting.leave_out(placed, self.gives_receiver, self.receiver_is_plain)

    def blocked(self, answers: FileAnswers, shift: int, use: Use) -> Blocked | None:
        end = use.call.end if use.call is not None else use.end
        if self.gives_receiver:
            return None
        place = removal_place(answers.document, shift + use.start, shift + end, self.receiver_is_plain)
        return Blocked(None) if place is None else None

    def title(self, use: Use, becomes: str, language: Language) -> str:
        name = use.api.rpartition(".")[2] + ("()" if use.call is not None else "")
        return _REMOVE.render(language, api=name)

    def to_check(self, use: Use, language: Language) -> str:
        return _REMOVED.render(language, api=use.api)


def _propose(context: UseContext) -> Proposal | None:
    use, answer = context.use, context.answer
    if context.candidate is not None or answer.status != "not_needed" or answer.removable is False:
        return None
    if not all(is_plain(argument.source) for argument in use.arguments or ()):
        return None  # evaluating them may do something
    is_method = use.is_call and use.has_receiver
    gives_receiver = is_method and context.returns in ("Self", "Tensor")
    plan = Removal(gives_receiver, not use.has_receiver or use.receiver_is_plain)
    is_safe = gives_receiver or answer.removable is True
    sure = is_safe and use.certainty is not Certainty.POSSIBLE
    return Proposal(plan, "safe" if sure else "review")


STRUCTURE = UseStructure(
    code="MP102",
    precedence=100,
    propose=_propose,
    name=Text("Remove what is not needed", "删除不需要的代码"),
    explanation=Text(
        "Statements and decorators are removed with their line. If a `with` enters other contexts too, "
        "only this one is removed; otherwise the `with` goes and its body is dedented. In a call chain, "
        "only that link is removed. Comments stay, and so does anything that may have side effects.",
        "语句和装饰器整行删除；`with` 若还进入其他上下文，则只删除这一项，"
        "否则删除 `with` 并减少其主体的缩进；链式调用则只删除其中一环。"
        "注释会保留，求值可能有副作用的部分也会保留。",
    ),
    examples=(
        Example(
            before="import torch\n\n\ndef f(x: torch.Tensor):\n    with torch.no_grad():\n"
            "        return x.cuda().float()  # on the device\n",
            after="import mindspore\n\n\ndef f(x: mindspore.Tensor):\n"
            "    return x.float()  # on the device\n",
        ),
    ),
)
