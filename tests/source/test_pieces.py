"""Text that does not parse is cut into pieces, the same after any edits as from scratch."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mindport.source.document import Change, Document
from mindport.source.pieces import Known, cut

SOUND = "import a\n\n\n@b\nclass C:\n    x = 1\n\n\ndef d():\n    return 1\n"
LINES = [
    "def f():\n",
    "class A:\n",
    "    x = (1,\n",
    "    return 2\n",
    "@dec(\n",
    ")\n",
    '"""\n',
    "import a\r\n",
    "async def g(): pass\r",
    "x = $\n",
    "# 中文\n",
    "\n",
    "    def m(self):\n",
    "        y = foo(\n",
    "        pass\n",
    "    '\n",
    "else:\n",
    "    elif a\n",
    "try\n",
    "x = 1 \\\n",
    "    @\n",
]


def shown(document: Document) -> list[tuple[int, bytes, str, bool]]:
    return [
        (start, piece.data, str(piece.root), piece.is_sound)
        for whole in document.pieces
        for start, piece in whole.all()
    ]


def fragments(text: str) -> list[str]:
    """What in a text is broken."""
    return [
        text.encode()[start : start + len(piece.data)].decode().strip()
        for whole in Document.open("a", text).pieces
        for start, piece in whole.all()
        if not (piece.is_sound or piece.fragments or piece.members)
    ]


def test_text_that_parses_is_one_piece() -> None:
    [piece] = Document.open("a", SOUND).pieces
    assert (piece.start, piece.data) == (0, SOUND.encode())


def test_an_error_spoils_its_own_piece_only() -> None:
    document = Document.open("a", SOUND.replace("x = 1", "x = ("))
    assert [piece.is_sound for piece in document.pieces] == [True, False, True]


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("x = (\ndef f(): pass\n", [0, 6]),
        ("@a\n@b(\n  1)\nclass C: pass\nx = (\n", [0, 26]),
        ('x = (\n"""\ndef f(): pass\n"""\ndef g(): pass\n', [0, 6, 28]),
        ("x = (\rdef f(): pass\r", [0, 6]),
        ("x = (\r\ndef f(): pass\r\n", [0, 7]),
        ("default = (\nclassic = 1\n", [0, 12]),
        ("x = (\ny = [\n1,\n2\n]\nz = 1\n", [0, 6, 19]),
        ("if a:\n  b\nelse:\n  c\nx = (\ny\n", [0, 20, 26]),
        ('x = """\na\nb\n\nc\n', [0, 13]),
        ("f()\n)\ng()\n", [0, 4, 6]),
        ("x = 1 + \\\n2\ny = (\n", [0, 12]),
    ],
)
def test_where_pieces_start(text: str, starts: list[int]) -> None:
    pieces, _ = cut(text.encode(), Known())
    assert [piece.start for piece in pieces] == starts
    assert b"".join(piece.data for piece in pieces) == text.encode()


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(LINES), max_size=12),
    st.lists(
        st.tuples(st.integers(0, 12), st.integers(0, 3), st.sampled_from([*LINES, "q", "("]), st.booleans()),
        max_size=6,
    ),
)
def test_the_same_after_edits_as_from_scratch(
    lines: list[str], edits: list[tuple[int, int, str, bool]]
) -> None:
    document = Document.open("a", "".join(lines))
    for line, count, text, look in edits:
        last = document.lines.line_count - 1
        start, end = min(line, last), min(line + count, last)
        document = document.apply([Change((start, 0), (end, 0), text)], None, "utf-16")
        if look:
            assert shown(document) == shown(Document.open("a", document.data))
    assert shown(document) == shown(Document.open("a", document.data))


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("def f():\n    a = 1\n    b = (\n    return a\n", ["b = ("]),
        ("def f():\n    if a\n    return a\n", ["if a"]),
        ("def f(a, b\n    return a\n", ["def f(a, b"]),
        ("class A:\n    x = 1\n    def f(\n    def g(self): pass\n", ["def f("]),
        ("class A:\n    def f(self):\n        x[\n\n    def g(self): pass\n\ndef (\n", ["x[", "def ("]),
        ("def f():\n    try\n        a\n    except $:\n        b\n", ["try", "except $:"]),
        ('def f():\n    """Doc\n    text.\n\n    return 1\n', ['"""Doc\n    text.']),
        ("def f():\n    while a:\n        with b:\n            x = [\n        y = 1\n", ["x = ["]),
        ("def f():\n    if a:\n        b\n    x = (\n    else:\n        c\n", ["x = ("]),
        ("@\ndef f():\n    pass\n", ["@"]),
        ("def f():\n    match a:\n        case 1:\n            x = (\n        case 2: pass\n", ["x = ("]),
    ],
)
def test_what_is_broken(text: str, broken: list[str]) -> None:
    for ends in ("\n", "\r\n", "\r"):
        assert fragments(text.replace("\n", ends)) == [one.replace("\n", ends) for one in broken]


def test_everything_has_its_place_in_a_text_with_broken_statements() -> None:
    source = "class A:\n    a = 1\n    def f(x\n        中 = $ $\n        return bcd\n    efg = 1\n"
    document = Document.open("a", source)
    for word in ("bcd", "efg"):
        offset = len(source[: source.index(word)].encode())
        node, found = document.node_at(offset), document.piece_at(offset)
        assert node is not None
        assert found is not None
        assert document.data[found[0] + node.start_byte : found[0] + node.end_byte] == word.encode()


def test_hopeless_text_is_cut_in_bounded_depth() -> None:
    nested = "".join(" " * depth + "if a:\n" for depth in range(300)) + " " * 300 + "x = (\n"
    many = "def f():\n" + "    x = (\n" * 1000
    for text in (nested, many):
        assert "".join(piece.data.decode() for piece in Document.open("a", text).pieces) == text


def test_node_at_an_offset() -> None:
    source = "x = (  # first\ndef f():\n    pass  # second\n"
    document = Document.open("a", source)
    for word in ("first", "second"):
        node = document.node_at(source.index(word))
        assert node is not None
        assert node.type == "comment"
