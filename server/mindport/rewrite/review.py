"""What a person has to check about a fix that is not known to keep what the code does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.infer.values import Certainty
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.assess.finding import Finding
    from mindport.catalog.differences import Difference

_RECEIVER = Text(
    "Check that this is a torch.Tensor: only the name `{name}` suggests it.",
    "请确认该对象是 torch.Tensor：目前仅由名称 `{name}` 推测。",
)
_DIFFERS = Text(
    "Check whether this matters here: {differences}", "请确认以下差异在此处是否有影响：{differences}"
)
_WAITS = Text(
    "Classes in this file still derive from PyTorch classes: convert the whole file together.",
    "此文件中的类仍继承自 PyTorch 的类：请整体转换该文件。",
)
_NOT_PROVEN = Text(
    "Compare the results: `{target}` has not been verified to match `{api}`.",
    "请比较结果：尚未验证 `{target}` 与 `{api}` 的结果相同。",
)


def what_to_check(finding: Finding, language: Language) -> str:
    """The sentences for a fix to review: who owns the method, and what differs after the rewrite."""
    sentences = []
    use = finding.use
    if use.certainty is Certainty.POSSIBLE:
        sentences.append(_RECEIVER.render(language, name=use.api.rpartition(".")[2]))
    separator = "" if language == "zh-cn" else " "
    left = _left(finding)
    said = finding.plan.to_check(use, language) if finding.plan is not None else ""
    if said:
        sentences.append(said)
    if finding.plan is not None and finding.candidate is None:  # nothing takes its place
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
        sentences.append(_NOT_PROVEN.render(language, target=finding.becomes, api=use.api))
    return separator.join(sentences)


_LONGEST = 80
"""Of what a title says is to be checked, so much is read in a menu."""
_RECEIVER_IN_TITLE = Text("is this a Tensor?", "是否为 Tensor？")
_WAITS_IN_TITLE = Text("convert the whole file together", "请整体转换该文件")
_NOT_PROVEN_IN_TITLE = Text("compare the results", "请比较结果")


def check_in_title(finding: Finding, language: Language) -> str:
    """The first thing to check about a fix to review, in a few words; `what_to_check` says all."""
    left = _left(finding)
    takes_place = finding.plan is None or finding.candidate is not None
    if finding.use.certainty is Certainty.POSSIBLE:
        return _RECEIVER_IN_TITLE.render(language)
    if finding.waits and takes_place:
        return _WAITS_IN_TITLE.render(language)
    said = finding.plan.to_check(finding.use, language) if finding.plan is not None else ""
    if not said and left and takes_place:
        said = left[0].sentence(language)
    if not said and (reason := finding.blocker if takes_place else finding.reason) is not None:
        said = reason.render(language)
    return _shortened(said) if said else _NOT_PROVEN_IN_TITLE.render(language)


def _shortened(text: str) -> str:
    text = text.rstrip(".。")
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"


def _left(finding: Finding) -> list[Difference]:
    """The differences that the rewrite does not settle."""
    plan = finding.plan
    return [one for one in finding.differences if plan is None or not plan.settles(one)]
