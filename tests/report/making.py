"""Shared by tests of reports: the whole report of some files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mindport.language import Language
from mindport.project.discover import discover
from mindport.project.setting_table import Settings
from mindport.report.formats import make_report
from mindport.report.summary import Totals
from mindport.scan.scan import scan

HOSTILE = "</pre><script>document.title='owned'</script>\"'`]]>--><img src=x onerror=alert(1)>"


def report(form: str, folder: Path, files: Mapping[str, str | bytes], language: Language = "en") -> str:
    """The report of files in a folder, whose paths are relative to it where the format has such."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    settings = Settings(language=language)
    made = make_report(form, settings.ported_to, language, folder)
    parts = scan(discover([folder], ()), settings, made, 1)
    return "".join(made.compose(parts, Totals()))
