"""A cold scan of timm beside one process that reads and `ast.parse`-s the same files, taking turns.

Seconds are wall-clock time of whole processes, start included. See README.md in this folder.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(HERE.parent))

from corpus import TIMM, corpus  # noqa: E402

PARSE = """
import ast, sys
from pathlib import Path
for path in sorted(Path(sys.argv[1]).rglob("*.py")):
    ast.parse(path.read_bytes())
"""


def commands(folder: Path, output: Path, jobs: int) -> dict[str, list[str]]:
    """What is compared."""
    scan = [sys.executable, "-m", "mindport", "scan", str(folder), "--format", "json", "-o", str(output)]
    return {
        "read + ast.parse": [sys.executable, "-c", PARSE, str(folder)],
        f"mindport scan --jobs {jobs}": [*scan, "--jobs", str(jobs)],
        "mindport scan --jobs 1": [*scan, "--jobs", "1"],
    }


def seconds(command: list[str]) -> float:
    """How long a process takes."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
    begin = time.perf_counter()
    subprocess.run(command, check=True, env=environment, cwd=tempfile.gettempdir())
    return time.perf_counter() - begin


def measure(rounds: int, jobs: int) -> dict[str, Any]:
    """Times and ratios; the ratio is the median of the ratios of the rounds."""
    folder = corpus(*TIMM) / "timm"
    with tempfile.TemporaryDirectory() as temporary:
        output = Path(temporary) / "scan.json"
        compared = commands(folder, output, jobs)
        for command in compared.values():  # once before: the files are in memory, bytecode is written
            seconds(command)
        times: dict[str, list[float]] = {name: [] for name in compared}
        for _ in range(rounds):
            for name, command in compared.items():
                times[name].append(seconds(command))
        summary = json.loads(output.read_bytes())["summary"]
    parsing = times["read + ast.parse"]
    return {
        "corpus": {"files": summary["files"], "lines": summary["lines"], "uses": summary["uses"]},
        "rounds": rounds,
        "processors": os.cpu_count(),
        "results": {
            name: {
                "seconds_p50": round(statistics.median(found), 3),
                "seconds_min": round(min(found), 3),
                "ratio_p50": round(
                    statistics.median(ours / theirs for ours, theirs in zip(found, parsing, strict=True)), 3
                ),
            }
            for name, found in times.items()
        },
    }


def table(measured: dict[str, Any]) -> str:
    """The results for people."""
    corpus_counts = measured["corpus"]
    rows = [f"timm {TIMM[1]}: {corpus_counts['files']} files, {corpus_counts['lines']:,} lines"]
    rows.append(f"{'':26} {'p50 s':>8} {'min s':>8} {'ratio':>8}")
    for name, result in measured["results"].items():
        rows.append(
            f"{name:26} {result['seconds_p50']:8.2f} {result['seconds_min']:8.2f} {result['ratio_p50']:8.2f}"
        )
    return "\n".join(rows)


def main() -> int:
    """Measure and print: a table to standard error, JSON to standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="how often each is run (default 7)")
    parser.add_argument("--jobs", type=int, default=2, help="processes of the parallel scan (default 2)")
    parser.add_argument("--limit", type=float, help="largest ratio of the parallel scan that is accepted")
    options = parser.parse_args()
    measured = measure(options.rounds, options.jobs)
    print(table(measured), file=sys.stderr)
    print(json.dumps(measured, indent=1))
    ratio = measured["results"][f"mindport scan --jobs {options.jobs}"]["ratio_p50"]
    return int(options.limit is not None and ratio > options.limit)


if __name__ == "__main__":
    sys.exit(main())
