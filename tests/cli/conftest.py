"""The command line in an empty folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import CommandLine


@pytest.fixture
def mindport(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    for variable in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    return CommandLine(tmp_path, capsys)
