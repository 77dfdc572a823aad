"""What clients and the documentation say of settings is made from the table of settings."""

from __future__ import annotations

import subprocess
import sys

from client_places import ROOT


def test_the_files_are_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "settings_files.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
