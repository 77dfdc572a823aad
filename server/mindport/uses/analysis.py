"""The analysis of one document: its uses and what in it does not parse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from mindport.index.block import Layout
from mindport.index.definitions import ImportName
from mindport.lowering.incremental import lower_apart
from mindport.source.document import Document
from mindport.source.syntax import SyntaxProblem, syntax_problems
from mindport.uses.bound_names import BoundNames
from mindport.uses.collect import BlockUses, uses_of

if TYPE_CHECKING:
    from mindport.index.block import Block
    from mindport.index.module import Module
    from mindport.infer.evaluator import Evaluator
    from mindport.uses.use import Use

_Kept = TypeVar("_Kept")
MOST_PROBLEMS: Final = 20
"""As many places that do not parse are listed."""


class AnalysedBlock(NamedTuple):
    """A block of a document: where it starts (bytes), its length, and what was found in it. `names` are all
    names it binds, in whatever scope; `kind` is the kind of its syntax node, such as `import_from_statement`
    (behind `class: `, if it is a statement of a class's body)."""

    start: int
    length: int
    found: BlockUses
    imports: Sequence[ImportName]
    names: frozenset[str]
    kind: str

    @property
    def is_import(self) -> bool:
        """Whether the block is one import statement."""
        return self.kind in ("import_statement", "import_from_statement", "future_import_statement")


class Carried(NamedTuple):
    """What an analysis shares with the one before: what later layers have made of that one (`derived`). All
    but a run of blocks is the same, the `first` ones and as many as `behind` at the end, except those at the
    positions of `renewed`, in whose uses something is another."""

    derived: dict[object, Any]
    first: int
    behind: int
    renewed: list[int]

    def over(self, kept: list[_Kept], size: int, new: _Kept) -> list[_Kept]:
        """What was `kept` for each block of the analysis before, for the `size` blocks that there are now;
        `new` at the positions of `open`."""
        middle = [new] * (size - self.first - self.behind)
        carried = kept[: self.first] + middle + kept[len(kept) - self.behind :]
        for position in self.renewed:
            carried[position] = new
        return carried

    def open(self, size: int) -> list[int]:
        """The positions of the blocks that nothing is kept for, of `size` blocks."""
        return [*range(self.first, size - self.behind), *self.renewed]


class Analysis:
    """What resolution says of a document. Immutable, like the document. Later layers keep in `derived` what
    they made of it, for the next analysis of the module, which has it as `carried`: lists with something for
    each block."""

    __slots__ = (
        "_blocks",
        "_found",
        "_has_torch_classes",
        "_imported_names",
        "_lowered",
        "_names",
        "_starts",
        "carried",
        "derived",
        "document",
    )

    def __init__(
        self,
        document: Document,
        lowered: list[Block],
        starts: list[int],
        found: list[BlockUses],
        carried: Carried | None = None,
        imported_names: frozenset[str] | None = None,
    ) -> None:
        """`imported_names`, if they are known already."""
        self.document = document
        self.carried = carried
        self.derived: dict[object, Any] = {}
        self._lowered = lowered
        self._starts = starts
        self._found = found
        self._blocks: tuple[AnalysedBlock, ...] | None = None
        self._names: BoundNames | None = None
        self._has_torch_classes: bool | None = None
        self._imported_names = imported_names

    @property
    def has_torch_classes(self) -> bool:
        """Whether the document defines classes that derive from torch's."""
        if self._has_torch_classes is None:
            self._has_torch_classes = any(found.has_torch_class for found in self._found)
        return self._has_torch_classes

    @property
    def lowered(self) -> list[Block]:
        """The blocks, in source order."""
        return self._lowered

    @property
    def starts(self) -> list[int]:
        """Where each block starts, in bytes."""
        return self._starts

    @property
    def by_block(self) -> list[BlockUses]:
        """What was found in each block, in source order."""
        return self._found

    @property
    def imported_names(self) -> frozenset[str]:
        """The names that imports of the document bind, in whatever scope."""
        if self._imported_names is None:
            found = [name.bound for block in self._lowered for name in block.imports]
            self._imported_names = frozenset(found)
        return self._imported_names

    @property
    def imported_names_if_known(self) -> frozenset[str] | None:
        """The same; None if nobody has asked for them."""
        return self._imported_names

    def found(self) -> Iterator[tuple[int, BlockUses]]:
        """What was found in each block, in source order, with where the block starts (bytes)."""
        return zip(self._starts, self._found, strict=True)

    def names(self) -> BoundNames:
        """How the names that the document reads are bound."""
        if self._names is None:
            self._names = BoundNames(self._lowered, self._starts)
        return self._names

    def names_after(self, document: Document) -> BoundNames:
        """How they would be bound in another version of the document. Nothing is kept of that."""
        before = Layout(self.document.data, self._lowered, self._starts)
        unchanged = document.unchanged(before.data)
        after = lower_apart(document.pieces, document.data, before, unchanged)
        return BoundNames(after.blocks, after.starts)

    @property
    def blocks(self) -> tuple[AnalysedBlock, ...]:
        """All that is known of each block, in source order."""
        if self._blocks is None:
            self._blocks = tuple(
                [
                    AnalysedBlock(start, block.size, found, block.imports, block.bound_names(), block.kind)
                    for block, start, found in zip(self._lowered, self._starts, self._found, strict=True)
                ]
            )
        return self._blocks

    def uses(self) -> Iterator[tuple[int, Use]]:
        """Every use in source order, with the start of its block to add to its offsets."""
        for start, found in self.found():
            for use in found.uses:
                yield start, use

    def problems(self) -> list[SyntaxProblem]:
        """The first places that do not parse, or are not looked into."""
        found: list[SyntaxProblem] = []
        for whole in self.document.pieces if not self.document.is_sound else ():
            for start, piece in whole.all() if not whole.is_sound else ():
                problems = syntax_problems(piece.root, MOST_PROBLEMS)
                if not (problems or piece.is_sound or piece.fragments or piece.members):
                    problems = [SyntaxProblem(0, len(piece.data.rstrip()), None)]
                found += [one._replace(start=start + one.start, end=start + one.end) for one in problems]
            if len(found) >= MOST_PROBLEMS:
                break
        found += [
            SyntaxProblem(shift + start, shift + end, None, too_deep=True)
            for block, shift in zip(self._lowered, self._starts, strict=True)
            for start, end in block.too_deep
        ]
        return sorted(found, key=_start_of)[:MOST_PROBLEMS]


def _start_of(problem: SyntaxProblem) -> int:
    return problem.start


def analyse(evaluator: Evaluator, module: Module) -> Analysis:
    """Find the uses in a module's latest text. Blocks that nothing changed for are not looked at again."""
    assert module.document is not None
    before: Analysis | None = module.looked
    blocks = module.blocks
    touched, module.touched = module.touched, set()
    if before is None:
        found = [uses_of(evaluator, block) for block in blocks]
        module.touched = {block for block in blocks if block.memo.dirty}
        analysis = Analysis(module.document, blocks, module.starts, found)
    else:
        analysis = _analysed_again(evaluator, module, module.document, before, touched)
    if evaluator.project.keeps_syntax:  # else nobody edits it
        module.looked = analysis
    return analysis


def _analysed_again(
    evaluator: Evaluator, module: Module, document: Document, before: Analysis, touched: set[Block]
) -> Analysis:
    """The same, for a module that was analysed before: blocks that are `touched`, or were not there, are
    looked at."""
    blocks, known = module.blocks, before.lowered
    first, behind = _same(known, blocks)
    end = len(blocks) - behind
    changed = blocks[first:end]
    found = [
        *before.by_block[:first],
        *[uses_of(evaluator, block) for block in changed],
        *before.by_block[len(known) - behind :],
    ]
    renewed = []
    for block in touched:
        position = module.position(block)
        if 0 <= position < first or position >= end:
            uses = uses_of(evaluator, block)
            if uses is not found[position]:
                found[position] = uses
                renewed.append(position)
    carried = Carried(before.derived, first, behind, renewed)
    imports = any(block.imports for block in [*changed, *known[first : len(known) - behind]])
    names = None if imports else before.imported_names_if_known
    return Analysis(document, blocks, module.starts, found, carried, names)


def _same(before: list[Block], now: list[Block]) -> tuple[int, int]:
    """How many blocks at the beginning are the same, and how many behind that at the end."""
    most = min(len(before), len(now))
    first = 0
    while first < most and before[first] is now[first]:
        first += 1
    behind = 0
    while behind < most - first and before[-1 - behind] is now[-1 - behind]:
        behind += 1
    return first, behind
