"""The worker: order, coalescing, background, cancelling, stopping."""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError

import pytest
from mindport.lsp.worker import Worker

SECONDS = 30


@pytest.fixture
def worker():
    made = Worker()
    yield made
    made.stop()


def note(log, name):
    return lambda: log.append(name)


def test_jobs_are_done_in_order(worker):
    log = []
    jobs = [worker.submit(note(log, number)) for number in range(50)]
    worker.start()
    for job in jobs:
        job.result(SECONDS)
    assert log == list(range(50))


def test_a_job_takes_the_place_of_the_one_with_its_key(worker):
    log = []
    first = worker.submit(note(log, "first version"), key="a")
    worker.submit(note(log, "other"))
    second = worker.submit(note(log, "second version"), key="a")
    last = worker.submit(note(log, "last"), key="b")
    worker.start()
    last.result(SECONDS)
    assert log == ["second version", "other", "last"]
    assert first.cancelled() and second.done() and not second.cancelled()


def test_a_job_that_runs_is_not_replaced(worker):
    log, running, may_end = [], threading.Event(), threading.Event()

    def first():
        running.set()
        assert may_end.wait(SECONDS)
        log.append("first")

    worker.start()
    one = worker.submit(first, key="a")
    assert running.wait(SECONDS)
    two = worker.submit(note(log, "second"), key="a")
    three = worker.submit(note(log, "third"), key="a")
    may_end.set()
    one.result(SECONDS), three.result(SECONDS)
    assert log == ["first", "third"]
    assert two.cancelled()


def test_background_jobs_wait_for_the_others(worker):
    log = []
    background = worker.submit(note(log, "background"), background=True)
    for number in range(3):
        worker.submit(note(log, number))
    worker.start()
    background.result(SECONDS)
    assert log == [0, 1, 2, "background"]


def test_a_background_job_and_another_with_its_key_are_two(worker):
    log = []
    background = worker.submit(note(log, "background"), key="a", background=True)
    worker.submit(note(log, "now"), key="a")
    worker.start()
    background.result(SECONDS)
    assert log == ["now", "background"]


def test_a_cancelled_job_is_not_done(worker):
    log = []
    dropped = worker.submit(note(log, "dropped"))
    kept = worker.submit(note(log, "kept"))
    assert dropped.cancel()
    worker.start()
    kept.result(SECONDS)
    assert log == ["kept"]


def test_an_error_reaches_who_waits_and_the_worker_goes_on(worker):
    worker.start()

    def fail():
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        worker.submit(fail).result(SECONDS)
    assert worker.submit(lambda: "alive").result(SECONDS) == "alive"


def test_stopping_drops_what_waits_and_takes_nothing_more():
    worker = Worker()
    log = []
    waiting = [worker.submit(note(log, 1)), worker.submit(note(log, 2), background=True)]
    worker.stop()
    late = worker.submit(note(log, 3))
    for job in (*waiting, late):
        with pytest.raises(CancelledError):
            job.result(SECONDS)
    assert log == []


def test_many_threads_may_give_jobs(worker):
    worker.start()
    done = []

    def give():
        for number in range(200):
            worker.submit(note(done, number))

    threads = [threading.Thread(target=give) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    worker.submit(lambda: None).result(SECONDS)
    assert sorted(done) == sorted([*range(200)] * 4)


def test_deep_recursion_does_not_end_the_process(worker):
    def depth(level):
        return 0 if level == 0 else 1 + depth(level - 1)

    worker.start()
    assert worker.submit(lambda: depth(900)).result(SECONDS) == 900
