"""How far a run is, shown on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from mindport.project.discover import Discovery

_FILES_WORTH_A_BAR = 40
_Entry = TypeVar("_Entry")


class _Progress:
    """Passes entries through, and shows on a terminal how many there were."""

    def __init__(self, total: int, label: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        console = Console(file=sys.stderr)
        # Without a thread of its own, which would forbid to fork.
        self.bar = Progress(*columns, console=console, transient=True, auto_refresh=False)
        self._task = self.bar.add_task(label, total=total)

    def __call__(self, entries: Iterable[_Entry]) -> Iterator[_Entry]:
        for entry in entries:
            yield entry
            self.bar.advance(self._task)
            self.bar.refresh()


@contextmanager
def progress_of(
    discovery: Discovery, is_on_screen: bool, label: str
) -> Iterator[Callable[[Iterable[_Entry]], Iterator[_Entry]]]:
    """A bar on standard error for long runs; none where the results themselves appear on the terminal."""
    total = len(discovery.files) + len(discovery.problems)
    if total < _FILES_WORTH_A_BAR or is_on_screen or not sys.stderr.isatty():
        yield iter
        return
    progress = _Progress(total, label)
    with progress.bar:
        yield progress
