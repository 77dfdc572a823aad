"""Fixes: which findings have one, and the edits it makes. Edits are computed only when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mindport.language import Language, Text
from mindport.rewrite.edit import Applicability, Edit
from mindport.rewrite.import_edits import additions, removals
from mindport.rewrite.spelling import Speller

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding

_REPLACE = Text("Replace with {target}", "替换为 {target}")
_REPLACE_TO_REVIEW = Text("Replace with {target} (check the result)", "替换为 {target}（请检查结果）")


class ProposedFix(NamedTuple):
    """A fix that a finding has. `key` names it within one version of its document."""

    finding: PlacedFinding
    applicability: Applicability
    key: str

    def title(self, language: Language) -> str:
        """What the fix does, for a menu."""
        text = _REPLACE if self.applicability == "safe" else _REPLACE_TO_REVIEW
        return text.render(language, target=self.finding.finding.targets[0])


def propose(placed: PlacedFinding) -> ProposedFix | None:
    """The fix of a finding, if it has one."""
    kind = placed.finding.fix
    if kind == "none":
        return None
    return ProposedFix(placed, kind, f"{placed.finding.code}:{placed.start}:{placed.end}")


def edits(found: FileFindings, fixes: Iterable[ProposedFix]) -> tuple[Edit, ...]:
    """The edits of several fixes of one document, made together: sorted, not overlapping, each import added
    once, and the imports removed that nothing reads any more."""
    analysis = found.analysis
    speller = Speller(analysis)
    made: list[Edit] = []
    replaced: set[int] = set()
    for fix in fixes:
        edit = _callee_edit(speller, fix.finding)
        if edit is None or any(edit.start < other.end and other.start < edit.end for other in made):
            continue
        made.append(edit)
        if fix.finding.finding.use.root is not None:
            replaced.add(edit.start)
    if not made:
        return ()
    made.extend(additions(analysis, speller.added.values()))
    made.extend(removals(analysis, replaced))
    return tuple(sorted(made))


def _callee_edit(speller: Speller, placed: PlacedFinding) -> Edit | None:
    """Replace the expression that names the API; of a member, only its name."""
    finding = placed.finding
    use, target = finding.use, finding.targets[0]
    start, end = placed.shift + use.start, placed.shift + use.end
    if use.receiver_end is not None:
        return Edit(end - len(use.api.rpartition(".")[2]), end, target.rpartition(".")[2])
    spelled = speller.spell(target, start)
    return Edit(start, end, spelled) if spelled is not None else None


def find(found: FileFindings, key: str) -> ProposedFix | None:
    """The fix with this key, if the document still has it."""
    for placed in found.findings:
        fix = propose(placed)
        if fix is not None and fix.key == key:
            return fix
    return None


def safe_fixes(found: FileFindings) -> Sequence[ProposedFix]:
    """All fixes of a document that may be applied unasked."""
    proposed = (propose(placed) for placed in found.diagnostics())
    return [fix for fix in proposed if fix is not None and fix.applicability == "safe"]
