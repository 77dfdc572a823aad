"""Source lines as a terminal shows them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mindport.report.excerpt import WIDEST, cell_width, excerpt
from rich.cells import cell_len


def marked(line: str, start: int, end: int) -> str:
    """What stands above the marker."""
    made = excerpt(line, start, end)
    return _cells(made.text)[made.start : made.start + made.width]


def _cells(text: str) -> str:
    """A text of one character per cell: wide characters twice."""
    return "".join(character * cell_width(character) for character in text)


@pytest.mark.parametrize(
    ("line", "found", "above"),
    [
        ("x = torch.zeros(3)", "torch.zeros", "torch.zeros"),
        ("变量 = torch.zeros(3)", "torch.zeros", "torch.zeros"),
        ("\t\tx = torch.zeros(3)", "torch.zeros", "torch.zeros"),
        ("a\tx = torch.zeros(3)", "torch.zeros", "torch.zeros"),
        ("'😀é'; torch.zeros(3)", "torch.zeros", "torch.zeros"),
        ("'e\u0301\u200b'; torch.zeros(3)", "torch.zeros", "torch.zeros"),
        ("torch.zeros('中文')", "'中文'", "'中中文文'"),
        ("\x0cx = torch.zeros(3)", "torch.zeros", "torch.zeros"),
    ],
)
def test_the_marker_is_below_the_code(line: str, found: str, above: str) -> None:
    start = line.index(found)
    assert marked(line, start, start + len(found)) == above


def test_tabs_go_to_the_next_stop() -> None:
    assert excerpt("ab\tc", 3, 4) == ("ab  c", 4, 1)


def test_nothing_that_controls_a_terminal_is_shown() -> None:
    shown = excerpt("a = '\x1b[31m\x07\x9b\u2028' + b", 4, 5).text
    assert shown.isprintable()


def test_an_empty_range_has_a_marker() -> None:
    assert excerpt("x = (", 5, 5) == ("x = (", 5, 1)
    assert excerpt("", 0, 0) == ("", 0, 1)


@pytest.mark.parametrize("before", [0, 30, 60, 200, 1_000_000])
@pytest.mark.parametrize("after", [0, 60, 1_000_000])
def test_long_lines_are_cut_around_the_code(before: int, after: int) -> None:
    line = "a" * before + "torch.zeros" + "b" * after
    made = excerpt(line, before, before + 11)
    assert made.text[made.start : made.start + made.width] == "torch.zeros"
    assert len(made.text) <= WIDEST + 2
    assert (made.text == line) == (before + after + 11 <= WIDEST)


@given(st.text(max_size=400), st.data())
def test_any_line_can_be_shown(line: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(line)))
    end = data.draw(st.integers(start, len(line)))
    made = excerpt(line, start, end)
    assert made.width >= 1
    assert 0 <= made.start <= WIDEST + 1
    assert not any(character in "\r\n\t\x1b" for character in made.text)
    assert len(_cells(made.text)) <= WIDEST + 2 + 2  # two cut marks; a wide character may stick out


@pytest.mark.parametrize("character", ["a", "中", "é", "😀", "\u0301", "ﾊ", "Ａ", "→"])
def test_widths_are_those_of_terminals(character: str) -> None:
    assert cell_width(character) == cell_len(character)
