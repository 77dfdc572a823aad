"""Looking at the files of a scan, one after the other, in one process."""

from __future__ import annotations

import gc
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic

from mindport.callgraph.call_facts import CallFact, by_name
from mindport.project.dependencies import FileCallFacts
from mindport.project.session import Session
from mindport.project.stub_index import PackageStubs, package_folders
from mindport.scan.tasks import (
    AnalyseFile,
    CallFacts,
    CollectCallFacts,
    Entry,
    FileReporter,
    FileResult,
    ScanFile,
    Task,
    failed_result,
    file_size,
    internal_error,
)
from mindport.source.error import TextError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mindport.assess.file_findings import FileFindings
    from mindport.project.setting_table import Settings

_LOGGER = logging.getLogger(__name__)
_MOST_BYTES_KEPT = 8 * 1024 * 1024
"""After so much source everything kept is dropped, so that memory does not grow with the project. A process
takes about seventy times as much memory."""


@dataclass
class Scanner(Generic[Entry]):
    """Looks at files, in one process."""

    settings: Settings
    reporter: FileReporter[Entry]

    def __post_init__(self) -> None:
        from mindport.catalog.catalog import Catalog

        self._catalog = Catalog.load()
        self._stubs = PackageStubs(self._catalog, package_folders(self.settings.python))
        self._sessions: dict[tuple[Path, ...], Session] = {}
        self._kept = 0
        self._counted: set[Path] = set()
        """The files whose sizes are in what is kept."""
        self._given: Mapping[str, Sequence[CallFact]] = {}

    def handle(self, task: Task) -> FileCallFacts | FileResult[Entry] | None:
        """Do a task. Never raises what a file can be the reason of."""
        if isinstance(task, AnalyseFile):
            return self.analyse(task.file)
        if isinstance(task, CollectCallFacts):
            return self.call_facts(task.file)
        self.take(task.call_facts)
        return None

    def take(self, call_facts: CallFacts) -> None:
        """See `TakeCallFacts`."""
        self._given = by_name(call_facts)
        for session in self._sessions.values():
            session.start_with_call_facts(self._given)

    def call_facts(self, file: ScanFile) -> FileCallFacts | None:
        """What a file gives to others, wherever those are; None where that cannot be told."""
        try:
            return self._session_for(file).call_facts(file.path.absolute())
        except TextError:
            return None
        except Exception:  # told when the file is looked at
            _LOGGER.exception("Internal error at %s", file.path)
            self._sessions.clear()
            return None

    def analyse(self, file: ScanFile) -> FileResult[Entry]:
        """What comes of a file. Never raises what a file can be the reason of."""
        shown = file.path.as_posix()
        try:
            session = self._session_for(file)
            entry = self.reporter.file(shown, self._findings(session, file.path.absolute()))
            return FileResult(entry, self._stubs.is_complete, session.learnt())
        except TextError as error:
            return failed_result(self.reporter, file, error)
        except Exception as error:  # told to the user, and the rest goes on
            _LOGGER.exception("Internal error at %s", shown)
            self._sessions.clear()
            return failed_result(self.reporter, file, internal_error(error))

    def _findings(self, session: Session, path: Path) -> FileFindings:
        """What is found in a file, with what installed packages say: more names may be asked for once the
        stubs of others are known."""
        found = session.analyse_file(path)
        while wanted := session.packages_wanted():
            if session.take_stubs(self._stubs.of(wanted)):
                found = session.analyse_file(path)
        return found

    def _session_for(self, file: ScanFile) -> Session:
        path = file.path.absolute()
        self._make_room(path)
        session = self._sessions.get(file.roots)
        if session is None:
            session = self._sessions[file.roots] = self._session(file)
        session.place(path, file.roots)
        if not session.is_importable(path):
            session = self._session(file)  # it must not stand in for the module that has its name
            session.place(path, file.roots)
        return session

    def _session(self, file: ScanFile) -> Session:
        session = Session(self._catalog, self.settings, file.roots)
        session.start_with_call_facts(self._given)
        return session

    def _make_room(self, path: Path) -> None:
        """Make sure that not too much is kept when a file is added."""
        if path in self._counted:
            return
        size = file_size(path)
        if self._kept and self._kept + size > _MOST_BYTES_KEPT:
            self._kept = 0
            self._counted.clear()
            self._sessions.clear()
            gc.collect()
        self._kept += size
        self._counted.add(path)
