"""Converting a whole document: all fixes at once, and what became of each finding."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from mindport.catalog.helper_table import HELPERS_MODULE, PLACEHOLDER
from mindport.infer.values import Certainty
from mindport.rewrite.edit import applied
from mindport.rewrite.fixes import make, propose
from mindport.rewrite.import_removals import IsTaken, no_one
from mindport.rewrite.shared_names import is_converted
from mindport.rewrite.sound_edits import MadeFixes, SoundEdits
from mindport.rewrite.training_steps import VALUE_AND_GRAD, known_optimizers, written_steps
from mindport.rewrite.unit_findings import is_sure
from mindport.rewrite.whole import is_within
from mindport.source.name_place import is_asserted
from mindport.source.notebook_document import NotebookDocument

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.rewrite.edit import Edit
    from mindport.rewrite.fixes import ProposedFix
    from mindport.rewrite.whole import Spans, WholeFile

Outcome = Literal["proven", "bound", "unproven", "review", "missing", "unknown_receiver"]
"""What became of a finding. Changed: `proven` by running both frameworks, `bound` to a counterpart that the
documentation calls the same, `unproven` (only when unsafe fixes are asked for). Not changed: a person has to
`review` it, there is no counterpart (`missing`), or only the name of a method suggests torch
(`unknown_receiver`)."""
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
_TORCH = b"torch"
_MINDSPORES: Final = (b"mindspore", HELPERS_MODULE.encode())
_ASSERT: Final = b"assert "
_BACKWARD: Final = b".backward("
_STEPS: Final = re.compile(rb"\.(step|zero_grad)\(")
_MEMBER_SET: Final = re.compile(rb"^[ \t]*([^\W\d]\w*(?:\.\w+)+)[ \t]*=(?!=)", re.MULTILINE)
CHANGED: tuple[Outcome, ...] = ("proven", "bound", "unproven")


class Conversion(NamedTuple):
    """The edits that convert a document, how often each outcome came, and the helpers that it takes then."""

    edits: tuple[Edit, ...]
    outcomes: Mapping[Outcome, int]
    helpers: frozenset[str] = frozenset()
    left: tuple[int, ...] = ()
    """Where findings start that were to be changed, and could not be."""
    is_refused: bool = False
    """Whether nothing could be changed without losing a name, though the document imports PyTorch."""


def convert(
    found: FileFindings, unsafe: bool = False, is_taken: IsTaken = no_one, parts: Spans | None = None
) -> Conversion:
    """All safe fixes of a document, and with `unsafe` those to review as well. Where only a method's name
    suggests torch, nothing is changed in any case: the receiver may be anything; nor in a document that does
    not name torch at all. `is_taken` says whether other files may take a name from this one. With `parts`,
    those are converted, everything in which is known to be safe, and nothing else."""
    chosen = found.chosen()
    names_torch = _TORCH in found.document.data
    fixes = [
        fix
        for placed in chosen
        if names_torch and (fix := propose(placed)) is not None and _is_wanted(fix, unsafe, parts)
    ]
    edits, findings, _ = make(found, fixes, is_taken)
    made = {id(placed) for placed in findings}
    left = tuple(fix.finding.start for fix in fixes if id(fix.finding) not in made)
    return Conversion(edits, Counter(_outcome(placed, id(placed) in made) for placed in chosen), left=left)


def convert_whole(found: FileFindings, whole: WholeFile, is_taken: IsTaken = no_one) -> Conversion:
    """A document as a part of a program that is converted as a whole: everything that can be. A document that
    names no library of torch's may be given Tensors (`def accuracy(output, target)`): what is known to be one
    is converted there, too, and nothing of which only a method's name suggests it; if it does not name
    MindSpore, as what was converted before does."""
    program = whole.program
    names_library = any(library.encode() in found.document.data for library in program.libraries)
    if not names_library and any(name in found.document.data for name in _MINDSPORES):
        return Conversion((), Counter())
    choices = [
        choice
        for placed in found.findings
        if whole.converts(placed.start)
        and (names_library or _is_known(placed))
        and (choice := program.choice(placed)) is not None
    ]
    choices = _without_own_members(found.document.data, choices)
    if _ASSERT in found.document.data:
        choices = [_without_names_in_asserts(found, whole, one) for one in choices]
    edits, findings, helpers = _with_training_steps(found, whole, is_taken, choices)
    made = {(placed.start, placed.end) for placed in findings if not program.is_left(placed.finding)}
    outcomes = Counter(
        _outcome(placed, (placed.start, placed.end) in made)
        for placed in found.chosen()
        if whole.converts(placed.start) and not program.stays(placed.finding)
        if (placed.start, placed.end) in made or not program.is_served(placed.finding)
        if names_library or _is_known(placed)
    )
    targets = [target for placed in findings for target in placed.finding.targets]
    prefix = f"{HELPERS_MODULE}."
    used = [target.removeprefix(prefix).partition(".")[0] for target in targets if target.startswith(prefix)]
    names = helpers.union(used)
    if not any(PLACEHOLDER in edit.new_text for edit in edits):
        names -= {PLACEHOLDER}  # modules may have got members instead
    imports = (name for block in found.analysis.blocks for name in block.imports)
    is_refused = not edits and whole.parts is None and any(is_converted(name, whole) for name in imports)
    return Conversion(edits, outcomes, names, is_refused=is_refused)


def _with_training_steps(
    found: FileFindings, whole: WholeFile, is_taken: IsTaken, choices: list[PlacedFinding]
) -> MadeFixes:
    """The edits of findings, and those that write training steps in MindSpore's way where that is sound."""
    sound = SoundEdits(found, is_taken, whole)
    made = sound.of(choices)
    if not _may_have_steps(found, whole):
        return made
    optimizers = known_optimizers(found)
    if optimizers and written_steps(applied(found.document.data, made.edits), optimizers):
        with_import = SoundEdits(found, is_taken, whole, (VALUE_AND_GRAD,)).of(choices)
        made = sound.with_steps(with_import, optimizers) or made
    return sound.with_marks(made, optimizers) if _STEPS.search(found.document.data) else made


def _may_have_steps(found: FileFindings, whole: WholeFile) -> bool:
    is_notebook = isinstance(found.document, NotebookDocument)
    return _BACKWARD in found.document.data and whole.parts is None and not is_notebook


def _without_own_members(data: bytes, choices: list[PlacedFinding]) -> list[PlacedFinding]:
    """The choices but those for members that the document gives modules of torch's itself (`nn.Own = Own`):
    what stands for the module has them as well."""
    own = {match[1] for match in _MEMBER_SET.finditer(data)}
    return [
        one
        for one in choices
        if data[one.start : one.end] not in own or one.finding.targets != (f"{HELPERS_MODULE}.{PLACEHOLDER}",)
    ]


def _without_names_in_asserts(found: FileFindings, whole: WholeFile, placed: PlacedFinding) -> PlacedFinding:
    """The finding with a helper in the place of what gives names within an `assert`, if there is one."""
    other = whole.program.without_names(placed)
    call = placed.finding.use.call
    if other is placed or call is None:
        return placed
    end = placed.start - placed.finding.use.start + call.end
    return other if is_asserted(found.document, placed.start, end) else placed


def _is_known(placed: PlacedFinding) -> bool:
    """Whether more than the name of a method says that a finding is about torch."""
    return placed.finding.use.certainty is not Certainty.POSSIBLE


def _is_wanted(fix: ProposedFix, unsafe: bool, parts: Spans | None) -> bool:
    finding = fix.finding.finding
    if finding.use.certainty is Certainty.POSSIBLE:
        return False
    if parts is not None:
        return is_within(parts, fix.finding.start) and is_sure(finding)
    return unsafe or fix.applicability == "safe"


def _outcome(placed: PlacedFinding, is_made: bool) -> Outcome:
    finding = placed.finding
    if is_made:
        if finding.fix != "safe" and not finding.waits:  # what it waits for is changed with it
            return "unproven"
        return "proven" if finding.proof == "run" else "bound"
    if finding.use.certainty is Certainty.POSSIBLE:
        return "unknown_receiver"
    return "missing" if finding.status == "missing" else "review"
