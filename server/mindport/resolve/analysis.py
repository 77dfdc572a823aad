"""The analysis of one document: its uses and what in it does not parse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from mindport.resolve.definitions import ImportName
from mindport.resolve.uses import BlockUses, uses_of
from mindport.source.document import Document
from mindport.source.syntax import SyntaxProblem, syntax_problems

if TYPE_CHECKING:
    from mindport.resolve.evaluator import Evaluator
    from mindport.resolve.module import Module
    from mindport.resolve.use import Use

MOST_PROBLEMS = 20
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


@dataclass(frozen=True, slots=True)
class Analysis:
    """What resolution says of a document. Immutable, like the document."""

    document: Document
    blocks: tuple[AnalysedBlock, ...]

    def uses(self) -> Iterator[tuple[int, Use]]:
        """Every use in source order, with the start of its block to add to its offsets."""
        for block in self.blocks:
            for use in block.found.uses:
                yield block.start, use

    def problems(self) -> list[SyntaxProblem]:
        """The first places that do not parse."""
        return [
            problem._replace(start=piece.start + problem.start, end=piece.start + problem.end)
            for piece in self.document.pieces
            for problem in syntax_problems(piece.root, MOST_PROBLEMS)
        ][:MOST_PROBLEMS]


def analyse(evaluator: Evaluator, module: Module) -> Analysis:
    """Find the uses in a module's latest text. Blocks that nothing changed for are not looked at again."""
    assert module.document is not None
    blocks = tuple(
        [
            AnalysedBlock(
                start,
                len(block.text),
                uses_of(evaluator, block),
                block.imports,
                block.bound_names,
                block.kind,
            )
            for block, start in zip(module.blocks, module.starts, strict=True)
        ]
    )
    return Analysis(module.document, blocks)
