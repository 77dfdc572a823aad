"""What the time from a keystroke to its diagnostics is made of, in one process: parsing, lowering what was edited,
finding uses and what is said of them, and writing that as JSON. Types as `keystroke.py` does. See README.md in
this folder.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, os.environ.get("MINDPORT_SERVER", str(Path(__file__).resolve().parents[2] / "server")))

from keystroke import places
from mindport.index.module import Module
from mindport.lowering.incremental import update
from mindport.lsp.diagnostics import publication
from mindport.lsp.diagnostics_json import DiagnosticItems
from mindport.lsp.engine import Engine
from mindport.lsp.garbage import collect_if_due
from mindport.source.document import Change, Document

_URI = "file.py"
_COLD_SECONDS = 0.06
_COLD_BYTES = 32_000_000
_KINDS = {(0, 0): "letter typed", (0, 1): "taken away", (1, 0): "typed at an end", (1, 1): "taken away there"}


class _Client:
    encoding = "utf-16"
    describes_codes = shows_deprecated = keeps_data = True


def _fail(error: BaseException, uri: str) -> None:
    raise error


class Typist:
    """Types in one document, and measures the parts of it, in milliseconds: the sum, parsed, lowered, uses and
    findings, JSON."""

    def __init__(self, path: Path) -> None:
        client: Any = _Client()
        self.engine = Engine(_fail)
        self.engine.load()
        self.engine.configure([(None, {})])
        self.items = DiagnosticItems(self.engine, client)
        self.document = Document.open(_URI, path.read_bytes())
        self.module = Module(_URI, "file", is_package=False)
        update(self.module, self.document)
        self.items.of(_URI, self.engine.analyse(_URI, self.document).shown(), self.document.lines)

    def type(self, change: Change) -> tuple[float, ...]:
        """Do one edit. What lowers it for its own sake is not part of the sum."""
        times = [time.perf_counter()]
        self.document = self.document.apply([change], 1, "utf-16")
        _ = self.document.pieces
        times.append(time.perf_counter())
        update(self.module, self.document)
        times.append(time.perf_counter())
        found = self.engine.analyse(_URI, self.document)
        times.append(time.perf_counter())
        publication(_URI, 1, self.items.of(_URI, found.shown(), self.document.lines))
        times.append(time.perf_counter())
        parsed, lowered, analysed, written = [
            (end - begin) * 1000 for begin, end in itertools.pairwise(times)
        ]
        return parsed + analysed + written, parsed, lowered, analysed - lowered, written


def measure(path: Path, count: int, is_cold: bool) -> dict[str, list[tuple[float, ...]]]:
    """The times of all edits, by their kind. The first round over the file is not counted."""
    typist = Typist(path)
    found: dict[str, list[tuple[float, ...]]] = {}
    gc.disable()  # as a server does, which looks for garbage when nobody waits
    for turn in range(3):
        for number, (line, column) in enumerate(places(path.read_text(encoding="utf-8"), count)):
            here, behind = (line, column), (line, column + 1)
            for step, change in enumerate((Change(here, here, "a"), Change(here, behind, ""))):
                if is_cold:
                    bytearray(_COLD_BYTES)
                    time.sleep(_COLD_SECONDS)
                times = typist.type(change)
                if turn:
                    found.setdefault(_KINDS[number % 2, step], []).append(times)
                collect_if_due()
    return found


def main() -> int:
    """Measure and print a table of medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--places", type=int, default=60, help="where to type (default 60)")
    parser.add_argument("--cold", action="store_true", help="use other memory and wait before each edit")
    options = parser.parse_args()
    found = measure(options.file, options.places, options.cold)
    print(f"{'ms, medians':20} {'sum':>7} {'parsed':>7} {'lowered':>8} {'found':>7} {'JSON':>7}")
    for kind, times in [*found.items(), ("all", [one for each in found.values() for one in each])]:
        shown = [statistics.median(column) for column in zip(*times, strict=True)]
        print(f"{kind:20} {shown[0]:7.2f} {shown[1]:7.2f} {shown[2]:8.2f} {shown[3]:7.2f} {shown[4]:7.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
