"""What a user does while writing code, in English and in Chinese: problems, explanations, fixes, another target,
the search."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from editor_process import ALL_FIXED, ONE_FIXED, TEXT
from vscode_workbench import Start, Workbench

FILE = "模型.py"
VERSIONS = "import torch\n\ny = torch.nn.functional.mish(torch.ones(3))\n"
FILES = {FILE: TEXT, "all.py": TEXT, "version.py": VERSIONS, "crlf.py": TEXT.replace("\n", "\r\n")}


class Words(NamedTuple):
    """What the editor says in a language."""

    locale: str
    becomes: str
    replace: str
    fix_file: str
    search: str
    search_box: str
    choose_device: str
    no_counterpart: str


ENGLISH = Words(
    "en",
    "becomes",
    "Replace with mindspore.mint.randn",
    "mindport: apply all safe fixes of this file",
    "MindPort: Search for an API",
    "Name of a PyTorch or MindSpore API",
    "Choose the device",
    "has no counterpart in MindSpore 2.4",
)
CHINESE = Words(
    "zh-cn",
    "对应",
    "替换为 mindspore.mint.randn",
    "mindport：应用此文件的所有安全修复",
    "MindPort: 搜索 API",
    "PyTorch 或 MindSpore 的 API 名称",
    "选择设备",
    "MindSpore 2.4 中没有",
)


@pytest.fixture(scope="module", params=[ENGLISH, CHINESE], ids=lambda words: words.locale)
def words(request: pytest.FixtureRequest) -> Words:
    chosen: Words = request.param
    return chosen


@pytest.fixture(scope="module")
def window(start: Start, extensions: Path, words: Words) -> Workbench:
    return start(extensions, locale=words.locale, files=FILES)


def test_squiggles(window: Workbench, words: Words) -> None:
    window.open(FILE, 6, 22)
    window.wait_for_squiggles(2)
    window.press("Control+Shift+M")
    problems = window.until("two problems", lambda: len(rows := window.problems()) == 3 and rows)
    assert any("torch.randn" in row and "MP101" in row and words.becomes in row for row in problems)
    window.status("MindSpore 2.10 · ascend")


def test_hover(window: Workbench, words: Words) -> None:
    window.press("Control+J")
    window.open(FILE, 6, 30)
    assert words.becomes in window.hover("mindspore.mint.randn(")


def test_quick_fix_is_applied_and_saved(window: Workbench, words: Words) -> None:
    window.open(FILE, 6, 30)
    window.quick_fixes()
    window.picture(f"editing-quick_fixes-{words.locale}")
    window.choose_action(words.replace)
    assert window.save(FILE) == ONE_FIXED.encode()
    window.wait_for_squiggles(1)


@pytest.mark.parametrize("file", ["all.py", "crlf.py"])
def test_everything_is_fixed(window: Workbench, words: Words, file: str) -> None:
    window.open(file, 6, 30)
    window.wait_for_squiggles(2)
    window.source_actions("Source Action...")
    window.picture(f"editing-source_actions-{words.locale}")
    window.choose_action(words.fix_file)
    line_end = "\r\n" if file == "crlf.py" else "\n"
    assert window.save(file) == ALL_FIXED.replace("\n", line_end).encode()
    window.wait_for_squiggles(0)


def test_another_version_finds_something_else(window: Workbench, words: Words) -> None:
    window.open("version.py", 3, 30)
    window.wait_for_squiggles(2)
    assert window.page.locator(".squiggly-error").count() == 0
    window.click_status("MindSpore 2.10")
    window.pick(re.compile(r"^2\.4$"))
    window.until(words.choose_device, lambda: window.box() == words.choose_device)
    window.pick(re.compile("^ascend$"))
    window.status("MindSpore 2.4 · ascend")
    window.until("an error", lambda: window.page.locator(".squiggly-error").count() == 1)
    window.open("version.py", 3, 30)
    assert words.no_counterpart in window.hover("MP301")


def test_search(window: Workbench, words: Words) -> None:
    window.open("version.py")
    window.wait_for_squiggles()
    window.command(words.search)
    window.type_in_list(words.search_box, "torch.nn.conv2d")
    window.until(
        "torch.nn.Conv2d", lambda: [row for row in window.picks()[:1] if row.startswith("torch.nn.Conv2d")]
    )
    window.picture(f"editing-search_list-{words.locale}")
    window.press("Enter")
    page = window.webview("mindspore.nn.Conv2d")
    assert "torch.nn.Conv2d" in page and "has_bias" in page  # of version 2.4, chosen above


def test_search_the_other_way_round(window: Workbench, words: Words) -> None:
    window.open("version.py")
    window.wait_for_squiggles()
    window.command(words.search)
    window.type_in_list(words.search_box, "mint.searchsorted")
    window.until("torch.searchsorted", lambda: [row for row in window.picks() if "torch.searchsorted" in row])
    window.press("Escape")
