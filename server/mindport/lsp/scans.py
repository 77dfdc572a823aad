"""The scans that were asked for last, for whoever shows or exports what they found."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mindport.report.summary import Totals

if TYPE_CHECKING:
    from mindport.catalog.target import Target
    from mindport.lsp.scan_order import ScanRequest
    from mindport.report.scan_rows import ScannedFile

_MOST_SCANS = 3
"""A scan of a large project is kept in some ten million bytes."""


@dataclass(frozen=True)
class Scan:
    """What was found, and by which order, so that the same can be looked at again.

    `files` are those that were looked at, by URI, sorted by path: all, unless the scan was `cancelled`.
    `target` is that of the first folder that they are in.
    """

    identity: str
    order: ScanRequest
    target: Target
    files: Mapping[str, ScannedFile]
    cancelled: bool

    def totals(self) -> Totals:
        """The counts of all files."""
        totals = Totals()
        for file in self.files.values():
            totals.add(file.summary)
        return totals


class Scans:
    """The latest few scans by their identity. Used on the server's own thread."""

    def __init__(self) -> None:
        self._kept: dict[str, Scan] = {}

    def add(self, scan: Scan) -> None:
        """Keep a scan. The one that was asked for longest ago may go."""
        self._kept[scan.identity] = scan
        while len(self._kept) > _MOST_SCANS:
            del self._kept[next(iter(self._kept))]

    def get(self, identity: str) -> Scan | None:
        """The scan of this identity; None if it is not kept (any more)."""
        scan = self._kept.pop(identity, None)
        if scan is not None:
            self._kept[identity] = scan  # it is in use: others go first
        return scan


def new_identity() -> str:
    """An identity that no scan has, of this server or another."""
    return uuid.uuid4().hex
