"""A cold scan of timm beside one process that reads and `ast.parse`-s the same files, and beside a warm scan,
taking turns.

Seconds are wall-clock time of whole processes, start included. See README.md in this folder.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
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
from servers import PACKAGE, as_installed  # noqa: E402

PARSE = """
import ast, sys
from pathlib import Path
for path in sorted(Path(sys.argv[1]).rglob("*.py")):
    ast.parse(path.read_bytes())
"""
PARSING = "read + ast.parse"
WARM = "warm scan"


class Bench:
    """The commands that are compared, with a cache and an output of their own."""

    def __init__(self, folder: Path, temporary: Path, jobs: int) -> None:
        self.output = temporary / "scan.json"
        self.cache = temporary / "cache"
        self.cold = f"cold scan, --jobs {jobs}"
        scan = [sys.executable, "-m", "mindport", "scan", str(folder), "--format", "json"]
        scan += ["-o", str(self.output)]
        self.commands = {
            PARSING: [sys.executable, "-c", PARSE, str(folder)],
            self.cold: [*scan, "--jobs", str(jobs)],
            WARM: [*scan, "--jobs", str(jobs)],  # right after the cold one, with what that has kept
            "scan without cache, --jobs 1": [*scan, "--jobs", "1", "--no-cache"],
        }
        own = {"PYTHONPATH": PACKAGE, "MINDPORT_CACHE_DIR": str(self.cache)}
        self._environment = as_installed({**os.environ, **own})

    def seconds(self, name: str) -> float:
        """How long a process takes."""
        if name == self.cold:
            shutil.rmtree(self.cache, ignore_errors=True)
        begin = time.perf_counter()
        command = self.commands[name]
        subprocess.run(command, check=True, env=self._environment, cwd=tempfile.gettempdir())
        return time.perf_counter() - begin


def measure(rounds: int, jobs: int) -> dict[str, Any]:
    """Times and ratios; the ratio is the median of the ratios of the rounds."""
    with tempfile.TemporaryDirectory() as temporary:
        bench = Bench(corpus(*TIMM) / "timm", Path(temporary), jobs)
        results: set[bytes] = set()
        for name in bench.commands:  # once before: the files are in memory, bytecode is written
            bench.seconds(name)
            results.add(bench.output.read_bytes() if bench.output.exists() else b"")
        if len(results - {b""}) != 1:
            raise SystemExit("the scans do not say the same")
        times: dict[str, list[float]] = {name: [] for name in bench.commands}
        for _ in range(rounds):
            for name in bench.commands:
                times[name].append(bench.seconds(name))
        summary = json.loads(bench.output.read_bytes())["summary"]
    return {
        "corpus": {"files": summary["files"], "lines": summary["lines"], "uses": summary["uses"]},
        "rounds": rounds,
        "processors": os.cpu_count(),
        "results": {
            name: {
                "seconds_p50": round(statistics.median(found), 3),
                "seconds_min": round(min(found), 3),
                "ratio_p50": _ratio(found, times[PARSING]),
            }
            for name, found in times.items()
        },
        "cold_to_parse": _ratio(times[bench.cold], times[PARSING]),
        "warm_to_cold": _ratio(times[WARM], times[bench.cold]),
    }


def _ratio(ours: list[float], theirs: list[float]) -> float:
    return round(statistics.median(one / other for one, other in zip(ours, theirs, strict=True)), 3)


def table(measured: dict[str, Any]) -> str:
    """The results for people."""
    corpus_counts = measured["corpus"]
    rows = [f"timm {TIMM[1]}: {corpus_counts['files']} files, {corpus_counts['lines']:,} lines"]
    rows.append(f"{'':30} {'p50 s':>8} {'min s':>8} {'ratio':>8}")
    for name, result in measured["results"].items():
        rows.append(
            f"{name:30} {result['seconds_p50']:8.2f} {result['seconds_min']:8.2f} {result['ratio_p50']:8.2f}"
        )
    rows.append(f"warm / cold: {measured['warm_to_cold']:.3f}")
    return "\n".join(rows)


def main() -> int:
    """Measure and print: a table to standard error, JSON to standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="how often each is run (default 7)")
    parser.add_argument("--jobs", type=int, default=2, help="processes of the parallel scan (default 2)")
    parser.add_argument("--limit", type=float, help="largest ratio of the cold scan that is accepted")
    parser.add_argument("--warm-limit", type=float, help="largest ratio of warm to cold that is accepted")
    options = parser.parse_args()
    measured = measure(options.rounds, options.jobs)
    print(table(measured), file=sys.stderr)
    print(json.dumps(measured, indent=1))
    too_slow = options.limit is not None and measured["cold_to_parse"] > options.limit
    too_warm = options.warm_limit is not None and measured["warm_to_cold"] > options.warm_limit
    return int(too_slow or too_warm)


if __name__ == "__main__":
    sys.exit(main())
