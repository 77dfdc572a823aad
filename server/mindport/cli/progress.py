"""How far a run is, shown on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mindport.scan.scan import Progress

if TYPE_CHECKING:
    from mindport.project.discover import Discovery

_FILES_WORTH_A_BAR = 40


@contextmanager
def progress_of(files: Discovery, is_on_screen: bool, label: str) -> Iterator[Progress]:
    """A bar on standard error for long runs; none where the results themselves appear on the terminal."""
    if files.total < _FILES_WORTH_A_BAR or is_on_screen or not sys.stderr.isatty():
        yield Progress()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # Without a thread of its own, which would forbid to fork.
    bar = Bar(*columns, console=Console(file=sys.stderr), transient=True, auto_refresh=False)
    task = bar.add_task(label, total=files.total)

    def tell(number: int, total: int) -> None:
        bar.update(task, completed=number, total=total)
        bar.refresh()

    with bar:
        yield Progress(tell)
