"""What IPython understands and Python does not is blanked out, byte for byte."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mindport.source.notebook_magics import blank_magics
from mindport.source.syntax import parse


@pytest.mark.parametrize(
    ("cell", "blanked"),
    [
        ("%matplotlib inline\nx = 1", " " * 18 + "\nx = 1"),
        ("!pip install torch 火\nx", " " * 22 + "\nx"),
        ("!pip install \\\n  torch\nx", " " * 14 + "\n" + " " * 7 + "\nx"),
        ("if x:\n    %time f()\nelse:\n    !ls", "if x:\n    0        \nelse:\n    0  "),
        ("files = !ls *.py\nt = %time f()", "files = _       \nt = _        "),
        ("torch.nn.Conv2d?\n?torch\ntorch.cat??\nx", " " * 16 + "\n" + " " * 6 + "\n" + " " * 11 + "\nx"),
        ("%%time\nx = torch.ones(1)\n%cd ..", " " * 6 + "\nx = torch.ones(1)\n" + " " * 6),
        ("%%bash\nfor f in *; do echo $f; done", " " * 6 + "\n" + " " * 28),
        ("\n%%writefile a.py\nimport torch", "\n" + " " * 16 + "\n" + " " * 12),
    ],
)
def test_blanked(cell: str, blanked: str) -> None:
    assert blank_magics(cell.encode()).decode() == blanked


@pytest.mark.parametrize(
    "cell",
    [
        "x = (a\n% b)",
        "x = [\n  !1\n]",
        'text = """\n%matplotlib inline\n!ls\n"""',
        "x = a \\\n% b",
        "# why?\nx = 'what?'  # %time",
        "if a != b and c % d:\n    print('!')",
        'x = f"{a!r:%d}"',
        "y = await f(x)\nasync with a as b:\n    pass",
    ],
)
def test_python_stays(cell: str) -> None:
    assert blank_magics(cell.encode()).decode() == cell


@pytest.mark.parametrize(
    "cell",
    ["try:\n    import torch\nexcept ImportError:\n    !pip install torch\n", "%%time\n%cd a\nx = !ls\n"],
)
def test_what_is_left_parses(cell: str) -> None:
    ast.parse(blank_magics(cell.encode()))


PARTS = st.sampled_from(
    [
        "%time",
        "%%",
        "!ls",
        "?",
        "x",
        " = ",
        "\n",
        "\r\n",
        "\r",
        "    ",
        "(",
        ")",
        '"""',
        "'",
        "\\",
        "#",
        "é",
        "😀",
        "if x:",
        "[",
        "{",
    ]
)


@given(st.lists(PARTS, max_size=25).map("".join))
def test_lines_and_offsets_stay(cell: str) -> None:
    data = cell.encode()
    blanked = blank_magics(data)
    assert len(blanked) == len(data)
    ends = re.compile(rb"\r\n|\r|\n")
    assert [found.span() for found in ends.finditer(blanked)] == [
        found.span() for found in ends.finditer(data)
    ]
    parse(blanked)
