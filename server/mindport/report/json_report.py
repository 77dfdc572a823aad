"""The report as JSON. Its form is a contract with the programs that read it.

`docs/json-report.md` describes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mindport.catalog.target import Target
from mindport.language import Language
from mindport.report.problem import Problem, file_problem, syntax_problems
from mindport.report.report import FileReport, streamed
from mindport.report.summary import STATUSES, UNREADABLE, Totals, summarise

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.source.document import Document, Part
    from mindport.source.error import TextError

SCHEMA = 1
"""The number of the form; it changes when a program that reads it would have to."""

Json = dict[str, Any]


def file_report(path: str, found: FileFindings, language: Language) -> Json:
    """One entry of `files`: every use of a document, and what does not parse.

    A use whose finding is not shown (it needs no change, is not selected or is suppressed) has no code.
    """
    document = found.document
    shown = {id(placed) for placed in found.diagnostics()}
    uses = [_use(placed, document, id(placed) in shown, language) for placed in found.findings]
    return {"path": path, "uses": uses, "problems": problem_entries(syntax_problems(found, language))}


def unreadable_report(path: str, error: TextError, language: Language) -> Json:
    """The entry of a file that could not be looked at."""
    return {"path": path, "uses": [], "problems": problem_entries([file_problem(error, language)])}


def report(target: Target, files: Iterable[Json], totals: Totals) -> Json:
    """The whole report."""
    return {
        "schema": SCHEMA,
        "target": target_entry(target),
        "files": list(files),
        "summary": summary_entry(totals),
    }


@dataclass(frozen=True)
class JsonReport:
    """The report as a stream: one line per file, all in UTF-8."""

    target: Target
    language: Language
    between: str = ",\n"

    def compose(self, parts: Iterable[FileReport], totals: Totals) -> Iterator[str]:
        """The text of the report, piece by piece."""
        return streamed(self, parts, totals)

    def head(self) -> str:
        """Up to the first file."""
        return f'{{"schema": {SCHEMA}, "target": {_dump(target_entry(self.target))}, "files": [\n'

    def file(self, path: str, found: FileFindings) -> FileReport:
        """One entry of `files`."""
        entry = file_report(path, found, self.language)
        summary = summarise(found, found.diagnostics(), len(entry["problems"]))
        return FileReport(_dump(entry), summary)

    def unreadable(self, path: str, error: TextError) -> FileReport:
        """One entry of `files`."""
        return FileReport(_dump(unreadable_report(path, error, self.language)), UNREADABLE)

    def tail(self, totals: Totals) -> str:
        """The summary."""
        return f'\n], "summary": {_dump(summary_entry(totals))}}}\n'


def target_entry(target: Target) -> Json:
    """`target`."""
    return {"version": target.version, "device": target.device, "style": target.style}


def summary_entry(totals: Totals) -> Json:
    """`summary`."""
    by_status = counts_entry(totals.by_status)
    return {"files": totals.files, "lines": totals.lines, "uses": totals.uses, "by_status": by_status}


def counts_entry(by_status: Mapping[str, int]) -> dict[str, int]:
    """The numbers of uses by status, in the order in which statuses are shown; without those there are none
    of."""
    return {status: by_status[status] for status in STATUSES if by_status.get(status)}


def _use(placed: PlacedFinding, document: Document, is_shown: bool, language: Language) -> Json:
    finding = placed.finding
    use = finding.use
    start, end = placed.shift + use.start, placed.shift + use.end
    part = document.part(start)
    return {
        "api": use.api,
        "kind": use.kind,
        "certainty": use.certainty.value,
        **({} if part.number is None else {"cell": part.number}),
        "start": _position(part, start),
        "end": _position(part, end),
        "status": finding.status,
        "code": finding.code if is_shown else None,
        "severity": finding.severity.value if is_shown else "none",
        "targets": list(finding.targets),
        "fix": finding.fix if is_shown else "none",
        "message": finding.message(language) if is_shown else "",
    }


def _position(part: Part, offset: int) -> Json:
    line, column = part.lines.code_point_position(part.offset(offset))
    return {"line": line, "column": column}


def problem_entries(problems: Iterable[Problem]) -> list[Json]:
    """`problems` of a file: without the cell, where it is none."""
    entries = (problem._asdict() for problem in problems)
    return [{name: value for name, value in entry.items() if value is not None} for entry in entries]


def _dump(value: object) -> str:
    """As readable text; a name of a file that is not valid Unicode is escaped instead."""
    text = json.dumps(value, ensure_ascii=False)
    return text if _is_unicode(text) else json.dumps(value)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
