"""What a thing that is hand-made for speed buys: the same work with it and without it, taking turns.

`python tests/bench/without.py NAME FOLDER` takes the thing out of the sources by replacing a part of them, in
a process of its own (see `without_things.py` for the names), and says the processor time of both, the ratio,
and whether both said the same. See README.md in this folder.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from servers import PACKAGE, ROOT, as_installed
from without_things import THINGS
from without_work import WORK

COMPILED = str(ROOT / ".cache" / "compiled")


def run(work: str, name: str, without: bool, folder: Path, scratch: Path) -> tuple[float, str]:
    """The milliseconds of processor time that the work took, without a thing or with it, and a digest of what
    it said."""
    environment = as_installed({**os.environ, "PYTHONPATH": PACKAGE, "PYTHONHASHSEED": "0"})
    environment["MINDPORT_CACHE_DIR"] = str(scratch / "cache")
    if name == "compiled" and not without:
        environment["PYTHONPATH"] = COMPILED
    command = [sys.executable, __file__, "--work", work, name, str(folder), "--scratch", str(scratch)]
    if without:
        command.append("--without")
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    milliseconds, said = json.loads(done.stdout.splitlines()[-1])
    return milliseconds, said


def compare(work: str, name: str, folder: Path, rounds: int, scratch: Path) -> dict[str, object]:
    """Both, in turn. What the work finds on the disk is made before, by a run that is not counted."""
    times: dict[bool, list[float]] = {False: [], True: []}
    said: dict[bool, set[str]] = {False: set(), True: set()}
    if work == "again":
        run(work, name, False, folder, scratch)
    for _ in range(rounds):
        for without in (False, True):
            milliseconds, digest = run(work, name, without, folder, scratch)
            said[without].add(digest)
            times[without].append(milliseconds)
    ratios = [b / a for a, b in zip(times[False], times[True], strict=True)]
    return {
        "thing": name,
        "work": work,
        "with_ms": round(statistics.median(times[False]), 2),
        "without_ms": round(statistics.median(times[True]), 2),
        "ratio": round(statistics.median(ratios), 3),
        "ratios": [round(ratio, 3) for ratio in ratios],
        "same": said[False] == said[True] and len(said[True]) == 1,
    }


def main() -> None:
    """Measure and print JSON, a line for each kind of work."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("name", choices=THINGS)
    parser.add_argument("folder", type=Path, help="the folder of a package, such as timm's")
    parser.add_argument("--rounds", type=int, default=3, help="how often both are measured (default 3)")
    parser.add_argument("--work", choices=WORK, help="this kind of work alone")
    parser.add_argument("--without", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--scratch", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.scratch is not None:
        if options.without:
            THINGS[options.name].take_out()
        print(json.dumps(WORK[options.work](options.folder, options.scratch)), flush=True)
        return
    for work in [options.work] if options.work else THINGS[options.name].work:
        with tempfile.TemporaryDirectory() as scratch:
            found = compare(work, options.name, options.folder, options.rounds, Path(scratch))
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
