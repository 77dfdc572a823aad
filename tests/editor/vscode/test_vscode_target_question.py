"""A newcomer is asked once, by the first file with PyTorch, for which MindSpore and which device."""

from __future__ import annotations

from pathlib import Path

from editor_process import TEXT
from vscode_workbench import Start, Workbench

QUESTION = "Is that your target?"
FILES = {"plain.py": "print(1)\n", "small.py": TEXT}


def is_asked(window: Workbench) -> bool:
    return any(QUESTION in text for text in window.messages())


def test_a_newcomer_is_asked_once(start: Start, extensions: Path) -> None:
    window = start(extensions, files=FILES, settings={"mindport.device": None})
    window.open("plain.py")
    window.status("MindSpore 2.10")
    assert not is_asked(window), "nothing of PyTorch is open"
    window.open("small.py", 6, 30)
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
