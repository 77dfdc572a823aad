"""Convert a library together with its own tests, and say how many of those that pass in PyTorch pass then.

python scripts/library_tests.py --python PYTHON FOLDER PART... [--tests TEST...] [--with NAME] [--seconds 600]

FOLDER holds the library and its tests, PART is what of it is converted (`kornia tests conftest.py`). PYTHON
has both frameworks, pytest, pytest-timeout, and what the tests need. TEST is a path in FOLDER, as pytest
takes it: all PARTs without one. In MindSpore torch is blocked. Failures are grouped by what they say, the
most frequent first.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

BLOCKING = '''"""Refuses torch."""

import sys


class NoTorch:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError("a converted program imports torch", name=name)


sys.meta_path.insert(0, NoTorch())
'''
PLUGIN = "without_torch"
SETTINGS = ("pyproject.toml", "setup.cfg", "pytest.ini", "conftest.py")
"""What tells pytest how to run the tests."""
NUMBERS = re.compile(r"0x[0-9a-f]+|\d+(?:\.\d*)?(?:e[-+]?\d+)?")
DTYPES = re.compile(r"\b(?:mindspore|torch)\.(?=(?:b?float|u?int|bool|complex))")
SHOWN = 30


class Outcome(NamedTuple):
    """How a test ended (passed, failed, skipped), and what it said."""

    ended: str
    said: str = ""


Outcomes = Mapping[tuple[str, str], Outcome]


def read_outcomes(report: Path) -> Outcomes:
    """The outcomes in a JUnit report, by class and name of the test; dtypes in names without their module."""
    found: dict[tuple[str, str], Outcome] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        place = case.get("classname", ""), DTYPES.sub("", case.get("name", ""))
        found[place] = outcome_of(case)
    return found


def outcome_of(case: ElementTree.Element) -> Outcome:
    """The outcome of one test."""
    for child in case:
        if child.tag in ("failure", "error"):
            return Outcome("failed", f"{child.get('message') or ''}\n{child.text or ''}")
        if child.tag == "skipped":
            return Outcome("skipped")
    return Outcome("passed")


def reason(said: str) -> str:
    """The line of a failure that says why, without its numbers."""
    lines = [line[1:].strip() for line in said.splitlines() if line.startswith("E ")]
    first = next(iter(lines), said.partition("\n")[0])
    return NUMBERS.sub("#", first)[:160]


class Side(NamedTuple):
    """Where the tests run, and with what beside them."""

    folder: Path
    name: str
    plugins: Sequence[str] = ()


def run_tests(side: Side, python: str, tests: Sequence[str], seconds: int, scratch: Path) -> Outcomes:
    """The outcomes of the tests. Exits with a message if they did not come to an end."""
    report = scratch / f"{side.name}.xml"
    command = [python, "-m", "pytest", "-q", "--timeout", "120", "-p", "no:cacheprovider", "-o", "addopts="]
    command += [f"--junitxml={report}", "--continue-on-collection-errors", *side.plugins, *tests]
    paths = os.pathsep.join((str(scratch), str(side.folder)))
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", "GLOG_v": "4"}
    try:
        done = subprocess.run(
            command, cwd=side.folder, env=environment, capture_output=True, text=True, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        sys.exit(f"The tests did not end within {seconds} s ({side.name}): name fewer with --tests.")
    if not report.exists():
        sys.exit(f"pytest wrote no report ({side.name}):\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return read_outcomes(report)


def convert(source: Path, target: Path, python: str, libraries: Iterable[str]) -> None:
    """Convert what was copied. Exits with what mindport says if it fails."""
    command = [sys.executable, "-m", "mindport", "convert", ".", "-o", str(target), "--whole"]
    command += ["--device", "cpu", "--style", "classic", "--python", python]
    command += [word for name in libraries for word in ("--with", name)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr or done.stdout)


def told(original: Outcomes, converted: Outcomes) -> str:
    """How many tests still pass, and why the others do not."""
    passed = [place for place, outcome in original.items() if outcome.ended == "passed"]
    missing = Outcome("missing")
    still = [place for place in passed if converted.get(place, missing).ended == "passed"]
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for place in passed:
        outcome = converted.get(place, missing)
        if outcome.ended != "passed":
            groups[reason(outcome.said) if outcome.ended == "failed" else outcome.ended].append(place)
    share = 100 * len(still) / len(passed) if passed else 0.0
    lines = [
        f"{len(still)} of {len(passed)} tests that pass in PyTorch pass after conversion ({share:.1f} %)."
    ]
    for why, places in sorted(groups.items(), key=lambda item: -len(item[1]))[:SHOWN]:
        lines.append(f"{len(places):5} {why}\n      {'.'.join(places[0])}")
    return "\n".join(lines)


def main() -> int:
    """Convert, run both, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("parts", nargs="+")
    parser.add_argument("--python", required=True)
    parser.add_argument("--tests", nargs="+", default=())
    parser.add_argument("--with", dest="libraries", action="append", default=[])
    parser.add_argument("--seconds", type=int, default=600)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        scratch = Path(made)
        original, converted = scratch / "original", scratch / "converted"
        original.mkdir()
        for part in {*given.parts, *(name for name in SETTINGS if (given.folder / name).exists())}:
            place = given.folder / part
            if place.is_dir():
                shutil.copytree(place, original / part)
            elif place.exists():
                shutil.copy(place, original / part)
            else:
                sys.exit(f"{place} does not exist.")
        (scratch / f"{PLUGIN}.py").write_text(BLOCKING, encoding="utf-8")
        python = str(Path.cwd() / given.python)  # a link to another Python stays one
        tests = list(given.tests or given.parts)
        convert(original, converted, python, given.libraries)
        before = run_tests(Side(original, "PyTorch"), python, tests, given.seconds, scratch)
        side = Side(converted, "MindSpore", ("-p", PLUGIN))
        print(told(before, run_tests(side, python, tests, given.seconds, scratch)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
