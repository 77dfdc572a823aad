"""The tutorial's project in the editor, in English and in Chinese: what its pictures show is what is seen."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from pictures import is_todays
from playwright.sync_api import Locator
from test_vscode_convert import PREVIEW
from vscode_workbench import Opened, Start, Workbench

ROOT = Path(__file__).resolve().parents[3]
DIGITS = ROOT / "docs" / "examples" / "digits" / "pytorch"
SUFFIXES = {"en": "", "zh-cn": ".zh-CN"}
IN_ORDER = "lines => lines.sort((a, b) => a.offsetTop - b.offsetTop).map(line => line.innerText).join('\\n')"
"""The editor has its lines in any order, each at its place."""


@pytest.fixture(scope="module", params=list(SUFFIXES))
def locale(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def opened(start: Start, extensions: Path, locale: str, tmp_path_factory: pytest.TempPathFactory) -> Opened:
    def open_window() -> Workbench:
        folder = tmp_path_factory.mktemp("tutorial") / "digits"
        shutil.copytree(DIGITS, folder, ignore=shutil.ignore_patterns("__pycache__"))
        return start(extensions, folder=folder, locale=locale)

    return Opened(open_window)


def title(command: str, locale: str) -> str:
    """What a command is called in a language, in the list of commands."""
    name = f"package.nls{'' if locale == 'en' else f'.{locale}'}.json"
    texts = json.loads((ROOT / "vscode-client" / name).read_text("utf-8"))
    return str(texts[f"command.{command}"]).removesuffix("…").removesuffix("...")


def label(button: str, locale: str) -> str:
    """What is on a button, in a language."""
    if locale == "en":
        return button
    texts = json.loads((ROOT / "vscode-client" / "l10n" / f"bundle.l10n.{locale}.json").read_text("utf-8"))
    return str(texts[button])


def read(lines: Locator) -> str:
    """Lines of an editor, from top to bottom."""
    return str(lines.evaluate_all(IN_ORDER))


def test_an_explanation(window: Workbench, locale: str) -> None:
    window.open("train.py", 19, 16)
    window.wait_for_squiggles()
    told = window.hover("mindspore.value_and_grad(forward")  # what the server says, beside the problem
    seen = told.partition("View Problem")[0]  # what follows is VS Code's own, and comes when it comes
    is_todays(window, f"tutorial/explanation{SUFFIXES[locale]}", seen)


def test_the_fixes_of_a_line(window: Workbench, locale: str) -> None:
    window.open("train.py", 18, 20)
    window.wait_for_squiggles()
    seen = "\n".join(window.open_quick_fixes())
    is_todays(window, f"tutorial/fixes{SUFFIXES[locale]}", seen)
    window.press("Escape")


def test_a_look_before_converting(window: Workbench, locale: str) -> None:
    window.open("model.py", 5)
    window.wait_for_squiggles()
    lines = window.page.locator(f"{PREVIEW} .editor.modified .view-line")
    marks = window.page.locator(f"{PREVIEW} .line-insert")
    window.command(title("convertThisFile", locale))
    window.click_message(
        label("Include Fixes That Need Review", locale),
        lambda: marks.count() > 0 and "mint" in read(lines),
    )
    window.wait_for_message(label("Apply", locale))
    is_todays(window, f"tutorial/preview{SUFFIXES[locale]}", read(lines))


def test_the_results_of_the_scan(window: Workbench, locale: str) -> None:
    window.open("train.py", 11)
    window.wait_for_squiggles()
    window.command(title("scanWorkspace", locale))
    seen = window.webview("torch.nn.Conv2d")
    is_todays(window, f"tutorial/results{SUFFIXES[locale]}", seen)
