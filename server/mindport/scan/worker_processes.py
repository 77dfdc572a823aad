"""Worker processes that handle lists of items, and survive the end of any of them."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
SetUp = Callable[[], Callable[[Item], Result]]
"""Called once in each worker: gives what handles an item, which must not raise. Picklable."""
PYTHONS_FOLDER = Path(os.__file__).parent
"""Where Python's own modules are: a folder that no project's files are in."""
_SECONDS_TO_END = 2.0
_SECONDS_TO_STOP = 0.1
_MOST_ATTEMPTS = 3
_SENT_AHEAD = 2
"""So many portions of items a worker has at most that it has not answered: it need not wait, and others can
take what it was not sent."""
_LARGEST_PORTION = 8
_PORTIONS_OF_QUEUE = 8
"""A worker is sent several items at once, which saves half of the time that sending takes; fewer as the end
comes near, so that others can still take their part."""

_GOING_AWAY = threading.Lock()


class Crash(NamedTuple):
    """The worker ended while it handled an item. `exit_code` is negative for a signal, None if unknown."""

    exit_code: int | None


class Workers(Generic[Item, Result]):
    """A number of worker processes. A context manager: they end with it."""

    def __init__(self, set_up: SetUp[Item, Result], number: int) -> None:
        self._set_up = set_up
        self._taken = 0.0
        self._told: list[Item] = []
        self._context = multiprocessing.get_context(_start_method())
        self._workers: list[_Worker[Item]] = []
        for _ in range(number):
            self._workers.append(self._start())

    def __enter__(self) -> Workers[Item, Result]:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            if worker.sent:
                worker.process.kill()  # nobody waits for what it is at
            worker.connection.close()
        for worker in self._workers:
            worker.end()

    def handle(
        self,
        lists: Iterable[Sequence[Item]],
        stop: threading.Event | None = None,
        *,
        taken: float = 1 / 2,
    ) -> Iterator[tuple[Item, Result | Crash]]:
        """Every item with its result, as they come. The first lists go to the first workers, each handles its
        own in order; who has nothing left takes that part of what another has not begun that `taken` says.
        Soon after `stop` is set, by whatever thread, nothing more comes."""
        queues = [deque(items) for items in lists]
        for worker in self._workers:
            worker.queue, worker.handled = deque(), []
        for worker, queue in zip(self._workers, queues, strict=False):
            worker.queue = queue
        waiting = deque(queue for queue in queues[len(self._workers) :] if queue)
        self._taken = taken
        for position in range(len(self._workers)):
            self._give(position, waiting)
        while busy := {w.connection: n for n, w in enumerate(self._workers) if w.sent}:
            ready = wait(list(busy), None if stop is None else _SECONDS_TO_STOP)
            if stop is not None and stop.is_set():
                return
            for connection in ready:
                position = busy[connection]  # type: ignore[index]
                answered = self._answered(position)
                self._give(position, waiting)
                yield from answered

    def _answered(self, position: int) -> list[tuple[Item, Result | Crash]]:
        """The items that a worker has handled by now, or what comes of its end."""
        worker = self._workers[position]
        try:
            results = _receive(worker.connection)
        except (EOFError, OSError):
            portion, *others = worker.sent
            rest = [item for items in others for item in items]
            if len(portion) == 1:
                return [(portion[0], Crash(self._replace(position, [*rest, *worker.queue])))]
            # One of them is the reason.
            self._replace(position, [*portion, *rest, *worker.queue], singly=len(portion))
            return []
        portion = worker.sent.popleft()
        worker.handled += portion
        return list(zip(portion, results, strict=True))

    @property
    def handled(self) -> list[list[Item]]:
        """What each worker has handled since `handle` was last called, in its order."""
        return [worker.handled for worker in self._workers]

    def dismiss(self) -> None:
        """Let the workers end, for which nobody waits. There is nothing more to do for them."""
        for worker in self._workers:
            worker.connection.close()
        self._workers.clear()

    def tell(self, item: Item) -> None:
        """Have every worker handle an item, also those that are started later. Nothing comes of it."""
        self._told.append(item)
        message = pickle.dumps([item], pickle.HIGHEST_PROTOCOL)
        told = []
        for position, worker in enumerate(self._workers):
            try:
                worker.connection.send_bytes(message)
                told.append(position)
            except OSError:
                self._replace(position)
        for position in told:
            try:
                _receive(self._workers[position].connection)
            except (EOFError, OSError):
                self._replace(position)

    def _give(self, position: int, waiting: deque[deque[Item]]) -> None:
        """Send a worker what it is to do next. Raises ChildProcessError when none can be sent anything."""
        for _ in range(_SENT_AHEAD - len(self._workers[position].sent)):
            if not self._workers[position].queue:
                self._workers[position].queue = waiting.popleft() if waiting else self._part_of_longest()
            if not self._workers[position].queue:
                return
            self._send(position)

    def _part_of_longest(self) -> deque[Item]:
        """What another worker has to do last, taken from it."""
        queue = max([worker.queue for worker in self._workers], key=len)
        number = int(len(queue) * self._taken + 0.5)
        return deque(reversed([queue.pop() for _ in range(number)]))

    def _send(self, position: int) -> None:
        """Send a worker, or the one that takes its place, the first items of its queue."""
        for _ in range(_MOST_ATTEMPTS):
            worker = self._workers[position]
            portion = worker.portion()
            try:
                worker.connection.send_bytes(pickle.dumps(portion, pickle.HIGHEST_PROTOCOL))
            except OSError:
                if worker.sent:
                    return  # noticed when its next answer is asked for
                self._replace(position, worker.queue, worker.singly)  # it ended before it got anything to do
            else:
                worker.take(portion)
                return
        raise ChildProcessError("worker processes cannot be started")

    def _replace(self, position: int, queue: Iterable[Item] = (), singly: int = 0) -> int | None:
        """End a worker, and start one that does what it has not done. Returns the exit code."""
        code = self._workers[position].end()
        self._workers[position] = self._start()
        self._workers[position].queue = deque(queue)
        self._workers[position].singly = singly
        return code

    def _start(self) -> _Worker[Item]:
        ours, theirs = self._context.Pipe()
        is_fork = self._context.get_start_method() == "fork"
        inherited = [worker.connection for worker in self._workers] + [ours] if is_fork else []
        process = self._context.Process(  # type: ignore[attr-defined]
            target=_work,
            args=(self._set_up, theirs, inherited, self._told, Path.cwd()),
            name="mindport-worker",
            daemon=True,
        )
        with nullcontext() if is_fork else _away_from_the_users_folder():
            process.start()
        theirs.close()
        return _Worker(process, ours)


class _Worker(Generic[Item]):
    """One process; `sent` are the portions of items that it has not answered, `handled` the items that it
    has, `queue` is what it is to be sent: the first of these items `singly`, as one of them has ended a
    worker."""

    def __init__(self, process: Any, connection: Connection) -> None:
        self.process = process
        self.connection = connection
        self.sent: deque[list[Item]] = deque()
        self.queue: deque[Item] = deque()
        self.handled: list[Item] = []
        self.singly = 0

    def portion(self) -> list[Item]:
        """What it is to be sent next."""
        most = 1 if self.singly else min(_LARGEST_PORTION, len(self.queue) // _PORTIONS_OF_QUEUE)
        return list(islice(self.queue, max(1, most)))

    def take(self, portion: list[Item]) -> None:
        """Note that it was sent this."""
        self.sent.append(portion)
        for _ in portion:
            self.queue.popleft()
        self.singly = max(0, self.singly - 1)

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


@contextmanager
def _away_from_the_users_folder() -> Iterator[None]:
    """A Python that is started anew looks for its first modules in the current folder, where a user's file
    may have the name of one. It is started in Python's own folder, and goes to ours afterwards."""
    with _GOING_AWAY:  # else the one thread would go back to where the other has gone
        before = Path.cwd()
        os.chdir(PYTHONS_FOLDER)
        try:
            yield
        finally:
            os.chdir(before)


def _work(
    set_up: SetUp[Item, Result],
    connection: Connection,
    inherited: Sequence[Connection],
    told: Sequence[Item],
    folder: Path,
) -> None:
    """The life of a worker, in a folder."""
    os.chdir(folder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process ends us
    for other in inherited:  # else we would not notice that the main process is gone
        other.close()
    gc.disable()
    with suppress(EOFError, OSError):  # the main process has closed its end
        handle = set_up()
        for item in told:
            handle(item)
        while True:
            results = [handle(item) for item in _receive(connection)]
            connection.send_bytes(pickle.dumps(results, pickle.HIGHEST_PROTOCOL))


def _receive(connection: Connection) -> Any:
    """What was sent: multiprocessing's own way of pickling, for what processes share, takes longer."""
    return pickle.loads(connection.recv_bytes())
