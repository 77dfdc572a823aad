"""Worker processes: results, and what happens when one ends."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable

import pytest
from mindport.scan.worker_processes import Crash, Workers


def _handle(item: int) -> int:
    if item == 13:
        os._exit(7)
    if item == 14:
        os.kill(os.getpid(), signal.SIGTERM)
    return item * item


def set_up() -> Callable[[int], int]:
    return _handle


def numbered() -> Callable[[float], int]:
    """Sleeps so many seconds; the answer is who did."""

    def handle(seconds: float) -> int:
        time.sleep(abs(seconds))
        return os.getpid()

    return handle


def broken_set_up() -> Callable[[int], int]:
    os._exit(9)


def squares(lists: list[list[int]], number: int) -> dict[int, int | Crash]:
    with Workers(set_up, number) as workers:
        return dict(workers.handle(lists))


@pytest.mark.parametrize("number", [1, 2, 5])
def test_every_item_has_its_result(number: int) -> None:
    assert squares([[1, 2], [], [3], [4, 5, 6]], number) == {n: n * n for n in range(1, 7)}


def test_nothing_to_do() -> None:
    assert squares([], 2) == {}
    assert squares([[], []], 2) == {}


@pytest.mark.parametrize("number", [1, 2])
def test_the_item_at_which_a_worker_ends_is_known_and_the_rest_is_done(number: int) -> None:
    results = squares([[1, 13, 2], [3], [13], [4, 5]], number)
    assert results == {13: Crash(7), 1: 1, 2: 4, 3: 9, 4: 16, 5: 25}


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_a_signal_is_told() -> None:
    assert squares([[14, 1]], 1) == {14: Crash(-signal.SIGTERM), 1: 1}


def test_a_list_is_handled_by_the_same_worker_again() -> None:
    lists = [[0.001, 0.002, 0.003], [-0.001, -0.002, -0.003]]
    with Workers(numbered, 2) as workers:
        first = dict(workers.handle(lists))
        again = dict(workers.handle(lists))
    assert len(set(first.values())) == 2
    assert all(first[items[0]] == again[items[0]] for items in lists)


def test_who_has_nothing_left_takes_from_another() -> None:
    slow, quick = [1.0, *(n / 1000 for n in range(40))], [-0.001]
    with Workers(numbered, 2) as workers:
        done = dict(workers.handle([slow, quick]))
    assert set(done) == {*slow, *quick}
    taken = [item for item in slow if done[item] == done[quick[0]]]
    assert len(taken) >= 15
    assert slow[0] not in taken


def test_how_much_is_taken_from_another() -> None:
    slow, quick = [1.0, *(n / 1000 for n in range(40))], [-0.001]
    with Workers(numbered, 2) as workers:
        done = dict(workers.handle([slow, quick], taken=1 / 4))
        last = dict(workers.handle([slow, quick], taken=0))
    taken = [item for item in slow if done[item] == done[quick[0]]]
    assert slow[-1] in taken
    assert {last[item] for item in slow} == {last[slow[0]]} != {last[quick[0]]}


def test_who_has_handled_what_is_known() -> None:
    first, second = [n / 1000 for n in range(10)], [-n / 1000 for n in range(1, 10)]
    with Workers(numbered, 3) as workers:
        done = dict(workers.handle([first, [], second]))
        handled = [list(items) for items in workers.handled]
        assert sorted(item for items in handled for item in items) == sorted(done)
        assert all(len({done[item] for item in items}) <= 1 for items in handled)
        assert dict(workers.handle([])) == {}
        assert workers.handled == [[], [], []]


@pytest.mark.parametrize("before", [0, 1, 6, 30])
@pytest.mark.parametrize("after", [[], [1, 2, 3]])
def test_among_many_the_item_at_which_a_worker_ends_is_known_and_the_rest_is_done(
    before: int, after: list[int]
) -> None:
    many = list(range(100, 140))
    results = squares([[*many[:before], 13, *many[before:]], after], 2)
    assert results == {13: Crash(7), **{n: n * n for n in (*many, *after)}}


def test_several_items_of_a_list_may_end_workers() -> None:
    many = list(range(100, 200))
    results = squares([[*many[:50], 13, 14, *many[50:], 15]], 2)
    crashes = {13: Crash(7), 14: Crash(-signal.SIGTERM)}
    assert results == {**crashes, **{n: n * n for n in (*many, 15)}}


def test_no_item_is_handled_twice_unless_a_worker_ends() -> None:
    many = [n / 10_000 for n in range(90)]
    with Workers(numbered, 3) as workers:
        assert sorted(item for item, _ in workers.handle([many[:60], many[60:]])) == many


def test_workers_that_never_get_ready() -> None:
    with Workers(broken_set_up, 2) as workers:
        try:
            results = dict(workers.handle([[1, 2], [3]]))
        except ChildProcessError:
            return  # noticed when something was sent
    assert results == {n: Crash(9) for n in (1, 2, 3)}


def test_with_other_threads_around_nothing_is_forked() -> None:
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert squares([[1, 2], [3]], 2) == {1: 1, 2: 4, 3: 9}
    finally:
        stop.set()
        thread.join()


def test_workers_end_when_the_results_are_not_wanted_any_more() -> None:
    with Workers(set_up, 2) as workers:
        processes = [worker.process for worker in workers._workers]
        next(workers.handle([[n] for n in range(1000, 1100)]))
    assert not any(process.is_alive() for process in processes)
