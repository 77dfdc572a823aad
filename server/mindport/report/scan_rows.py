"""What a scan keeps of a file: plain data that tables, trees and counts are made from, whenever asked for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from mindport.report.api_uses import ApiUse, api_use
from mindport.report.problem import Problem, file_problem, syntax_problems
from mindport.report.summary import UNREADABLE, FileSummary, summarise

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.language import Language
    from mindport.source.document import Document
    from mindport.source.error import TextError
    from mindport.source.lines import PositionEncoding

Range = tuple[int, int, int, int]
"""Line and character of the start, then of the end, both from 0; characters count in the client's encoding.
In a notebook, lines are those of the cell."""


class ScannedUse(NamedTuple):
    """One use of an API: what becomes of it, how sure that is, and where it is.

    `code` is None, and `severity`, `fix` and `message` say nothing, where the finding is not shown: it needs
    no change, is not selected or is suppressed. `cell` is the number of a notebook's cell.
    """

    use: ApiUse
    kind: str
    certainty: str
    code: str | None
    severity: str
    fix: str
    message: str
    range: Range
    cell: int | None = None


class ScannedFile(NamedTuple):
    """One file, as `path` says it: its uses in the order of the text, what could not be read or does not
    parse, and its counts."""

    path: str
    uses: tuple[ScannedUse, ...]
    problems: tuple[Problem, ...]
    summary: FileSummary

    def findings(self) -> Counter[str]:
        """How many findings are shown, by status."""
        return Counter(use.use.status for use in self.uses if use.code is not None)


@dataclass(frozen=True)
class ScannedFiles:
    """Makes what a scan keeps; see `FileReporter`."""

    language: Language
    encoding: PositionEncoding

    def file(self, path: str, found: FileFindings) -> ScannedFile:
        """From what was found in a file."""
        diagnostics = found.diagnostics()
        shown = {id(placed) for placed in diagnostics}
        known: dict[ApiUse, ApiUse] = {}
        uses = tuple(
            self._use(placed, found.document, id(placed) in shown, known) for placed in found.findings
        )
        problems = tuple(syntax_problems(found, self.language))
        return ScannedFile(path, uses, problems, summarise(found, diagnostics, len(problems)))

    def unreadable(self, path: str, error: TextError) -> ScannedFile:
        """From the reason why a path could not be looked at."""
        return ScannedFile(path, (), (file_problem(error, self.language),), UNREADABLE)

    def _use(
        self, placed: PlacedFinding, document: Document, is_shown: bool, known: dict[ApiUse, ApiUse]
    ) -> ScannedUse:
        finding = placed.finding
        use = finding.use
        becomes = api_use(finding, self.language)
        start, end = placed.shift + use.start, placed.shift + use.end
        part = document.part(start)
        return ScannedUse(
            known.setdefault(becomes, becomes),  # one object for all uses alike: most are
            use.kind,
            use.certainty.value,
            finding.code if is_shown else None,
            finding.severity.value if is_shown else "none",
            finding.fix if is_shown else "none",
            finding.common_message(self.language) if is_shown else "",
            (
                *part.lines.position(part.offset(start), self.encoding),
                *part.lines.position(part.offset(end), self.encoding),
            ),
            part.number,
        )


def pack(file: ScannedFile) -> bytes:
    """A file as bytes, to be kept: equal parts of its uses once each."""
    becomes = {use.use: number for number, use in enumerate(file.uses)}
    numbers = {one: number for number, one in enumerate(becomes)}
    uses = [[numbers[use.use], *use[1:]] for use in file.uses]
    counts = [getattr(file.summary, field.name) for field in fields(file.summary)]
    return json.dumps([file.path, list(numbers), uses, file.problems, counts]).encode()


def unpack(content: bytes) -> ScannedFile:
    """What `pack` made bytes of. Raises ValueError if it made none such."""
    try:
        path, becomes, uses, problems, counts = json.loads(content)
        known = [ApiUse(*each) for each in becomes]
        made = tuple(_unpacked(known, use) for use in uses)
        return ScannedFile(path, made, tuple(Problem(*each) for each in problems), FileSummary(*counts))
    except (TypeError, IndexError) as error:
        raise ValueError(str(error)) from error


def _unpacked(known: Sequence[ApiUse], use: Sequence[Any]) -> ScannedUse:
    made = ScannedUse(known[use[0]], *use[1:])
    start_line, start, end_line, end = made.range
    return made._replace(range=(start_line, start, end_line, end))
