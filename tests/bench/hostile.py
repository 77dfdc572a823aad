"""What is no code, and a lot of code: `mindport scan` beside `ruff check` on the same file, taking turns, and
the memory that it takes. See README.md in this folder.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from corpus import timm_file  # noqa: E402
from servers import PACKAGE, as_installed  # noqa: E402

MEGABYTE = 1024 * 1024
PRINTABLE = "".join(map(chr, range(32, 127)))
RANDOM = {
    "brackets": "()[]{}",
    "brackets in lines": "()[]{}\n",
    "ASCII": PRINTABLE,
    "ASCII in lines": PRINTABLE + "\n" * 3,
}
LONGEST_SECONDS = 60
"""What takes longer is ended, and counts as so long."""


class Run(NamedTuple):
    """One run of a process: how long it took, and the most memory that it had."""

    seconds: float
    megabytes: float


def texts() -> dict[str, str]:
    """The texts that are measured, by name."""
    chosen = random.Random(1)
    found = {name: "".join(chosen.choices(characters, k=MEGABYTE)) for name, characters in RANDOM.items()}
    code = timm_file("models/vision_transformer.py").read_text(encoding="utf-8")
    code = code.replace("from __future__ import annotations", "")
    return found | {f"{size} MB of code": code * (size * MEGABYTE // len(code)) for size in (1, 5)}


def run(command: list[str], folder: Path) -> Run:
    """Run a command to its end."""
    begin = time.perf_counter()
    environment = as_installed({**os.environ, "PYTHONPATH": PACKAGE})
    silent = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=silent, stderr=silent)
    while time.perf_counter() - begin < LONGEST_SECONDS:
        ended, _, used = os.wait4(process.pid, os.WNOHANG)
        if ended:
            return Run(time.perf_counter() - begin, used.ru_maxrss / 1024)
        time.sleep(0.005)
    process.kill()
    _, _, used = os.wait4(process.pid, 0)
    return Run(LONGEST_SECONDS, used.ru_maxrss / 1024)


def main() -> int:
    """Measure, print a table to standard error and JSON to standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--limit", type=float, help="fail if what is no code takes more than so many ruff check"
    )
    options = parser.parse_args()
    scan = [sys.executable, "-m", "mindport", "scan", "--jobs", "1", "--no-cache", "--format", "json"]
    ruff = [str(Path(sys.executable).parent / "ruff"), "check", "--isolated", "--no-cache", "--quiet"]
    results: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name, text in texts().items():
            path = folder / "text.py"
            path.write_text(text, encoding="utf-8")
            ours, theirs = [], []
            for _ in range(options.rounds):
                ours.append(run([*scan, path.name], folder))
                theirs.append(run([*ruff, path.name], folder))
            ratios = [one.seconds / other.seconds for one, other in zip(ours, theirs, strict=True)]
            results[name] = {
                "seconds": round(statistics.median(one.seconds for one in ours), 2),
                "ruff_check_seconds": round(statistics.median(one.seconds for one in theirs), 2),
                "ratio_to_ruff_check": round(statistics.median(ratios), 2),
                "memory_mb": round(max(one.megabytes for one in ours)),
            }
            print(f"{name:20} {results[name]}", file=sys.stderr)
    print(json.dumps(results, indent=1))
    worst = max(results[name]["ratio_to_ruff_check"] for name in RANDOM)
    return int(options.limit is not None and worst > options.limit)


if __name__ == "__main__":
    sys.exit(main())
