"""Worker processes that handle lists of items, and survive the end of any of them."""

from __future__ import annotations

import gc
import multiprocessing
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, NamedTuple, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
SetUp = Callable[[], Callable[[Item], Result]]
"""Called once in each worker: gives what handles an item, which must not raise. Picklable."""
_SECONDS_TO_END = 2.0
_MOST_ATTEMPTS = 3


class Crash(NamedTuple):
    """The worker ended while it handled an item. `exit_code` is negative for a signal, None if unknown."""

    exit_code: int | None


class Workers(Generic[Item, Result]):
    """A number of worker processes. A context manager: they end with it. A list goes to the worker that had
    an item of the same `likeness` before, if that has nothing else to do."""

    def __init__(
        self, set_up: SetUp[Item, Result], number: int, likeness: Callable[[Item], Hashable] | None = None
    ) -> None:
        self._set_up = set_up
        self._likeness = likeness
        self._had: dict[Hashable, int] = {}
        self._told: list[Item] = []
        self._context = multiprocessing.get_context(_start_method())
        self._workers: list[_Worker[Item]] = []
        for _ in range(number):
            self._workers.append(self._start())

    def __enter__(self) -> Workers[Item, Result]:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            if worker.items:
                worker.process.kill()  # nobody waits for what it is at
            worker.connection.close()
        for worker in self._workers:
            worker.end()

    def handle(self, lists: Iterable[Sequence[Item]]) -> Iterator[tuple[Item, Result | Crash]]:
        """Every item with its result, as they come. A list is handled in order by one worker."""
        waiting = deque(deque(items) for items in lists if items)
        for position in range(len(self._workers)):
            self._give(position, waiting)
        while busy := {w.connection: n for n, w in enumerate(self._workers) if w.items}:
            for connection in wait(list(busy)):
                position = busy[connection]  # type: ignore[index]
                worker = self._workers[position]
                try:
                    result = worker.connection.recv()
                except (EOFError, OSError):
                    result = Crash(worker.end())
                    waiting.append(worker.items)  # what is left of it
                    self._workers[position] = self._start()
                yield worker.items.popleft(), result
                if not self._workers[position].items:
                    self._give(position, waiting)

    def tell(self, item: Item) -> None:
        """Have every worker handle an item, also those that are started later. Nothing comes of it."""
        self._told.append(item)
        for position, worker in enumerate(self._workers):
            try:
                worker.connection.send([item])
                worker.connection.recv()
            except (EOFError, OSError):
                worker.end()
                self._workers[position] = self._start()

    def _give(self, position: int, waiting: deque[deque[Item]]) -> None:
        """Send a worker the next list. Raises OSError when none can be sent anything."""
        for empty in [items for items in waiting if not items]:
            waiting.remove(empty)
        if not waiting:
            return
        self._bring_forward(position, waiting)
        for _ in range(_MOST_ATTEMPTS):
            worker = self._workers[position]
            try:
                worker.connection.send(list(waiting[0]))
            except OSError:  # it ended before it got anything to do
                worker.end()
                self._workers[position] = self._start()
            else:
                worker.items = waiting.popleft()
                return
        raise ChildProcessError("worker processes cannot be started")

    def _bring_forward(self, position: int, waiting: deque[deque[Item]]) -> None:
        """Put a list in front that this worker had to do with before; else one that no other had."""
        if self._likeness is None:
            return
        places = [self._owner(items) for items in waiting]
        best = next(
            (n for wanted in (position, None) for n, place in enumerate(places) if place == wanted), 0
        )
        items = waiting[best]
        del waiting[best]
        waiting.appendleft(items)
        for item in items:
            self._had.setdefault(self._likeness(item), position)

    def _owner(self, items: Iterable[Item]) -> int | None:
        """The worker that had to do with any of these."""
        assert self._likeness is not None
        return next((self._had[like] for like in map(self._likeness, items) if like in self._had), None)

    def _start(self) -> _Worker[Item]:
        ours, theirs = self._context.Pipe()
        is_fork = self._context.get_start_method() == "fork"
        inherited = [worker.connection for worker in self._workers] + [ours] if is_fork else []
        process = self._context.Process(  # type: ignore[attr-defined]
            target=_work,
            args=(self._set_up, theirs, inherited, self._told),
            name="mindport-worker",
            daemon=True,
        )
        process.start()
        theirs.close()
        return _Worker(process, ours)


class _Worker(Generic[Item]):
    """One process; `items` are those it was sent and has not answered."""

    def __init__(self, process: Any, connection: Connection) -> None:
        self.process = process
        self.connection = connection
        self.items: deque[Item] = deque()

    def end(self) -> int | None:
        """Make sure that the process has ended. Returns its exit code."""
        self.connection.close()
        self.process.join(_SECONDS_TO_END)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        code: int | None = self.process.exitcode
        return code


def _start_method() -> str:
    """Forking is fast, but safe only where it is usual and as long as there is one thread."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def _work(
    set_up: SetUp[Item, Result], connection: Connection, inherited: Sequence[Connection], told: Sequence[Item]
) -> None:
    """The life of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process ends us
    for other in inherited:  # else we would not notice that the main process is gone
        other.close()
    gc.disable()
    with suppress(EOFError, OSError):  # the main process has closed its end
        handle = set_up()
        for item in told:
            handle(item)
        while True:
            for item in connection.recv():
                connection.send(handle(item))
