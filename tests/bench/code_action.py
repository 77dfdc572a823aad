"""From asking for code actions to the answer, while the file is being edited.

The caret of a JetBrains IDE asks at every move. Between two keystrokes, actions are asked for at several places:
at findings, beside them, and on the line that was just typed in. See README.md in this folder.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from keystroke import PAUSE_SECONDS, places
from servers import CAPABILITIES, launch

from corpus import timm_file  # isort: skip
from lsp_client import Json, LspClient  # isort: skip

FILE = "models/vision_transformer.py"
CODE_ACTION = {
    "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source"]}},
    "dataSupport": True,
    "resolveSupport": {"properties": ["edit"]},
}
CARETS_PER_EDIT = 5


class Asker:
    """Edits a file in the server, and measures how long the answers take."""

    def __init__(self, path: Path) -> None:
        self.uri = path.as_uri()
        self.version = 1
        self.client: LspClient = launch("mindport", path.parent)
        abilities: Json = json.loads(json.dumps(CAPABILITIES))
        abilities["textDocument"]["codeAction"] = CODE_ACTION
        self.client.start(abilities)
        self.client.open(self.uri, path.read_bytes().decode())
        self.found = self.client.wait_for_diagnostics(self.uri, 1)
        self.offered = 0

    def edit(self, line: int, column: int, removed: int, text: str) -> None:
        """Replace characters; the diagnostics are not waited for."""
        self.version += 1
        start, end = {"line": line, "character": column}, {"line": line, "character": column + removed}
        change = {"range": {"start": start, "end": end}, "text": text}
        self.client.change(self.uri, self.version, [change])

    def milliseconds(self, caret: Json) -> float:
        """How long the answer takes."""
        params = {
            "textDocument": {"uri": self.uri},
            "range": {"start": caret, "end": caret},
            "context": {"diagnostics": [], "triggerKind": 2},
        }
        begin = time.perf_counter()
        found = self.client.request("textDocument/codeAction", params)
        self.offered += len(found)
        return (self.client.received_at - begin) * 1000


def measure(path: Path, count: int) -> dict[str, Any]:
    """The times right after an edit, when the text has to be looked at first, and for the carets after that."""
    source = path.read_bytes().decode()
    asker = Asker(path)
    first: list[float] = []
    others: list[float] = []
    starts = [each["range"]["start"] for each in asker.found]
    turn = 0
    for line, column in places(source, count):
        for removed, text in ((0, "a"), (1, "")):
            asker.edit(line, column, removed, text)
            first.append(asker.milliseconds({"line": line, "character": column}))
            for _ in range(CARETS_PER_EDIT):
                turn += 1
                caret = starts[turn * 37 % len(starts)]
                others.append(asker.milliseconds(caret))
            if not _is_told(asker):
                asker.client.wait_for_diagnostics(asker.uri, asker.version)
            time.sleep(PAUSE_SECONDS)
    asker.client.stop()
    return {
        "lines": source.count("\n"),
        "diagnostics": len(asker.found),
        "actions_offered": asker.offered,
        "right_after_an_edit": _summary(first),
        "further_carets": _summary(others),
        "all": _summary(first + others),
    }


def _is_told(asker: Asker) -> bool:
    """Whether the diagnostics of the latest version have come already, while an answer was waited for."""
    return any(
        each["method"] == "textDocument/publishDiagnostics" and each["params"].get("version") == asker.version
        for each in asker.client.notifications[-8:]
    )


def _summary(times: list[float]) -> dict[str, float]:
    return {
        "requests": len(times),
        "p50_ms": round(statistics.median(times), 2),
        "p95_ms": round(statistics.quantiles(times, n=20)[18], 2),
    }


def main() -> int:
    """Measure and print JSON. With a limit, the exit code is 1 if the median of all requests is above it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--places", type=int, default=60, help="where to type (default 60)")
    parser.add_argument("--limit", type=float, help="largest median in milliseconds that is accepted")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / Path(FILE).name
        copy.write_bytes(timm_file(FILE).read_bytes())
        result = measure(copy, options.places)
    print(json.dumps(result, indent=1))
    return int(options.limit is not None and result["all"]["p50_ms"] > options.limit)


if __name__ == "__main__":
    sys.exit(main())
