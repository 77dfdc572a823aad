"""Asking jedi, in a process of its own and within a time limit. See `mindport.project.jedi_worker`."""

from __future__ import annotations

import importlib.util
import json
import logging
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from mindport.project.cache_store import cache_folder

_LOGGER = logging.getLogger(__name__)
SECONDS = 5.0
"""How long an answer is waited for. The process is ended then, and the next question starts another."""
SCRIPT = Path(__file__).with_name("jedi_worker.py")
_CACHE = "jedi"
"""The folder among mindport's caches in which jedi keeps the syntax trees of files."""
_SECONDS_TO_START = 15.0
_MOST_FAILURES = 3
"""After so many questions without an answer in time none is asked any more."""


class JediAnswers:
    """Asks jedi about packages in `folders`. The process is started by the first question."""

    def __init__(self, folders: Sequence[Path], seconds: float = SECONDS) -> None:
        self._folders = folders
        self._seconds = seconds
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str] = queue.Queue()
        self._failures = 0

    def types(self, dotted: str) -> list[str] | None:
        """The full names of the types that calling a function gives; None where jedi cannot tell. Raises
        TimeoutError when there is no answer in time."""
        if self._failures >= _MOST_FAILURES:
            raise TimeoutError
        is_first = self._process is None
        try:
            process = self._process or self._start()
            assert process.stdin is not None
            process.stdin.write(dotted + "\n")
            process.stdin.flush()
            line = self._lines.get(timeout=self._seconds + (_SECONDS_TO_START if is_first else 0))
            answer = json.loads(line)
        except (queue.Empty, OSError, ValueError) as error:
            _LOGGER.info("jedi does not answer about %s: %r", dotted, error)
            self._failures += 1
            self.close()
            raise TimeoutError from error
        return answer if isinstance(answer, list) else None

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()

    def _start(self) -> subprocess.Popen[str]:
        cache = str(cache_folder() / _CACHE)
        command = [sys.executable, "-I", "-B", str(SCRIPT), cache, *_homes(), "--", *map(str, self._folders)]
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
        assert process.stdout is not None
        self._process, self._lines = process, queue.Queue()
        threading.Thread(target=_read, args=(process.stdout, self._lines), daemon=True).start()
        return process


def _homes() -> list[str]:
    """The folders that jedi and what it needs are imported from."""
    specs = (importlib.util.find_spec(name) for name in ("jedi", "parso"))
    return list(dict.fromkeys(str(Path(spec.origin).parents[1]) for spec in specs if spec and spec.origin))


def _read(output: IO[str], lines: queue.Queue[str]) -> None:
    """Hand on what the process writes; an empty line when it has ended."""
    with suppress(ValueError, OSError):
        for line in output:
            lines.put(line)
    lines.put("")
