"""The analysis of a project as a report: as JSON, as Markdown, and as an HTML page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final

import mindport
from mindport.report.analysis.analysis_page import page_values
from mindport.report.analysis.configuration_files import configured
from mindport.report.analysis.entries import FileAnalysis, ProblemEntry
from mindport.report.analysis.file_analysis import analyse_file
from mindport.report.analysis.json_form import from_json, to_json
from mindport.report.analysis.project_analysis import ProjectAnalysis, analyse_project
from mindport.report.analysis.work import work_of
from mindport.report.api_uses import ApiUse, count_uses
from mindport.report.html_templates import templates
from mindport.report.json_report import target_entry
from mindport.report.report import FileReport
from mindport.report.summary import UNREADABLE, Totals, summarise

if TYPE_CHECKING:
    from jinja2 import Environment

    from mindport.assess.file_findings import FileFindings
    from mindport.catalog.target import Target
    from mindport.language import Language
    from mindport.source.error import TextError

SCHEMA: Final = 1
"""The number of the form of the JSON; it changes when a program that reads it would have to."""


@dataclass(frozen=True)
class AnalysisReport:
    """The analysis. What is said of a file is made with it, the rest when all are there: also the settings in
    configuration files below the `folders`, but those that `exclude` names; paths are shown from `base`."""

    target: Target
    language: Language
    form: str
    folders: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    base: str = ""

    def file(self, path: str, found: FileFindings) -> FileReport:
        """What a file contributes, as JSON. One that could be read in part only counts as unreadable."""
        part = analyse_file(path, found, self.language)
        summary = summarise(found, found.diagnostics(), 0)
        if part.failed:
            summary = replace(summary, is_readable=False)
        return FileReport(to_json(part), summary, path, count_uses(found, self.language))

    def unreadable(self, path: str, error: TextError) -> FileReport:
        """A file that could not be looked at contributes nothing but that."""
        problem = ProblemEntry(path=path, line=1, message=error.render(self.language))
        part = FileAnalysis(path=path, problems=[problem])
        return FileReport(to_json(part), UNREADABLE, path)

    def compose(self, parts: Iterable[FileReport], totals: Totals) -> Iterator[str]:
        """The text of the analysis."""
        files: list[FileAnalysis] = []
        uses: Counter[ApiUse] = Counter()
        for part in parts:
            totals.add(part.summary)
            uses.update(part.uses)
            if part.text:
                files.append(from_json(FileAnalysis, part.text))
        analysis = analyse_project(files, totals, uses, configured(self.folders, self.exclude, self.base))
        if self.form == "json":
            yield self._json(analysis)
        else:
            template = "analysis.md" if self.form == "markdown" else "analysis.html"
            folder = self.folders[0] if len(self.folders) == 1 and not self.base else ""
            values = page_values(analysis, self.language, folder="" if folder == "." else folder)
            page = _environment(self.form).get_template(template)
            text = page.render(**values, target=self.target, version=mindport.__version__)
            yield text.encode(errors="replace").decode()  # names of files may be no valid Unicode

    def _json(self, analysis: ProjectAnalysis) -> str:
        work = [one._asdict() for one in work_of(analysis, self.language)]
        entry = {"schema": SCHEMA, "target": target_entry(self.target), **vars(analysis), "work": work}
        text = to_json(entry, indent=2)
        return text.encode(errors="backslashreplace").decode() + "\n"


@cache
def _environment(form: str) -> Environment:
    found = templates()
    return found if form == "html" else found.overlay(autoescape=False)
