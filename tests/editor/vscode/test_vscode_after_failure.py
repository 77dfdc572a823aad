"""What is said of a failure goes when the failure is over."""

from __future__ import annotations

import sys
from pathlib import Path

from editor_process import TEXT
from vscode_workbench import Start

MISSING = {"mindport.interpreter": "/no/such/python"}
SAID = "the interpreter /no/such/python was not found"


def test_the_message_goes_when_the_server_starts(start: Start, extensions: Path) -> None:
    window = start(extensions, files={"small.py": TEXT}, settings=MISSING)
    window.open("small.py", 6, 30)
    window.wait_for_message(SAID)
    window.server.configure({"mindport.interpreter": sys.executable})
    window.wait_for_squiggles(2)
    window.until("no message of the failure", lambda: not any(SAID in text for text in window.messages()))
