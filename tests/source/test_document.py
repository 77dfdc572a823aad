"""Documents: edits as editors send them, and trees in step with them."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import tree_sitter
from hypothesis import given, settings
from hypothesis import strategies as st
from mindport.source.document import Change, Document
from mindport.source.lines import LineIndex, PositionEncoding, PositionError
from mindport.source.syntax import parse
from source_texts import PROGRAM, broken_texts, texts

encodings = st.sampled_from(["utf-8", "utf-16", "utf-32"])


def shape(tree: tree_sitter.Tree) -> list[tuple[object, ...]]:
    """Everything a reader of the tree can see: all nodes, depth first, with their places."""
    nodes: list[tuple[object, ...]] = []
    cursor = tree.walk()
    while True:
        node = cursor.node
        assert node is not None
        place = (node.start_byte, node.end_byte, node.start_point, node.end_point)
        nodes.append((node.type, cursor.field_name, cursor.depth, node.is_missing, *place))
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return nodes


def position_of(text: str, at: int, encoding: PositionEncoding) -> tuple[int, int]:
    """The position of the code point at `at`, found without the line index."""
    lines = text[:at].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    units = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[encoding]
    return len(lines) - 1, len(lines[-1].encode(units[0])) // units[1]


def draw_change(data: st.DataObject, text: str, encoding: PositionEncoding) -> tuple[Change, str]:
    """A change of `text`, and the text after it."""
    if data.draw(st.integers(0, 19)) == 19:
        new = data.draw(texts)
        return Change(None, None, new), new
    start, end = sorted(data.draw(st.integers(0, len(text))) for _ in range(2))
    end = min(end, start + data.draw(st.sampled_from([0, 0, 1, 3, 40])))
    # No position is between "\r" and "\n": editors cannot ask for it.
    start, end = (at - (text[max(at - 1, 0) : at + 1] == "\r\n") for at in (start, end))
    inserted = data.draw(st.one_of(broken_texts, st.just(text[start:end] * 2)))
    change = Change(position_of(text, start, encoding), position_of(text, end, encoding), inserted)
    return change, text[:start] + inserted + text[end:]


@settings(max_examples=250, deadline=None)
@given(texts, encodings, st.data())
def test_edits_give_what_opening_the_result_gives(
    text: str, encoding: PositionEncoding, data: st.DataObject
) -> None:
    document = Document.open("untitled:1", text, 1)
    for version in range(2, 2 + data.draw(st.integers(1, 5))):
        if data.draw(st.booleans()):
            assert document.tree is document.tree  # else the edits pile up
        changes = []
        for _ in range(data.draw(st.integers(1, 3))):
            change, text = draw_change(data, text, encoding)
            changes.append(change)
        document = document.apply(changes, version, encoding)
        scratch = LineIndex(text.encode())
        assert document.version == version
        assert document.data == text.encode()
        lines = range(scratch.line_count)
        assert document.lines.line_count == scratch.line_count
        assert [document.lines.line_start(line) for line in lines] == list(map(scratch.line_start, lines))
        if data.draw(st.booleans()):
            assert shape(document.tree) == shape(parse(document.data))
    assert shape(document.tree) == shape(parse(document.data))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_typing_and_deleting_lines_keeps_trees_in_step(data: st.DataObject) -> None:
    """Edits of whole lines, after most of which the text still parses and the tree is reused."""
    document = Document.open("untitled:1", PROGRAM, 1)
    assert not document.tree.root_node.has_error
    for version in range(2, 8):
        line = data.draw(st.integers(0, document.lines.line_count - 1))
        count = data.draw(st.integers(0, 2))
        end = min(line + count, document.lines.line_count - 1)
        content = document.text(document.lines.line_start(line), document.lines.line_end(line))
        indent = content[: len(content) - len(content.lstrip())]
        added = data.draw(
            st.sampled_from(["", f"{indent}x = 1\n", f"{indent}# 注\r\n", "\n", f"{indent}f(\n"])
        )
        changed = document.apply([Change((line, 0), (end, 0), added)], version, "utf-16")
        assert shape(changed.tree) == shape(parse(changed.data))
        if not changed.tree.root_node.has_error:
            document = changed


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("# note\ry", Change((1, 0), (1, 0), "\n")),  # the "\r" becomes part of "\r\n"
        ("#\ry", Change((1, 0), (1, 1), "\n")),
    ],
)
def test_a_carriage_return_before_an_edit_is_parsed_again(text: str, change: Change) -> None:
    document = Document.open("untitled:1", text, 1)
    assert document.tree
    changed = document.apply([change], 2, "utf-16")
    assert shape(changed.tree) == shape(parse(changed.data))


def test_recovery_from_errors_does_not_depend_on_the_tree_before() -> None:
    """A text for which the tree made from the one before, left as it is, differs from that from scratch."""
    short, long = "from .a import b\n", "from .scheduler_factory import create_scheduler, create_te\n"
    broken = long.replace("create_te", 'cre"""ate_te')
    document = Document.open("untitled:1", short + short + long + short + long + short + broken, 1)
    assert document.tree.root_node.has_error
    changed = document.apply([Change((4, 0), (5, 0), "\n")], 2, "utf-16")
    assert shape(changed.tree) == shape(parse(changed.data))


def test_the_old_snapshot_stays_as_it_is() -> None:
    old = Document.open("untitled:1", PROGRAM, 1)
    nodes = shape(old.tree)
    new = old.apply([Change((1, 0), (5, 0), "x = (\n")], 2, "utf-16")
    assert shape(new.tree) != nodes
    assert (old.data, old.version, shape(old.tree)) == (PROGRAM.encode(), 1, nodes)


def test_sequential_changes_are_relative_to_one_another() -> None:
    document = Document.open("untitled:1", "a\r\nb\n", 1)
    changes = [Change((0, 1), (0, 1), "\r\nnew"), Change((1, 0), (1, 3), "😀"), Change((1, 2), (2, 1), "!")]
    assert document.apply(changes, 2, "utf-16").data == "a\r\n😀!\n".encode()


def test_no_changes_keep_the_tree() -> None:
    document = Document.open("untitled:1", PROGRAM, 1)
    tree = document.tree
    changed = document.apply([Change((0, 0), (0, 0), "x"), Change((0, 0), (0, 1), "")], 2, "utf-16")
    assert changed.tree is tree
    assert changed.version == 2


@pytest.mark.parametrize(
    ("change", "english", "chinese"),
    [
        (
            Change((9, 0), (9, 0), "x"),
            "Line 9 (counted from 0) is beyond the document, which has 2 lines.",
            "行号 9（从 0 起）超出文档范围：文档共 2 行。",
        ),
        (
            Change((0, 0), (7, 0), "x"),
            "Line 7 (counted from 0) is beyond the document, which has 2 lines.",
            "行号 7（从 0 起）超出文档范围：文档共 2 行。",
        ),
        (
            Change((1, 0), (0, 1), "x"),
            (
                "The range from 1:0 to 0:1 ends before it starts "
                "(lines and characters counted from 0; the document has 2 lines)."
            ),
            "范围 1:0 至 0:1 的终点在起点之前（行号和字符位置均从 0 起；文档共 2 行）。",
        ),
        (
            Change((1, 0), None, "x"),
            "A change needs both a start and an end, or neither.",
            "一处更改须同时给出起点和终点，或两者都不给。",
        ),
    ],
)
def test_a_change_out_of_range_is_refused_as_a_whole(change: Change, english: str, chinese: str) -> None:
    document = Document.open("untitled:1", "ab\ncd", 1)
    with pytest.raises(PositionError) as caught:
        document.apply([Change((0, 0), (0, 0), "fine"), change], 2, "utf-16")
    assert str(caught.value) == english
    assert caught.value.render("zh-cn") == chinese
    assert (document.data, document.version) == (b"ab\ncd", 1)


@given(st.text(st.one_of(st.characters(categories=["Cs"]), st.sampled_from("a好😀\n")), max_size=8))
def test_lone_surrogates_are_replaced_without_moving_anything(text: str) -> None:
    document = Document.open("untitled:1", text, 1)
    kept = document.data.decode()
    assert len(kept.encode("utf-16-le")) == len(text.encode("utf-16-le", "surrogatepass"))
    changed = document.apply([Change((0, 0), (0, 0), text)], 2, "utf-16")
    assert changed.data.decode() == kept + kept


def test_a_lone_surrogate_becomes_the_replacement_character() -> None:
    assert Document.open("untitled:1", "a\ud83db", 1).data == "a\ufffdb".encode()


def test_line_ends_are_kept() -> None:
    data = "a = 1\r\nb = '好'\rc = 3\n".encode()
    assert Document.open("file:///a.py", data).data == data
    changed = Document.open("file:///a.py", data).apply([Change((1, 5), (1, 6), "坏")], 2, "utf-16")
    assert changed.data == "a = 1\r\nb = '坏'\rc = 3\n".encode()


def test_text_of_a_range() -> None:
    document = Document.open("untitled:1", "x = '好😀'\n")
    assert document.text(5, 12) == "好😀"


def test_bytes_that_are_not_utf8_are_refused() -> None:
    with pytest.raises(UnicodeDecodeError):
        Document.open("file:///a.py", b"\xff")


def test_many_edits_without_a_tree_are_not_piled_up() -> None:
    document = Document.open("untitled:1", PROGRAM, 1)
    assert document.tree
    for version in range(2, 1002):
        document = document.apply([Change((1, 0), (1, 0), "#")], version, "utf-16")
    assert b"#" * 1000 in document.data
    assert shape(document.tree) == shape(parse(document.data))


def test_threads_asking_at_once_get_one_tree() -> None:
    document = Document.open("untitled:1", PROGRAM * 20, 1)
    barrier = threading.Barrier(4)

    def ask(_: int) -> tree_sitter.Tree:
        barrier.wait()
        return document.tree

    with ThreadPoolExecutor(4) as pool:
        trees = list(pool.map(ask, range(4)))
    assert all(tree is trees[0] for tree in trees)


@given(texts)
def test_syntax_that_was_dropped_is_parsed_again(text: str) -> None:
    document = Document.open("file.py", text)
    before = shape(document.tree), [(piece.start, piece.data) for piece in document.pieces]
    document.forget_syntax()
    assert (shape(document.tree), [(piece.start, piece.data) for piece in document.pieces]) == before


def test_of_syntax_that_was_dropped_one_statement_is_parsed_again() -> None:
    text = "# first\nimport torch\n\nclass A:\n    x = 1; y = 2\n    @p\n    def f(self):\n        return x\n# z\nf(1)"
    starts = {name: text.index(name) for name in ("import", "class", "x", "y", "@p", "f(1)")}
    members = {"x", "y", "@p"}
    document = Document.open("file.py", text)
    assert len(document.pieces) == 1
    document.forget_syntax([2 * start + (name in members) for name, start in starts.items()])

    def at(offset: int) -> tuple[int, bytes, str]:
        found = document.piece_at(offset)
        assert found is not None
        start, piece = found
        assert piece.is_sound
        node = piece.root.descendant_for_byte_range(offset - start, offset - start)
        assert node is not None
        assert document.data[start : start + len(piece.data)] == piece.data
        return start, piece.data, node.type

    assert at(8) == (8, b"import torch\n\n", "import")
    assert at(text.index("x = 1"))[1].startswith(b"    x = 1; ")
    assert at(text.index("y"))[::2] == (22, "identifier")  # it is not alone on its line: the whole class
    start, data, kind = at(text.index("return"))
    assert (start, kind) == (text.index("    @p"), "return")
    assert data.endswith(b"return x\n# z\n")
    assert at(text.index("# z"))[2] == "comment"
    assert at(len(text) - 1)[1] == b"f(1)"
    assert at(0) == (0, document.data, "comment")  # before all statements: all of it, from now on
    assert at(8)[0] == 0


def test_where_a_statement_does_not_parse_by_itself_all_is_parsed_again() -> None:
    document = Document.open("file.py", "x = (\n1)\n")
    assert document.is_sound
    document.forget_syntax([0, 2 * 6])  # which says something wrong
    assert document.piece_at(7) == (0, document.pieces[0])
