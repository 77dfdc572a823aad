"""The analysis of one document: its uses and what in it does not parse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.resolve.definitions import ImportName
from mindport.resolve.uses import BlockUses, uses_of
from mindport.source.document import Document
from mindport.source.syntax import SyntaxProblem, syntax_problems

if TYPE_CHECKING:
    from mindport.resolve.blocks import Block
    from mindport.resolve.evaluator import Evaluator
    from mindport.resolve.module import Module
    from mindport.resolve.use import Use

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


class Analysis:
    """What resolution says of a document. Immutable, like the document."""

    __slots__ = ("_blocks", "_found", "_lowered", "_starts", "document")

    def __init__(
        self, document: Document, lowered: Sequence[Block], starts: Sequence[int], found: list[BlockUses]
    ) -> None:
        self.document = document
        self._lowered = lowered
        self._starts = starts
        self._found = found
        self._blocks: tuple[AnalysedBlock, ...] | None = None

    def found(self) -> Iterator[tuple[int, BlockUses]]:
        """What was found in each block, in source order, with where the block starts (bytes)."""
        return zip(self._starts, self._found, strict=True)

    @property
    def blocks(self) -> tuple[AnalysedBlock, ...]:
        """All that is known of each block, in source order."""
        if self._blocks is None:
            self._blocks = tuple(
                [
                    AnalysedBlock(start, len(block.text), found, block.imports, block.bound_names, block.kind)
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
        found = [
            problem._replace(start=piece.start + problem.start, end=piece.start + problem.end)
            for piece in self.document.pieces
            for problem in syntax_problems(piece.root, MOST_PROBLEMS)
        ]
        found += [
            SyntaxProblem(shift + start, shift + end, None, too_deep=True)
            for block, shift in zip(self._lowered, self._starts, strict=True)
            for start, end in block.too_deep
        ]
        return sorted(found, key=lambda problem: (problem.start, problem.end))[:MOST_PROBLEMS]


def analyse(evaluator: Evaluator, module: Module) -> Analysis:
    """Find the uses in a module's latest text. Blocks that nothing changed for are not looked at again."""
    assert module.document is not None
    blocks = module.blocks
    return Analysis(module.document, blocks, module.starts, [uses_of(evaluator, block) for block in blocks])
