"""Run the fuzz targets for a while: `make fuzz MINUTES=30`.

    python tests/fuzz/run.py [--minutes 1] [--jobs 2] [--first SEED] [--json FILE] [TARGET...]

Each trial is made of its target and a seed; a failure tells both, and `--first SEED --trials 1 TARGET` makes it
again. So does a process that a trial ends: its seed is told, and another goes on behind it. Most of the time
goes to edits. At the end the trials and steps of each are printed, and written to FILE; exits with 1 if one failed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
for folder in (HERE, HERE.parent, HERE.parent / "resolve", HERE.parent / "lsp", HERE.parent / "rewrite"):
    sys.path.insert(0, str(folder))

from target import Target  # noqa: E402

SHARES = {"edits": 4, "calls": 2, "messages": 1, "settings": 1, "trees": 1, "conversions": 1}
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


class Work(NamedTuple):
    """What one process does: trials of a target with the seeds `first`, `first + step`, …, until a time (as
    `time.time` has it), or `most` of them."""

    name: str
    first: int
    step: int
    until: float
    most: int | None


def run(work: Work, told: Connection) -> None:
    """Do the work, and tell of each trial as it begins and ends: its seed, its steps, and what it raised."""
    target = target_of(work.name)
    seed = work.first
    trials = 0
    while (work.most is None and time.time() < work.until) or (work.most is not None and trials < work.most):
        told.send((seed, None, None))
        try:
            told.send((seed, target.run(seed), None))
        except Exception:  # noqa: BLE001 - whatever is raised is a failure of the trial
            told.send((seed, 0, traceback.format_exc()))
        seed += work.step
        trials += 1
    told.close()


def watched(work: Work) -> Done:
    """Have the work done by another process; by a further one from the next seed on, where a trial ends it."""
    context = multiprocessing.get_context("spawn")
    most = work.most
    failures: list[tuple[int, str]] = []
    trials = steps = 0
    while True:
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=run, args=(work, sender), daemon=True)
        process.start()
        sender.close()
        running: int | None = None
        try:
            while True:
                seed, done, failure = receiver.recv()
                running = seed if done is None else None
                if done is not None:
                    trials, steps = trials + 1, steps + done
                if failure is not None:
                    failures.append((seed, failure))
        except EOFError:
            process.join()
        if running is None:
            return Done(work.name, trials, steps, failures)
        trials += 1
        failures.append((running, f"the process ended with exit code {process.exitcode}\n"))
        left = None if most is None else most - trials
        if left == 0:
            return Done(work.name, trials, steps, failures)
        work = work._replace(first=running + work.step, most=left)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("targets", nargs="*", default=NAMES, metavar="TARGET", help=", ".join(NAMES))
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    parser.add_argument("--trials", type=int, default=None, help="of each target, instead of a time")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there, too")
    options = parser.parse_args()
    names = list(options.targets or NAMES)
    a_share = options.minutes * 60 / sum(SHARES[name] for name in names)
    jobs = 1 if options.trials is not None else options.jobs
    trials: Counter[str] = Counter()
    steps: Counter[str] = Counter()
    failed = 0
    with ThreadPoolExecutor(jobs) as pool:
        for name in names:
            until = time.time() + a_share * SHARES[name]
            work = [Work(name, options.first + n, jobs, until, options.trials) for n in range(jobs)]
            for done in pool.map(watched, work):
                trials[name] += done.trials
                steps[name] += done.steps
                failed += len(done.failures)
                for seed, text in done.failures:
                    print(f"{name} --first {seed} --trials 1\n{text}", file=sys.stderr, flush=True)
    for name in names:
        print(f"{name:12} {trials[name]:>8} trials {steps[name]:>9} {target_of(name).steps}")
    print(f"failed: {failed}")
    if options.json is not None:
        made = {name: [trials[name], steps[name]] for name in names}
        told = {"minutes": options.minutes, "trials": made, "failed": failed}
        options.json.write_text(json.dumps(told), "utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
