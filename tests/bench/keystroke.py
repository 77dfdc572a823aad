"""From a keystroke to its diagnostics: mindport beside other servers, in one run.

All servers have the same file open and take turns, one keystroke each, so that whatever else the machine does
hits them alike. See README.md in this folder.
"""

from __future__ import annotations

import argparse
import ast
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from servers import CAPABILITIES, COMMANDS, launch

from corpus import timm_file  # isort: skip
from lsp_client import LspClient  # isort: skip

FILES = ("models/mvitv2.py", "models/vision_transformer.py")
PAUSE_SECONDS = 0.02


class Typist:
    """Types in one server's copy of a file, and measures how long its diagnostics take."""

    def __init__(self, name: str, path: Path) -> None:
        self.uri = path.as_uri()
        self.version = 1
        self.milliseconds: list[float] = []
        self.client: LspClient = launch(name, path.parent)
        self.client.start(CAPABILITIES)
        self.client.open(self.uri, path.read_bytes().decode())
        self.diagnostics = len(self.client.wait_for_diagnostics(self.uri, 1))

    def type(self, line: int, column: int, removed: int, text: str) -> None:
        """Replace `removed` characters and wait for the diagnostics."""
        self.version += 1
        covered = {
            "start": {"line": line, "character": column},
            "end": {"line": line, "character": column + removed},
        }
        begin = time.perf_counter()
        self.client.change(self.uri, self.version, [{"range": covered, "text": text}])
        self.client.wait_for_diagnostics(self.uri, self.version)
        self.milliseconds.append((self.client.received_at - begin) * 1000)


def places(source: str, count: int) -> list[tuple[int, int]]:
    """Lines and columns inside function bodies, spread over the file: in turn the beginning of a statement,
    where a letter more leaves the code sound, and its end, where it often does not."""
    found: set[tuple[int, int, int]] = set()
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            for statement in ast.walk(function):
                is_simple = isinstance(statement, (ast.Assign, ast.Expr, ast.Return))
                if is_simple and statement.lineno == statement.end_lineno:
                    found.add((statement.lineno, statement.col_offset, statement.end_col_offset or 0))
    every = sorted(found)
    chosen = [every[index * len(every) // count] for index in range(min(count, len(every)))]
    return [(line - 1, end if turn % 2 else start) for turn, (line, start, end) in enumerate(chosen)]


def measure(path: Path, count: int) -> dict[str, Any]:
    """The times of all servers on one file."""
    source = path.read_bytes().decode()
    typists = {name: Typist(name, path) for name in COMMANDS}
    for line, column in places(source, count):
        for removed, text in ((0, "a"), (1, "")):
            for typist in typists.values():
                typist.type(line, column, removed, text)
                time.sleep(PAUSE_SECONDS)
    for typist in typists.values():
        typist.client.stop()
    result = {
        name: {
            "p50_ms": round(statistics.median(typist.milliseconds), 2),
            "p95_ms": round(statistics.quantiles(typist.milliseconds, n=20)[18], 2),
            "edits": len(typist.milliseconds),
            "diagnostics": typist.diagnostics,
        }
        for name, typist in typists.items()
    }
    ratio = result["mindport"]["p50_ms"] / result["ruff server"]["p50_ms"]
    return {"lines": source.count("\n"), "servers": result, "p50_ratio_to_ruff_server": round(ratio, 3)}


def table(results: dict[str, Any]) -> str:
    """The results for people."""
    rows = [f"{'file':32} {'server':22} {'p50 ms':>8} {'p95 ms':>8} {'p50 / ruff':>11}"]
    for file, result in results.items():
        ruff = result["servers"]["ruff server"]["p50_ms"]
        for name, times in result["servers"].items():
            shown = f"{file} ({result['lines']})"
            rows.append(
                f"{shown:32} {name:22} {times['p50_ms']:8.2f} {times['p95_ms']:8.2f}"
                f" {times['p50_ms'] / ruff:11.2f}"
            )
    return "\n".join(rows)


def _copy(file: str, folder: Path) -> Path:
    copy = folder / Path(file).name
    copy.write_bytes(timm_file(file).read_bytes())
    return copy


def main() -> int:
    """Measure and print: a table to standard error, JSON to standard output. With a limit, the exit code is 1
    if a ratio is above it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--places", type=int, default=60, help="where to type, per file (default 60)")
    parser.add_argument("--limit", type=float, help="largest ratio to ruff server that is accepted")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:  # where no settings of any tool are near
        results = {file: measure(_copy(file, Path(folder)), options.places) for file in FILES}
    print(table(results), file=sys.stderr)
    print(json.dumps(results, indent=1))
    worst = max(result["p50_ratio_to_ruff_server"] for result in results.values())
    return int(options.limit is not None and worst > options.limit)


if __name__ == "__main__":
    sys.exit(main())
