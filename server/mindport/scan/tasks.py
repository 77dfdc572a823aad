"""What the processes of a scan are asked to do, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from mindport.callgraph.argument_facts import Given
from mindport.language import Text
from mindport.project.dependencies import NO_DEPENDENCIES, DependencyRecord
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings

_FAILED = Text(
    "MindPort failed to analyze this file (internal error: {error}). Other files are unaffected.",
    "MindPort 无法分析此文件（内部错误：{error}）。其他文件不受影响。",
)

Arguments = Mapping[str, Given]
"""What the calls in files give for parameters, by the files' absolute paths."""
Entry = TypeVar("Entry")
Made = TypeVar("Made", covariant=True)


class FileReporter(Protocol[Made]):
    """Makes what a scan yields: plain data, since workers send it. Picklable; its `repr` says all that its
    entries depend on beside the findings."""

    def file(self, path: str, found: FileFindings) -> Made:
        """From what was found in a file. `path` is as the user gave it, with `/` between the parts."""
        ...

    def unreadable(self, path: str, error: TextError) -> Made:
        """From the reason why a path could not be looked at."""
        ...


class ScanFile(NamedTuple):
    """A file to scan: its place in the result, its path as found, and the roots of its imports."""

    place: int
    path: Path
    roots: tuple[Path, ...]


class CollectDefinitions(NamedTuple):
    """The task to tell which members the classes of a file define, as far as others ask for that."""

    file: ScanFile


class CollectArguments(NamedTuple):
    """The task to tell what the calls in a file give for parameters."""

    file: ScanFile


class TakeArguments(NamedTuple):
    """The task to take up what files give for parameters: those that give something else than before."""

    arguments: Arguments


class AnalyseFile(NamedTuple):
    """The task to look at a file."""

    file: ScanFile


class TakeReporter(NamedTuple):
    """The task to have another reporter make the entries from now on."""

    reporter: FileReporter[Any]


Task = CollectDefinitions | CollectArguments | TakeArguments | AnalyseFile | TakeReporter


@dataclass(frozen=True)
class FileResult(Generic[Entry]):
    """What came of a file. `lasts` says that looking at the same again would give the same: not, after an
    error. `learnt` is what else was found out on the way, since the file before."""

    entry: Entry
    lasts: bool
    learnt: DependencyRecord


def failed_result(reporter: FileReporter[Entry], file: ScanFile, error: TextError) -> FileResult[Entry]:
    """What comes of a file that could not be looked at. Never kept: the reason may go away by itself."""
    return FileResult(reporter.unreadable(file.path.as_posix(), error), False, NO_DEPENDENCIES)


def internal_error(error: Exception) -> TextError:
    """What the user is told of an error of our own."""
    reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return TextError(_FAILED, error=reason)


def file_size(path: Path) -> int:
    """The size of a file in bytes; 0, where reading it will tell that it cannot be read."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
