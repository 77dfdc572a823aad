"""Looking at the files of a scan, one after the other, in one process."""

from __future__ import annotations

import gc
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from mindport.callgraph.argument_facts import ArgumentFacts, Form, Given
from mindport.project.dependencies import FileArguments
from mindport.project.session import Session
from mindport.project.stub_index import PackageStubs, package_folders
from mindport.scan.memory import LEAST_BYTES_KEPT
from mindport.scan.tasks import (
    AnalyseFile,
    Arguments,
    CollectArguments,
    CollectDefinitions,
    Entry,
    FileReporter,
    FileResult,
    ScanFile,
    TakeReporter,
    Task,
    failed_result,
    file_size,
    internal_error,
)
from mindport.source.error import TextError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mindport.project.setting_table import Settings

_Result = TypeVar("_Result")
_LOGGER = logging.getLogger(__name__)
_LEAST_SHARE = 4
"""Files that were looked at are at least one of so many parts of what is kept: else what they all import
would be read again for each few of them."""


@dataclass
class Scanner(Generic[Entry]):
    """Looks at files, in one process. After `most_kept` bytes of source, of files and of what they import,
    files that no other relies on are dropped, and everything where that is not enough, so that memory does
    not grow with the project. In a large project (`is_large`) only what other files ask for is kept of a file
    that was looked at."""

    settings: Settings
    reporter: FileReporter[Entry]
    most_kept: int = LEAST_BYTES_KEPT
    is_large: bool = False

    def __post_init__(self) -> None:
        from mindport.catalog.catalog import Catalog

        self._catalog = Catalog.load()
        self._stubs = PackageStubs(self._catalog, package_folders(self.settings.python))
        self._sessions: dict[tuple[Path, ...], Session] = {}
        self._looked_at = 0
        self._counted: dict[Path, Session | None] = {}
        """The files that were looked at since everything was dropped, whose size together is `_looked_at`,
        each with the session that it has its place in; None where it has to have one of its own."""
        self._facts = ArgumentFacts()
        self._told: dict[str, Given] = {}
        """What files were last said to give."""
        self._forms: dict[frozenset[Form], frozenset[Form]] = {}
        """What is given for parameters, each once."""

    def handle(self, task: Task) -> FileArguments | FileResult[Entry] | None:
        """Do a task. Never raises what a file can be the reason of."""
        if isinstance(task, AnalyseFile):
            return self.analyse(task.file)
        if isinstance(task, CollectDefinitions):
            return self.definitions(task.file)
        if isinstance(task, CollectArguments):
            return self.arguments(task.file)
        if isinstance(task, TakeReporter):
            self.reporter = task.reporter
        else:
            self.take(task.arguments)
        return None

    def take(self, arguments: Arguments) -> None:
        """See `TakeArguments`."""
        arguments = {path: self._as_known(path, given) for path, given in arguments.items()}
        self._facts.invalidate(self._facts.take(arguments))
        self._told.update(arguments)

    def _as_known(self, path: str, given: Given) -> Given:
        """What a file gives: where it was found here, as it was found, and else with what is the same kept
        once. It comes from another process, where nothing is shared with what is known here."""
        known = self._told.get(path)
        if known == given:
            return known
        share = self._forms.setdefault
        return {key: share(forms, forms) for key, forms in given.items()}

    def definitions(self, file: ScanFile) -> FileArguments | None:
        """What the classes in a file define; None where that cannot be told."""
        return self._told_of(file, lambda session, path: session.definitions(path))

    def arguments(self, file: ScanFile) -> FileArguments | None:
        """What the calls in a file give for parameters; None where there is nothing new, or it cannot be
        told."""
        return self._told_of(file, lambda session, path: session.arguments(path))

    def _told_of(
        self, file: ScanFile, look: Callable[[Session, Path], FileArguments]
    ) -> FileArguments | None:
        try:
            path = file.path.absolute()
            session = self._session_for(file)
            found = self._settled(session, lambda: look(session, path))
        except TextError:
            return None
        except Exception:  # told when the file is looked at
            _LOGGER.exception("Internal error at %s", file.path)
            self._drop_sessions()
            return None
        name, learnt = str(path), session.learnt()
        if self._told.get(name) == found.given:
            return FileArguments(None, found.digest, learnt) if learnt.modules or learnt.located else None
        assert found.given is not None
        self._told[name] = found.given
        return FileArguments(found.given, found.digest, learnt)

    def analyse(self, file: ScanFile) -> FileResult[Entry]:
        """What comes of a file. Never raises what a file can be the reason of."""
        shown = file.path.as_posix()
        try:
            session = self._session_for(file)
            path = file.path.absolute()
            found = self._settled(session, lambda: session.analyse_file(path))
            entry = self.reporter.file(shown, found)
            if self.is_large:
                session.forget_findings(path)
            return FileResult(entry, self._stubs.is_complete, session.learnt())
        except TextError as error:
            return failed_result(self.reporter, file, error)
        except Exception as error:  # told to the user, and the rest goes on
            _LOGGER.exception("Internal error at %s", shown)
            self._drop_sessions()
            return failed_result(self.reporter, file, internal_error(error))

    def _settled(self, session: Session, look: Callable[[], _Result]) -> _Result:
        """What comes of looking at a file, with what installed packages say: more names may be asked for once
        the stubs of others are known."""
        found = look()
        while wanted := session.packages_wanted():
            if session.take_stubs(self._stubs.of(wanted)):
                found = look()
        return found

    def _session_for(self, file: ScanFile) -> Session:
        known = self._counted.get(file.path)
        if known is not None:
            return known
        path = file.path.absolute()
        if file.path not in self._counted:
            self._make_room(path)
        session = self._sessions.get(file.roots)
        if session is None:
            session = self._sessions[file.roots] = self._session(file)
        session.place(path, file.roots)
        if session.is_importable(path):
            self._counted[file.path] = session
            return session
        self._counted[file.path] = None
        session = self._session(file)  # it must not stand in for the module that has its name
        session.place(path, file.roots)
        return session

    def _session(self, file: ScanFile) -> Session:
        return Session(self._catalog, self.settings, file.roots, self._facts, not self.is_large)

    def _drop_sessions(self) -> None:
        self._sessions.clear()
        self._counted.clear()
        self._looked_at = 0
        self._facts.forget_dependents()

    def _bytes_read(self) -> int:
        return sum(session.bytes_read for session in self._sessions.values())

    def _make_room(self, path: Path) -> None:
        """Make sure that not too much is kept when a file is added."""
        if self._bytes_read() > self.most_kept and self._looked_at * _LEAST_SHARE > self.most_kept:
            self._looked_at = 0
            self._counted.clear()
            for session in self._sessions.values():
                session.forget_unasked()
            if self._bytes_read() * _LEAST_SHARE > self.most_kept * (_LEAST_SHARE - 1):
                self._drop_sessions()
                gc.unfreeze()
            gc.collect()
            gc.freeze()  # what is shared stays: the next time only what is new is looked through
        self._looked_at += file_size(path)
