"""The one thread on which everything is analysed: the engine is not thread-safe, and need not be."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

_STACK_BYTES = 64 * 1024 * 1024
"""Deeply nested code is walked by recursion, which the usual stack of a thread is too small for."""
_Result = TypeVar("_Result")


class _Job(Generic[_Result]):
    __slots__ = ("future", "key", "work")

    def __init__(self, key: Hashable, work: Callable[[], _Result], future: Future[_Result]) -> None:
        self.key = key
        self.work = work
        self.future = future

    def run(self) -> None:
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            result = self.work()
        except BaseException as error:  # noqa: BLE001 - goes to whoever waits for the result
            self.future.set_exception(error)
        else:
            self.future.set_result(result)


class Worker:
    """Runs jobs one after the other, in the order given, on a thread of its own.

    A job with a key replaces a waiting job with the same key and takes its place, so of many versions of a
    document that arrive while the worker is busy only the newest is looked at, and none has to wait when it
    is idle. Background jobs run when no others wait. Jobs given before `start` wait for it.
    """

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._waiting: dict[Hashable, _Job[Any]] = {}
        self._background: dict[Hashable, _Job[Any]] = {}
        self._unnamed = itertools.count()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="mindport-worker", daemon=True)

    def start(self) -> None:
        """Begin to work. May be called once."""
        before = threading.stack_size(_STACK_BYTES)
        try:
            self._thread.start()
        finally:
            threading.stack_size(before)

    def stop(self) -> None:
        """Take no more jobs and drop those that wait. The job that runs is not waited for."""
        with self._condition:
            self._stopped = True
            jobs = [*self._waiting.values(), *self._background.values()]
            self._waiting.clear()
            self._background.clear()
            self._condition.notify()
        for job in jobs:
            job.future.cancel()

    def submit(
        self, work: Callable[[], _Result], key: Hashable = None, background: bool = False
    ) -> Future[_Result]:
        """Have `work` done. The future is cancelled if a job with the same `key` takes its place; cancelling
        it drops the job, unless it runs already."""
        job: _Job[_Result] = _Job(("unnamed", next(self._unnamed)) if key is None else key, work, Future())
        with self._condition:
            queue = self._background if background else self._waiting
            replaced = None if self._stopped else queue.get(job.key)
            if not self._stopped:
                queue[job.key] = job  # a key that is there keeps its place
                self._condition.notify()
        if self._stopped:
            job.future.cancel()
        if replaced is not None:
            replaced.future.cancel()
        return job.future

    def _next(self) -> _Job[Any] | None:
        with self._condition:
            while not (self._waiting or self._background or self._stopped):
                self._condition.wait()
            queue = self._waiting or self._background
            return queue.pop(next(iter(queue))) if queue else None

    def _run(self) -> None:
        while (job := self._next()) is not None:
            job.run()
