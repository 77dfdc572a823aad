"""Lines that are aligned with a bracket follow it, and what the module means stays the same."""

from __future__ import annotations

import re

import pytest
from mindport.rewrite.continuation_lines import with_aligned_lines
from mindport.rewrite.edit import Edit, applied

NAMES = {"F.relu": "helpers.relu", "long.name": "n", "gone(1, ": "", "whole(1)": "other", "first, ": ""}
WORD = "a" * 40
CASES = {
    "further right": ("y = F.relu(a,\n           b)\n", "y = helpers.relu(a,\n                 b)\n"),
    "further left": ("y = long.name(a,\n              b)\n", "y = n(a,\n      b)\n"),
    "ends of Windows": (
        "y = F.relu(a,\r\n           b)\r\n",
        "y = helpers.relu(a,\r\n                 b)\r\n",
    ),
    "characters, not bytes": (
        "y = '中文', F.relu(a,\n                 b)\n",
        "y = '中文', helpers.relu(a,\n                       b)\n",
    ),
    "a line that begins with what is replaced": (
        "y = F.relu(a,\n           F.relu(b))\n",
        "y = helpers.relu(a,\n                 helpers.relu(b))\n",
    ),
    "lines within": (
        "y = F.relu(a,\n           g(\n               b,\n           ),\n           # why\n\n           c)\n",
        "y = helpers.relu(a,\n                 g(\n                     b,\n                 ),\n"
        "                 # why\n\n                 c)\n",
    ),
    "brackets in brackets": (
        "y = g(F.relu(a,\n             b),\n      F.relu([c,\n              d]))\n",
        "y = g(helpers.relu(a,\n                   b),\n      helpers.relu([c,\n                    d]))\n",
    ),
    "a bracket that moves twice": (
        "y = F.relu(a,\n           F.relu(b,\n                  c))\n",
        "y = helpers.relu(a,\n                 helpers.relu(b,\n                              c))\n",
    ),
    "what closes": ("y = F.relu(a,\n          )\n", "y = helpers.relu(a,\n                )\n"),
    "lines that are not aligned": ("y = F.relu(a,\n    b)\n", "y = helpers.relu(a,\n    b)\n"),
    "lines that hang": ("y = F.relu(\n    a,\n    b)\n", "y = helpers.relu(\n    a,\n    b)\n"),
    "brackets with a comment": (
        "y = F.relu(  # why\n           a)\n",
        "y = helpers.relu(  # why\n           a)\n",
    ),
    "tabs": ("y = F.relu(a,\n\t   b)\n", "y = helpers.relu(a,\n\t   b)\n"),
    "a text": (
        "y = F.relu('''a\n           b''',\n           c)\n",
        "y = helpers.relu('''a\n           b''',\n                 c)\n",
    ),
    "brackets that go": ("y = gone(1, b +\n         c\n", "y = b +\n         c\n"),
    "brackets that are replaced": ("y = (whole(1),\n     b)\n", "y = (other,\n     b)\n"),
    "brackets that nothing follows": ("y = f(first, \n      b)\n", "y = f(\n      b)\n"),
    "too long a line": (
        f"y = F.relu(a,\n           {WORD}, {WORD}, {'b' * 24})\n",
        f"y = helpers.relu(a,\n           {WORD}, {WORD}, {'b' * 24})\n",
    ),
    "too long a line within": (
        f"y = F.relu(a,\n           g({WORD}, {WORD},\n             {WORD}, {WORD}, {'b' * 22}))\n",
        f"y = helpers.relu(a,\n           g({WORD}, {WORD},\n             {WORD}, {WORD}, {'b' * 22}))\n",
    ),
    "a formatted text that looks like two": (
        "y = f'{d['F.relu(a,']}' + F.relu(a,\n                                 b)\n",
        "y = f'{d['helpers.relu(a,']}' + helpers.relu(a,\n                                 b)\n",
    ),
}


def edits_of(text: str) -> list[Edit]:
    """The edits that replace each of the names above."""
    found = re.finditer("|".join(map(re.escape, NAMES)), text)
    places = [(len(text[: one.start()].encode()), one[0]) for one in found]
    return [Edit(start, start + len(name.encode()), NAMES[name]) for start, name in places]


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=list(CASES))
def test_lines_follow_their_bracket(before: str, after: str) -> None:
    data = before.encode()
    assert applied(data, with_aligned_lines(data, edits_of(before))).decode() == after


def test_edits_that_move_nothing_stay_as_they_are() -> None:
    data = b"y = F.relu(a)\n"
    edits = edits_of(data.decode())
    assert with_aligned_lines(data, edits) is edits
    assert with_aligned_lines(data, ()) == ()


def test_an_edit_of_the_indentation_is_left_alone() -> None:
    data = b"y = F.relu(a,\n           b)\n"
    edits = [*edits_of(data.decode()), Edit(14, 25, "  ")]
    assert applied(data, with_aligned_lines(data, edits)) == b"y = helpers.relu(a,\n  b)\n"
