"""Comments that silence findings: where they are written, and that what is written silences."""

from __future__ import annotations

import pytest
from mindport.assess.file_findings import Suppressions
from mindport.rewrite.suppress import ignore_edit
from mindport.source.document import Document


def silenced(text: str, at: str, code: str = "MP201") -> str | None:
    """The text after silencing `code` where it reads `at`; None if that cannot be done."""
    document = Document.open("untitled:x", text)
    edit = ignore_edit(document, text.encode().index(at.encode()), code)
    if edit is None:
        return None
    data = document.data
    return (data[: edit.start] + edit.new_text.encode() + data[edit.end :]).decode()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f(x)", "f(x)  # mindport: ignore[MP201]"),
        ("f(x)\ng(y)\n", "f(x)  # mindport: ignore[MP201]\ng(y)\n"),
        ("f(x)\r\ng(y)\r\n", "f(x)  # mindport: ignore[MP201]\r\ng(y)\r\n"),
        ("f(x)\rg(y)\r", "f(x)  # mindport: ignore[MP201]\rg(y)\r"),
        ("f(x) \t \n", "f(x)  # mindport: ignore[MP201]\n"),
        ("f(x)  # 说明 😀\n", "f(x)  # 说明 😀  # mindport: ignore[MP201]\n"),
        ("f(x)  # noqa: E501 \r\n", "f(x)  # noqa: E501  # mindport: ignore[MP201]\r\n"),
        ("f(x)  # mindport: ignore[MP101]\n", "f(x)  # mindport: ignore[MP101, MP201]\n"),
        ("f(x)  # mindport: ignore[MP101, MP3] why\n", "f(x)  # mindport: ignore[MP101, MP3, MP201] why\n"),
        ("f(x)  # 一  # mindport:ignore [MP101]\n", "f(x)  # 一  # mindport:ignore [MP101, MP201]\n"),
        ("f(x)\f\n", "f(x)\f  # mindport: ignore[MP201]\n"),
        ("f(x)\u2028\n", "f(x)\u2028  # mindport: ignore[MP201]\n"),
        ("f(x, '#')\n", "f(x, '#')  # mindport: ignore[MP201]\n"),
        ("g(f(x),\n  y)\n", "g(f(x),  # mindport: ignore[MP201]\n  y)\n"),
        ('a = """b\n""" + f(x)\n', 'a = """b\n""" + f(x)  # mindport: ignore[MP201]\n'),
        ("('a'  \n  'b' + f(x))\n", "('a'  \n  'b' + f(x))  # mindport: ignore[MP201]\n"),
        ("f(x)  # ends with \\\n", "f(x)  # ends with \\  # mindport: ignore[MP201]\n"),
        ("f(x  \n", "f(x  # mindport: ignore[MP201]\n"),
    ],
)
def test_the_comment_goes_to_the_end_of_the_line(text, expected):
    assert silenced(text, "f(x") == expected
    document = Document.open("untitled:x", expected)
    line = document.lines.line_of(expected.encode().index(b"f(x"))
    assert Suppressions.of(document).covers(line, "MP201")


@pytest.mark.parametrize(
    "text",
    [
        'f(x, """a\nb""")\n',
        "f(x, '''\n''')\n",
        'f(x, f"""{y}\n""")\n',
        "f(x) + \\\n  y\n",
        "f(x)  # mindport: ignore[MP201]\n",
        "f(x)  # mindport: ignore\n",
        "f(x)  # mindport: ignore-file\n",
    ],
)
def test_no_comment_where_it_cannot_stand_or_is_not_needed(text):
    assert silenced(text, "f(x") is None
