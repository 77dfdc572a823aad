"""One session on timm's longest file: a burst of edits, hovers, code actions, and the memory of the server.

mindport and a pygls server that does nothing take turns. See README.md in this folder.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from servers import CAPABILITIES, launch

from corpus import timm_file  # isort: skip
from lsp_client import LspClient  # isort: skip

FILE = "models/vision_transformer.py"
MINDPORT, NOTHING = "mindport", "pygls doing nothing"
BURST = 20
PAUSE_SECONDS = 0.03
BUDGETS = {"burst_ms_max": 300.0, "hover_ms_p50": 5.0, "code_action_ms_p50": 5.0, "memory_mb": 110.0}
"""Of the design, section 8."""
_ABILITIES = {
    "textDocument": {
        **CAPABILITIES["textDocument"],
        "hover": {"contentFormat": ["markdown"]},
        "codeAction": {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}},
    }
}


class Server:
    """A server with the file open."""

    def __init__(self, name: str, path: Path) -> None:
        self.uri = path.as_uri()
        self.text = path.read_bytes().decode()
        self.version = 1
        self.client: LspClient = launch(name, path.parent)
        self.client.start(_ABILITIES)
        self.client.open(self.uri, self.text)
        self.diagnostics = self.client.wait_for_diagnostics(self.uri, 1)

    def burst(self, line: int, column: int) -> float:
        """Type some letters, one after the other, and delete them at once. Returns the milliseconds from the
        last letter to its diagnostics."""
        for typed in range(BURST):
            if typed:
                time.sleep(PAUSE_SECONDS)
            begin = time.perf_counter()
            self._change(line, column + typed, 0, "a")
        self.client.wait_for_diagnostics(self.uri, self.version)
        passed = (self.client.received_at - begin) * 1000
        self._change(line, column, BURST, "")
        self.client.wait_for_diagnostics(self.uri, self.version)
        return passed

    def _change(self, line: int, column: int, removed: int, text: str) -> None:
        self.version += 1
        start, end = {"line": line, "character": column}, {"line": line, "character": column + removed}
        self.client.change(self.uri, self.version, [{"range": {"start": start, "end": end}, "text": text}])

    def timed(
        self, method: str, params: Callable[[dict[str, Any]], dict[str, Any]], most: int
    ) -> list[float]:
        """The milliseconds of one request for each of `most` diagnostics, spread over the file."""
        step = max(1, len(self.diagnostics) // most)
        found = []
        for diagnostic in self.diagnostics[::step][:most]:
            document = {"textDocument": {"uri": self.uri}}
            begin = time.perf_counter()
            result = self.client.request(method, {**document, **params(diagnostic)})
            found.append((self.client.received_at - begin) * 1000)
            assert result, method
        return found

    def megabytes(self) -> float:
        """The resident memory of the process (Linux only)."""
        status = Path(f"/proc/{self.client.pid}/status").read_text()
        match = re.search(r"VmRSS:\s*(\d+) kB", status)
        assert match is not None
        return int(match[1]) / 1024


def _position(diagnostic: dict[str, Any]) -> dict[str, Any]:
    return {"position": diagnostic["range"]["start"]}


def _range(diagnostic: dict[str, Any]) -> dict[str, Any]:
    return {"range": diagnostic["range"], "context": {"diagnostics": [diagnostic]}}


def measure(path: Path, bursts: int, requests: int) -> dict[str, Any]:
    """All figures, in one run."""
    ours, nothing = Server(MINDPORT, path), Server(NOTHING, path)
    memory = {"memory_mb": round(ours.megabytes(), 1), "memory_mb_of_pygls": round(nothing.megabytes(), 1)}
    bodies = [n for n, line in enumerate(ours.text.split("\n")) if line.startswith("        x = ")]
    chosen = [bodies[n * len(bodies) // bursts] for n in range(bursts)]
    times: dict[str, list[float]] = {MINDPORT: [], NOTHING: []}
    for line in chosen:
        times[MINDPORT].append(ours.burst(line, 8))
        times[NOTHING].append(nothing.burst(line, 8))
    hovers = ours.timed("textDocument/hover", _position, requests)
    actions = ours.timed("textDocument/codeAction", _range, requests)
    memory["memory_mb_afterwards"] = round(ours.megabytes(), 1)
    for server in (ours, nothing):
        server.client.stop()
    return {
        "burst_ms_p50": round(statistics.median(times[MINDPORT]), 2),
        "burst_ms_max": round(max(times[MINDPORT]), 2),
        "burst_ms_p50_of_pygls": round(statistics.median(times[NOTHING]), 2),
        "hover_ms_p50": round(statistics.median(hovers), 2),
        "code_action_ms_p50": round(statistics.median(actions), 2),
        **memory,
        "diagnostics": len(ours.diagnostics),
    }


def main() -> int:
    """Measure and print JSON. With --check, the exit code is 1 if a budget is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bursts", type=int, default=20, help="how many bursts (default 20)")
    parser.add_argument(
        "--requests", type=int, default=200, help="hovers and code actions each (default 200)"
    )
    parser.add_argument("--check", action="store_true", help="fail when a budget is exceeded")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:  # where no settings of any tool are near
        copy = Path(folder) / Path(FILE).name
        copy.write_bytes(timm_file(FILE).read_bytes())
        measured = measure(copy, options.bursts, options.requests)
    print(json.dumps(measured, indent=1))
    exceeded = [name for name, budget in BUDGETS.items() if measured[name] > budget]
    for name in exceeded:
        print(f"{name}: {measured[name]} is more than {BUDGETS[name]}", file=sys.stderr)
    return int(options.check and bool(exceeded))


if __name__ == "__main__":
    sys.exit(main())
