"""The findings of one block: the unit in which they are made, kept and shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.assess.severity import Severity

if TYPE_CHECKING:
    from mindport.assess.finding import Finding

Selection = tuple[tuple[str, ...], tuple[str, ...]]
"""The beginnings of the codes that are shown, and of those that are not."""


class BlockFindings:
    """The findings of one block, one for each use in source order. The same object for as long as nothing
    they rest on changes, wherever in the text the block is. Immutable."""

    __slots__ = ("_selected", "_selection", "findings", "waits")

    def __init__(self, findings: tuple[Finding, ...], waits: bool = False) -> None:
        self.findings = findings
        self.waits = waits
        """Whether they were made for a file whose classes stay PyTorch's for now."""
        self._selection: Selection | None = None
        self._selected: tuple[Finding, ...] = ()

    def selected(self, selection: Selection) -> tuple[Finding, ...]:
        """Those that have a code which is selected, and are not switched off."""
        if self._selection != selection:
            self._selected = tuple([each for each in self.findings if _is_selected(each, selection)])
            self._selection = selection
        return self._selected


def _is_selected(finding: Finding, selection: Selection) -> bool:
    if finding.rule is None or finding.severity is Severity.NONE:
        return False
    select, ignore = selection
    code = finding.rule.code
    return code.startswith(select) and not (ignore and code.startswith(ignore))
