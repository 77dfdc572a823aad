"""Diagnostics as JSON text.

Text rather than objects: a file with many findings is published at every keystroke, and all but a few
diagnostics are the same as before. What a finding says is written once, and where it is only when its block
has moved.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mindport.lsp.client import Client
from mindport.report.rule_addresses import rule_address

if TYPE_CHECKING:
    from mindport.assess.file_findings import PlacedFinding
    from mindport.assess.finding import Finding
    from mindport.lsp.engine import Engine
    from mindport.source.lines import LineIndex

SEVERITIES = {"error": 1, "warning": 2, "information": 3, "hint": 4}
_DEPRECATED = 2
_encode = json.JSONEncoder(separators=(",", ":")).encode


class _Item:
    """A finding's diagnostic: its fields but the range, its range relative to the block's first line, and the
    whole text for the line and the indentation at which the block was last."""

    __slots__ = ("finding", "indentation", "line", "place", "rest", "text")

    def __init__(self, finding: Finding, rest: str) -> None:
        self.finding = finding
        self.rest = rest
        self.place: tuple[int, int, int, int] | None = None
        self.line = -1
        self.indentation = -1
        self.text = ""


class Items:
    """Writes the diagnostics of documents. Used on the worker's thread only."""

    def __init__(self, engine: Engine, client: Client) -> None:
        self._engine = engine
        self._client = client
        self._known: dict[str, dict[int, _Item]] = {}

    def of(self, uri: str, shown: Sequence[PlacedFinding], lines: LineIndex) -> list[str]:
        """The diagnostics of a document whose lines are `lines`, each as JSON."""
        before = self._known.get(uri, {})
        now: dict[int, _Item] = {}
        texts: list[str] = []
        data = lines.data
        shift = block_line = indentation = -1
        for placed in shown:
            finding = placed.finding
            identity = id(finding)  # `_Item` holds the finding, so that the number stays its own
            item = before.get(identity)
            if item is None:
                item = _Item(finding, self._rest(finding))
            now[identity] = item
            if placed.shift != shift:
                shift = placed.shift
                block_line = lines.line_of(shift)
                line_start = lines.line_start(block_line)
                indentation = shift - line_start if not data[line_start:shift].strip(b" \t") else -1
            if indentation < 0 or item.line != block_line or item.indentation != indentation:
                self._place(item, placed, lines, block_line, indentation)
            texts.append(item.text)
        self._known[uri] = now
        return texts

    def one(self, placed: PlacedFinding, lines: LineIndex) -> str:
        """One diagnostic of a document whose lines are `lines`, as JSON."""
        item = _Item(placed.finding, self._rest(placed.finding))
        self._place(item, placed, lines, lines.line_of(placed.shift), -1)
        return item.text

    def forget(self, uri: str) -> None:
        """Drop what is kept of a document."""
        self._known.pop(uri, None)

    def forget_all(self) -> None:
        """Drop what is kept of all documents: what findings say has changed."""
        self._known.clear()

    def _place(
        self, item: _Item, placed: PlacedFinding, lines: LineIndex, block_line: int, indentation: int
    ) -> None:
        if item.place is None or indentation < 0 or item.indentation != indentation:
            start_line, start = lines.position(placed.start, self._client.encoding)
            end_line, end = lines.position(placed.end, self._client.encoding)
            place = (start_line - block_line, start, end_line - block_line, end)
        else:
            place = item.place
        first, start, last, end = place
        item.text = (
            f'{{"range":{{"start":{{"line":{block_line + first},"character":{start}}},'
            f'"end":{{"line":{block_line + last},"character":{end}}}}},{item.rest}'
        )
        # Only where nothing but indentation is before the block do its characters depend on its text alone.
        item.indentation = indentation
        item.place, item.line = (place, block_line) if indentation >= 0 else (None, -1)

    def _rest(self, finding: Finding) -> str:
        fields: dict[str, Any] = {
            "severity": SEVERITIES[finding.severity.value],
            "code": finding.code,
            "source": "mindport",
            "message": finding.message(self._engine.language),
        }
        if self._client.describes_codes and finding.code is not None:
            fields["codeDescription"] = {"href": rule_address(finding.code, self._engine.language)}
        if self._client.shows_deprecated and self._engine.is_deprecated(finding.use.api):
            fields["tags"] = [_DEPRECATED]
        if self._client.keeps_data:
            fields["data"] = {"api": finding.use.api, "status": finding.status, "fix": finding.fix}
        return _encode(fields)[1:]
