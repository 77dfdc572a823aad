"""Run the fuzz targets for a while: `make fuzz MINUTES=30`.

    python tests/fuzz/run.py [--minutes 1] [--jobs 2] [--first SEED] [TARGET...]

Each trial is made of its target and a seed; a failure tells both, and `--first SEED --trials 1 TARGET` makes it
again. Half of the time goes to edits. At the end the trials and steps of each are printed; exits with 1 if one
failed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
for folder in (HERE, HERE.parent, HERE.parent / "resolve", HERE.parent / "lsp", HERE.parent / "rewrite"):
    sys.path.insert(0, str(folder))

from target import Target  # noqa: E402

SHARES = {"edits": 4, "messages": 1, "settings": 1, "trees": 1, "conversions": 1}
"""The targets, each with its share of the time."""
NAMES = tuple(SHARES)


class Done(NamedTuple):
    """What came of the trials of one target in one process: their number, that of their steps, and the failures
    as (seed, traceback)."""

    name: str
    trials: int
    steps: int
    failures: list[tuple[int, str]]


def target_of(name: str) -> Target:
    """The target of a name. Raises ModuleNotFoundError."""
    found: Target = __import__(name).TARGET
    return found


def run(name: str, first: int, step: int, seconds: float, most: int | None) -> Done:
    """Trials of one target with the seeds `first`, `first + step`, …: for some seconds, or `most` of them."""
    target = target_of(name)
    failures: list[tuple[int, str]] = []
    trials = steps = 0
    until = time.monotonic() + seconds
    while (most is None and time.monotonic() < until) or (most is not None and trials < most):
        seed = first + trials * step
        try:
            steps += target.run(seed)
        except Exception:  # noqa: BLE001 - whatever is raised is a failure of the trial
            failures.append((seed, traceback.format_exc()))
        trials += 1
    return Done(name, trials, steps, failures)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("targets", nargs="*", default=NAMES, metavar="TARGET", help=", ".join(NAMES))
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    parser.add_argument("--trials", type=int, default=None, help="of each target, instead of a time")
    options = parser.parse_args()
    names = list(options.targets or NAMES)
    a_share = options.minutes * 60 / sum(SHARES[name] for name in names)
    jobs = 1 if options.trials is not None else options.jobs
    trials: Counter[str] = Counter()
    steps: Counter[str] = Counter()
    failed = 0
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for name in names:
            work = [
                (name, options.first + n, jobs, a_share * SHARES[name], options.trials) for n in range(jobs)
            ]
            for done in pool.starmap(run, work):
                trials[name] += done.trials
                steps[name] += done.steps
                failed += len(done.failures)
                for seed, text in done.failures:
                    print(f"{name} --first {seed} --trials 1\n{text}", file=sys.stderr)
    for name in names:
        print(f"{name:12} {trials[name]:>8} trials {steps[name]:>9} {target_of(name).steps}")
    print(f"failed: {failed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
