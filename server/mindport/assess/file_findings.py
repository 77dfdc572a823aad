"""The findings of one document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from mindport.assess.finding import Finding
from mindport.assess.severity import Severity
from mindport.assess.suppression import Suppressions

if TYPE_CHECKING:
    from mindport.assess.assess import Assessor
    from mindport.resolve.analysis import AnalysedBlock, Analysis
    from mindport.source.document import Document
    from mindport.source.syntax import SyntaxProblem


class PlacedFinding(NamedTuple):
    """A finding with the absolute byte offsets of what it covers; `shift` is what its use's offsets lack."""

    start: int
    end: int
    shift: int
    finding: Finding

    @property
    def code(self) -> str | None:
        """The code of its rule."""
        return self.finding.code


@dataclass(frozen=True, slots=True)
class FileFindings:
    """What was found in one document. Immutable.

    `findings` holds every use's finding, also those without a diagnostic, in source order.
    """

    analysis: Analysis
    findings: tuple[PlacedFinding, ...]
    select: tuple[str, ...] = ("MP",)
    ignore: tuple[str, ...] = ()
    suppressions: Suppressions = field(default_factory=Suppressions)
    separate_modules: frozenset[str] = frozenset()
    """The modules of MindSpore that are imported by themselves."""

    @property
    def document(self) -> Document:
        """The document as it was when it was analysed."""
        return self.analysis.document

    def diagnostics(self) -> Sequence[PlacedFinding]:
        """The findings that are shown: those with a code that is selected and not suppressed."""
        if self.suppressions.whole_file:
            return ()
        return [placed for placed in self.findings if self._is_shown(placed)]

    def _is_shown(self, placed: PlacedFinding) -> bool:
        finding = placed.finding
        if finding.rule is None or finding.severity is Severity.NONE:
            return False
        code = finding.rule.code
        if not code.startswith(self.select) or (self.ignore and code.startswith(self.ignore)):
            return False
        return not self.suppressions.lines or not self._is_suppressed(placed, code)

    def _is_suppressed(self, placed: PlacedFinding, code: str) -> bool:
        lines = self.document.lines
        first, last = lines.line_of(placed.start), lines.line_of(placed.end)
        return any(self.suppressions.covers(line, code) for line in (first, last))

    def at(self, offset: int) -> PlacedFinding | None:
        """The innermost finding at a byte offset."""
        around = [placed for placed in self.findings if placed.start <= offset <= placed.end]
        return min(around, key=lambda placed: placed.end - placed.start, default=None)

    def problems(self) -> list[SyntaxProblem]:
        """The first places that do not parse."""
        return self.analysis.problems()


def find(
    analysis: Analysis, assessor: Assessor, select: tuple[str, ...], ignore: tuple[str, ...]
) -> FileFindings:
    """Assess every use of a document."""
    placed: list[PlacedFinding] = []
    for block in analysis.blocks:
        if block.found.uses:
            placed += _placed(assessor, block)
    suppressions = Suppressions.of(analysis.document)
    separate = assessor.catalog.libraries.separate_modules
    return FileFindings(analysis, tuple(placed), select, ignore, suppressions, separate)


def _placed(assessor: Assessor, block: AnalysedBlock) -> tuple[PlacedFinding, ...]:
    """The findings of a block where it stands now; made anew only when it has moved."""
    start, derived = block.start, block.found.derived
    known = derived.get((assessor, "placed"))
    if known is None or known[0] != start:
        placed = tuple(
            [
                PlacedFinding(start + finding.start, start + finding.end, start, finding)
                for finding in assessor.findings(block.found)
            ]
        )
        known = derived[assessor, "placed"] = (start, placed)
    found: tuple[PlacedFinding, ...] = known[1]
    return found
