"""The findings of one document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mindport.assess.finding import Finding
from mindport.assess.suppression import Suppressions

if TYPE_CHECKING:
    from mindport.assess.assess import Assessor
    from mindport.assess.finding import BlockFindings, Selection
    from mindport.infer.evaluator import Evaluator
    from mindport.source.document import Document
    from mindport.source.syntax import SyntaxProblem
    from mindport.uses.analysis import Analysis


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


class FileFindings:
    """What was found in one document. Immutable.

    `blocks` holds, in source order, the findings of all blocks that have any, each with where the block
    starts (bytes). They are put in their places when someone asks for that: while somebody types, only few of
    them are looked at. `separate_modules` are the modules of MindSpore that are imported by themselves.
    """

    __slots__ = (
        "_diagnostics",
        "_findings",
        "_selection",
        "analysis",
        "blocks",
        "separate_modules",
        "suppressions",
    )

    def __init__(
        self,
        analysis: Analysis,
        blocks: Sequence[tuple[int, BlockFindings]],
        selection: Selection = (("MP",), ()),
        suppressions: Suppressions | None = None,
        separate_modules: frozenset[str] = frozenset(),
    ) -> None:
        self.analysis = analysis
        self.blocks = blocks
        self.suppressions = suppressions or Suppressions()
        self.separate_modules = separate_modules
        self._selection = selection
        self._findings: tuple[PlacedFinding, ...] | None = None
        self._diagnostics: tuple[PlacedFinding, ...] | None = None

    @property
    def document(self) -> Document:
        """The document as it was when it was analysed."""
        return self.analysis.document

    @property
    def findings(self) -> tuple[PlacedFinding, ...]:
        """Every use's finding, also those without a diagnostic, in source order."""
        if self._findings is None:
            self._findings = tuple(
                [
                    PlacedFinding(shift + finding.use.start, shift + finding.use.end, shift, finding)
                    for shift, block in self.blocks
                    for finding in block.findings
                ]
            )
        return self._findings

    def diagnostics(self) -> tuple[PlacedFinding, ...]:
        """The findings that are shown: those with a code that is selected and not suppressed."""
        if self._diagnostics is None:
            shown = {id(finding) for _, findings in self.shown() for finding in findings}
            self._diagnostics = tuple([placed for placed in self.findings if id(placed.finding) in shown])
        return self._diagnostics

    def only(self, keep: Callable[[PlacedFinding], bool]) -> FileFindings:
        """The same document with those of its findings alone that are to be kept, for a report."""
        kept = FileFindings(
            self.analysis, self.blocks, self._selection, self.suppressions, self.separate_modules
        )
        kept._diagnostics = tuple([placed for placed in self.diagnostics() if keep(placed)])
        kept._findings = tuple([placed for placed in self.findings if keep(placed)])
        return kept

    def shown(self) -> list[tuple[int, tuple[Finding, ...]]]:
        """The findings that are shown, by block, each with where the block starts. Those of a block in which
        nothing has changed are the same tuple as before."""
        if self.suppressions.whole_file:
            return []
        found = []
        for shift, block in self.blocks:
            shown = block.selected(self._selection)
            if shown and self.suppressions.lines:
                shown = self._not_suppressed(shift, shown)
            if shown:
                found.append((shift, shown))
        return found

    def _not_suppressed(self, shift: int, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        kept = tuple([finding for finding in findings if not self._is_suppressed(shift, finding)])
        return findings if len(kept) == len(findings) else kept

    def _is_suppressed(self, shift: int, finding: Finding) -> bool:
        lines = self.document.lines
        first, last = lines.line_of(shift + finding.use.start), lines.line_of(shift + finding.use.end)
        return any(self.suppressions.covers(line, finding.code or "") for line in (first, last))

    def at(self, offset: int) -> PlacedFinding | None:
        """The innermost finding at a byte offset."""
        around = [placed for placed in self.findings if placed.start <= offset <= placed.end]
        return min(around, key=lambda placed: placed.end - placed.start, default=None)

    def problems(self) -> list[SyntaxProblem]:
        """The first places that do not parse."""
        return self.analysis.problems()


def find(
    analysis: Analysis,
    assessor: Assessor,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    evaluator: Evaluator | None = None,
) -> FileFindings:
    """Assess every use of a document, and its code with the `evaluator` of the analysis."""
    suppressions = Suppressions.of(analysis.document)
    separate = assessor.catalog.libraries.separate_modules
    blocks = assessor.findings(analysis, evaluator)
    return FileFindings(analysis, blocks, (select, ignore), suppressions, separate)
