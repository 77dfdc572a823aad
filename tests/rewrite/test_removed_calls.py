"""Calls that are not needed go; the chain around them and every comment stays."""

from __future__ import annotations

import io
import tokenize

import pytest
from findings import fixed

CASES = {
    "in a chain": ("y = x.cuda().float()", "y = x.float()"),
    "at the end of a chain": ("y = x.float().cuda()", "y = x.float()"),
    "two in a row": ("y = x.cuda().cpu().float()", "y = x.float()"),
    "blanks around the dots": ("y = x . cuda ( ) . float ( )", "y = x . float ( )"),
    "a receiver in brackets": ("y = (x).cuda()", "y = (x)"),
    "next to operators": ("y = -x.cuda() ** 2", "y = -x ** 2"),
    "an item of it": ("y = x.cuda()[0]", "y = x[0]"),
    "in a comprehension": ("y = [i.cuda() for i in [x]]", "y = [i for i in [x]]"),
    "the only statement of a block": ("if x:\n    x.cuda()\ny = 1", "if x:\n    pass\ny = 1"),
    "on a line of its own in a chain": (
        "y = (x.float()\n     .cuda()\n     .sum())",
        "y = (x.float()\n     .sum())",
    ),
    "a comment before the dot": (
        "y = (x.float()  # a\n     .cuda()\n     .sum())",
        "y = (x.float()  # a\n     .sum())",
    ),
    "a comment before the dot, and more on the line": (
        "y = (x.float()  # a. b\n     .cuda().sum())",
        "y = (x.float()  # a. b\n     .sum())",
    ),
    "comments before and behind": (
        "y = (x.float()  # a\n     .cuda()  # b\n     .sum())",
        "y = (x.float()  # a\n       # b\n     .sum())",
    ),
    "a comment between the brackets": ("y = x.cuda(  # a\n    0).float()", None),
    "a comment behind the dot": ("y = (x.  # e.g.\n     cuda().float())", None),
    "a comment on its line": ("x.cuda()  # a", None),
}
"""None: it stays as it is."""


def comments(source: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("name", CASES)
def test_call_is_removed(name: str, newline: str) -> None:
    before, after = CASES[name]
    head = "import torch\nfrom a import g\nx = torch.abs(g)\n"
    source = (head + before + "\n").replace("\n", newline)
    result = fixed(source)
    body = result.replace(newline, "\n").split("(g)\n", 1)[1]
    assert body == (before if after is None else after) + "\n"
    assert comments(result) == comments(source)
    assert fixed(result) == result
