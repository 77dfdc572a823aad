"""A server that cannot be started: the message that helps, its buttons, and the way back. And one that finds
nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from editor_process import TEXT
from test_vscode_controls import see_nothing
from vscode_workbench import Opened, Start, Workbench

MISSING = {"mindport.interpreter": "/no/such/python"}


@pytest.fixture(scope="module")
def opened(start: Start, extensions: Path) -> Opened:
    return Opened(lambda: start(extensions, files={"small.py": TEXT}, settings=MISSING))


def test_a_broken_path_is_named(window: Workbench) -> None:
    window.open("small.py", 6, 30)
    message = window.wait_for_message("MindPort cannot start: the interpreter /no/such/python was not found")
    assert window.squiggles() == 0
    for button in ("Open Settings", "Select Interpreter", "Show Output"):
        assert button in message


def test_the_button_leads_to_the_setting(window: Workbench) -> None:
    window.open("small.py", 6, 30)
    setting = window.page.locator(".settings-editor .setting-item-contents", has_text="Interpreter")
    window.click_message("Open Settings", setting.count)


def test_a_corrected_path_starts_the_server(window: Workbench) -> None:
    window.server.configure({"mindport.interpreter": sys.executable})
    window.open("small.py", 6, 30)
    window.wait_for_squiggles(2)


def test_without_findings_nothing_is_seen(window: Workbench) -> None:
    window.server.configure({"mindport.interpreter": sys.executable, "mindport.ignore": ["MP"]})
    window.open("small.py", 6, 30)
    window.status("MindSpore 2.10")  # the server runs
    window.until("no squiggles", lambda: window.squiggles() == 0)
    see_nothing(window)


def test_the_message_in_chinese_goes_when_the_server_starts(start: Start, extensions: Path) -> None:
    window = start(extensions, files={"small.py": TEXT}, settings=MISSING, locale="zh-cn")
    window.open("small.py")
    said = "MindPort 无法启动：找不到解释器 /no/such/python"
    message = window.wait_for_message(said)
    for button in ("打开设置", "选择解释器", "显示输出"):
        assert button in message
    window.server.configure({"mindport.interpreter": sys.executable})
    window.wait_for_squiggles(2)
    window.until("no message of the failure", lambda: not any(said in text for text in window.messages()))
