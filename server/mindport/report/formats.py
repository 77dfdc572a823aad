"""The formats of the report by their names."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mindport.language import Text
from mindport.report.report import ReportOptions

if TYPE_CHECKING:
    from mindport.catalog.target import Target
    from mindport.language import Language
    from mindport.report.report import Report

_FILES: Final[Mapping[str, str]] = {
    "text": "text_report",
    "json": "json_report",
    "html": "html_report",
    "csv": "csv_report",
    "sarif": "sarif_report",
}
"""Each format with the file of this folder whose `make` gives it; it is read when it is asked for."""
FORMATS: Final = tuple(_FILES)
FORMAT_NAMES: Final = Text(
    f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]}", f"{'、'.join(FORMATS[:-1])} 或 {FORMATS[-1]}"
)


ANALYSIS_FORMATS: Final = ("markdown", "html", "json")
"""The forms of the analysis of a project."""


def make_report(form: str, target: Target, language: Language, folder: Path, colour: bool = False) -> Report:
    """The report of a format (one of `FORMATS`). Relative paths of files start from `folder`; `colour` is for
    text on a terminal."""
    module = importlib.import_module(f"mindport.report.{_FILES[form]}")
    report: Report = module.make(ReportOptions(target, language, folder, colour))
    return report
