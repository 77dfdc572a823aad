"""Worker processes: one that dies or hangs costs one snippet."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from mindport.verify.pool import TrialWorker, WorkerError

_ECHO = """
import json, os, sys, time
print(json.dumps({"ready": "torch"}), flush=True)
for line in sys.stdin:
    task = json.loads(line)
    if task["do"] == "die":
        os._exit(3)
    if task["do"] == "hang":
        time.sleep(60)
    print(json.dumps({"value": task["do"], "process": os.getpid()}), flush=True)
"""


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> TrialWorker:
    made = TrialWorker(sys.executable, "torch", seconds=0.5)
    monkeypatch.setattr(made, "_command", [sys.executable, "-c", _ECHO])
    return made


def test_one_process_runs_many_snippets(worker: TrialWorker) -> None:
    with worker:
        first, second = worker.run({"do": "a"}), worker.run({"do": "b"})
    assert (first["value"], second["value"]) == ("a", "b")
    assert first["process"] == second["process"]


def test_a_crash_costs_one_snippet(worker: TrialWorker) -> None:
    with worker:
        assert worker.run({"do": "die"})["error"] == "Crash"
        assert worker.run({"do": "a"})["value"] == "a"


def test_a_snippet_that_hangs_costs_one_snippet(worker: TrialWorker) -> None:
    with worker:
        assert worker.run({"do": "hang"})["error"] == "Timeout"
        worker._seconds = 60.0  # the next one has to start a process first
        assert worker.run({"do": "a"})["value"] == "a"


def test_a_python_without_the_framework(tmp_path: Path) -> None:
    with TrialWorker(sys.executable, "torch") as worker, pytest.raises(WorkerError, match="torch"):
        worker._command = [sys.executable, "-c", "raise SystemExit(1)"]
        worker.run({"do": "a"})


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with (
        TrialWorker(str(tmp_path / "no-python"), "torch") as worker,
        pytest.raises(WorkerError, match="no-python"),
    ):
        worker.run({"do": "a"})
