"""The engine of this machine: in which processes files are looked at, and how urgent those are."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from mindport.project.discover import discover
from mindport.project.setting_table import Settings
from mindport.scan.pool import Local
from mindport.scan.scan import NoReport, scan, scan_files

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


def test_files_stay_with_the_process_that_has_read_them(tmp_path: Path) -> None:
    paths = [tmp_path / f"m{number:02}.py" for number in range(40)]
    for path in paths:
        path.write_text("import torch\n" + "#" * 5_000)
    files = scan_files(paths)
    with Local(2).start(Settings(), NoReport()) as run:
        assert len(list(run.collect(files))) == 40
        first = [list(share) for share in run._shares]
        assert sorted(file for share in first for file in share) == files
        assert run._lists(files) == first
        some, unseen = files[::2], scan_files([tmp_path / "new.py"])[0]._replace(place=40)
        known = [[file for file in share if file in some] for share in first]
        assert run._lists([*some, unseen]) == [*known, [unseen]]
        assert len(list(run.collect(files))) == 40
        stayed = [
            file for share, now in zip(first, run._shares, strict=True) for file in share if file in now
        ]
        assert len(stayed) >= 28
