"""Converting a whole document: all fixes at once, and what became of each finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from mindport.infer.values import Certainty
from mindport.rewrite.fixes import make, propose
from mindport.rewrite.import_removals import IsTaken, no_one

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.rewrite.edit import Edit
    from mindport.rewrite.fixes import ProposedFix

Outcome = Literal["proven", "bound", "unproven", "review", "missing", "unknown_receiver"]
"""What became of a finding. Changed: `proven` by running both frameworks, `bound` to a counterpart that the
documentation calls the same, `unproven` (only when unsafe fixes are asked for). Not changed: a person has to
`review` it, there is no counterpart (`missing`), or only the name of a method suggests torch
(`unknown_receiver`)."""
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
_TORCH = b"torch"
CHANGED: tuple[Outcome, ...] = ("proven", "bound", "unproven")


class Conversion(NamedTuple):
    """The edits that convert a document, and how often each outcome came."""

    edits: tuple[Edit, ...]
    outcomes: Mapping[Outcome, int]


def convert(found: FileFindings, unsafe: bool = False, is_taken: IsTaken = no_one) -> Conversion:
    """All safe fixes of a document, and with `unsafe` those to review as well. Where only a method's name
    suggests torch, nothing is changed in any case: the receiver may be anything; nor in a document that does
    not name torch at all. `is_taken` says whether other files may take a name from this one."""
    shown = found.diagnostics()
    names_torch = _TORCH in found.document.data
    fixes = [
        fix
        for placed in shown
        if names_torch and (fix := propose(placed)) is not None and _is_wanted(fix, unsafe)
    ]
    edits, findings = make(found, fixes, is_taken)
    made = {id(placed) for placed in findings}
    return Conversion(edits, Counter(_outcome(placed, id(placed) in made) for placed in shown))


def _is_wanted(fix: ProposedFix, unsafe: bool) -> bool:
    is_sure = fix.finding.finding.use.certainty is not Certainty.POSSIBLE
    return is_sure and (unsafe or fix.applicability == "safe")


def _outcome(placed: PlacedFinding, is_made: bool) -> Outcome:
    finding = placed.finding
    if is_made:
        if finding.fix != "safe" and not finding.waits:  # what it waits for is changed with it
            return "unproven"
        return "proven" if finding.proof == "run" else "bound"
    if finding.use.certainty is Certainty.POSSIBLE:
        return "unknown_receiver"
    return "missing" if finding.status == "missing" else "review"
