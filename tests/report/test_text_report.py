"""The report for people."""

from __future__ import annotations

import re

import pytest
from findings import found_in
from mindport.catalog.target import Target
from mindport.language import Language, Text
from mindport.report.excerpt import cell_width
from mindport.report.summary import Totals
from mindport.report.text_report import TextReport
from mindport.source.decode import SourceError

SOURCE = "import torch\n\t变量 = '中文'; x = torch.sin(2)\ny = torch.zeros(3, requires_grad=True)\n"
SOURCE = SOURCE.replace("\t变量", "if True:\n\t变量")


def text(source: str, language: Language = "en", colour: bool = False, **settings: object) -> str:
    _, found = found_in(source, **settings)
    return TextReport(Target(), language, colour).file("pkg/a.py", found).text


def test_a_finding_with_its_code() -> None:
    assert text("import torch\nx = torch.sin(2.0)\n") == (
        "pkg/a.py (1 finding)\n\n"
        "pkg/a.py:2:5: hint MP101 [*] `torch.sin` → `mindspore.mint.sin`\n"
        "  |\n"
        "2 | x = torch.sin(2.0)\n"
        "  |     ^^^^^^^^^ → mindspore.mint.sin\n\n"
    )


def test_the_marker_is_below_the_code_after_wide_characters_and_tabs() -> None:
    lines = text(SOURCE).splitlines()
    code = next(line for line in lines if "变量" in line)
    marker = lines[lines.index(code) + 1]
    before = "".join(character * cell_width(character) for character in code).index("torch.sin")
    assert marker.index("^") == before
    assert marker.count("^") == len("torch.sin")
    assert "pkg/a.py:3:17:" in text(SOURCE)


def test_code_over_several_lines_is_shown() -> None:
    shown = text("import torch\nx = (torch\n     .sin)(2)\n")
    assert "2 | x = (torch\n  |      ^^^^^\n3 |      .sin)(2)\n  |      ^^^^ → " in shown


def test_the_same_in_chinese() -> None:
    shown = text(SOURCE, "zh-cn")
    assert shown.startswith("pkg/a.py (2 项结果)\n")
    assert "pkg/a.py:3:17: 提示 MP101 [*] `torch.sin` → `mindspore.mint.sin`" in shown
    assert "警告 MP201" in shown


def test_what_is_not_shown_leaves_nothing() -> None:
    assert text(SOURCE, select=("MP3",)) == ""
    assert text("x = 1\n") == ""


def test_what_does_not_parse_is_told() -> None:
    assert re.search(r"pkg/a.py:2:\d+: problem: ", text("import torch\nx = torch.zeros(2\n"))
    assert re.search(r"pkg/a.py:2:\d+: 问题: ", text("import torch\nx = torch.zeros(2\n", "zh-cn"))


def test_colour_only_when_asked_for() -> None:
    plain, coloured = text(SOURCE), text(SOURCE, colour=True)
    assert "\x1b" not in plain
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_names_and_code_cannot_control_the_terminal() -> None:
    _, found = found_in("import torch\nx = torch.zeros('\x1b[2J')\n")
    report = TextReport(Target(), "en")
    lost = SourceError(Text("{path} is lost", "{path} 丢失"), path="a\x1b[2J")
    for shown in (report.file("a\x1b[2J.py", found).text, report.unreadable("b\x1b.py", lost).text):
        assert "\x1b" not in shown


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            [
                "Files: 2; lines: 4; uses of torch APIs: 3",
                "MindSpore 2.10 on CPU",
                "equivalent",
                "Problems: 1",
            ],
        ),
        ("zh-cn", ["文件：2；行：4；使用 torch 接口：3 处", "CPU 上的 MindSpore 2.10", "等价", "问题：1 个"]),
    ],
)
def test_summary(language: Language, expected: list[str]) -> None:
    _, found = found_in(SOURCE)
    report = TextReport(Target(device="cpu"), language)
    totals = Totals()
    totals.add(report.file("a.py", found).summary)
    totals.add(report.unreadable("b.py", SourceError(Text("lost", "丢失"))).summary)
    tail = report.tail(totals)
    for words in expected:
        assert words in tail


def test_summary_of_nothing() -> None:
    assert "No findings." in TextReport(Target(), "en").tail(Totals())
