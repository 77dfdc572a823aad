"""What `mindport analyze` costs beside `mindport scan` of the same folder: processor time, start included, one
process each, no cache, in turn. See README.md in this folder.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from servers import PACKAGE, as_installed


def processor_seconds(command: str, folder: Path, output: Path) -> float:
    """The processor time of one command."""
    environment = as_installed({**os.environ, "PYTHONPATH": PACKAGE})
    words = [sys.executable, "-m", "mindport", command, str(folder), "--no-cache", "--jobs", "1"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [*words, "--format", "json", "-o", str(output)],
        env=environment,
        cwd=output.parent,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Measure and print, for each folder, the medians and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    for folder in options.folders:
        with tempfile.TemporaryDirectory() as scratch:
            pairs = [
                [
                    processor_seconds(command, folder.resolve(), Path(scratch) / f"{command}.json")
                    for command in ("scan", "analyze")
                ]
                for _ in range(options.rounds)
            ]
        scan, analysis = [statistics.median(column) for column in zip(*pairs, strict=True)]
        ratio = statistics.median(each[1] / each[0] for each in pairs)
        print(
            f"{folder.name}: scan {scan:.1f} s, analyze {analysis:.1f} s of processor time, ratio {ratio:.1f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
