"""A scan of a hundred packages with each engine: `python tests/bench/many.py [FOLDER]`.

Without a folder the packages of `packages.txt` are fetched, their Python files alone, into `.cache/corpus/many`.
Wall-clock time and processor time are of a whole scan, start included, and of all its processes; memory is the
most that each had (resident). Processes are looked at every fifth of a second. Both engines must write the same
report, byte for byte. The last lines say what a million such files would be, by these figures. See README.md in
this folder.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import NamedTuple

import psutil

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(HERE.parent))

from servers import PACKAGE, as_installed  # noqa: E402

LIST = HERE / "packages.txt"
FOLDER = ROOT / ".cache" / "corpus" / "many"
ENGINES = ("local", "dask")
EVERY = 0.2
MILLION = 1_000_000


class Cost(NamedTuple):
    """What a scan took: seconds, and the most memory of each process in MB, largest first."""

    wall: float
    processor: float
    memory: list[float]


def fetched() -> Path:
    """The folder with the Python files of all packages, one folder for each."""
    wanted = [line for line in LIST.read_text(encoding="utf-8").split("\n") if "==" in line]
    for requirement in wanted:
        folder = FOLDER / requirement.replace("==", "-")
        if folder.is_dir():
            continue
        with tempfile.TemporaryDirectory(prefix="mindport-") as wheels:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
            pip += ["--python-version", "3.11", "--dest", wheels, requirement]
            subprocess.run(pip, check=True, timeout=300)
            [wheel] = Path(wheels).glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                names = [name for name in archive.namelist() if name.endswith(".py")]
                archive.extractall(folder, names)
    return FOLDER


def cost(command: list[str], environment: dict[str, str]) -> Cost:
    """Run a command, and look at it and all that it starts, since processes that are ended are not counted by
    the system. Raises RuntimeError if it fails."""
    most: dict[int, int] = {}
    seconds: dict[int, float] = {}
    began = time.monotonic()
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(command, env=environment, stdout=told, stderr=subprocess.STDOUT)
        main = psutil.Process(process.pid)
        while process.poll() is None:
            for each in _family(main):
                try:
                    most[each.pid] = max(most.get(each.pid, 0), each.memory_info().rss)
                    seconds[each.pid] = sum(each.cpu_times()[:2])
                except psutil.Error:
                    continue
            time.sleep(EVERY)
        if process.returncode not in (0, 2):  # 2: a file could not be read
            told.seek(0)
            raise RuntimeError(told.read().decode())
    memory = sorted((rss / 1e6 for rss in most.values()), reverse=True)
    return Cost(time.monotonic() - began, sum(seconds.values()), memory)


def _family(main: psutil.Process) -> list[psutil.Process]:
    try:
        return [main, *main.children(recursive=True)]
    except psutil.Error:
        return []


def scanned(folder: Path, jobs: int) -> dict[str, object]:
    """What each engine took, and what was scanned."""
    environment = as_installed({**os.environ, "PYTHONPATH": PACKAGE})
    found: dict[str, object] = {}
    with tempfile.TemporaryDirectory(prefix="mindport-") as temporary:
        reports = []
        for engine in ENGINES:
            report = Path(temporary) / f"{engine}.json"
            reports.append(report)
            scan = [
                sys.executable,
                "-m",
                "mindport",
                "scan",
                str(folder),
                "--format",
                "json",
                "-o",
                str(report),
            ]
            taken = cost([*scan, "--engine", engine, "--jobs", str(jobs), "--no-cache"], environment)
            found[engine] = taken._asdict()
            print(f"{engine}: {taken.wall:.0f} s, {taken.processor:.0f} s of processor", file=sys.stderr)
        found["same"] = filecmp.cmp(*reports, shallow=False)
        found["summary"] = json.loads(reports[0].read_text(encoding="utf-8"))["summary"]
    return found


def table(found: dict[str, object], jobs: int) -> str:
    """The figures as docs/scanning.md has them."""
    summary = found["summary"]
    files, lines = summary["files"], summary["lines"]  # type: ignore[index]
    rows = [
        f"{files:,} files, {lines:,} lines; reports {'are the same' if found['same'] else 'DIFFER'}",
        "",
        "| engine | wall, s | processor, s | ms per file | lines per s of processor | MB of each worker |",
        "|---|---|---|---|---|---|",
    ]
    for engine in ENGINES:
        taken = Cost(**found[engine])  # type: ignore[arg-type]
        workers = ", ".join(f"{each:,.0f}" for each in taken.memory[:jobs])
        rows.append(
            f"| {engine}, {jobs} workers | {taken.wall:,.0f} | {taken.processor:,.0f} "
            f"| {taken.processor / files * 1000:.1f} | {lines / taken.processor:,.0f} | {workers} |"
        )
    hours = Cost(**found["dask"]).processor / files * MILLION / 3600  # type: ignore[arg-type]
    rows += ["", f"a million files: {hours:.1f} hours of processor"]
    rows += [f"  {workers} workers: {hours / workers:.2f} hours" for workers in (8, 64, 256)]
    return "\n".join(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="scanned in place of the hundred packages")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    found = scanned(options.folder or fetched(), options.jobs)
    print(table(found, options.jobs))
    return 0 if found["same"] else 1


if __name__ == "__main__":
    sys.exit(main())
