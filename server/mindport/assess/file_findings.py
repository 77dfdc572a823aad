"""The findings of one document, and the comments in it that suppress some.

These are `# mindport: ignore` (with codes in brackets or without), and `# mindport: ignore-file`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.assess.finding import Finding, Severity

if TYPE_CHECKING:
    from mindport.assess.assess import Assessor
    from mindport.assess.finding import BlockFindings, Selection, Shown
    from mindport.infer.evaluator import Evaluator
    from mindport.source.document import Document
    from mindport.source.syntax import SyntaxProblem
    from mindport.uses.analysis import Analysis


COMMENT: Final = re.compile(rb"#[ \t]*mindport:[ \t]*(ignore-file|ignore)[ \t]*(?:\[([^\]\r\n]*)\])?")
"""The form of a suppression: what it ignores, and the codes in brackets."""


@dataclass(frozen=True)
class Suppressions:
    """The suppressions of a document: `lines` maps a line (from 0) to the codes, or beginnings of codes,
    ignored there; an empty tuple means all."""

    whole_file: bool = False
    lines: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def covers(self, line: int, code: str) -> bool:
        """Whether findings with this code are ignored on a line."""
        codes = self.lines.get(line)
        return codes is not None and (not codes or code.startswith(codes))

    @classmethod
    def of(cls, document: Document) -> Suppressions:
        """The suppressions in the comments of a document."""
        if document.lines.lacks(b"mindport:"):
            return cls()
        whole_file = False
        lines: dict[int, tuple[str, ...]] = {}
        for match in COMMENT.finditer(document.data):
            node = document.node_at(match.start())
            if node is None or node.type != "comment":
                continue
            if match[1] == b"ignore-file":
                whole_file = True
            else:
                texts = (match[2] or b"").decode("utf-8", "replace").split(",")
                lines[document.lines.line_of(match.start())] = tuple(t.strip() for t in texts if t.strip())
        return cls(whole_file, lines)


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


class _Quieted(NamedTuple):
    """What was made of the `raw` findings of blocks, without those that say the same again, and which of it
    is `chosen`."""

    selection: Selection
    raw: list[BlockFindings]
    made: list[BlockFindings]
    chosen: list[tuple[Finding, ...]]

    def others(self, raw: list[BlockFindings]) -> list[int]:
        """Where other findings stand in as many blocks."""
        return [place for place, block in enumerate(raw) if block is not self.raw[place]]

    def is_like(self, raw: list[BlockFindings]) -> bool:
        """Whether these findings say as much, block by block: then the same of them is said again."""
        if len(raw) != len(self.raw):
            return False
        for place in self.others(raw):
            before, now = self.raw[place], raw[place]
            if before.telling(before.selected(self.selection)) != now.telling(now.selected(self.selection)):
                return False
        return True


class FileFindings:
    """What was found in one document. Immutable.

    `blocks` holds, in source order, the findings of all blocks that have any, each with where the block
    starts (bytes). They are put in their places when someone asks for that: while somebody types, only few of
    them are looked at. `shows` is the setting `show`. `separate_modules` are the modules of MindSpore that
    are imported by themselves.
    """

    __slots__ = (
        "_chosen",
        "_chosen_of_blocks",
        "_diagnostics",
        "_findings",
        "_raw",
        "_selection",
        "_shows",
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
        shows: Shown = "everything",
    ) -> None:
        self.analysis = analysis
        self.suppressions = suppressions or Suppressions()
        self.separate_modules = separate_modules
        self._selection = selection
        self._shows = shows
        self._raw = blocks
        self._chosen_of_blocks: list[tuple[Finding, ...]] | None = None
        self.blocks = blocks if shows == "everything" else self._without_repeats()
        self._chosen: tuple[PlacedFinding, ...] | None = None
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

    def uses(self) -> list[Finding]:
        """The findings about uses of APIs, in source order: what rules about code found is left out."""
        return [placed.finding for placed in self.findings if not placed.finding.is_about_code]

    def chosen(self) -> tuple[PlacedFinding, ...]:
        """The findings with a code that is selected and not suppressed: what fixes and conversions are about,
        however much is shown."""
        if self._chosen is None:
            chosen = {id(finding) for _, findings in self._chosen_by_block() for finding in findings}
            self._chosen = tuple([placed for placed in self.findings if id(placed.finding) in chosen])
        return self._chosen

    def diagnostics(self) -> tuple[PlacedFinding, ...]:
        """The findings that are shown."""
        if self._diagnostics is None:
            chosen = self.chosen()
            is_quiet = self._shows == "quiet"
            self._diagnostics = (
                tuple([one for one in chosen if _is_loud(one.finding)]) if is_quiet else chosen
            )
        return self._diagnostics

    def only(self, keep: Callable[[PlacedFinding], bool]) -> FileFindings:
        """The same document with those of its findings alone that are to be kept, for a report."""
        kept = FileFindings(
            self.analysis, self._raw, self._selection, self.suppressions, self.separate_modules, self._shows
        )
        kept.blocks = self.blocks
        kept._chosen = tuple([placed for placed in self.chosen() if keep(placed)])
        kept._diagnostics = tuple([placed for placed in self.diagnostics() if keep(placed)])
        kept._findings = tuple([placed for placed in self.findings if keep(placed)])
        return kept

    def shown(self) -> list[tuple[int, tuple[Finding, ...]]]:
        """The findings that are shown, by block, each with where the block starts. Those of a block in which
        nothing has changed are the same tuple as before."""
        chosen = self._chosen_by_block()
        if self._shows != "quiet":
            return chosen
        loud = [(shift, tuple(filter(_is_loud, findings))) for shift, findings in chosen]
        return [(shift, findings) for shift, findings in loud if findings]

    def _chosen_by_block(self) -> list[tuple[int, tuple[Finding, ...]]]:
        if self.suppressions.whole_file:
            return []
        chosen = self._chosen_of_blocks
        if chosen is None:
            chosen = [self._chosen_of(shift, block) for shift, block in self.blocks]
        return [
            (shift, findings) for (shift, _), findings in zip(self.blocks, chosen, strict=True) if findings
        ]

    def _chosen_of(self, shift: int, block: BlockFindings) -> tuple[Finding, ...]:
        chosen = block.selected(self._selection)
        return self._not_suppressed(shift, chosen) if chosen and self.suppressions.lines else chosen

    def _without_repeats(self) -> list[tuple[int, BlockFindings]]:
        """The findings, where only the first of those that say the same says it with its severity: the others
        are hints."""
        raw = [block for _, block in self._raw]
        if self.suppressions.lines:
            made = self._all_without_repeats(raw)
        else:
            made, self._chosen_of_blocks = self._made_again(raw)
        return [(shift, block) for (shift, _), block in zip(self._raw, made, strict=True)]

    def _made_again(self, raw: list[BlockFindings]) -> tuple[list[BlockFindings], list[tuple[Finding, ...]]]:
        """The findings without repeats, and those of them that are chosen. Most are those of the analysis
        before, if the others say the same."""
        carried, selection = self.analysis.carried, self._selection
        kept: _Quieted | None = None if carried is None else carried.derived.get(_Quieted)
        if kept is None or kept.selection != selection or not kept.is_like(raw):
            made = self._all_without_repeats(raw)
            chosen = [block.selected(selection) for block in made]
        else:
            made, chosen = list(kept.made), list(kept.chosen)
            for place in kept.others(raw):
                made[place] = raw[place].quieter_as(kept.raw[place], kept.made[place], selection)
                chosen[place] = made[place].selected(selection)
        self.analysis.derived[_Quieted] = _Quieted(selection, raw, made, chosen)
        return made, chosen

    def _all_without_repeats(self, raw: list[BlockFindings]) -> list[BlockFindings]:
        said: set[str] = set()
        made = []
        for (shift, _), block in zip(self._raw, raw, strict=True):
            chosen = self._chosen_of(shift, block)
            telling = block.telling(chosen)
            if telling:
                if len(set(telling)) < len(telling) or not said.isdisjoint(telling):
                    block = block.quieter(said, chosen)
                said.update(telling)
            made.append(block)
        return made

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


def _is_loud(finding: Finding) -> bool:
    return finding.severity is not Severity.HINT


def find(
    analysis: Analysis,
    assessor: Assessor,
    selection: Selection,
    shows: Shown = "normal",
    evaluator: Evaluator | None = None,
) -> FileFindings:
    """Assess every use of a document, and its code with the `evaluator` of the analysis. `selection` are the
    settings `select` and `ignore`, `shows` is the setting `show`."""
    suppressions = Suppressions.of(analysis.document)
    separate = assessor.catalog.libraries.separate_modules
    blocks = assessor.findings(analysis, evaluator)
    return FileFindings(analysis, blocks, selection, suppressions, separate, shows)
