"""What a scan of a package costs, as a table: `python tests/bench/scan_cost.py FOLDER...`.

Processor time of one process, and of two together, beside that of reading and `ast.parse`-ing the same files,
each in a process of its own: without its start, settings and the writing of a report. `MINDPORT_SERVER` names the folder that
mindport is taken from, such as the compiled one. See README.md in this folder.
"""

from __future__ import annotations

import argparse
import ast
import gc
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from servers import PACKAGE, as_installed

if TYPE_CHECKING:
    from mindport.project.dependencies import FileArguments
    from mindport.scan.scanner import Scanner
    from mindport.scan.tasks import Arguments, FileResult, ScanFile

PARSING = "ast.parse"
PROCESSES = 2
LOWERED, ROUNDS, FINDINGS = "parsed and lowered", "what calls give", "findings"
_BYTES_OF_UNIT = 1 if sys.platform == "darwin" else 1024
"""What `ru_maxrss` counts in."""


class _Run:
    """A scan in this process, as `scan/scan.py` wants it; it counts its `rounds`."""

    def __init__(self, scanner: Scanner[Any]) -> None:
        self._scanner = scanner
        self.rounds = 0

    def defined(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileArguments | None]]:
        for file in files:
            yield file, self._scanner.definitions(file)

    def collect(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileArguments | None]]:
        self.rounds += 1
        for file in files:
            yield file, self._scanner.arguments(file)

    def take(self, files: Sequence[ScanFile], arguments: Arguments) -> None:
        self._scanner.take(arguments)

    def analyse(self, files: Sequence[ScanFile]) -> Iterator[tuple[ScanFile, FileResult[Any]]]:
        for file in files:
            yield file, self._scanner.analyse(file)


def cost_of_scan(folder: Path) -> dict[str, float]:
    """Seconds of processor time that this process takes for each part of a scan, and the most memory that it
    had, in MB. What is kept of a project is dropped after so much source that large ones are read again in
    later parts."""
    from mindport.assess.rules import all_rules
    from mindport.catalog.catalog import Catalog
    from mindport.project.discover import discover
    from mindport.project.setting_table import Settings
    from mindport.report.json_report import JsonReport
    from mindport.scan import scan
    from mindport.scan.division import by_roots
    from mindport.scan.scanner import Scanner
    from mindport.source.error import TextError

    Catalog.load()
    all_rules()  # is part of the start, as the catalog is: their modules are imported
    settings = Settings()
    paths = discover([folder], [], 0).files
    files = sorted(scan.scan_files(paths), key=by_roots)
    gc.disable()  # as a scan does
    scanner = Scanner(settings, JsonReport(settings.ported_to, "en"))
    run = _Run(scanner)
    times = [time.process_time()]
    for file in files:
        try:
            scanner._session_for(file).load(file.path.absolute())
        except TextError:
            continue
    times.append(time.process_time())
    scan._in_rounds(files, run, None, scan.Progress())
    times.append(time.process_time())
    for _ in run.analyse(files):
        pass
    times.append(time.process_time())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _BYTES_OF_UNIT
    parts = zip((LOWERED, ROUNDS, FINDINGS), times, times[1:], strict=False)
    return {name: end - begin for name, begin, end in parts} | {"rounds": run.rounds, "mb": peak / 1e6}


def cost_in_processes(folder: Path) -> dict[str, float]:
    """The seconds of processor time that a scan with two processes takes, in all of its processes, and from
    its beginning to its end; and the most memory that one of the two had, in MB."""
    from mindport.assess.rules import all_rules
    from mindport.catalog.catalog import Catalog
    from mindport.project.discover import discover
    from mindport.project.setting_table import Settings
    from mindport.report.json_report import JsonReport
    from mindport.scan import scan
    from mindport.scan.pool import Local

    Catalog.load()
    all_rules()
    settings = Settings()
    files = scan.scan_files(discover([folder], [], 0).files)
    began, begin = time.perf_counter(), _all_time()
    with Local(PROCESSES).start(settings, JsonReport(settings.ported_to, "en")) as run:
        run.is_last = False  # so that the processes are waited for
        scan._in_rounds(files, run, None, scan.Progress())
        for _ in run.analyse(files):
            pass
        passed = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * _BYTES_OF_UNIT
    return {"processes": _all_time() - begin, "passed": passed, "mb of each": peak / 1e6}


def _all_time() -> float:
    """The processor time of this process, and of those that have ended."""
    return sum(os.times()[:4])


def cost_of_parsing(folder: Path) -> dict[str, float]:
    """Seconds of processor time that this process takes to read and parse the files."""
    paths = sorted(folder.rglob("*.py"))
    begin = time.process_time()
    for path in paths:
        try:
            ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
    return {PARSING: time.process_time() - begin}


_MEASURED = {"scan": cost_of_scan, "parsing": cost_of_parsing, "processes": cost_in_processes}


def _measured(what: str, folder: Path) -> dict[str, float]:
    environment = as_installed({**os.environ, "PYTHONPATH": PACKAGE, "PYTHONHASHSEED": "0"})
    command = [sys.executable, __file__, "--measure", what, str(folder.absolute())]
    done = subprocess.run(
        command, env=environment, cwd=tempfile.gettempdir(), stdout=subprocess.PIPE, check=True
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def cost(folder: Path, times: int) -> dict[str, float]:
    """The medians of what was measured so many times, in turn."""
    found = [
        {name: number for what in _MEASURED for name, number in _measured(what, folder).items()}
        for _ in range(times)
    ]
    return {name: statistics.median([one[name] for one in found]) for name in found[0]}


def row(name: str, found: dict[str, float]) -> str:
    """A line of the table."""
    ratio = sum(found[part] for part in (LOWERED, ROUNDS, FINDINGS)) / found[PARSING]
    cells = [
        name,
        f"{found[LOWERED]:.2f}",
        f"{found[ROUNDS]:.2f}, {found['rounds']:.0f}",
        f"{found[FINDINGS]:.2f}",
        f"{found[PARSING]:.2f}",
        f"{ratio:.1f}",
        f"{found['mb']:.0f}",
        f"{found['processes'] / found[PARSING]:.1f}",
        f"{found['passed'] / found[PARSING]:.1f}",
        f"{found['mb of each']:.0f}" if found["mb of each"] else "one, for few files",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Measure and print a line for each folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, help="folders of packages, such as timm's")
    parser.add_argument("--times", type=int, default=3, help="how often each is measured (default 3)")
    parser.add_argument("--measure", choices=_MEASURED, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(_MEASURED[options.measure](options.folders[0])), flush=True)
        os._exit(0)  # as a scan ends
    together = f"{PROCESSES} processes: together | from beginning to end | MB of each"
    print(f"| package | {LOWERED} | {ROUNDS}, rounds | {FINDINGS} | `{PARSING}` | ratio | MB | {together} |")
    print(f"|{'---|' * 10}")
    for folder in options.folders:
        print(row(folder.absolute().name, cost(folder, options.times)), flush=True)


if __name__ == "__main__":
    main()
