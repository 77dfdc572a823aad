"""What a person has to check about a fix that is not known to keep what the code does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.assess.rewrite_plan import BasePlan, CallPlan, Removal
from mindport.infer.values import Certainty
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.assess.finding import Finding
    from mindport.catalog.differences import Difference

_RECEIVER = Text(
    "Check that the receiver is a torch.Tensor: only the name `{name}` suggests so.",
    "请确认接收者是 torch.Tensor：目前仅由名称 `{name}` 推测。",
)
_DIFFERS = Text(
    "Check whether this matters here: {differences}", "请确认以下差异在此处是否有影响：{differences}"
)
_REMOVED = Text(
    "Check that nothing relies on `{api}`: it is removed.", "请确认没有代码依赖 `{api}`：它将被删除。"
)
_DERIVED = Text(
    "Methods of this class and of those derived from it in this file are renamed ({names}): rename them in "
    "other files, too. A cell does not call `{first}`.",
    "本类及本文件中派生类的方法会改名（{names}）：其他文件中的派生类也须改名。Cell 不会调用 `{first}`。",
)
_WAITS = Text(
    "Classes in this file still derive from PyTorch classes: convert the whole file together.",
    "此文件中的类仍继承自 PyTorch 的类：请整体转换该文件。",
)
_NOT_PROVEN = Text(
    "Compare the results: nothing has shown yet that `{target}` gives the same as `{api}`.",
    "请比较结果：尚无证据表明 `{target}` 与 `{api}` 的结果相同。",
)


def what_to_check(finding: Finding, language: Language) -> str:
    """The sentences for a fix to review: who owns the method, and what differs after the rewrite."""
    sentences = []
    use = finding.use
    if use.certainty is Certainty.POSSIBLE:
        sentences.append(_RECEIVER.render(language, name=use.api.rpartition(".")[2]))
    separator = "" if language == "zh-cn" else " "
    left = _left(finding)
    if isinstance(finding.plan, BasePlan):
        names = ", ".join(f"`{old}` → `{new}`" for old, new in finding.plan.overrides)
        sentences.append(_DERIVED.render(language, names=names, first=finding.plan.overrides[0][0]))
    if isinstance(finding.plan, Removal):
        sentences.append(_REMOVED.render(language, api=use.api))
        if finding.reason is not None:
            sentences.append(finding.reason.render(language))
    elif finding.waits:
        sentences.append(_WAITS.render(language))
    elif left:
        differences = separator.join(difference.sentence(language) for difference in left)
        sentences.append(_DIFFERS.render(language, differences=differences))
    elif finding.blocker is not None:
        sentences.append(finding.blocker.render(language))
    elif not sentences:
        sentences.append(_NOT_PROVEN.render(language, target=finding.candidate_text, api=use.api))
    return separator.join(sentences)


def _left(finding: Finding) -> list[Difference]:
    """The differences that the rewrite does not settle."""
    settled = finding.plan.settled if isinstance(finding.plan, CallPlan) else ()
    return [difference for difference in finding.differences if difference not in settled]
