"""What is wrong with a file, apart from its findings: it, or a part of it, was not looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mindport.language import Text

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.language import Language
    from mindport.source.error import TextError

_DOES_NOT_PARSE = Text(
    "The code from here to line {line} does not parse; the rest was analyzed.",
    "从此处到第 {line} 行的代码无法解析；其余部分已正常分析。",
)
_DOES_NOT_PARSE_HERE = Text(
    "The code here does not parse; the rest was analyzed.",
    "此处的代码无法解析；其余部分已正常分析。",
)
_TOO_DEEP = Text(
    "Not analyzed: the code here is nested more than {limit} levels deep. The rest was analyzed.",
    "此处代码的嵌套超过 {limit} 层，未作分析；其余部分已正常分析。",
)
_IS_MISSING = Text("`{token}` is missing here.", "此处缺少 `{token}`。")


class Problem(NamedTuple):
    """A problem at a line and column, both from 1; columns count code points. A problem of the whole file is
    at 1, 1. In a notebook, `cell` is the number of the cell, whose lines are counted."""

    message: str
    line: int
    column: int
    cell: int | None = None


def syntax_problems(found: FileFindings, language: Language) -> list[Problem]:
    """The first places of a document that do not parse, or are nested too deep."""
    refusal = found.document.refusal
    if refusal is not None:
        return [file_problem(refusal, language)]
    problems = []
    for problem in found.problems():
        part = found.document.part(problem.start)
        line, column = part.lines.code_point_position(part.offset(problem.start))
        last, _ = part.lines.code_point_position(part.offset(problem.end))
        if problem.missing is not None:
            message = _IS_MISSING.render(language, token=problem.missing)
        elif problem.too_deep:
            message = _too_deep(language)
        elif last > line:
            message = _DOES_NOT_PARSE.render(language, line=last)
        else:
            message = _DOES_NOT_PARSE_HERE.render(language)
        problems.append(Problem(message, line, column, part.number))
    return problems


def _too_deep(language: Language) -> str:
    from mindport.lowering.lower import MAXIMUM_DEPTH

    return _TOO_DEEP.render(language, limit=MAXIMUM_DEPTH)


def file_problem(error: TextError, language: Language) -> Problem:
    """Why a file could not be looked at."""
    return Problem(error.render(language), getattr(error, "line", None) or 1, 1)
