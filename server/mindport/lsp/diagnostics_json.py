"""Diagnostics as JSON text.

Text rather than objects: a file with many findings is published at every keystroke, and all but a few
diagnostics are the same as before. What a finding says is written once, and where the findings of a block are
only when the block has moved.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from mindport.lsp.client import Client
from mindport.report.words import rule_address

if TYPE_CHECKING:
    from mindport.assess.file_findings import PlacedFinding
    from mindport.assess.finding import Finding
    from mindport.language import Language
    from mindport.source.lines import LineIndex

SEVERITIES = {"error": 1, "warning": 2, "information": 3, "hint": 4}
_DEPRECATED = 2
_encode = json.JSONEncoder(separators=(",", ":")).encode


class _Written:
    """The diagnostics of one block: their fields but the range, their ranges relative to the block's first
    line, and the whole text for the line and the indentation at which the block was last."""

    __slots__ = ("findings", "indentation", "line", "places", "rests", "text")

    def __init__(self, findings: Sequence[Finding], rests: list[str]) -> None:
        self.findings = findings
        self.rests = rests
        self.places: list[_Place] = []
        self.line = -1
        self.indentation = -1
        self.text = ""


_Place = tuple[int, int, int, int]
"""Line and character of the start, then of the end; lines count from the block's first one."""


class Words(Protocol):
    """What diagnostics say beside their findings."""

    @property
    def language(self) -> Language:
        """The language that they are in."""
        ...

    @property
    def is_deprecated(self) -> Callable[[str], bool]:
        """Whether a torch API is deprecated."""
        ...


class DiagnosticItems:
    """Writes the diagnostics of documents. Used on one thread only: a server's worker's."""

    def __init__(self, words: Words, client: Client) -> None:
        self._says = words
        self._client = client
        self._known: dict[str, dict[int, _Written]] = {}
        self._words = object()
        """Stands for the language and whatever else decides on what a diagnostic says."""

    def of(self, uri: str, shown: Sequence[tuple[int, Sequence[Finding]]], lines: LineIndex) -> list[str]:
        """The diagnostics of a document whose lines are `lines`, given by blocks with where each starts: for
        each block its diagnostics as JSON, with commas between them. What is the same as before is the same
        object."""
        before = self._known.get(uri, {})
        now: dict[int, _Written] = {}
        texts: list[str] = []
        for shift, findings in shown:
            identity = id(findings)  # `_Written` holds them, so that the number stays their own
            written = before.get(identity)
            if written is None:
                written = _Written(findings, [self._rest(finding) for finding in findings])
            now[identity] = written
            texts.append(self._at(written, shift, lines))
        self._known[uri] = now
        return texts

    def one(self, placed: PlacedFinding, lines: LineIndex) -> str:
        """One diagnostic of a document whose lines are `lines`, as JSON."""
        return self._at(_Written((placed.finding,), [self._rest(placed.finding)]), placed.shift, lines)

    def forget(self, uri: str) -> None:
        """Drop what is kept of a document."""
        self._known.pop(uri, None)

    def forget_all(self) -> None:
        """Drop what is kept of all documents: what findings say has changed."""
        self._known.clear()
        self._words = object()

    def _at(self, written: _Written, shift: int, lines: LineIndex) -> str:
        """The text of a block's diagnostics where the block starts at the byte `shift`."""
        line = lines.line_of(shift)
        start = lines.line_start(line)
        # Only where nothing but indentation is before the block do its characters depend on its text alone.
        indentation = -1 if lines.data[start:shift].strip(b" \t") else shift - start
        if indentation < 0 or written.indentation != indentation:
            written.places = [
                self._place(shift + finding.use.start, shift + finding.use.end, line, lines)
                for finding in written.findings
            ]
        elif written.line == line:
            return written.text
        written.line, written.indentation = line, indentation
        written.text = ",".join(map(_placed, written.places, itertools.repeat(line), written.rests))
        return written.text

    def _place(self, start: int, end: int, line: int, lines: LineIndex) -> _Place:
        start_line, start_character = lines.position(start, self._client.encoding)
        end_line, end_character = lines.position(end, self._client.encoding)
        return start_line - line, start_character, end_line - line, end_character

    def _rest(self, finding: Finding) -> str:
        receiver = finding.named_receiver
        key = self._words if receiver is None else (self._words, receiver)
        known: str | None = finding.derived.get(key)
        if known is None:
            known = finding.derived[key] = self._written(finding)
        return known

    def _written(self, finding: Finding) -> str:
        """A diagnostic without its range, and without the brace that opens it. Editors show its message as it
        stands, with the signs that Markdown has for code, which go."""
        fields: dict[str, Any] = {
            "severity": SEVERITIES[finding.severity.value],
            "code": finding.code,
            "source": "mindport",
            "message": finding.message(self._says.language).replace("`", ""),
        }
        if self._client.describes_codes and finding.code is not None:
            fields["codeDescription"] = {"href": rule_address(finding.code, self._says.language)}
        if self._client.shows_deprecated and self._says.is_deprecated(finding.use.api):
            fields["tags"] = [_DEPRECATED]
        if self._client.keeps_data:
            fields["data"] = {"api": finding.use.api, "status": finding.status, "fix": finding.fix}
        return _encode(fields)[1:]


def not_analysed(message: str) -> str:
    """The diagnostic of a document that is not looked at, as JSON: at its beginning."""
    start = {"line": 0, "character": 0}
    fields = {"range": {"start": start, "end": start}, "severity": SEVERITIES["warning"]}
    return _encode({**fields, "source": "mindport", "message": message})


def _placed(place: _Place, line: int, rest: str) -> str:
    first, start, last, end = place
    return (
        f'{{"range":{{"start":{{"line":{line + first},"character":{start}}},'
        f'"end":{{"line":{line + last},"character":{end}}}}},{rest}'
    )
