"""The line index against a reference that looks at one character after the other."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mindport.source.lines import LineIndex, PositionEncoding, PositionError
from source_texts import broken_texts, texts

ENCODINGS: tuple[PositionEncoding, ...] = ("utf-8", "utf-16", "utf-32")
encodings = st.sampled_from(ENCODINGS)


def width(character: str, encoding: PositionEncoding) -> int:
    """How many units a character takes."""
    if encoding == "utf-32":
        return 1
    if encoding == "utf-16":
        return 2 if ord(character) > 0xFFFF else 1
    return len(character.encode())


def reference_lines(text: str) -> list[tuple[str, str]]:
    """The content and the terminator of each line."""
    lines = []
    content = ""
    at = 0
    while at < len(text):
        if text[at] not in "\r\n":
            content += text[at]
            at += 1
            continue
        terminator = "\r\n" if text[at : at + 2] == "\r\n" else text[at]
        lines.append((content, terminator))
        content = ""
        at += len(terminator)
    return [*lines, (content, "")]


def reference_positions(text: str, encoding: PositionEncoding) -> dict[int, tuple[int, int]]:
    """The position of each byte offset between two characters."""
    positions = {}
    offset = 0
    for line, (content, terminator) in enumerate(reference_lines(text)):
        at = 0
        for character in content:
            positions[offset] = (line, at)
            at += width(character, encoding)
            offset += len(character.encode())
        for _ in terminator or "x":
            positions[offset] = (line, at)
            offset += 1
    return positions


@given(texts)
def test_lines_are_those_of_the_reference(text: str) -> None:
    index = LineIndex(text.encode())
    lines = reference_lines(text)
    assert [index.line_bytes(line).decode() for line in range(index.line_count)] == [c for c, _ in lines]
    starts = [index.line_start(line) for line in range(index.line_count)]
    assert starts[0] == 0
    assert [b - a for a, b in pairwise(starts)] == [len((c + t).encode()) for c, t in lines[:-1]]


@given(texts, encodings)
def test_positions_are_those_of_the_reference_and_lead_back(text: str, encoding: PositionEncoding) -> None:
    index = LineIndex(text.encode())
    for offset, position in reference_positions(text, encoding).items():
        assert index.position(offset, encoding) == position
        assert index.line_of(offset) == position[0]
        back = index.offset(*position, encoding)
        assert back == offset or text.encode()[back:offset] == b"\r"  # inside "\r\n"


@given(texts)
def test_positions_for_people_count_code_points_from_one(text: str) -> None:
    index = LineIndex(text.encode())
    for offset, (line, character) in reference_positions(text, "utf-32").items():
        assert index.code_point_position(offset) == (line + 1, character + 1)


@given(texts, encodings, st.data())
def test_every_pair_of_numbers_on_a_line_is_a_character_boundary(
    text: str, encoding: PositionEncoding, data: st.DataObject
) -> None:
    index = LineIndex(text.encode())
    line = data.draw(st.integers(0, index.line_count - 1))
    character = data.draw(st.integers(0, 60))
    offset = index.offset(line, character, encoding)
    content = reference_lines(text)[line][0]
    units = expected = 0
    for each in content:
        units += width(each, encoding)
        if units > character:
            break
        expected += len(each.encode())
    assert offset == index.line_start(line) + expected


@settings(max_examples=300)
@given(texts, st.data())
def test_index_after_edits_is_the_index_from_scratch(text: str, data: st.DataObject) -> None:
    index = LineIndex(text.encode())
    for _ in range(3):
        start = data.draw(st.integers(0, len(index.data)))
        end = data.draw(st.integers(start, min(len(index.data), start + 20)))
        inserted = data.draw(broken_texts).encode()
        expected = index.data[:start] + inserted + index.data[end:]
        try:
            expected.decode()
        except UnicodeDecodeError:
            continue  # the edit cut a character in two
        index = index.after_edit(start, end, inserted)
        scratch = LineIndex(expected)
        assert index.data == expected
        assert index.line_count == scratch.line_count
        lines = range(scratch.line_count)
        assert [index.line_start(line) for line in lines] == [scratch.line_start(line) for line in lines]
        offsets = range(len(expected) + 1)
        assert [index.line_of(offset) for offset in offsets] == [
            scratch.line_of(offset) for offset in offsets
        ]
        positions = [[one.position(at, "utf-16") for at in offsets] for one in (index, scratch)]
        assert positions[0] == positions[1]
        for sought in (b"\r", b"\r\n", b"ab"):
            assert index.lacks(sought) == scratch.lacks(sought)


@pytest.mark.parametrize(
    ("before", "start", "end", "inserted"),
    [
        (b"a\r\nb", 2, 2, b"x"),  # "\r\n" is split
        (b"a\rb", 2, 2, b"\n"),  # and joined
        (b"a\rx\nb", 2, 3, b""),
        (b"a\r\nb", 1, 2, b""),
        (b"a\r\nb", 2, 3, b""),
        (b"a\nb", 1, 1, b"\r"),
        (b"\r\r\r", 1, 2, b"\n"),
        (b"a\n", 2, 2, b"\n"),
        (b"a\n", 0, 2, b""),
        (b"", 0, 0, b"\r"),
    ],
)
def test_edits_at_line_ends(before: bytes, start: int, end: int, inserted: bytes) -> None:
    index = LineIndex(before)
    edited = index.after_edit(start, end, inserted)
    scratch = LineIndex(before[:start] + inserted + before[end:])
    assert edited.data == scratch.data
    assert [edited.line_of(at) for at in range(len(edited.data) + 1)] == [
        scratch.line_of(at) for at in range(len(edited.data) + 1)
    ]
    assert index.data == before


def test_only_three_terminators_end_a_line() -> None:
    index = LineIndex("a\x0bb\x0cc\x1cd\x1de\x1ef\x85g\u2028h\u2029i".encode())
    assert index.line_count == 1


def test_inside_a_surrogate_pair_rounds_down() -> None:
    index = LineIndex("a😀b".encode())
    assert [index.offset(0, character, "utf-16") for character in range(6)] == [0, 1, 1, 5, 6, 6]


def test_offset_inside_a_character_rounds_down() -> None:
    index = LineIndex("a😀b".encode())
    assert [index.position(offset, "utf-16")[1] for offset in range(7)] == [0, 1, 1, 1, 1, 3, 4]


def test_character_beyond_the_line_means_its_end() -> None:
    index = LineIndex("ab\r\né\n".encode())
    for encoding in ENCODINGS:
        assert index.offset(0, 99, encoding) == 2
        assert index.offset(1, 99, encoding) == 6


def test_line_beyond_the_document_names_line_and_line_count() -> None:
    index = LineIndex(b"a\nb\n")
    with pytest.raises(PositionError) as caught:
        index.offset(3, 0, "utf-16")
    assert isinstance(caught.value, ValueError)
    assert str(caught.value) == "Line 3 (counted from 0) is beyond the document, which has 3 lines."
    assert caught.value.render("zh-cn") == "行号 3（从 0 起）超出文档范围：文档共 3 行。"


@pytest.mark.parametrize(("line", "character"), [(-1, 0), (0, -1)])
def test_negative_positions_are_refused(line: int, character: int) -> None:
    with pytest.raises(PositionError) as caught:
        LineIndex(b"a\nb").offset(line, character, "utf-8")
    assert str(caught.value).startswith(f"The position {line}:{character} is not valid")
    assert "2 lines" in str(caught.value)
    assert caught.value.render("zh-cn").startswith(f"位置 {line}:{character} 无效")


@pytest.mark.parametrize("offset", [-1, 4])
def test_offsets_outside_the_text_are_refused(offset: int) -> None:
    index = LineIndex(b"a\nb")
    for ask in (lambda: index.line_of(offset), lambda: index.position(offset, "utf-8")):
        with pytest.raises(PositionError) as caught:
            ask()
        assert str(caught.value) == f"The byte offset {offset} is outside the document, which has 3 bytes."
        assert caught.value.render("zh-cn") == f"字节偏移 {offset} 超出文档范围：文档共 3 字节。"


def test_a_keystroke_is_cheaper_than_the_whole_index() -> None:
    text = b"    x = torch.nn.functional.relu(y)\n" * 100_000
    index = LineIndex(text)
    at = index.line_start(50_000)
    assert index.line_count == 100_001
    whole = min(_seconds(lambda: LineIndex(text)) for _ in range(5))
    keystroke = min(_seconds(lambda: index.after_edit(at, at, b"a")) for _ in range(5))
    assert whole < 0.5
    assert keystroke < whole


def _seconds(work: object) -> float:
    assert callable(work)
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
