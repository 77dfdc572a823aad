"""What every report format provides: a part for each file, and what is made of all parts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from mindport.assess.file_findings import FileFindings
    from mindport.catalog.target import Target
    from mindport.language import Language
    from mindport.report.api_uses import ApiUse
    from mindport.report.summary import FileSummary, Totals
    from mindport.source.error import TextError


class FileReport(NamedTuple):
    """One file's part of a report, and its counts. Plain data: workers send it to the main process.

    Some formats collect more: the `path`, how often each API is used (`uses`), and `notes`, the text of what
    could not be looked at.
    """

    text: str
    summary: FileSummary
    path: str = ""
    uses: Mapping[ApiUse, int] = {}
    notes: str = ""


class ReportOptions(NamedTuple):
    """What a report is made for: relative paths of files start from `folder`; `colour` is for text on a
    terminal."""

    target: Target
    language: Language
    folder: Path
    colour: bool = False


class Report(Protocol):
    """A format. Picklable: the parts of files are made by the workers that analyse them."""

    def file(self, path: str, found: FileFindings) -> FileReport:
        """The part of one file. `path` is shown as it is."""
        ...

    def unreadable(self, path: str, error: TextError) -> FileReport:
        """The part of a file that could not be looked at."""
        ...

    def compose(self, parts: Iterable[FileReport], totals: Totals) -> Iterator[str]:
        """The text of the report, piece by piece. The parts are counted in `totals` as they are used."""
        ...


class Frame(Protocol):
    """What stands around the texts of files, in a format that can be written as they come."""

    @property
    def between(self) -> str:
        """What stands between the texts of files that have one."""
        ...

    def head(self) -> str:
        """What comes before the files."""
        ...

    def tail(self, totals: Totals) -> str:
        """What comes after the files."""
        ...


def pack(file: FileReport) -> bytes:
    """A file's part as bytes, to be kept."""
    counts = [getattr(file.summary, field.name) for field in fields(file.summary)]
    uses = [[*use, number] for use, number in file.uses.items()]
    rest = json.dumps([counts, file.path, uses, file.notes]).encode()
    return rest + b"\n" + file.text.encode("utf-8", "surrogatepass")


def unpack(content: bytes) -> FileReport:
    """What `pack` made bytes of. Raises ValueError if it made none such."""
    from mindport.report.api_uses import ApiUse
    from mindport.report.summary import FileSummary

    rest, _, text = content.partition(b"\n")
    try:
        counts, path, uses, notes = json.loads(rest)
        made = {ApiUse(*use): number for *use, number in uses}
        return FileReport(text.decode("utf-8", "surrogatepass"), FileSummary(*counts), path, made, notes)
    except TypeError as error:
        raise ValueError(str(error)) from error


def streamed(frame: Frame, parts: Iterable[FileReport], totals: Totals) -> Iterator[str]:
    """The text of a report that is written as its parts come."""
    yield frame.head()
    separator = ""
    for part in parts:
        totals.add(part.summary)
        if part.text:
            yield separator + part.text
            separator = frame.between
    yield frame.tail(totals)
