"""The formats of the report by their names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mindport.catalog.target import Target
    from mindport.language import Language
    from mindport.report.report import Report

FORMATS = ("text", "json", "html", "csv", "sarif")


def make_report(form: str, target: Target, language: Language, folder: Path, colour: bool = False) -> Report:
    """The report of a format (one of `FORMATS`). Relative paths of files start from `folder`; `colour` is for
    text on a terminal."""
    if form == "json":
        from mindport.report.json_report import JsonReport

        return JsonReport(target, language)
    if form == "html":
        from mindport.report.html_report import HtmlReport

        return HtmlReport(target, language)
    if form == "csv":
        from mindport.report.csv_report import CsvReport

        return CsvReport(language)
    if form == "sarif":
        from mindport.report.sarif_report import SarifReport

        return SarifReport(target, language, str(folder.absolute()))
    from mindport.report.text_report import TextReport

    return TextReport(target, language, colour)
