"""What is made once in a run of the tests, whatever process of pytest-xdist asks for it first."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Only one process at a time is inside."""
    import fcntl  # not on Windows, where what needs it is not run

    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """The folder that `make` fills: it is given one that is not there yet. Nobody may change what is in it."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder = base / f"shared {name}"
    with alone(base / f"{folder.name}.lock"):
        if not folder.exists():
            work = factory.mktemp("making") / name
            make(work)
            work.rename(folder)
    return folder
