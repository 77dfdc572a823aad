"""The pages on training list the settings that are compared."""

from __future__ import annotations

import subprocess
import sys

from mapping_samples import ROOT


def test_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "compared_settings.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"run python scripts/compared_settings.py: {result.stdout}{result.stderr}"
