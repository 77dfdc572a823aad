"""The report as JSON. Its form is a contract with the programs that read it.

`docs/json-report.md` describes it.
"""

from __future__ import annotations

import json
import json.encoder
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mindport.catalog.target import Target
from mindport.infer.values import Certainty
from mindport.language import Language
from mindport.report.problem import Problem, file_problem, syntax_problems
from mindport.report.report import FileReport, streamed
from mindport.report.summary import STATUSES, UNREADABLE, Totals, summarise

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.assess.finding import Finding
    from mindport.report.report import ReportOptions
    from mindport.source.document import Document, DocumentPart
    from mindport.source.error import TextError

SCHEMA = 1
"""The number of the form; it changes when a program that reads it would have to."""

Json = dict[str, Any]
_CERTAINTIES: Final = {certainty: certainty.value for certainty in Certainty}
_string: Final = json.encoder.encode_basestring


def file_report(path: str, found: FileFindings, language: Language) -> Json:
    """One entry of `files`: every use of a document, and what does not parse.

    A use whose finding is not shown (it needs no change, is not selected or is suppressed) has no code.
    """
    problems = problem_entries(syntax_problems(found, language))
    entry: Json = json.loads(_file_text(path, found, problems, language))
    return entry


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
        problems = problem_entries(syntax_problems(found, self.language))
        text = _file_text(path, found, problems, self.language)
        return FileReport(text, summarise(found, found.diagnostics(), len(problems)))

    def unreadable(self, path: str, error: TextError) -> FileReport:
        """One entry of `files`."""
        return FileReport(_dump(unreadable_report(path, error, self.language)), UNREADABLE)

    def tail(self, totals: Totals) -> str:
        """The summary."""
        return f'\n], "summary": {_dump(summary_entry(totals))}}}\n'


def make(options: ReportOptions) -> JsonReport:
    """The report for these options."""
    return JsonReport(options.target, options.language)


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


def _file_text(path: str, found: FileFindings, problems: list[Json], language: Language) -> str:
    """An entry of `files` as text. Put together by hand: there are many uses, of which the same is said."""
    document = found.document
    shown = {id(placed) for placed in found.diagnostics()}
    uses = [_use_text(placed, document, id(placed) in shown, language) for placed in found.findings]
    return f'{{"path": {_dump(path)}, "uses": [{", ".join(uses)}], "problems": {_dump(problems)}}}'


def _use_text(placed: PlacedFinding, document: Document, is_shown: bool, language: Language) -> str:
    finding = placed.finding
    use = finding.use
    key = "json", is_shown, language, finding.named_receiver
    said = finding.derived.get(key)
    if said is None:
        said = finding.derived[key] = _said(finding, is_shown, language)
    start, end = placed.shift + use.start, placed.shift + use.end
    part = document.part(start)
    cell = "" if part.number is None else f'"cell": {part.number}, '
    certainty = _CERTAINTIES[use.certainty]
    return (
        f'{{"api": {_string(use.api)}, "kind": "{use.kind}", "certainty": "{certainty}", {cell}'
        f'"start": {_position_text(part, start)}, "end": {_position_text(part, end)}, {said}}}'
    )


def _said(finding: Finding, is_shown: bool, language: Language) -> str:
    """What is said of a use, wherever it is."""
    code = f'"{finding.code}"' if is_shown and finding.code is not None else "null"
    severity = finding.severity.value if is_shown else "none"
    fix = finding.fix if is_shown else "none"
    targets = ", ".join([_string(target) for target in finding.targets])
    message = _string(finding.message(language) if is_shown else "")
    return (
        f'"status": "{finding.status}", "code": {code}, "severity": "{severity}", "targets": [{targets}], '
        f'"fix": "{fix}", "message": {message}'
    )


def _position_text(part: DocumentPart, offset: int) -> str:
    line, column = part.lines.code_point_position(part.offset(offset))
    return f'{{"line": {line}, "column": {column}}}'


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
