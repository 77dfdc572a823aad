"""The engine of this machine: in which processes files are looked at, and how urgent those are."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from mindport.project.discover import discover
from mindport.project.setting_table import Settings
from mindport.scan.pool import Local
from mindport.scan.scan import scan

LEAST_URGENT = 19


@dataclass(frozen=True)
class Processes:
    """Says which process looked at a file, and how urgent that is, as Unix counts it."""

    def file(self, path: str, found: object) -> tuple[int, int]:
        """The process and its niceness."""
        return os.getpid(), os.getpriority(os.PRIO_PROCESS, 0)

    def unreadable(self, path: str, error: Exception) -> tuple[int, int]:
        """Not expected here."""
        raise error


@pytest.mark.skipif(not hasattr(os, "nice"), reason="this system has no niceness")
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("files", "apart"), [(40, True), (40, False), (3, True)])
def test_many_files_are_looked_at_by_processes_that_give_way(
    tmp_path: Path, jobs: int, files: int, apart: bool
) -> None:
    for number in range(files):
        (tmp_path / f"m{number}.py").write_text("import torch\n")
    found = discover([tmp_path], ())
    engine = Local(jobs, apart=apart)
    seen = set(scan(found, Settings(), Processes(), engine=engine))
    mine, urgency = os.getpid(), os.getpriority(os.PRIO_PROCESS, 0)
    is_here = files < 30 or (jobs == 1 and not apart)
    assert ({process for process, _ in seen} == {mine}) == is_here
    expected = urgency if is_here or not apart else min(LEAST_URGENT, urgency + 10)
    assert {niceness for _, niceness in seen} == {expected}
