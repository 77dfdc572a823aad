"""The diagnostics of a project's files, found in a process of its own: they are too many for the server.

The process lets others go before, and has its own memory. What is on disk counts, whatever is open. What was
found is kept in the user's cache.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mindport.app.arguments import ArgumentsTask, give_way
from mindport.language import Language
from mindport.lsp.client import Client
from mindport.lsp.diagnostics_json import DiagnosticItems
from mindport.source.decode import is_notebook

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.source.error import TextError

_PORTION = 4
"""So many files are asked for at least at once."""


class ClosedFile(NamedTuple):
    """A file by its path, and its diagnostics as JSON (see `DiagnosticItems.of`)."""

    path: str
    texts: list[str]


@dataclass(frozen=True)
class ClosedFiles:
    """Makes what a scan tells of files that are not open, for a client; see `FileReporter`."""

    language: Language
    client: Client

    def file(self, path: str, found: FileFindings) -> ClosedFile:
        """From what was found in a file."""
        items = _items(self)
        texts = items.of(path, found.shown(), found.document.lines)
        items.forget(path)
        return ClosedFile(path, texts)

    def unreadable(self, path: str, error: TextError) -> ClosedFile:
        """Nothing: such a file has no diagnostics."""
        return ClosedFile(path, [])


@lru_cache(maxsize=1)
def _items(form: ClosedFiles) -> DiagnosticItems:
    from mindport.catalog.catalog import Catalog

    return DiagnosticItems(_Words(form.language, lru_cache(None)(Catalog.load().is_deprecated)), form.client)


class _Words(NamedTuple):
    """See `Words`."""

    language: Language
    is_deprecated: Callable[[str], bool]


class _Failure(NamedTuple):
    """An error of ours, in the process."""

    reason: str


def look_apart(
    task: ArgumentsTask, form: ClosedFiles, stop: threading.Event
) -> Iterator[Sequence[ClosedFile]]:
    """The files of a project with their diagnostics, some at a time; soon after `stop` is set nothing more
    comes. Takes long: on any thread. Raises ChildProcessError when the process fails."""
    from mindport.scan.worker_processes import Crash, Workers

    portions = [_PORTION] * (len(task.files) // _PORTION + 1)  # the last one is found to be the last
    with Workers(partial(_set_up, task, form), 1) as workers:
        for _, found in workers.handle([portions], stop):
            if isinstance(found, Crash):
                raise ChildProcessError(f"the process that looked at files has ended ({found.exit_code})")
            if isinstance(found, _Failure):
                raise ChildProcessError(found.reason)
            yield found


def _set_up(task: ArgumentsTask, form: ClosedFiles) -> Callable[[int], list[ClosedFile] | _Failure]:
    """What the process does; see `SetUp`."""
    give_way()
    files = _files(task, form)

    def handle(number: int) -> list[ClosedFile] | _Failure:
        try:
            return list(islice(files, number))
        except Exception as error:  # noqa: BLE001 - told to the user by whoever asked
            return _Failure(f"{type(error).__name__}: {error}")

    return handle


def _files(task: ArgumentsTask, form: ClosedFiles) -> Iterator[ClosedFile]:
    """All files, one after the other; then what was found is kept."""
    from mindport.project.discover import Discovery
    from mindport.scan.cache import Packing, open_cache
    from mindport.scan.pool import Local
    from mindport.scan.scan import scan

    cache = open_cache(task.settings, form, Packing(_pack, _unpack))
    for file in scan(Discovery(list(task.files), []), task.settings, form, cache=cache, engine=Local(1)):
        if not is_notebook(Path(file.path)):  # of notebooks, diagnostics are about the cells of an open one
            yield file
    cache.save()


def _pack(file: ClosedFile) -> bytes:
    return json.dumps(file).encode()


def _unpack(packed: bytes) -> ClosedFile:
    path, texts = json.loads(packed)
    return ClosedFile(path, texts)
