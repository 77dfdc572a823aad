"""Installing the extension is enough: the server comes with it, and is set up without network. A newcomer is asked
once, by the first file with PyTorch, for which MindSpore and which device."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from editor_process import TEXT
from test_vscode_bundle import wheels  # noqa: F401  a fixture
from vscode_code_server import add_extension
from vscode_install import Tools
from vscode_workbench import Opened, Start, Workbench

OFFLINE = {
    "PYTHONPATH": "",
    "PIP_NO_INDEX": "1",
    "https_proxy": "http://127.0.0.1:9",
    "http_proxy": "http://127.0.0.1:9",
}

QUESTION = "Is that your target?"


@pytest.fixture(scope="module")
def opened(
    start: Start,
    tools: Tools,
    package: Path,
    wheels: Path,  # noqa: F811
    tmp_path_factory: pytest.TempPathFactory,
) -> Opened:
    extensions = tmp_path_factory.mktemp("bundled") / "installed"
    add_extension(tools, package, extensions)
    [ours] = extensions.glob("mindport.mindport-*")
    shutil.rmtree(ours / "wheels", ignore_errors=True)  # those that the working copy happens to have
    shutil.copytree(wheels, ours / "wheels")
    settings = {
        "mindport.importStrategy": "useBundled",
        "mindport.interpreter": sys.executable,
        "mindport.device": None,
    }

    def open_window() -> Workbench:
        files = {"plain.py": "print(1)\n", "small.py": TEXT}
        return start(extensions, files=files, settings=settings, environment=OFFLINE, seconds=240.0)

    return Opened(open_window)


def is_asked(window: Workbench) -> bool:
    return any(QUESTION in text for text in window.messages())


def test_the_server_that_comes_along_is_started_and_asks_once(window: Workbench) -> None:
    window.open("plain.py")
    window.status("MindSpore 2.10")
    assert "environments" in window.server.told()
    assert not is_asked(window), "nothing of PyTorch is open"
    window.open("small.py", 6, 30)
    window.wait_for_squiggles(2)
    assert "MindSpore 2.10 on Ascend" in window.wait_for_message(QUESTION)
    window.picture("target-question")
    window.click_message("Choose Another...", lambda: window.box() == "Choose a version, or type one")
    window.type_in_list("2.9")
    window.until("the devices", lambda: window.box() == "Choose the device")
    window.press("Enter")
    window.status("MindSpore 2.9")
    settings = window.path(".vscode/settings.json")
    window.until(
        "the workspace's setting", lambda: settings.exists() and '"2.9"' in settings.read_text("utf-8")
    )
    settings.unlink()
    window.show()
    window.open("small.py", 6, 30)
    window.wait_for_squiggles(2)
    window.status("MindSpore 2.10")
    assert not is_asked(window), "an answer holds, whatever becomes of the settings"
