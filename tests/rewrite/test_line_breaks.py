"""Lines that conversion makes too long are broken within brackets, and mean the same."""

from __future__ import annotations

import ast

import pytest
from mindport.rewrite.line_breaks import with_line_breaks

WORD = "a" * 40
CASES = {
    "what fits in a line of its own": (
        f"    return first({WORD}).second({WORD}, {WORD})  # why\n",
        f"    return first({WORD}).second(\n        {WORD}, {WORD}\n    )  # why\n",
    ),
    "one argument in each line": (
        f"    x = f({WORD}, {WORD}, [{WORD}, 1])\r\n",
        f"    x = f(\r\n        {WORD},\r\n        {WORD},\r\n        [{WORD}, 1]\r\n    )\r\n",
    ),
    "brackets within": (
        f"    x = f({WORD}=g({WORD}, {WORD}, {WORD}), b=2)\n",
        f"    x = f(\n        {WORD}=g(\n            {WORD},\n            {WORD},\n            {WORD}\n        ),\n"
        "        b=2\n    )\n",
    ),
    "an index": (
        f"    x = y[{WORD}, {WORD}:{WORD}]\n",
        f"    x = y[\n        {WORD},\n        {WORD}:{WORD}\n    ]\n",
    ),
    "tabs": (
        f"\treturn f({WORD}, {WORD}, {WORD})\n",
        f"\treturn f(\n\t\t{WORD},\n\t\t{WORD},\n\t\t{WORD}\n\t)\n",
    ),
    "brackets that other lines close": (
        f"    x = f({WORD}, {WORD}, {WORD},\n          b)\n",
        f"    x = f({WORD}, {WORD},\n          {WORD},\n          b)\n",
    ),
    "a comma at the end": (
        f"    x = f({WORD}, {WORD}, {WORD},  # why\n          b)\n",
        f"    x = f({WORD}, {WORD},\n          {WORD},  # why\n          b)\n",
    ),
    "brackets of other lines": (
        f"    x = f(\n        {WORD}, {WORD}, {WORD},\n        b)\n",
        f"    x = f(\n        {WORD}, {WORD},\n        {WORD},\n        b)\n",
    ),
    "a line that was there": (f"    known({WORD}, {WORD}, {WORD})\n",) * 2,
    "a short line": ("    x = f(1, 2)\n",) * 2,
    "a text": (f"    x = '{WORD} f(1) {WORD} {WORD}'\n",) * 2,
    "a formatted text": (f"    x = f'{{g(1, 2)}} {WORD} {WORD} {WORD}'\n",) * 2,
    "within a long text": (f'    """\n    f({WORD}, {WORD}, {WORD})\n    """\n',) * 2,
    "after a long text": (
        f'    """\n    )]\n    """; f({WORD}, {WORD}, {WORD})\n',
        f'    """\n    )]\n    """; f({WORD}, {WORD}, {WORD})\n',
    ),
    "texts and comments with brackets": (
        f"    x = f(  # )\n        '\\'(', r\"\\\"[\", {WORD}, {WORD}, {WORD})\n",
        f"    x = f(  # )\n        '\\'(', r\"\\\"[\", {WORD},\n        {WORD}, {WORD})\n",
    ),
    "a comment": (f"    pass  # f({WORD}, {WORD}, {WORD})\n",) * 2,
    "nothing to break at": (f"    {WORD}{WORD}{WORD} = f()\n",) * 2,
}


@pytest.mark.parametrize("name", CASES)
def test_lines_are_broken(name: str) -> None:
    line, broken = CASES[name]
    before = f"def function():\n{line if 'was there' in name else '    pass'}\n"
    after = f"def function():\n{line}"
    found = with_line_breaks(before.encode(), after.encode()).decode()
    assert found == f"def function():\n{broken}"
    assert ast.dump(ast.parse(found)) == ast.dump(ast.parse(after))


def test_the_file_has_its_own_habit() -> None:
    habit = f"x = f({WORD}, {WORD}, 1)  # {'b' * 20}\n"
    assert len(habit) > 110
    line = f"y = f({WORD}, {WORD}, 1) + {'c' * 18}\n"
    assert with_line_breaks(habit.encode(), line.encode()) == line.encode()


def test_what_does_not_parse_stays() -> None:
    line = f"x = f({WORD}, {WORD}, {WORD}))\n".encode()
    assert with_line_breaks(b"", line) == line
    assert with_line_breaks(b"", b"\xff" * 200) == b"\xff" * 200
