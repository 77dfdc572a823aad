"""The engine that every face uses: documents in, findings and fixes out.

A session holds one project's modules and settings. It is not thread-safe: a server runs it on one thread of
its own. What it returns is immutable and may be handed to other threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mindport.assess.assess import Assessor
from mindport.assess.finding import Finding
from mindport.catalog.catalog import Catalog
from mindport.catalog.target import Target
from mindport.resolve.analysis import Analysis, analyse
from mindport.resolve.evaluator import Evaluator
from mindport.resolve.graph import ProjectGraph
from mindport.resolve.use import Use
from mindport.rewrite.edit import Fix
from mindport.rewrite.fixes import FixPlanner

if TYPE_CHECKING:
    from mindport.project.settings import Settings
    from mindport.source.document import Document
    from mindport.source.syntax import SyntaxProblem


class PlacedFinding(NamedTuple):
    """A finding with the absolute byte offsets of what it covers; `shift` is what its use's offsets lack."""

    start: int
    end: int
    shift: int
    finding: Finding


@dataclass(frozen=True, slots=True)
class FileFindings:
    """What was found in one document."""

    analysis: Analysis
    findings: tuple[PlacedFinding, ...]
    """Every use's finding, also those without a diagnostic (`severity` NONE), in source order."""

    @property
    def document(self) -> Document:
        return self.analysis.document

    def diagnostics(self) -> Iterator[PlacedFinding]:
        """The findings that are shown."""
        ...

    def problems(self) -> list[SyntaxProblem]:
        """The first places that do not parse."""
        return self.analysis.problems()
