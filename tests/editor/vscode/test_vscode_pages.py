"""The pages that come with the extension, in English and in Chinese: that of a rule, and the walkthrough."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from vscode_page import STEP
from vscode_workbench import Opened, Start, Workbench

PROBLEM = "import torch\n\ny = torch.lobpcg(1)\n"
"""What VS Code shows the code of: hints have none in a hover."""


class Words(NamedTuple):
    """What the walkthrough says in a language."""

    locale: str
    walkthrough: str
    scan_step: str


ENGLISH = Words("en", "Get Started with MindPort", "Scan the project")
CHINESE = Words("zh-cn", "MindPort 入门", "扫描项目")


@pytest.fixture(scope="module", params=[ENGLISH, CHINESE], ids=lambda words: words.locale)
def words(request: pytest.FixtureRequest) -> Words:
    chosen: Words = request.param
    return chosen


@pytest.fixture(scope="module")
def opened(start: Start, extensions: Path, words: Words) -> Opened:
    return Opened(lambda: start(extensions, locale=words.locale, files={"problem.py": PROBLEM}))


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
