"""The report as SARIF 2.1.0 (OASIS), for code scanning services and SARIF viewers."""

from __future__ import annotations

import hashlib
import json
import os.path
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from mindport.assess.rules import all_rules
from mindport.report import words
from mindport.report.problem import Problem, file_problem, syntax_problems
from mindport.report.report import FileReport
from mindport.report.sarif_rules import LEVELS, driver, translation
from mindport.report.summary import UNREADABLE, Totals, summarise
from mindport.rewrite import fixes

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.catalog.target import Target
    from mindport.language import Language
    from mindport.report.report import ReportOptions
    from mindport.source.document import DocumentPart
    from mindport.source.error import TextError

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_BASE = "SRCROOT"
_FINGERPRINT = "mindport/v1"
_UNREADABLE = "unreadable"
_SYNTAX = "syntax"

Json = dict[str, Any]


@dataclass(frozen=True)
class SarifReport:
    """One run, with a result for each finding that is shown. Relative paths start from `folder` (absolute).

    A finding in a notebook has the cell as its logical location and no region: regions are of the file's
    text, which is JSON.
    """

    target: Target
    language: Language
    folder: str

    def file(self, path: str, found: FileFindings) -> FileReport:
        """The results of one file."""
        shown = found.diagnostics()
        problems = syntax_problems(found, self.language)
        results = _Results(self, path, found)
        return FileReport(
            ",\n".join(_dump(results.one(placed)) for placed in shown),
            summarise(found, shown, len(problems)),
            path,
            notes=",\n".join(_dump(self._notification(path, problem, _SYNTAX)) for problem in problems),
        )

    def unreadable(self, path: str, error: TextError) -> FileReport:
        """A notification about a file."""
        problem = file_problem(error, self.language)
        return FileReport("", UNREADABLE, path, notes=_dump(self._notification(path, problem, _UNREADABLE)))

    def compose(self, parts: Iterable[FileReport], totals: Totals) -> Iterator[str]:
        """The text of the report, piece by piece."""
        paths: list[str] = []
        notes: list[str] = []
        yield f'{{"$schema": "{SCHEMA}", "version": "2.1.0", "runs": [{{"results": [\n'
        separator = ""
        for part in parts:
            totals.add(part.summary)
            if part.notes:
                notes.append(part.notes)
            paths.append(part.path)
            if part.text:
                yield separator + part.text
                separator = ",\n"
        invocation = f'{{"executionSuccessful": true, "toolExecutionNotifications": [{",".join(notes)}]}}'
        yield f'\n],\n"invocations": [{invocation}],\n{_dump(self._run(paths))[1:-1]}}}]}}\n'

    def _run(self, paths: list[str]) -> Json:
        """The fields of the run but its results and invocations."""
        other: Language = "en" if self.language == "zh-cn" else "zh-cn"
        base = {"uri": file_uri("", self.folder).rstrip("/") + "/"}
        return {
            "tool": {"driver": driver(self.language)},
            "translations": [translation(other)],
            "language": "zh-CN" if self.language == "zh-cn" else "en",
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {_BASE: base},
            "artifacts": [{"location": self.artifact(path)} for path in paths],
            "properties": {
                "targetVersion": self.target.version,
                "targetDevice": self.target.device,
                "targetStyle": self.target.style,
            },
        }

    def artifact(self, path: str) -> Json:
        """The location of a file."""
        relative = relative_uri(path, self.folder)
        if relative is None:
            return {"uri": file_uri(path, self.folder)}
        return {"uri": relative, "uriBaseId": _BASE}

    def _notification(self, path: str, problem: Problem, kind: str) -> Json:
        location: Json = {"physicalLocation": {"artifactLocation": self.artifact(path)}}
        if problem.cell is not None:
            location["logicalLocations"] = [self.cell(problem.cell)]
        elif kind == _SYNTAX:
            region = {"startLine": problem.line, "startColumn": problem.column}
            location["physicalLocation"]["region"] = region
        level = "error" if kind == _UNREADABLE else "warning"
        message = {"text": problem.message}
        return {"descriptor": {"id": kind}, "level": level, "message": message, "locations": [location]}

    def cell(self, number: int) -> Json:
        """A cell of a notebook."""
        return {"name": words.CELL.render(self.language, number=number), "kind": "member"}


def make(options: ReportOptions) -> SarifReport:
    """The report for these options."""
    return SarifReport(options.target, options.language, str(options.folder.absolute()))


class _Results:
    """Writes the results of one file."""

    def __init__(self, report: SarifReport, path: str, found: FileFindings) -> None:
        self._report = report
        self._found = found
        self._artifact = report.artifact(path)
        self._seen: Counter[str] = Counter()

    @cached_property
    def _rules(self) -> dict[str, int]:
        return {code: number for number, code in enumerate(all_rules())}

    def one(self, placed: PlacedFinding) -> Json:
        """The result of a finding."""
        finding, language = placed.finding, self._report.language
        part = self._found.document.part(placed.start)
        code = finding.code or ""
        result: Json = {
            "ruleId": code,
            "ruleIndex": self._rules[code],
            "level": LEVELS[finding.severity.value],
            "message": {"text": finding.message(language)},
            "locations": [self._location(placed, part)],
            "partialFingerprints": {_FINGERPRINT: self._fingerprint(placed, part)},
            "properties": {
                "api": finding.use.api,
                "kind": finding.use.kind,
                "certainty": finding.use.certainty.value,
                "status": finding.status,
                "targets": list(finding.targets),
                "fix": finding.fix,
            },
        }
        fix = self._fix(placed, part)
        return result if fix is None else result | {"fixes": [fix]}

    def _fix(self, placed: PlacedFinding, part: DocumentPart) -> Json | None:
        """The fix of a finding; None in a notebook, whose file is not the text of its cells."""
        fix = fixes.propose(placed)
        edits = () if fix is None or part.number is not None else fixes.edits_to_show(self._found, fix)
        if fix is None or not edits:
            return None
        replacements = [
            {
                "deletedRegion": _region(part, edit.start, edit.end),
                "insertedContent": {"text": edit.new_text},
            }
            for edit in edits
        ]
        change = {"artifactLocation": self._artifact, "replacements": replacements}
        return {"description": {"text": fix.title(self._report.language)}, "artifactChanges": [change]}

    def _location(self, placed: PlacedFinding, part: DocumentPart) -> Json:
        physical: Json = {"artifactLocation": self._artifact}
        if part.number is None:
            physical["region"] = _region(part, placed.start, placed.end)
            return {"physicalLocation": physical}
        line, column = part.lines.code_point_position(part.offset(placed.start))
        place = {"cell": part.number, "line": line, "column": column}
        logical = [self._report.cell(part.number)]
        return {"physicalLocation": physical, "logicalLocations": logical, "properties": place}

    def _fingerprint(self, placed: PlacedFinding, part: DocumentPart) -> str:
        """The same for the same finding when lines are added or removed elsewhere."""
        line = part.lines.line_bytes(part.lines.line_of(part.offset(placed.start))).strip().decode()
        text = "\0".join([self._artifact["uri"], placed.finding.code or "", placed.finding.use.api, line])
        self._seen[text] += 1
        numbered = f"{text}\0{self._seen[text]}"
        return hashlib.blake2b(numbered.encode(), digest_size=16).hexdigest()


def _region(part: DocumentPart, start: int, end: int) -> Json:
    start_line, start_column = part.lines.code_point_position(part.offset(start))
    end_line, end_column = part.lines.code_point_position(part.offset(end))
    return {
        "startLine": start_line,
        "startColumn": start_column,
        "endLine": end_line,
        "endColumn": end_column,
    }


def _dump(value: object) -> str:
    """As JSON; what is not valid Unicode becomes a replacement character."""
    return json.dumps(value, ensure_ascii=False).encode(errors="replace").decode()


def relative_uri(path: str, folder: str) -> str | None:
    """The URI of `path` (absolute, or relative to `folder`) relative to `folder`; None if it is not below."""
    absolute = os.path.normpath(Path(folder) / path)
    try:
        relative = Path(absolute).relative_to(os.path.normpath(folder))
    except ValueError:
        return None
    return _quoted(relative.as_posix())


def file_uri(path: str, folder: str) -> str:
    """The `file:` URI of `path` (absolute, or relative to `folder`)."""
    absolute = Path(os.path.normpath(Path(folder) / path)).as_posix()
    return f"file://{'' if absolute.startswith('/') else '/'}{_quoted(absolute)}"


def _quoted(path: str) -> str:
    """A name that is not valid Unicode is quoted by the bytes that it stands for."""
    return quote(path.encode(errors="surrogateescape"), safe="/:")
