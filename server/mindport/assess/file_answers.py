"""What findings of one block rest on beyond the block: questions about its file. Each is kept with its
answer, so that findings hold for exactly as long as the answers are the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from mindport.source.document import Document
    from mindport.uses.analysis import Analysis

Answer = TypeVar("Answer")
RestsOn = tuple[tuple[Callable[["Analysis"], object], object], ...]
"""Questions with their answers."""


class FileAnswers:
    """What is asked of a file while findings of one of its blocks are made. Of the `document`, whoever asks
    looks at nothing but the block's own syntax."""

    __slots__ = ("_analysis", "_answers")

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._answers: dict[Callable[[Analysis], object], object] = {}

    @property
    def document(self) -> Document:
        """The document, for the syntax of the block."""
        return self._analysis.document

    def ask(self, question: Callable[[Analysis], Answer]) -> Answer:
        """The answer to a question: a function of the whole analysis, whose result is hashable."""
        answer = question(self._analysis)
        self._answers[question] = answer
        return answer

    def rests_on(self) -> RestsOn:
        """All that was asked, with the answers."""
        return tuple(self._answers.items())


def still_hold(rests_on: RestsOn, analysis: Analysis) -> bool:
    """Whether questions that were asked before have the same answers now."""
    return all(question(analysis) == answer for question, answer in rests_on)


def has_torch_classes(analysis: Analysis) -> bool:
    """Whether the file defines classes that derive from torch's."""
    return analysis.has_torch_classes


def imported_names(analysis: Analysis) -> frozenset[str]:
    """The names that imports bind, in whatever scope."""
    return analysis.imported_names
