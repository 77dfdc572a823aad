"""What the calls in the files of a project give for parameters, found in a process of its own.

The process lets others go before, and has its own memory. What was found is kept in the user's cache, where
scans find it, too.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mindport.infer.project_graph import name_below
from mindport.scan.pool import GIVES_WAY, Local
from mindport.scan.scan import NoReport, propagated_arguments, scan_files
from mindport.scan.tasks import file_size
from mindport.scan.worker_processes import Crash, Workers
from mindport.source.decode import is_notebook

if TYPE_CHECKING:
    from mindport.project.setting_table import Settings
    from mindport.scan.tasks import Arguments

_FEW_FILES = 30
_FEW_BYTES = 500_000
_SMALL_FILE_BYTES = 50_000
"""A larger file would take the thread that looks at it too long at once."""


class ArgumentsTask(NamedTuple):
    """The files of a project, and its settings."""

    files: Sequence[Path]
    settings: Settings


class _Failure(NamedTuple):
    """An error of ours, in the process."""

    reason: str


def is_small(files: Sequence[Path]) -> bool:
    """Whether files are so few and small that a process costs more than it saves, and one session can hold
    them: each is imported by a name of its own, from the same places. On any thread."""
    if len(files) > _FEW_FILES:
        return False
    sizes = [file_size(file) for file in files]
    if sum(sizes) > _FEW_BYTES or max(sizes, default=0) > _SMALL_FILE_BYTES:
        return False
    modules = [file for file in scan_files(files) if not is_notebook(file.path)]
    names = {name_below(file.roots, file.path) for file in modules}
    return len({file.roots for file in modules}) <= 1 and len(names) == len(modules)


def find_arguments(files: Sequence[Path], settings: Settings) -> Arguments:
    """What the calls in these files give, by what the user's cache knows and else by a scan in this process.
    Raises IndexFileError."""
    from mindport.scan.cache import Packing, open_cache

    cache = open_cache(settings, NoReport(), Packing[None](lambda _: b"", lambda _: None))
    found = propagated_arguments(scan_files(files), settings, Local(1), cache)
    cache.save()
    return found or {}


def find_arguments_apart(task: ArgumentsTask, stop: threading.Event) -> Arguments | None:
    """The same, found in a process that ends then; soon after `stop` is set it ends, and there is nothing.
    Takes long: on any thread. Raises ChildProcessError when the process fails."""
    with Workers(_set_up, 1) as workers:
        for _, found in workers.handle([[task]], stop):
            if isinstance(found, Crash):
                raise ChildProcessError(f"the process that looked at files has ended ({found.exit_code})")
            if isinstance(found, _Failure):
                raise ChildProcessError(found.reason)
            return found
    return None


def _set_up() -> Callable[[ArgumentsTask], Arguments | _Failure]:
    """What the process does; see `SetUp`."""
    give_way()
    return _handle


def give_way() -> None:
    """Have this process let others go before, and end when the one that has started it ends."""
    if hasattr(os, "nice"):
        os.nice(GIVES_WAY)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End when the process that started this one has ended, however: nobody wants to know any more."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _handle(task: ArgumentsTask) -> Arguments | _Failure:
    try:
        return find_arguments(task.files, task.settings)
    except Exception as error:  # noqa: BLE001 - told to the user by whoever asked
        return _Failure(f"{type(error).__name__}: {error}")
