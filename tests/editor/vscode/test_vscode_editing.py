"""What a user does while writing code, in English and in Chinese: problems, explanations, the pages that come with
the extension, fixes, another target, the search."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from editor_process import ALL_FIXED, ONE_FIXED, TEXT
from vscode_page import STEP
from vscode_workbench import Opened, Start, Workbench

FILE = "模型.py"
VERSIONS = "import torch\n\ny = torch.nn.functional.mish(torch.ones(3))\n"
PROBLEM = "import torch\n\ny = torch.lobpcg(1)\n"
FILES = {
    FILE: TEXT,
    "all.py": TEXT,
    "version.py": VERSIONS,
    "problem.py": PROBLEM,
    "crlf.py": TEXT.replace("\n", "\r\n"),
}


class Words(NamedTuple):
    """What the editor says in a language."""

    locale: str
    status: str
    replace: str
    fix_file: str
    search: str
    search_box: str
    choose_version: str
    choose_device: str
    no_counterpart: str
    walkthrough: str
    scan_step: str


ENGLISH = Words(
    "en",
    "equivalent",
    "Replace with mindspore.mint.randn",
    "MindPort: Apply All Safe Fixes in This File",
    "MindPort: Search for an API",
    "Name of a PyTorch or MindSpore API",
    "Choose a version, or type one",
    "Choose the device",
    "has no equivalent in MindSpore 2.4",
    "Get Started with MindPort",
    "Scan the project",
)
CHINESE = Words(
    "zh-cn",
    "等价",
    "替换为 mindspore.mint.randn",
    "MindPort：应用此文件的所有安全修复",
    "MindPort: 搜索接口",
    "PyTorch 或 MindSpore 的接口名称",
    "选择一个版本，或直接输入",
    "选择设备",
    "MindSpore 2.4 中没有",
    "MindPort 入门",
    "扫描项目",
)


@pytest.fixture(scope="module", params=[ENGLISH, CHINESE], ids=lambda words: words.locale)
def words(request: pytest.FixtureRequest) -> Words:
    chosen: Words = request.param
    return chosen


@pytest.fixture(scope="module")
def opened(start: Start, extensions: Path, words: Words) -> Opened:
    return Opened(lambda: start(extensions, locale=words.locale, files=FILES))


def test_squiggles(window: Workbench, words: Words) -> None:
    window.open(FILE, 6, 22)
    window.wait_for_squiggles(2)  # hints, which are dots
    window.status("MindSpore 2.10 · Ascend")


def test_what_needs_attention_is_a_problem(window: Workbench, words: Words) -> None:
    window.open("problem.py")
    window.wait_for_squiggles(1)
    problems = window.attempt(
        "one problem",
        lambda: window.command("View: Focus Problems"),
        lambda: len(rows := window.problems()) == 2 and rows,
    )
    assert any("torch.lobpcg" in row and "MP301" in row for row in problems)


def test_hover(window: Workbench, words: Words) -> None:
    window.open(FILE, 6, 30)
    window.wait_for_squiggles(2)
    assert words.status in window.hover("mindspore.mint.randn(")


def test_quick_fix_is_applied_and_saved(window: Workbench, words: Words) -> None:
    window.open(FILE, 6, 30)
    window.wait_for_squiggles(2)
    picture = f"editing-quick_fixes-{words.locale}"
    window.apply(words.replace, lambda: window.press("Escape", "Control+."), picture)
    assert window.save(FILE) == ONE_FIXED.encode()
    window.wait_for_squiggles(1)


@pytest.mark.parametrize("file", ["all.py", "crlf.py"])
def test_everything_is_fixed(window: Workbench, words: Words, file: str) -> None:
    window.open(file, 6, 30)
    window.wait_for_squiggles(2)
    picture = f"editing-source_actions-{words.locale}"
    window.apply(words.fix_file, lambda: window.command("Source Action..."), picture)
    line_end = "\r\n" if file == "crlf.py" else "\n"
    assert window.save(file) == ALL_FIXED.replace("\n", line_end).encode()
    window.wait_for_squiggles(0)


def test_the_page_of_a_rule_opens_in_the_editor(window: Workbench) -> None:
    def follow() -> None:
        window.open("problem.py", 3, 12)
        window.wait_for_squiggles(1)
        window.hover("MP301")
        window.page.locator(".monaco-hover:not(.hidden) a", has_text="MP301").first.click()

    page = window.attempt("the page", follow, lambda: window.frame("MP301", STEP).locator("h1").inner_text())
    assert "MP301" in page
    assert window.page.locator(".tab.active", has_text="MP301").count() == 1


def test_the_walkthrough(window: Workbench, words: Words) -> None:
    def open_it() -> None:
        window.command("Open Walkthrough...")
        window.pick(re.compile(re.escape(words.walkthrough)), STEP)

    page = window.page.locator(".gettingStartedContainer")
    window.attempt(words.scan_step, open_it, lambda: words.scan_step in page.inner_text())


def test_search(window: Workbench, words: Words) -> None:
    window.open("version.py")
    window.wait_for_squiggles()
    window.ask(
        words.search, words.search_box, "torch.nn.conv2d", re.compile(r"^torch\.nn\.Conv2d ?mindspore")
    )
    window.picture(f"editing-search_list-{words.locale}")
    window.pick(re.compile(r"^torch\.nn\.Conv2d ?mindspore"))
    assert "torch.nn.Conv2d" in window.webview("mindspore.mint.nn.Conv2d")


def test_search_the_other_way_round(window: Workbench, words: Words) -> None:
    window.open("version.py")
    window.wait_for_squiggles()
    window.ask(
        words.search, words.search_box, "mint.searchsorted", re.compile(r"^torch\.searchsorted ?mindspore")
    )
    window.pick(re.compile(r"^torch\.searchsorted ?mindspore"))
    assert "torch.searchsorted" in window.webview("mindspore.mint.searchsorted")


def test_another_version_finds_something_else(window: Workbench, words: Words) -> None:
    errors = window.page.locator(".squiggly-error")
    window.open("version.py", 3, 30)
    window.wait_for_squiggles(2)
    assert errors.count() == 0
    window.click_status("MindSpore 2.10", words.choose_version)
    window.pick(re.compile(r"^2\.4$"))
    window.until(words.choose_device, lambda: window.box() == words.choose_device)
    window.pick(re.compile("^Ascend$"))
    window.status("MindSpore 2.4 · Ascend")
    window.until("an error", lambda: errors.count() == 1)
    window.open("version.py", 3, 30)
    assert words.no_counterpart in window.hover("MP301")
