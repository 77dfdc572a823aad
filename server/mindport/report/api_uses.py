"""How often each torch API is used, and what becomes of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from mindport.report import words

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.assess.finding import Finding
    from mindport.language import Language


class ApiUse(NamedTuple):
    """What one use of an API becomes. Plain data."""

    api: str
    status: str
    targets: str
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
    targets = ", ".join(finding.targets)
    return ApiUse(finding.use.api, finding.status, targets, devices(finding), differs(finding, language))


def count_uses(found: FileFindings, language: Language) -> dict[ApiUse, int]:
    """How often each API is used in a document."""
    return dict(Counter(api_use(placed.finding, language) for placed in found.findings))


def devices(finding: Finding) -> str:
    """The devices that the counterpart runs on, as documented; empty where nothing is known."""
    platforms = finding.candidate.platforms if finding.candidate is not None else ()
    return ", ".join(words.DEVICES.get(device, device) for device in platforms)


def differs(finding: Finding, language: Language) -> str:
    """What differs at a use, in sentences."""
    separator = "" if language == "zh-cn" else " "
    return separator.join(difference.sentence(language) for difference in finding.differences)
