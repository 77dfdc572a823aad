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
]


def shown(document: Document) -> list[tuple[int, bytes, str]]:
    return [(piece.start, piece.data, str(piece.root)) for piece in document.pieces]


def test_text_that_parses_is_one_piece() -> None:
    [piece] = Document.open("a", SOUND).pieces
    assert (piece.start, piece.data) == (0, SOUND.encode())


def test_an_error_spoils_its_own_piece_only() -> None:
    document = Document.open("a", SOUND.replace("x = 1", "x = ("))
    assert [piece.root.has_error for piece in document.pieces] == [False, True, False]


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("x = (\ndef f(): pass\n", [0, 6]),
        ("@a\n@b(\n  1)\nclass C: pass\nx = (\n", [0]),
        ('x = (\n"""\ndef f(): pass\n"""\ndef g(): pass\n', [0, 28]),
        ("x = (\rdef f(): pass\r", [0, 6]),
        ("x = (\r\ndef f(): pass\r\n", [0, 7]),
        ("default = (\nclassic = 1\n", [0]),
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


def test_node_at_an_offset() -> None:
    source = "x = (  # first\ndef f():\n    pass  # second\n"
    document = Document.open("a", source)
    for word in ("first", "second"):
        node = document.node_at(source.index(word))
        assert node is not None
        assert node.type == "comment"
