"""Running all APIs: several at a time, each worker thread with processes of its own."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from mindport.verify.pool import TrialWorker
from mindport.verify.run import Verified, Verifier
from mindport.verify.trial import TrialConverter

if TYPE_CHECKING:
    from mindport.catalog.catalog import Catalog
    from mindport.catalog.target import Target
    from mindport.verify.table import InputTable

_COUNTERPART = ("equivalent", "differs")
Made = Callable[[], Verifier]


def names_to_run(
    catalog: Catalog, table: InputTable, target: Target, prefixes: Sequence[str] = ()
) -> list[str]:
    """The public torch APIs with a counterpart that can be run, by the beginnings of their names."""
    return [
        name
        for name in catalog.torch_names
        if catalog.is_documented(name)
        and name.startswith(tuple(prefixes) or ("torch",))
        and catalog.answer(name, target).status in _COUNTERPART
        and table.why_not(name) is None
    ]


def verify_all(
    names: Sequence[str], catalog: Catalog, table: InputTable, python: str, version: str, jobs: int
) -> Iterator[tuple[str, list[Verified]]]:
    """Verify APIs, several at a time, each as it is done. Raises WorkerError when a framework does not
    start."""
    waiting: queue.Queue[str] = queue.Queue()
    for name in names:
        waiting.put(name)
    done: queue.Queue[tuple[str, list[Verified]] | BaseException] = queue.Queue()
    stopped = threading.Event()

    def work() -> None:
        try:
            with ExitStack() as processes:
                torch = processes.enter_context(TrialWorker(python, "torch"))
                mindspore = processes.enter_context(TrialWorker(python, "mindspore"))
                verifier = Verifier(TrialConverter(catalog, version, "cpu"), table, torch, mindspore)
                while not stopped.is_set():
                    name = waiting.get_nowait()
                    done.put((name, verifier.verify(name)))
        except queue.Empty:
            return
        except BaseException as error:  # noqa: BLE001 - raised by the thread that waits
            done.put(error)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(min(jobs, max(1, len(names))))]
    for thread in threads:
        thread.start()
    try:
        for _ in names:
            result = done.get()
            if isinstance(result, BaseException):
                raise result
            yield result
    finally:
        stopped.set()
        for thread in threads:
            thread.join()
