"""Edits that pass the self-check: where some do not, as many of the findings as possible are still
changed."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mindport.rewrite.composed_edits import composed
from mindport.rewrite.edit import applied
from mindport.rewrite.rewriter import Rewriter
from mindport.rewrite.self_check import SelfCheck
from mindport.rewrite.training_steps import staying_marks, written_steps

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.rewrite.edit import Edit
    from mindport.rewrite.import_removals import IsTaken
    from mindport.rewrite.spelling import NewImport
    from mindport.rewrite.step_shapes import Named
    from mindport.rewrite.whole import WholeFile

_LOGGER = logging.getLogger(__name__)


class MadeFixes(NamedTuple):
    """The edits of several fixes, the findings that they are about, and the helpers that imports take
    then."""

    edits: tuple[Edit, ...]
    findings: Sequence[PlacedFinding]
    helpers: frozenset[str] = frozenset()


_NOTHING = MadeFixes((), ())


class SoundEdits:
    """Makes the edits of findings of one document."""

    def __init__(
        self,
        found: FileFindings,
        is_taken: IsTaken,
        whole: WholeFile | None = None,
        beside: Iterable[str] = (),
    ) -> None:
        self._found = found
        self._whole = whole
        self._is_taken = is_taken
        self._check: SelfCheck | None = None
        self._beside = whole.program.beside(found.document) if whole is not None else frozenset()
        self._beside |= frozenset(beside)

    def of(self, findings: Iterable[PlacedFinding]) -> MadeFixes:
        """The edits of findings. What does not pass the check is left out: the removal of imports first, then
        findings."""
        wanted = list(findings)
        made = self._sound(wanted, True) or self._sound(wanted, False)
        if made is None:
            kept = self._kept(wanted, [])
            made = self._sound(kept, True) or self._sound(kept, False) or _NOTHING
            _LOGGER.info(
                "%s: %d fixes are left out, because a name would not be bound or the text not parse",
                self._found.document.uri,
                len(wanted) - len(made.findings),
            )
        return made

    def with_steps(self, made: MadeFixes, optimizers: frozenset[Named]) -> MadeFixes | None:
        """Edits with those that write the training steps of what they make: of as many of these as pass the
        check; None where none does."""
        data = self._found.document.data
        chosen: list[Edit] = []
        edits: tuple[Edit, ...] = ()
        helpers, names = made.helpers, frozenset[str]()
        for step in written_steps(applied(data, made.edits), optimizers):
            together = composed(data, made.edits, sorted([*chosen, *step.edits]))
            if self._checker().is_sound(together, names | step.names):
                chosen += step.edits
                edits, helpers, names = together, helpers | step.helpers, names | step.names
        return MadeFixes(edits, made.findings, helpers) if chosen else None

    def with_marks(self, made: MadeFixes, optimizers: frozenset[Named]) -> MadeFixes:
        """Edits with the comments about training steps that stay as they are."""
        if self._whole is None or not made.edits:
            return made
        data = self._found.document.data
        marks = staying_marks(applied(data, made.edits), optimizers, data, self._whole.language)
        return made._replace(edits=composed(data, made.edits, marks)) if marks else made

    def _checker(self) -> SelfCheck:
        if self._check is None:
            exports = self._whole.program.exports if self._whole is not None else None
            self._check = SelfCheck(self._found.analysis, exports)
        return self._check

    def _kept(self, wanted: Sequence[PlacedFinding], others: Sequence[PlacedFinding]) -> list[PlacedFinding]:
        """As many of the findings as can be changed together with the `others`: by halves."""
        if not wanted or self._sound([*others, *wanted], False) is not None:
            return list(wanted)
        if len(wanted) == 1:
            return []
        middle = len(wanted) // 2
        first = self._kept(wanted[:middle], others)
        return [*first, *self._kept(wanted[middle:], [*others, *first])]

    def _sound(self, findings: Sequence[PlacedFinding], removes_imports: bool) -> MadeFixes | None:
        """The edits of all these findings, if they pass the check. Where nothing reads the name of a module
        of torch's any more, MindSpore's module of the same members takes it over, so that fewer lines
        change."""
        plain, rewriter = self._made(findings, removes_imports, {})
        freed = rewriter.names_freed(plain.edits) if plain is not None and removes_imports else {}
        if not freed:
            return plain
        shorter, again = self._made(findings, removes_imports, freed)
        is_like = shorter is not None and len(again.made) == len(rewriter.made)
        return shorter if is_like else plain

    def _made(
        self, findings: Sequence[PlacedFinding], removes_imports: bool, freed: Mapping[str, NewImport]
    ) -> tuple[MadeFixes | None, Rewriter]:
        """The edits of all these findings, if they pass the check, and what made them. The names `freed` may
        stand for modules of MindSpore's."""
        rewriter = Rewriter(self._found, self._is_taken, self._whole, freed)
        rewriter.take_shared_names(findings)
        rewriter.take_library_members()
        if findings:
            rewriter.take_dtype_texts()
        rewriter.add(findings)
        rewriter.take_imports_by_text()
        rewriter.take_names_by_text()
        rewriter.take_torch_by_text()
        rewriter.take_what_works_beside(self._beside)
        rewriter.take_asked_packages()
        rewriter.take_compiled()
        edits = rewriter.result(removes_imports)
        if edits and not self._checker().is_sound(edits):
            return None, rewriter
        return MadeFixes(edits, rewriter.made, frozenset(rewriter.helpers)), rewriter
