"""Sentences that several rules share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.assess.finding import Finding

BECOMES_BUT = Text(
    "`{api}` becomes `{target}`, but: {differences}", "`{api}` 对应 `{target}`，但是：{differences}"
)


def with_differences(finding: Finding, language: Language) -> str:
    """What the API becomes, and every difference that matters here."""
    separator = "" if language == "zh-cn" else " "
    sentences = separator.join(difference.sentence(language) for difference in finding.differences)
    return BECOMES_BUT.render(
        language, api=finding.use.api, target=finding.candidate_text, differences=sentences
    )
