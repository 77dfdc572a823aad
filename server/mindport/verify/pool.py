"""Worker processes: each has one framework and runs one snippet after another. A process that dies or takes
too long costs one snippet; a new one takes its place."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Protocol, cast

Framework = Literal["torch", "mindspore"]
Task = Mapping[str, Any]
Reply = Mapping[str, Any]

SNIPPET_SECONDS = 60.0
"""How long one snippet may take."""
START_SECONDS = 300.0
"""How long importing a framework may take."""
_PACKAGE_PARENT = str(Path(__file__).resolve().parents[2])
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); import mindport; sys.path.remove(sys.argv[1]); "
    "from mindport.verify.inside.worker import main; main(sys.argv[2])"
)
"""mindport is found by its path for a moment, so that none of the packages beside it hide those of this
Python."""
_ENVIRONMENT = {"OMP_NUM_THREADS": "1", "GLOG_v": "4", "PYTHONWARNINGS": "ignore", "PYTHONUTF8": "1"}


class Runner(Protocol):
    """Runs snippets."""

    def run(self, task: Task) -> Reply:
        """What came of a task: `value` (and `gradient`), or `error` and `message`."""
        ...


class WorkerError(RuntimeError):
    """A worker that does not start; the message holds the last of what it said."""


class TrialWorker:
    """A process with one framework, started when first needed."""

    def __init__(self, python: str, framework: Framework, seconds: float = SNIPPET_SECONDS) -> None:
        self._command = [python, "-c", _START, _PACKAGE_PARENT, framework]
        self._framework = framework
        self._seconds = seconds
        self._process: subprocess.Popen[str] | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="mindport-", ignore_cleanup_errors=True)
        """Where it runs: MindSpore writes files of its own into the current folder."""
        self._lines: queue.Queue[str] = queue.Queue()

    def __enter__(self) -> TrialWorker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def run(self, task: Task) -> Reply:
        """See `Runner`. A worker that dies has the error `Crash`, one that takes too long `Timeout`. Raises
        WorkerError when the process does not start."""
        process = self._process or self._started()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(task) + "\n")
            process.stdin.flush()
            line = self._lines.get(timeout=self._seconds)
        except queue.Empty:
            self.stop()
            return {"error": "Timeout", "message": f"took more than {self._seconds:.0f} s"}
        except OSError:
            line = ""
        if not line:
            self.stop()
            return {"error": "Crash", "message": f"the process died (code {process.returncode})"}
        return cast("Reply", json.loads(line))

    def _started(self) -> subprocess.Popen[str]:
        self._lines = queue.Queue()
        try:
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                env={**os.environ, **_ENVIRONMENT},
                cwd=self._folder.name,
            )
        except OSError as error:
            raise WorkerError(f"{self._command[0]} cannot be run: {error.strerror or error}") from error
        threading.Thread(target=_read, args=(process, self._lines), daemon=True).start()
        self._process = process
        try:
            ready = self._lines.get(timeout=START_SECONDS)
        except queue.Empty:
            ready = ""
        if not ready:
            self.stop()
            raise WorkerError(f"{self._command[0]} does not start with {self._framework}")
        return process

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._process is None:
            return
        process, self._process = self._process, None
        process.kill()
        process.wait()


def _read(process: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put("")
