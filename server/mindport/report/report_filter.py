"""Which uses a reader wants to see: those that pass the filters of the result panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mindport.report.api_uses import api_use

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.language import Language


class ReportFilter(NamedTuple):
    """What is wanted. Empty texts let everything pass.

    `search` are words that what a table says of a use has to contain, `file` words that the path of its file
    has to, whatever their case; `status` and `fix` are those of the use, the latter `none` where nothing is
    shown of it.
    """

    search: str = ""
    file: str = ""
    status: str = ""
    fix: str = ""

    def fits_file(self, path: str) -> bool:
        """Whether uses in a file may pass."""
        return _has(path, self.file)

    def of(self, found: FileFindings, language: Language) -> FileFindings:
        """What is found in a document, without the uses that do not pass."""
        shown = {id(placed) for placed in found.diagnostics()}
        return found.only(lambda placed: self._fits(placed, id(placed) in shown, language))

    def _fits(self, placed: PlacedFinding, is_shown: bool, language: Language) -> bool:
        finding = placed.finding
        if self.status not in ("", finding.status):
            return False
        if self.fix not in ("", finding.fix if is_shown else "none"):
            return False
        if not self.search:
            return True
        use = api_use(finding, language)
        code = (finding.code or "") if is_shown else ""
        said = (use.api, use.becomes, code, use.versions, use.devices, use.differs)
        return _has("\n".join(said), self.search)


EVERYTHING = ReportFilter()


def _has(text: str, words: str) -> bool:
    return all(word in text.lower() for word in words.lower().split())
