"""Texts that are not parsed: those that are too large, and large ones that are no code at all. Recovering
from an error at every turn takes seconds and hundreds of megabytes."""

from __future__ import annotations

import re
from typing import Final

from mindport.language import Text
from mindport.source.error import TextError

SMALL_BYTES: Final = 256 * 1024
"""Texts of no more bytes are parsed whatever they are."""
_BYTES_FOR_ONE: Final = 512
"""A closing bracket that closes nothing in so many bytes is too often. Half-typed code has a few in all;
prose that a quote makes look like code, one in many thousand bytes."""
_MOST_OPEN: Final = 10_000
"""Nor are so many brackets open at once."""
_NEAR: Final = 20
"""A bracket may close one that was opened so many before it: those between were left open."""
_SCANNED: Final = re.compile(
    rb'"""(?:\\.|[^\\])*?(?:"""|\Z)|'
    rb"'''(?:\\.|[^\\])*?(?:'''|\Z)|"
    rb'"(?:\\.|[^"\\\n])*"?|'
    rb"'(?:\\.|[^'\\\n])*'?|"
    rb"#[^\n]*|"
    rb"[()\[\]{}]",
    re.DOTALL,
)
_OPENING: Final = {b")": b"(", b"]": b"[", b"}": b"{"}

_NO_CODE = Text(
    "Not analyzed: this text ({size} bytes) is not Python code; its brackets repeatedly do not match.",
    "未作分析：此文本（{size} 字节）不是 Python 代码，其中的括号多处不配对。",
)
_TOO_LARGE = Text(
    "Not analyzed: this text has {size} bytes; the limit for open documents is {limit} bytes. Use "
    "`mindport scan` for larger files.",
    "未作分析：此文本有 {size} 字节，已打开文档的上限为 {limit} 字节。更大的文件可用 `mindport scan` 分析。",
)


def refusal(data: bytes, limit: int | None) -> TextError | None:
    """Why a text is not parsed; None if it is. `limit` is the most bytes that are looked at, if any."""
    if limit is not None and len(data) > limit:
        return TextError(_TOO_LARGE, size=len(data), limit=limit)
    if len(data) > SMALL_BYTES and _is_no_code(data):
        return TextError(_NO_CODE, size=len(data))
    return None


def _is_no_code(data: bytes) -> bool:
    """Whether brackets close nothing, again and again. Strings and comments do not count."""
    most = len(data) // _BYTES_FOR_ONE
    unmatched, quoted = 0, 0
    open_brackets: list[bytes] = []
    for match in _SCANNED.finditer(data):
        found = match[0]
        if len(found) > 1:
            quoted += len(found)
            continue
        opening = _OPENING.get(found)
        if opening is None:
            open_brackets.append(found)
        elif open_brackets and open_brackets[-1] == opening:
            open_brackets.pop()
        else:
            unmatched += 1
            if opening in open_brackets[-_NEAR:]:
                while open_brackets.pop() != opening:
                    pass
        if unmatched > most or len(open_brackets) > _MOST_OPEN:
            return True
    return unmatched > (len(data) - quoted) // _BYTES_FOR_ONE and len(data) - quoted > SMALL_BYTES
