"""Markdown as plain text, for clients that show nothing else."""

from __future__ import annotations

import re

_FENCE = re.compile(r"^[ \t]*```.*$\n?", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6} +", re.MULTILINE)
_RULE = re.compile(r"^(?:---|\*\*\*)$", re.MULTILINE)
_TABLE_RULE = re.compile(r"^\|(?:[ :-]+\|)+[ \t]*$\n?", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]*)\)")
_EMPHASIS = re.compile(r"(?<!\\)(\*\*|__|`)")
_ESCAPE = re.compile(r"\\([\\`*_\[\]<>#|])")
_BLANK_LINES = re.compile(r"\n{3,}")


def plain_text(markdown: str) -> str:
    """The text of a page of Markdown as we write it: links keep their address, tables their bars."""
    text = _FENCE.sub("", markdown)
    text = _TABLE_RULE.sub("", text)
    text = _RULE.sub("", _HEADING.sub("", text))
    text = _LINK.sub(r"\1 (\2)", text)
    text = _EMPHASIS.sub("", text)
    return _BLANK_LINES.sub("\n\n", _ESCAPE.sub(r"\1", text)).strip()
