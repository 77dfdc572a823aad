"""What calls give for parameters in one session: those in open documents and in files of the workspace.

Everything here runs on the worker's thread.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.callgraph.argument_facts import NOTHING
from mindport.infer.propagation import OF_ALL_FILES
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.callgraph.argument_facts import Given
    from mindport.infer.propagation import Settling
    from mindport.project.session import Session


_MOST_AT_ONCE = 500
"""What is given for about so many parameters is taken up in one step."""


class SessionArguments:
    """Brings up to date what calls give, in short steps. `report` tells the user of an error of ours, with
    the path of the file that it came up in."""

    def __init__(self, session: Session, report: Callable[[BaseException, str], None]) -> None:
        self._session = session
        self._report = report
        self._files: Sequence[Path] = ()
        """The files that are looked at in the session like open documents."""
        self._on_disk: Mapping[str, Given] = {}
        """What other files give, by path."""
        self._known: dict[str, Given] = {}
        """What the session knows of that by now."""
        self._is_taken = True
        """Whether that is all."""
        self._rooted: set[Path] = set()
        self._at = ""
        self._work: Iterator[None] = iter(())
        self._has_changed = False

    def take(self, files: Sequence[Path], on_disk: Mapping[str, Given]) -> None:
        """From the next beginning on, these files count as if they were open, and of others this is what they
        give."""
        self._files, self._on_disk, self._is_taken = files, on_disk, False

    def begin(self, opened: Collection[str]) -> None:
        """Documents or files have changed: these are open now."""
        self._work = self._run(opened)

    def step(self) -> bool:
        """Go on for a moment. Returns whether there is nothing more to do."""
        try:
            next(self._work)
        except StopIteration:
            return True
        except Exception as error:  # noqa: BLE001 - told to the user, and the rest goes on
            self._report(error, self._at)
            return True
        return False

    def has_changed(self) -> bool:
        """Whether findings may differ, compared with when this was last asked."""
        has_changed, self._has_changed = self._has_changed, False
        return has_changed

    def _run(self, opened: Collection[str]) -> Iterator[None]:
        if not self._is_taken:
            yield from self._take_from_disk()
        for file in self._files:
            if str(file) not in opened:
                self._load(file)
                yield
        self._has_changed |= self._session.has_moved()  # files came that others had looked for
        paths = sorted({*opened, *map(str, self._files)})
        is_settled = False
        while not is_settled:
            settling = self._session.settling(paths)
            yield from self._steps(settling)
            self._has_changed |= settling.has_changed
            is_settled = not settling.is_cancelled
            if not is_settled:
                yield  # something came between

    def _steps(self, settling: Settling) -> Iterator[None]:
        try:
            while not settling.step():
                yield
        finally:
            self._at = settling.path

    def _take_from_disk(self) -> Iterator[None]:
        """Have the session know what files on disk give, some files at a time."""
        now, known = self._on_disk, self._known
        changed = [path for path in {**known, **now} if known.get(path, NOTHING) != now.get(path, NOTHING)]
        for paths in _portions(changed, now):
            told = {path: now.get(path, NOTHING) for path in (*paths, OF_ALL_FILES)}
            self._session.expect_arguments(told)
            known.update(told)
            yield
        self._known = {path: given for path, given in known.items() if given}
        self._is_taken = True

    def _load(self, file: Path) -> None:
        self._at = str(file)
        if file.parent not in self._rooted:
            self._rooted.add(file.parent)
            self._session.add_file_roots(file)
        try:
            self._session.load(file)
        except TextError:
            return  # it is gone, or no text


def _portions(paths: Sequence[str], given: Mapping[str, Given]) -> Iterator[list[str]]:
    """The paths in lists, each of which gives something for not too many parameters."""
    portion: list[str] = []
    number = 0
    for path in paths:
        portion.append(path)
        number += 1 + len(given.get(path, NOTHING))
        if number > _MOST_AT_ONCE:
            yield portion
            portion, number = [], 0
    if portion:
        yield portion
