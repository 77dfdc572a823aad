"""How often each torch API is used, and what becomes of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from mindport.language import Text
from mindport.report import words

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.assess.finding import Finding
    from mindport.language import Language


_GOES = Text("The call is not needed: remove it.", "不需要此调用，请移除。")


class ApiUse(NamedTuple):
    """What one use of an API becomes. Plain data.

    `targets` are MindSpore's names, `becomes` is what people write: a name, or an expression, and empty where
    the call goes. `versions` and `devices` are those that have it, as documented, and `differs` says in
    sentences what differs, or why there is no counterpart. Empty is what nothing is known of.
    """

    api: str
    status: str
    targets: str
    becomes: str
    versions: str
    devices: str
    differs: str

    @property
    def module(self) -> str:
        """The torch module of the API, or `torch.Tensor` for its methods."""
        parts = self.api.split(".")
        if parts[:2] == ["torch", "Tensor"]:
            return "torch.Tensor"
        inside = (at for at, part in enumerate(parts) if part[0].isupper() or part[0] == "_")
        return ".".join(parts[: max(1, next(inside, len(parts) - 1))])


def api_use(finding: Finding, language: Language) -> ApiUse:
    """What the use of a finding becomes."""
    return ApiUse(
        finding.use.api,
        finding.status,
        ", ".join(finding.targets),
        "" if finding.loses_call else finding.candidate_text,
        versions(finding),
        devices(finding),
        differs(finding, language),
    )


def count_uses(found: FileFindings, language: Language) -> dict[ApiUse, int]:
    """How often each API is used in a document; what rules about code found are no uses."""
    return dict(Counter(api_use(finding, language) for finding in found.uses()))


def versions(finding: Finding) -> str:
    """The versions of MindSpore that have the counterpart, as documented; empty where there is none."""
    candidate = finding.candidate
    if candidate is None:
        return ""
    return f"{candidate.since}\N{EN DASH}{candidate.until}" if candidate.until else f"≥ {candidate.since}"


def devices(finding: Finding) -> str:
    """The devices that the counterpart runs on, as documented; empty where nothing is known."""
    platforms = finding.candidate.platforms if finding.candidate is not None else ()
    return ", ".join(words.DEVICES.get(device, device) for device in platforms)


def differs(finding: Finding, language: Language) -> str:
    """What differs at a use, or why there is no counterpart, in sentences."""
    said = [_GOES.render(language)] if finding.loses_call else []
    said += [difference.sentence(language) for difference in finding.differences]
    if finding.reason is not None:
        said.append(finding.reason.render(language))
    return ("" if language == "zh-cn" else " ").join(said)


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
