"""How many lines of timm `mindport convert` converts in a second.

Seconds are wall-clock time of whole processes, start included; nothing is taken from a cache. See README.md in
this folder.
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


def commands(source: Path, target: Path, jobs: int) -> dict[str, list[str]]:
    """What is measured."""
    convert = [sys.executable, "-m", "mindport", "convert", str(source)]
    return {
        f"-o DIR --jobs {jobs}": [*convert, "-o", str(target / "parallel"), "--jobs", str(jobs)],
        "-o DIR --jobs 1": [*convert, "-o", str(target / "single"), "--jobs", "1"],
        f"--diff --jobs {jobs}": [*convert, "--diff", "--jobs", str(jobs)],
    }


def seconds(command: list[str]) -> float:
    """How long a process takes."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
    begin = time.perf_counter()
    subprocess.run(
        command,
        check=True,
        env=environment,
        cwd=tempfile.gettempdir(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return time.perf_counter() - begin


def measure(rounds: int, jobs: int) -> dict[str, Any]:
    """Times, and lines in a second."""
    source = corpus(*TIMM) / "timm"
    lines = sum(path.read_bytes().count(b"\n") for path in source.rglob("*.py"))
    times: dict[str, list[float]] = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as temporary:
            for name, command in commands(source, Path(temporary), jobs).items():
                times.setdefault(name, []).append(seconds(command))
    return {
        "lines": lines,
        "rounds": rounds,
        "processors": os.cpu_count(),
        "results": {
            name: {
                "seconds_p50": round(statistics.median(found), 3),
                "seconds_min": round(min(found), 3),
                "lines_per_second_p50": round(lines / statistics.median(found)),
            }
            for name, found in times.items()
        },
    }


def main() -> int:
    """Measure and print: a table to standard error, JSON to standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="how often each is run (default 3)")
    parser.add_argument("--jobs", type=int, default=2, help="processes of the parallel runs (default 2)")
    parser.add_argument("--least", type=float, help="fewest lines in a second of -o DIR that are accepted")
    options = parser.parse_args()
    measured = measure(options.rounds, options.jobs)
    print(f"timm {TIMM[1]}: {measured['lines']:,} lines", file=sys.stderr)
    for name, result in measured["results"].items():
        speed, spent = result["lines_per_second_p50"], result["seconds_p50"]
        print(f"{name:20} {spent:8.2f} s {speed:10,} lines/s", file=sys.stderr)
    print(json.dumps(measured, indent=1))
    speed = measured["results"][f"-o DIR --jobs {options.jobs}"]["lines_per_second_p50"]
    return int(options.least is not None and speed < options.least)


if __name__ == "__main__":
    sys.exit(main())
