"""Where the pages are that explain the codes of findings."""

from __future__ import annotations

_PAGES = "https://github.com/mindport/mindport/blob/main/docs/rules/"


def rule_page(code: str) -> str:
    """The address of the page about a code such as `MP101`."""
    return f"{_PAGES}{code}.md"
