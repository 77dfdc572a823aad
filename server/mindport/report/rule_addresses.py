"""Where the pages are that explain the codes of findings."""

from __future__ import annotations

from mindport.language import Language

_PAGES = "https://github.com/mindport/mindport/blob/main/docs/rules"


def rule_address(code: str, language: Language) -> str:
    """The address of the page about a code such as `MP101`."""
    return f"{_PAGES}/zh-cn/{code}.md" if language == "zh-cn" else f"{_PAGES}/{code}.md"
