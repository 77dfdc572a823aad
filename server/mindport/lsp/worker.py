"""One thing at a time: the engine is not thread-safe, and need not be."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

_STACK_BYTES = 64 * 1024 * 1024
_Result = TypeVar("_Result")


def deep_thread(target: Callable[[], None], name: str) -> threading.Thread:
    """Start a thread whose stack is large enough for what the engine does: deeply nested code is walked by
    recursion, which the usual stack of a thread is too small for."""
    thread = threading.Thread(target=target, name=name, daemon=True)
    before = threading.stack_size(_STACK_BYTES)
    try:
        thread.start()
    finally:
        threading.stack_size(before)
    return thread


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

    Handing a job over takes about as long as looking at what was typed. What is known to be short may be done
    by another thread instead, whose stack is deep enough, while nothing is `waiting` and it holds `turn`.
    """

    def __init__(self) -> None:
        self.turn = threading.Lock()
        """Held by the thread that does something; until the worker starts, by nobody who does."""
        self.turn.acquire()
        self.waiting: dict[Hashable, _Job[Any]] = {}
        self._background: dict[Hashable, _Job[Any]] = {}
        self._unnamed = itertools.count()
        self._condition = threading.Condition()
        self._stopped = False
        self.on_done: list[Callable[[], None]] = []
        """Called on the worker's thread when a job is done."""

    def start(self) -> None:
        """Begin to work. May be called once."""
        self.turn.release()
        deep_thread(self._run, "mindport-worker")

    def stop(self) -> None:
        """Take no more jobs and drop those that wait. The job that runs is not waited for."""
        with self._condition:
            self._stopped = True
            jobs = [*self.waiting.values(), *self._background.values()]
            self.waiting.clear()
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
            queue = self._background if background else self.waiting
            replaced = None if self._stopped else queue.get(job.key)
            if not self._stopped:
                queue[job.key] = job  # a key that is there keeps its place
                self._condition.notify()
        if self._stopped:
            job.future.cancel()
        if replaced is not None:
            replaced.future.cancel()
        return job.future

    def _wait(self) -> bool:
        """Wait for something to do. Returns False once the worker was stopped."""
        with self._condition:
            while not (self._stopped or self.waiting or self._background):
                self._condition.wait()
            return not self._stopped

    def _next(self) -> _Job[Any] | None:
        """The job whose turn it is; None if it was taken back meanwhile."""
        with self._condition:
            queue = self.waiting or self._background
            return queue.pop(next(iter(queue))) if queue else None

    def _run(self) -> None:
        while self._wait():
            with self.turn:
                job = self._next()
                if job is not None:
                    job.run()
            for tell in self.on_done:
                tell()
