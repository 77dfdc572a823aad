"""Fixes: which findings have one, and the edits it makes. Edits are computed only when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mindport.assess.rewrite_plan import replace_title
from mindport.language import Language, Text
from mindport.rewrite.edit import Applicability, Edit
from mindport.rewrite.import_removals import IsTaken, no_one
from mindport.rewrite.review import check_in_title
from mindport.rewrite.rewriter import Rewriter
from mindport.rewrite.sound_edits import MadeFixes, SoundEdits

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.assess.file_findings import FileFindings, PlacedFinding

_REMOVE = Text("Remove `.{name}(...)`", "移除 `.{name}(...)`")
_TO_REVIEW = Text("{title} (check: {what})", "{title}（请检查：{what}）")


class ProposedFix(NamedTuple):
    """A fix that a finding has. `key` names it within one version of its document."""

    finding: PlacedFinding
    applicability: Applicability
    key: str

    def title(self, language: Language) -> str:
        """What the fix does, for a menu."""
        finding = self.finding.finding
        if finding.loses_call and finding.use.call is not None:
            title = _REMOVE.render(language, name=finding.use.api.rpartition(".")[2])
        elif finding.plan is not None:
            title = finding.plan.title(finding.use, finding.becomes, language)
        else:
            title = replace_title(finding.becomes, language)
        if self.applicability == "safe":
            return title
        return _TO_REVIEW.render(language, title=title, what=check_in_title(finding, language))


def propose(placed: PlacedFinding) -> ProposedFix | None:
    """The fix of a finding, if it has one."""
    kind = placed.finding.fix
    if kind == "none":
        return None
    return ProposedFix(placed, kind, f"{placed.finding.code}:{placed.start}:{placed.end}")


def make(found: FileFindings, fixes: Iterable[ProposedFix], is_taken: IsTaken) -> MadeFixes:
    """Several fixes of one document, made together: the edits are sorted, do not overlap, add each import
    once and remove those that nothing reads any more, nor other modules take (`is_taken`). Fixes that cannot
    be made without losing a comment, only by overlapping others, or not without leaving a name unbound, are
    left out."""
    return SoundEdits(found, is_taken).of(fix.finding for fix in fixes)


def count(found: FileFindings, fixes: Iterable[ProposedFix]) -> int:
    """How many of these fixes can be made together."""
    rewriter = Rewriter(found, no_one)
    rewriter.add(fix.finding for fix in fixes)
    return len(rewriter.made)


def edits(found: FileFindings, fixes: Iterable[ProposedFix], is_taken: IsTaken = no_one) -> tuple[Edit, ...]:
    """The edits of several fixes of one document; see `make`."""
    return make(found, fixes, is_taken).edits


def edits_to_show(found: FileFindings, fix: ProposedFix) -> tuple[Edit, ...]:
    """The edits of one fix for a report, which nobody applies unseen: not checked, which would take long for
    each of thousands, and no import goes, which other files may need."""
    rewriter = Rewriter(found, no_one)
    rewriter.add([fix.finding])
    return rewriter.result(removes_imports=False)


def rewritten(found: FileFindings, placed: PlacedFinding) -> str | None:
    """What stands in the place of a use, with its call if it is called, once its fix is made; None where it
    has no fix, or the fix goes beyond that."""
    fix = propose(placed)
    if fix is None:
        return None
    start, end = _with_call(found, placed)
    edits = [one for one in edits_to_show(found, fix) if one.end >= start and one.start <= end]
    if not edits or any(one.start < start or one.end > end for one in edits):
        return None
    made, position = b"", start
    for edit in edits:
        made += found.document.data[position : edit.start] + edit.new_text.encode()
        position = edit.end
    made += found.document.data[position:end]
    return _without_indentation(found, start, made.decode()) or None


def _with_call(found: FileFindings, placed: PlacedFinding) -> tuple[int, int]:
    """The bytes of a use, with those of its call if it is called."""
    at = found.document.piece_at(placed.start)
    if at is None:
        return placed.start, placed.end
    shift, piece = at
    node: Node | None = piece.root.descendant_for_byte_range(placed.start - shift, placed.end - shift)
    called = node.parent if node is not None else None
    if called is None or called.type != "call" or called.child_by_field_name("function") != node:
        return placed.start, placed.end
    return shift + called.start_byte, shift + called.end_byte


def _without_indentation(found: FileFindings, start: int, text: str) -> str:
    """Code as it would stand at the left margin."""
    lines = found.document.lines
    before = lines.data[lines.line_start(lines.line_of(start)) : start].decode()
    margin = before[: len(before) - len(before.lstrip())]
    first, *others = text.splitlines()
    return "\n".join([first, *(one.removeprefix(margin) for one in others)])


def find(found: FileFindings, key: str) -> ProposedFix | None:
    """The fix with this key, if the document still has it."""
    for placed in found.findings:
        fix = propose(placed)
        if fix is not None and fix.key == key:
            return fix
    return None


def safe_fixes(found: FileFindings) -> Sequence[ProposedFix]:
    """All fixes of a document that may be applied unasked."""
    proposed = (propose(placed) for placed in found.chosen())
    return [fix for fix in proposed if fix is not None and fix.applicability == "safe"]
