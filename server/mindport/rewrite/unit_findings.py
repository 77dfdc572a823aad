"""What was found in each unit of a file: how much of it can be converted, and how."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from mindport.callgraph.units import ModuleUnits, units_of
from mindport.catalog.helper_table import HELPERS_MODULE, PLACEHOLDER
from mindport.infer.values import Certainty

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.assess.finding import Finding
    from mindport.callgraph.units import Unit
    from mindport.rewrite.whole import WholeProgram

_RECOMMENDATIONS = "MP7"
"""How the codes begin of what only says what could be done better."""


class Tally(NamedTuple):
    """How many findings a unit has: `proven` keep what the code does, `helped` become a helper or differ in
    something, `missing` have no counterpart, of `unknown` ones only the name of a method suggests torch.
    `uses` is how often it means something of torch's at all, also where nothing has to change. `settings` are
    those of the proven ones that MindSpore does not need: they go for good only with all of PyTorch."""

    uses: int = 0
    proven: int = 0
    helped: int = 0
    missing: int = 0
    unknown: int = 0
    settings: int = 0

    def __add__(self, other: object) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        return Tally(*(one + two for one, two in zip(self, other, strict=True)))

    @property
    def findings(self) -> int:
        """All that there is to convert or to look at."""
        return self.proven + self.helped + self.missing + self.unknown

    @property
    def is_proven(self) -> bool:
        """Whether something is to be converted, and all of it keeps what the code does."""
        return self.proven > 0 and self.proven == self.findings


@dataclass(frozen=True, slots=True)
class FileUnits:
    """The units of a file that was looked at, and what was found in each."""

    module: ModuleUnits
    tallies: tuple[Tally, ...]


def file_units(found: FileFindings, program: WholeProgram) -> FileUnits:
    """From what was found in a document."""
    blocks = found.analysis.blocks
    module = units_of(found.analysis.lowered, [block.start for block in blocks])
    starts = [unit.start for unit in module.units]
    tallies = [Tally() for _ in module.units]
    chosen = {id(placed.finding) for placed in found.chosen()}
    for placed in found.findings:
        number = bisect_right(starts, placed.start) - 1
        if number < 0 or placed.start >= module.units[number].end:
            continue
        tallies[number] += _tally(placed, program, id(placed.finding) in chosen)
    return FileUnits(module, tuple(tallies))


def _tally(placed: PlacedFinding, program: WholeProgram, is_shown: bool) -> Tally:
    finding = placed.finding
    if finding.use.kind == "import":
        return Tally()
    uses = 0 if (finding.code or "").startswith(_RECOMMENDATIONS) else 1
    if finding.use.certainty is Certainty.POSSIBLE:
        return Tally(uses, unknown=1)
    if not uses or _needs_nothing(finding):
        return Tally(uses)
    if is_shown and is_sure(finding):
        is_setting = finding.status == "not_needed" and finding.use.receiver_end is None
        return Tally(uses, proven=1, settings=int(is_setting))
    choice = program.choice(placed)
    if choice is None:
        # A member of what becomes a helper, which has it; anything else has no fix.
        return Tally(uses, helped=1) if program.is_served(finding) else Tally(uses, missing=1)
    is_placeholder = choice.finding.targets == (f"{HELPERS_MODULE}.{PLACEHOLDER}",)
    return Tally(uses, missing=1) if is_placeholder else Tally(uses, helped=1)


def is_sure(finding: Finding) -> bool:
    """Whether what becomes of a finding keeps what the code does, once all that belongs together is
    converted."""
    return finding.fix == "safe" or finding.waits


def _needs_nothing(finding: Finding) -> bool:
    """Whether the code can stay as it is, in MindSpore, too."""
    return finding.rule is None and finding.status in ("equivalent", "not_needed")


def units_with(found: FileUnits, names: frozenset[str]) -> Iterator[Unit]:
    """The units that bind one of these names."""
    yield from (unit for unit in found.module.units if unit.binds & names)
