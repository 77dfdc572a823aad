"""What every report format provides. A report is written as a stream: head, one text per file, tail."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.report.summary import FileSummary, Totals
    from mindport.source.error import TextError


class FileReport(NamedTuple):
    """One file's part of a report, and its counts. Plain data: workers send it to the main process."""

    text: str
    summary: FileSummary


class Report(Protocol):
    """A format. Picklable: the texts of files are made by the workers that analyse them."""

    @property
    def between(self) -> str:
        """What stands between the texts of files that have one."""
        ...

    def head(self) -> str:
        """What comes before the files."""
        ...

    def file(self, path: str, found: FileFindings) -> FileReport:
        """The part of one file. `path` is shown as it is."""
        ...

    def unreadable(self, path: str, error: TextError) -> FileReport:
        """The part of a file that could not be looked at."""
        ...

    def tail(self, totals: Totals) -> str:
        """What comes after the files."""
        ...


def pack(file: FileReport) -> bytes:
    """A file's part as bytes, to be kept."""
    counts = [getattr(file.summary, field.name) for field in fields(file.summary)]
    return json.dumps([file.text, counts]).encode()


def unpack(content: bytes) -> FileReport:
    """What `pack` made bytes of. Raises ValueError if it made none such."""
    from mindport.report.summary import FileSummary

    try:
        text, counts = json.loads(content)
        return FileReport(text, FileSummary(*counts))
    except TypeError as error:
        raise ValueError(str(error)) from error
