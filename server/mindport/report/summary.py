"""Counts: of one file, and of all files of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.source.document import Document, DocumentPart

STATUSES = ("equivalent", "differs", "missing", "not_needed", "unmapped")
"""The statuses of uses, in the order in which they are shown."""
SEVERITIES = ("error", "warning", "information", "hint")
"""The severities of findings, gravest first."""


@dataclass(frozen=True, slots=True)
class FileSummary:
    """The counts of one file. What rules about code found are no uses of APIs. `severities` and `safe_fixes`
    count the findings that are shown; `problems` counts what could not be read or does not parse."""

    is_readable: bool
    lines: int = 0
    uses: int = 0
    by_status: Mapping[str, int] = field(default_factory=dict)
    severities: Mapping[str, int] = field(default_factory=dict)
    safe_fixes: int = 0
    problems: int = 0


class Totals:
    """The counts of all files so far."""

    def __init__(self) -> None:
        self.files = 0
        self.unreadable = 0
        self.lines = 0
        self.uses = 0
        self.safe_fixes = 0
        self.problems = 0
        self.by_status: Counter[str] = Counter()
        self.severities: Counter[str] = Counter()

    @property
    def findings(self) -> int:
        """How many findings are shown."""
        return self.severities.total()

    def add(self, file: FileSummary) -> None:
        """Count one more file."""
        self.files += 1
        self.unreadable += not file.is_readable
        self.lines += file.lines
        self.uses += file.uses
        self.safe_fixes += file.safe_fixes
        self.problems += file.problems
        self.by_status.update(file.by_status)
        self.severities.update(file.severities)


UNREADABLE = FileSummary(is_readable=False, problems=1)
"""The counts of a file that could not be looked at."""


def summarise(found: FileFindings, shown: Sequence[PlacedFinding], problems: int) -> FileSummary:
    """The counts of a document. `shown` are its diagnostics."""
    uses = found.uses()
    by_status: Counter[str] = Counter([finding.status for finding in uses])
    severities = Counter([placed.finding.severity for placed in shown])
    return FileSummary(
        is_readable=True,
        lines=line_count(found.document),
        uses=len(uses),
        by_status=by_status,
        severities=Counter({severity.value: number for severity, number in severities.items()}),
        safe_fixes=[placed.finding.fix for placed in shown].count("safe"),
        problems=problems,
    )


def line_count(document: Document) -> int:
    """How many lines people count: nothing after the last line end is no line."""
    return sum(map(_lines_of, document.parts))


def _lines_of(part: DocumentPart) -> int:
    lines = part.lines
    last = lines.line_count - 1
    return last if lines.line_start(last) == len(lines.data) else last + 1
